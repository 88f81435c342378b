// The rest of cli/cluster: what goes to a shell, what comes back, what the server is told.
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/cluster/attach.h"
#include "cli/cluster/doctor.h"
#include "cli/cluster/far.h"
#include "cli/cluster/run.h"
#include "cli/cluster/server_files.h"
#include "cli/cluster/testing/hosts.h"
#include "cli/submit/words.h"

namespace yard::cli {
namespace {

using testing::Bare;
using ::testing::Contains;
using testing::Done;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Lab;
using ::testing::Not;

TEST(Far, ArgumentsReachTheScriptAsTheyAre) {
  const std::vector<std::string> hostile = {"a b", "$(touch x)", "it's", "x\ny", "-n", ";id"};
  const Answer answer = *Exchange(
      {"sh", "-c",
       FarCommand({}, Rights::kRoot, "for word; do printf '[%s]' \"$word\"; done", hostile)},
      "");
  EXPECT_EQ(answer.out, "[a b][$(touch x)][it's][x\ny][-n][;id]");
  EXPECT_EQ(answer.code, 0);
}

TEST(Far, OthersThanRootUseSudoWithoutAQuestion) {
  SshWay way{.user = "ada"};
  EXPECT_THAT(FarCommand(way, Rights::kRoot, "id", {}), ::testing::StartsWith("exec sudo -n env "));
  EXPECT_EQ(FarCommand(way, Rights::kOwn, "id", {}), "exec sh -c id gpuyard");
}

TEST(Far, HostKeysAreCheckedAndNothingIsForwarded) {
  const auto words =
      SshTo({.user = "root", .port = 2222, .key = "/k", .known_hosts = "/a b"}, "gpu1");
  for (const char* word : {"StrictHostKeyChecking=yes", "ForwardAgent=no", "BatchMode=yes",
                           "UserKnownHostsFile=\"/a b\"", "2222", "/k"})
    EXPECT_THAT(words, Contains(word));
  EXPECT_EQ(words.back(), "gpu1");
  EXPECT_EQ(words[words.size() - 2], "--");
}

TEST(Far, AFailedConnectionSaysWhatToDo) {
  EXPECT_THAT(ExplainSshFailure("h",
                                "WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!\nHost key "
                                "verification failed.")
                  .message,
              HasSubstr("not the one that was recorded"));
  EXPECT_THAT(ExplainSshFailure("h", "No ED25519 host key is known for h").details,
              HasSubstr("ssh-keyscan"));
  EXPECT_THAT(ExplainSshFailure("h", "root@h: Permission denied (publickey).").message,
              HasSubstr("refuses"));
}

TEST(Exchange, GivesAndTakesMoreThanAPipeHolds) {
  const std::string much(1'000'000, 'x');
  const Answer answer = *Exchange({"sh", "-c", "cat; echo said >&2; exit 7"}, much);
  EXPECT_EQ(answer.out, much);
  EXPECT_EQ(answer.err, "said\n");
  EXPECT_EQ(answer.code, 7);
}

TEST(Exchange, AProgramThatReadsNothingEndsAll) {
  EXPECT_EQ(Exchange({"true"}, std::string(1'000'000, 'x'))->code, 0);
  EXPECT_EQ(Exchange({"no-such-program-here"}, "").error().code, Code::kNotFound);
}

// Answers by the host; keeps what each was given.
class FakeHosts final : public Hosts {
 public:
  Result<Answer> Run(const std::string& host, std::string_view script,
                     std::span<const std::string> arguments, std::string_view input) override {
    const std::scoped_lock lock(mutex_);
    if (script.contains("cat /etc/munge/munge.key")) return Answer{0, "SECRET", ""};
    calls.push_back(host + " " + (arguments.empty() ? "" : arguments[0]) + " " +
                    std::string(input));
    return host == broken ? Answer{1, "", "line\nE: no space left"} : Answer{0, "", ""};
  }

  std::string broken;
  std::vector<std::string> calls;

