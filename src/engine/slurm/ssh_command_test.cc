#include "engine/slurm/ssh_command.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::engine::slurm {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

SshOptions Login() {
  SshOptions options;
  options.host = "login";
  options.user = "ada";
  options.port = 2222;
  options.control_path = "/run/gy/1a2b";
  return options;
}

TEST(Ssh, ChecksHostKeysAndForwardsNoAgent) {
  const std::vector<std::string> argv = {"squeue"};
  const auto words = SshCommand(Login(), argv, Terminal::kNone);
  for (const char* word :
       {"StrictHostKeyChecking=yes", "ForwardAgent=no", "BatchMode=yes", "ControlMaster=auto",
        "ControlPath=\"/run/gy/1a2b\"", "2222", "ada@login"})
    EXPECT_THAT(words, Contains(word));
}

TEST(Ssh, PathsMayHoldBlanksAndPercentSigns) {
  SshOptions options = Login();
  options.control_path = "/my data/50%/1a2b";
  options.known_hosts_file = "/my data/known";
  const auto words = SshCommand(options, {}, Terminal::kNone);
  EXPECT_THAT(words, Contains("ControlPath=\"/my data/50%%/1a2b\""));
  EXPECT_THAT(words, Contains("UserKnownHostsFile=\"/my data/known\""));
}

TEST(Ssh, TheFarShellGetsTheWordsAsTheyWere) {
  SshOptions options = Login();
  options.variables = {{"TZ", "UTC"}};
  const std::vector<std::string> argv = {"echo", "a b", "it's", "$HOME"};
  EXPECT_EQ(SshCommand(options, argv, Terminal::kNone).back(),
            "exec 'env' 'TZ=UTC' 'echo' 'a b' 'it'\\''s' '$HOME'");
}

TEST(Ssh, AHostThatBeginsWithADashIsNoOption) {
  SshOptions options = Login();
  options.user.clear();
  options.host = "-oProxyCommand=x";
  const auto words = SshCommand(options, {}, Terminal::kNone);
  const auto dashes = std::ranges::find(words, "--");
  ASSERT_NE(dashes, words.end());
  EXPECT_EQ(*(dashes + 1), options.host);
}

TEST(Ssh, SaysWhatToDoAboutAFailedConnection) {
  EXPECT_THAT(ExplainSsh(Login(),
                         "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key "
                         "verification failed."),
              HasSubstr("has changed"));
  EXPECT_THAT(ExplainSsh(Login(), "Host key verification failed."), HasSubstr("known_hosts"));
  EXPECT_THAT(ExplainSsh(Login(), "ada@login: Permission denied (publickey)."),
              HasSubstr("authorized_keys"));
  EXPECT_THAT(ExplainSsh(Login(), "ssh: connect to host login port 22: Connection refused"),
              HasSubstr("Connection refused"));
}

}  // namespace
}  // namespace yard::engine::slurm
