#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/vpn/config.h"
#include "cli/vpn/management.h"

namespace yard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kHead = "client\ndev tun\nremote vpn.lab.org 1194\n";

Result<VpnConfig> Read(const std::string& text,
                       const std::map<std::string, std::string>& files = {}) {
  return ReadVpnConfig(text, [&files](const std::string& path) -> Result<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return Fail(Code::kNotFound, "there is no file " + path);
    return found->second;
  });
}

TEST(VpnConfigs, TakeTheirFilesAlong) {
  const Result<VpnConfig> config =
      Read(std::string(kHead) + "# a word\n\nca ca.crt\ncert \"my cert\"\ntls-auth ta.key 1\n",
           {{"ca.crt", "CA\n"}, {"my cert", "CERT\n"}, {"ta.key", "TA"}});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_THAT(config->remotes, ElementsAre("vpn.lab.org 1194"));
  EXPECT_EQ(config->certificate, "CERT");
  EXPECT_THAT(config->text, HasSubstr("<ca>\nCA\n</ca>\n"));
  EXPECT_THAT(config->text, HasSubstr("key-direction 1\n<tls-auth>\nTA\n</tls-auth>\n"));
  EXPECT_THAT(config->text, Not(HasSubstr("ca.crt")));
  const Result<VpnConfig> again = Read(config->text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->text, config->text);
  EXPECT_EQ(again->certificate, "CERT");
}

TEST(VpnConfigs, BringNoProgramsAlong) {
  for (const char* line : {"up /bin/sh",
                           "--up /bin/sh",
                           "\"up\" /bin/sh",
                           "u\\p /bin/sh",
                           "UP x",
                           "down x",
                           "route-up x",
                           "plugin x.so",
                           "script-security 2",
                           "tls-verify x",
                           "ipchange x",
                           "engine x",
                           "providers x",
                           "pkcs11-providers x",
                           "config other.ovpn",
                           "cd /",
                           "log /etc/passwd",
                           "status /etc/passwd",
                           "writepid /etc/passwd",
                           "management 0.0.0.0 1",
                           "daemon x",
                           "iproute /tmp/ip",
                           "setenv LD_PRELOAD /tmp/x.so",
                           "setenv PATH /tmp",
                           "setenv-safe a b",
                           "auth-user-pass-verify x",
                           "<up>",
                           "<plugin",
                           "user nobody",
                           "unknown"}) {
    const Result<VpnConfig> config = Read(std::string(kHead) + line + "\n");
    ASSERT_FALSE(config) << line;
    EXPECT_THAT(config.error().message, HasSubstr("line 4")) << line;
  }
  EXPECT_TRUE(Read(std::string(kHead) + "setenv CLIENT_CERT 0\n"));
}

// OpenVPN takes what follows for a directive, and a plugin would run with root's rights.
TEST(VpnConfigs, BringNoProgramsAlongAsOptions) {
  const Result<VpnConfig> config = Read(
      std::string(kHead) +
      "setenv opt plugin /tmp/x.so\nsetenv opt setenv opt plugin /tmp/x.so\nsetenv opt\n"
      "setenv opt --up /bin/sh\nsetenv opt tls-cipher DEFAULT\nsetenv opt block-outside-dns\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->text, std::string(kHead) + "tls-cipher DEFAULT\n");
  EXPECT_FALSE(Read(std::string(kHead) + "setenv opt ca /etc/shadow\n"));
}

// OpenVPN ends a block where a line, or a piece of 255 bytes of it, only begins like the end.
TEST(VpnConfigs, BringNoProgramsAlongBehindABlock) {
  for (const std::string& block :
       {std::string("<ca>\n</ca>x\nplugin /tmp/x.so\n<ca>\n</ca>\n"),
        std::string("<ca>\nCA\n</ca> x\nplugin /tmp/x.so\n<ca>\n</ca>\n"),
        "<ca>\n" + std::string(255, 'x') + "</ca>\nplugin /tmp/x.so\n<ca>\n</ca>\n",
        std::string("<connection>\nremote a 1\n<ca>\n</connection>\nplugin /tmp/x.so\n</ca>\n"
                    "</connection>\n")}) {
    const Result<VpnConfig> config = Read(std::string(kHead) + block);
    EXPECT_FALSE(config) << config->text;
  }
}

TEST(VpnConfigs, AreJudgedInsideOfConnectionsToo) {
  const std::string head = "client\n<connection>\nremote a 1\n";
  EXPECT_THAT(Read(head + "</connection>\n")->remotes, ElementsAre("a 1"));
  EXPECT_FALSE(Read(head + "up x\n</connection>\n"));
}

TEST(VpnConfigs, AContentDoesNotEndEarly) {
  const Result<VpnConfig> config =
      Read(std::string(kHead) + "ca x\n", {{"x", "CA\n</ca>\nup /bin/sh\n<ca>\n"}});
  EXPECT_FALSE(config);
  EXPECT_FALSE(Read(std::string(kHead) + "<ca>\nnever closed\n"));
  EXPECT_FALSE(Read(std::string(kHead) + "<ca>\n</ca >\nup x\n"));
}

TEST(VpnConfigs, AreThoseOfClients) {
  EXPECT_FALSE(Read(""));
  EXPECT_FALSE(Read("client\ndev tun\n"));
  EXPECT_FALSE(Read("remote a 1\n"));
  EXPECT_FALSE(Read(std::string(kHead) + "ca missing.crt\n"));
}

std::vector<VpnStep> Steps(const std::vector<std::string>& words) {
  std::vector<VpnStep> steps;
  steps.reserve(words.size());
  for (const std::string& word : words)
    steps.push_back(
        *ParseVpnStep(fmt::format("1700000000,{},why,10.8.0.2,192.0.2.1,1194,,", word)));
  return steps;
}

TEST(VpnSteps, AreRead) {
  const auto step = ParseVpnStep("1700000000,CONNECTED,SUCCESS,10.8.0.2,192.0.2.1,1194,,");
  ASSERT_TRUE(step);
  EXPECT_EQ(step->state, "CONNECTED");
  EXPECT_EQ(step->address, "10.8.0.2");
  EXPECT_EQ(step->remote, "192.0.2.1");
  for (const char* line :
       {"", "END", "a,CONNECTED,,,", "1,,,,", "1,conn\x1b,,,", ">INFO:x,y,z,a,b"})
    EXPECT_FALSE(ParseVpnStep(line)) << line;
}

TEST(VpnSteps, OnlyAConnectionThatStoodCanBeLost) {
  EXPECT_EQ(DropsOf(Steps({"CONNECTING", "RECONNECTING", "CONNECTING", "RECONNECTING"})), 0);
  EXPECT_EQ(DropsOf(Steps({"CONNECTED", "RECONNECTING", "RECONNECTING", "CONNECTED"})), 1);
  EXPECT_EQ(DropsOf(Steps({"CONNECTED", "RECONNECTING", "CONNECTED", "RECONNECTING"})), 2);
}

}  // namespace
}  // namespace yard::cli