 private:
  std::mutex mutex_;
};

TEST(CarryOut, StopsAfterThePhaseInWhichAHostFailed) {
  FakeHosts hosts;
  hosts.broken = "gpu2";
  const Plan plan{{"one", {Step{"gpu1", ":"}, Step{"gpu2", ":"}}}, {"two", {Step{"gpu1", ":"}}}};
  const Status done = CarryOut(hosts, plan, [](std::string_view) {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "gpu2: one: line; E: no space left");
  EXPECT_EQ(hosts.calls.size(), 2U);
}

TEST(CarryOut, AKeyGoesFromHostToHostAndIsNeverShown) {
  FakeHosts hosts;
  const std::vector<HostFacts> bare = {Bare(1), Bare(2)};
  const Plan plan = *PlanCreate(Lab(2), bare, "");
  ASSERT_TRUE(CarryOut(hosts, plan,
                       [](std::string_view line) { EXPECT_THAT(line, Not(HasSubstr("SECRET"))); }));
  EXPECT_THAT(hosts.calls, Contains("gpu2  SECRET"));
  std::ostringstream shown;
  ShowPlan(shown, {}, plan);
  EXPECT_THAT(shown.str(), Not(HasSubstr("SECRET")));
  EXPECT_THAT(shown.str(), HasSubstr("# gpu1: install packages\nssh -T "));
  EXPECT_THAT(shown.str(), HasSubstr("  | ClusterName=lab\n"));
}

ClusterEntry Entry() {
  return {"lab", {{"ssh", "jobs@10.0.0.1"}, {"folder", "/shared/gpuyard"}, {"partition", ""}}};
}
constexpr const char* kSection =
    "  lab:\n    engine: slurm\n    folder: /shared/gpuyard\n    ssh: jobs@10.0.0.1\n";

TEST(Attach, AFileGetsTheSectionAndKeepsTheRest) {
  EXPECT_EQ(*WithEntry("", Entry()), std::string("clusters:\n") + kSection);
  EXPECT_EQ(*WithEntry("# mine\nlisten: 127.0.0.1:1", Entry()),
            std::string("# mine\nlisten: 127.0.0.1:1\nclusters:\n") + kSection);
  const std::string two =
      *WithEntry("clusters:  # ours\n  cloud:\n    engine: sim\nport: 1\n", Entry());
  EXPECT_EQ(two,
            std::string("clusters:  # ours\n") + kSection + "  cloud:\n    engine: sim\nport: 1\n");
  EXPECT_EQ(*WithEntry(two, Entry()), two);
}

TEST(Attach, AnotherSectionOfThatNameIsLeftAlone) {
  EXPECT_EQ(WithEntry("clusters:\n  lab:\n    engine: sim\n", Entry()).error().code,
            Code::kConflict);
  EXPECT_EQ(WithEntry("clusters: {cloud: {engine: sim}}\n", Entry()).error().code,
            Code::kUnsupported);
  EXPECT_EQ(WithEntry("- a\n", Entry()).error().code, Code::kUnsupported);
}

TEST(Attach, HostKeysAreKnownAtTheirPort) {
  HostFacts host = Bare(1);
  EXPECT_EQ(KnownHostsOf(host), "10.0.0.1 ssh-ed25519 AAAA\n");
  host.ssh_port = 2222;
  EXPECT_EQ(KnownHostsOf(host), "[10.0.0.1]:2222 ssh-ed25519 AAAA\n");
}

TEST(Description, ReadsBackWhatWasWritten) {
  ClusterDescription cluster = Lab(3);
  cluster.way = {.user = "ada", .port = 2222, .key = "/k", .known_hosts = "/h"};
  EXPECT_EQ(*ReadDescription(WriteDescription(cluster)), cluster);
  EXPECT_FALSE(ReadDescription("name: lab\nhosts: [\"-oProxyCommand=x\"]\n"));
}

std::vector<std::string> Troubles(const std::vector<ClusterFinding>& findings) {
  std::vector<std::string> troubles;
  for (const ClusterFinding& one : findings)
    if (one.health == Health::kFail) troubles.push_back(one.host + " " + one.check);
  return troubles;
}

TEST(Doctor, NamesTheHostAndWhatIsWrong) {
  std::vector<HostFacts> hosts = Done(Lab(2), {Bare(1), Bare(2)});
  EXPECT_THAT(Troubles(Examine(Lab(2), hosts)), ElementsAre());
  hosts[0].daemons.erase("slurmctld");
  hosts[1].files["slurm.conf"] = "x";
  EXPECT_THAT(Troubles(Examine(Lab(2), hosts)), ElementsAre("gpu1 daemons", "gpu2 settings"));
  hosts[1].folder_id.clear();
  hosts[1].gpus.pop_back();  // one that fell off the bus
  EXPECT_THAT(Troubles(Examine(Lab(2), hosts)),
              ElementsAre("gpu1 daemons", "gpu1 settings", "gpu2 settings", "gpu2 folder"));
}

TEST(Doctor, ReadsTheStatesOfNodes) {
  const std::vector<HostFacts> hosts = {Bare(1), Bare(2), Bare(3)};
  const auto findings = ExamineNodes(hosts, "gpu1|idle|none\ngpu2|drained|gpuyard: leaves\n");
  EXPECT_EQ(findings[0].health, Health::kOk);
  EXPECT_EQ(findings[1].health, Health::kWarn);
  EXPECT_EQ(findings[1].detail, "drained: gpuyard: leaves");
  EXPECT_EQ(findings[2].detail, "Slurm does not know gpu3");
}

}  // namespace
}  // namespace yard::cli
