#include "cli/cluster/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/cluster/settings.h"
#include "cli/cluster/testing/hosts.h"

namespace yard::cli {
namespace {

using testing::Bare;
using testing::Done;
using ::testing::HasSubstr;
using testing::Lab;
using ::testing::Not;
using testing::Outline;

constexpr const char* kKey = "ssh-ed25519 AAAA server";

std::vector<HostFacts> BareHosts(int count) {
  std::vector<HostFacts> hosts;
  for (int n = 1; n <= count; ++n) hosts.push_back(Bare(n));
  return hosts;
}

std::string PlanOf(const ClusterDescription& cluster, const std::vector<HostFacts>& hosts,
                   const std::string& key = {}) {
  return Outline(PlanFolder(cluster, hosts)) + Outline(*PlanCreate(cluster, hosts, key));
}

TEST(Plan, BareHostsBecomeACluster) {
  EXPECT_EQ(PlanOf(Lab(3), BareHosts(3), kKey),
            "make the folder: gpu1\n"
            "look whether the folder is shared: gpu2 gpu3\n"
            "install packages: gpu1 gpu2 gpu3\n"
            "make the account of jobs: gpu1 gpu2 gpu3\n"
            "give it the folder: gpu1\n"
            "make the key of munge: gpu1\n"
            "bring the key of munge: gpu2 gpu3\n"
            "start munge: gpu1 gpu2 gpu3\n"
            "write slurm.conf: gpu1 gpu2 gpu3\n"
            "write gres.conf: gpu1 gpu2 gpu3\n"
            "write cgroup.conf: gpu1 gpu2 gpu3\n"
            "start the controller: gpu1\n"
            "start the nodes: gpu1 gpu2 gpu3\n"
            "wait for the nodes: gpu1\n"
            "let the server sign in: gpu1\n");
}

TEST(Plan, ASecondRunHasNothingToDo) {
  std::vector<HostFacts> hosts = Done(Lab(3), BareHosts(3));
  hosts[0].authorised = {"restrict,port-forwarding,pty ssh-ed25519 AAAA server"};
  EXPECT_EQ(PlanOf(Lab(3), hosts, kKey), "");
}

TEST(Plan, OneThatBrokeOffGoesOnWhereItWas) {
  std::vector<HostFacts> hosts = Done(Lab(2), BareHosts(2));
  hosts[1].daemons.erase("slurmd");
  EXPECT_EQ(PlanOf(Lab(2), hosts), "start the nodes: gpu2\nwait for the nodes: gpu1\n");
  hosts[1].files["gres.conf"] = "half";
  EXPECT_EQ(PlanOf(Lab(2), hosts),
            "write gres.conf: gpu2\nstart the nodes: gpu2\nwait for the nodes: gpu1\n");
}

TEST(Plan, SettingsThatWereWrittenAfterTheStartNeedAnother) {
  std::vector<HostFacts> hosts = Done(Lab(2), BareHosts(2));
  hosts[0].current.erase("slurmctld");
  EXPECT_EQ(PlanOf(Lab(2), hosts), "start the controller: gpu1\n");
}

TEST(Plan, AKeyThatIsNotTheControllersIsReplaced) {
  std::vector<HostFacts> hosts = Done(Lab(2), BareHosts(2));
  hosts[1].munge_key = std::string(64, 'b');
  hosts[1].running_key = hosts[1].munge_key;
  EXPECT_EQ(PlanOf(Lab(2), hosts), "bring the key of munge: gpu2\nstart munge: gpu2\n");
}

TEST(Plan, AHostIsAddedAndTheOthersAreTold) {
  std::vector<HostFacts> hosts = Done(Lab(2), BareHosts(2));
  hosts.push_back(Bare(3));
  const std::string plan = PlanOf(Lab(3), hosts);
  EXPECT_THAT(plan, HasSubstr("install packages: gpu3\n"));
  EXPECT_THAT(plan, HasSubstr("write slurm.conf: gpu1 gpu2 gpu3\n"));
  EXPECT_THAT(plan, HasSubstr("start munge: gpu3\n"));
}

TEST(Plan, AHostLeavesAfterItsWork) {
  std::vector<HostFacts> hosts = Done(Lab(3), BareHosts(3));
  const Leaving leaving{.host = "gpu3", .node = "gpu3", .has_slurm = true};
  hosts.pop_back();
  EXPECT_EQ(Outline(PlanRemove(Lab(2), hosts, leaving)),
            "drain gpu3: gpu1\nwait for its jobs: gpu1\ntake Slurm away: gpu3\n"
            "write slurm.conf: gpu1 gpu2\nwrite gres.conf: gpu1 gpu2\n"
            "start the controller: gpu1\nstart the nodes: gpu1 gpu2\nwait for the nodes: gpu1\n");
}

TEST(Plan, AHostThatIsGoneIsNotAsked) {
  const std::vector<HostFacts> hosts = Done(Lab(2), BareHosts(2));
  const Leaving leaving{.host = "gpu3", .node = "gpu3", .gone = true};
  EXPECT_THAT(Outline(PlanRemove(Lab(2), hosts, leaving)), Not(HasSubstr("gpu3: gpu3")));
}

TEST(Plan, DestroyLeavesHostsOfOthersAlone) {
  std::vector<HostFacts> hosts = Done(Lab(3), BareHosts(3));
  hosts[2].stamp = "other";
  EXPECT_EQ(Outline(PlanDestroy(Lab(3), hosts, "")),
            "take Slurm away: gpu2\ntake the controller away: gpu1\nforget the folder: gpu1\n");
}

// Each is refused with a reason; `spoil` changes the second of two bare hosts.
std::string Refusal(const std::function<void(HostFacts&)>& spoil) {
  std::vector<HostFacts> hosts = BareHosts(2);
  hosts[0].account = HostAccount{2000, 2000};
  spoil(hosts[1]);
  const Status checked = CheckFacts(Lab(2), hosts);
  return checked ? std::string() : checked.error().message;
}

TEST(Plan, NothingThatRunsIsTakenOver) {
  EXPECT_EQ(Refusal([](HostFacts&) {}), "");
  EXPECT_THAT(Refusal([](HostFacts& h) { h.daemons = {"slurmd"}; }),
              HasSubstr("runs slurmd already"));
  EXPECT_THAT(Refusal([](HostFacts& h) { h.daemons = {"munged"}; }),
              HasSubstr("runs munged already"));
  EXPECT_THAT(Refusal([](HostFacts& h) { h.files["slurm.conf"] = "x"; }),
              HasSubstr("has not written"));
  EXPECT_THAT(Refusal([](HostFacts& h) { h.stamp = "other"; }), HasSubstr("'other'"));
}

TEST(Plan, HostsThatCannotBeOneClusterAreRefused) {
  EXPECT_THAT(Refusal([](HostFacts& h) { h.system = "rhel fedora"; }), HasSubstr("fedora"));
  EXPECT_THAT(Refusal([](HostFacts& h) { h.node = "gpu1"; }), HasSubstr("both have the name gpu1"));
  EXPECT_THAT(Refusal([](HostFacts& h) { h.address = "10.0.0.1"; }), HasSubstr("the address"));
  EXPECT_THAT(Refusal([](HostFacts& h) { h.unix_time += 600; }), HasSubstr("600 s off"));
  EXPECT_THAT(Refusal([](HostFacts& h) { h.account = HostAccount{2001, 2001}; }),
              HasSubstr("2001 on gpu2"));
}

TEST(Plan, JobsNeverGetTheServersAccountNorRoots) {
  EXPECT_THAT(Refusal([](HostFacts& h) { h.account = HostAccount{0, 0}; }), HasSubstr("root"));
  EXPECT_THAT(Refusal([](HostFacts& h) {
                h.account = HostAccount{2000, 2000};
                h.serves_gpuyard = true;
                h.server_uid = 2000;
              }),
              HasSubstr("could read its data"));
}

TEST(Plan, AFolderOfSomebodyIsNotGivenAway) {
  EXPECT_THAT(Refusal([](HostFacts& h) { h.folder_uid = 1000; }), HasSubstr("user id 1000"));
  EXPECT_THAT(Refusal([](HostFacts& h) { h.folder_uid = 0, h.folder_names = 3; }),
              HasSubstr("not empty"));
  EXPECT_THAT(Refusal([](HostFacts& h) {
                h.folder_uid = 0, h.folder_id = "11111111-89ab-7def-8123-456789abcdef";
              }),
              HasSubstr("another cluster"));
  EXPECT_EQ(Refusal([](HostFacts& h) { h.folder_uid = 0; }), "");
}

TEST(Plan, TheAccountHasOneIdThatIsFreeEverywhere) {
  std::vector<HostFacts> hosts = BareHosts(2);
  hosts[0].taken_ids = {2000, 2002};
  hosts[1].taken_ids = {2001};
  const Plan plan = *PlanCreate(Lab(2), hosts, "");
  EXPECT_EQ(plan[1].title, "make the account of jobs");
  EXPECT_THAT(plan[1].steps[0].arguments, ::testing::ElementsAre("gpuyard-jobs", "2003"));
}

TEST(Settings, AreTheSameOnAllHosts) {
  std::vector<HostFacts> hosts = BareHosts(2);
  hosts[1].gpus = {{"/dev/nvidia0", "", 0}};
  const std::vector<SlurmFile> files = SlurmFiles(Lab(2), hosts);
  EXPECT_THAT(files[0].text, HasSubstr("ClusterName=lab\nSlurmctldHost=gpu1(10.0.0.1)\n"));
  EXPECT_THAT(files[0].text,
              HasSubstr("NodeName=gpu1 NodeAddr=10.0.0.1 CPUs=8 Sockets=1 CoresPerSocket=4 "
                        "ThreadsPerCore=2 RealMemory=62000 Gres=gpu:a100:2 State=UNKNOWN\n"));
  EXPECT_THAT(files[0].text, HasSubstr(" Gres=gpu:1 "));
  EXPECT_THAT(files[0].text, HasSubstr("DefMemPerCPU=7750\n"));
  EXPECT_THAT(files[1].text, HasSubstr("NodeName=gpu1 Name=gpu Type=a100 File=/dev/nvidia1\n"
                                       "NodeName=gpu2 Name=gpu File=/dev/nvidia0\n"));
  EXPECT_EQ(GpuMemoryOf(hosts), "a100=40960Mi");
}

TEST(Settings, LimitsAreHeldOnlyWhereAllHostsCan) {
  std::vector<HostFacts> hosts = BareHosts(2);
  EXPECT_THAT(SlurmFiles(Lab(2), hosts)[0].text, HasSubstr("TaskPlugin=task/cgroup"));
  hosts[1].groups = ControlGroups::kNone;
  EXPECT_THAT(SlurmFiles(Lab(2), hosts)[0].text, HasSubstr("TaskPlugin=task/none"));
  EXPECT_THAT(Remarks(Lab(2), hosts).front(), HasSubstr("not held"));
  for (HostFacts& host : hosts) host.groups = ControlGroups::kV2;
  EXPECT_EQ(GroupsOf(hosts), ControlGroups::kNone);  // without systemd
  for (HostFacts& host : hosts) host.starter = Starter::kSystemd;
  EXPECT_EQ(GroupsOf(hosts), ControlGroups::kV2);
}

}  // namespace
}  // namespace yard::cli
