#include "engine/slurm/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/slurm/hostlist.h"
#include "engine/slurm/node_state.h"
#include "engine/slurm/rows.h"

namespace yard::engine::slurm {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// As scontrol 22.05 prints it, less a few keys.
constexpr std::string_view kNodes =
    "NodeName=n1 Arch=x86_64 CoresPerSocket=1  CPUAlloc=1 CPUEfctv=60 CPUTot=64 CPULoad=4.67 "
    "AvailableFeatures=nvlink,ib ActiveFeatures=nvlink Gres=gpu:a100:8(S:0-1),shard:16 "
    "GresDrain=N/A GresUsed=gpu:a100:3(IDX:0-1,4) NodeAddr=10.0.0.1 Version=22.05.8 "
    "OS=Linux 6.18.44 #1 SMP @0  RealMemory=64000 State=MIXED Partitions=main,low  "
    "BootTime=2026-11-16T04:19:28\n"
    "NodeName=n2 CPUTot=8 AvailableFeatures=(null) ActiveFeatures=(null) Gres=(null) "
    "NodeAddr=n2 RealMemory=1000 State=IDLE+DRAIN Partitions=main  Reason=bad | disk \"x\" "
    "State=IDLE [root@2026-11-16T11:07:57]\n"
    "NodeName=n3 CPUTot=8 Gres=gpu:2 RealMemory=1000 State=DOWN* Partitions=low\n";

TEST(Nodes, RowsBecomeNodes) {
  const std::vector<Node> nodes = ParseNodes(kNodes);
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes[0].name, "n1");
  EXPECT_EQ(nodes[0].address, "10.0.0.1");
  EXPECT_EQ(nodes[0].cpus, 60);
  EXPECT_EQ(nodes[0].memory, Mebibytes(64000));
  ASSERT_EQ(nodes[0].gpus.size(), 1U);
  EXPECT_EQ(nodes[0].gpus[0].type, "a100");
  EXPECT_EQ(nodes[0].gpus[0].count, 8);
  EXPECT_EQ(nodes[0].gpus[0].used, 3);
  EXPECT_THAT(nodes[0].partitions, ElementsAre("main", "low"));
  EXPECT_THAT(nodes[0].features, ElementsAre("nvlink"));
}

TEST(Nodes, AnOperatorsReasonIsToldAndForgesNoState) {
  const std::vector<Node> nodes = ParseNodes(kNodes);
  EXPECT_EQ(nodes[0].Trouble(), "");
  EXPECT_THAT(nodes[1].state, ElementsAre("IDLE", "DRAIN"));
  EXPECT_EQ(nodes[1].Trouble(), "Slurm says IDLE+DRAIN: bad | disk \"x\"")
      << "the rest of the reason looks like keys";
}

TEST(Nodes, OneThatDoesNotAnswerIsNotReady) {
  EXPECT_EQ(ParseNodes(kNodes)[2].Trouble(), "Slurm says DOWN+NOT_RESPONDING");
  EXPECT_EQ(ParseNodes("NodeName=a State=IDLE*\n")[0].Trouble(), "Slurm says IDLE+NOT_RESPONDING");
  EXPECT_EQ(ParseNodes("NodeName=a State=MIXED+PLANNED\n")[0].Trouble(), "");
}

TEST(Gres, OnlyGpusCount) {
  EXPECT_THAT(ParseGres("craynetwork:4"), IsEmpty());
  EXPECT_THAT(ParseGres("gpu:a100:x,gpu:-1,gpu"), IsEmpty());
  const std::vector<GpuKind> kinds = ParseGres("gpu:a100:4(S:0,1),gpu:h100:2,gpu:a100:4,gpu:1");
  ASSERT_EQ(kinds.size(), 3U);
  EXPECT_EQ(kinds[0].count, 8);
  EXPECT_EQ(kinds[1].type, "h100");
  EXPECT_EQ(kinds[2].type, "");
}

TEST(Reservations, OnlyActiveOnesHoldNodes) {
  const auto by_node = ParseReservations(
      "ReservationName=r1 StartTime=x Nodes=n[3-4],m1 State=ACTIVE Users=root\n"
      "ReservationName=r2 Nodes=n4 State=INACTIVE\nNo reservations in the system\n");
  EXPECT_THAT(by_node, ElementsAre(Pair("m1", ElementsAre("r1")), Pair("n3", ElementsAre("r1")),
                                   Pair("n4", ElementsAre("r1"))));
}

TEST(Hosts, BracketsStandForNumbers) {
  EXPECT_THAT(*ExpandHosts("n[1-3,07],gpu5,a[08-10]-ib"),
              ElementsAre("n1", "n2", "n3", "n07", "gpu5", "a08-ib", "a09-ib", "a10-ib"));
  EXPECT_THAT(*ExpandHosts(""), IsEmpty());
  for (const char* odd : {"n[", "n]", "n[1-", "n[3-1]", "n[a]", "n[1][2]", "n[0-99999999]"})
    EXPECT_FALSE(ExpandHosts(odd)) << odd;
}

TEST(Numbers, AreExpanded) {
  EXPECT_THAT(ExpandNumbers("0-1,4"), ElementsAre(0, 1, 4));
  EXPECT_THAT(ExpandNumbers("N/A"), IsEmpty());
}

TEST(Rows, ValuesGoOnUntilTheNextKey) {
  const std::vector<Row> rows = ParseRows("A=1 B=two words  C=(null) D=\n\n x\nE=5\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(Field(rows[0], "B"), "two words");
  EXPECT_EQ(Field(rows[0], "C"), "");
  EXPECT_EQ(Field(rows[0], "Z"), "");
  EXPECT_EQ(Field(rows[1], "E"), "5");
}

TEST(NodeState, HasGpusLabelsAndForeignUse) {
  std::vector<Node> nodes = ParseNodes(
      "NodeName=n1 CPUTot=64 Gres=gpu:a100:4 GresUsed=gpu:a100:3 RealMemory=9 State=MIXED "
      "Partitions=main ActiveFeatures=nvlink\n");
  nodes[0].reservations = {"r1"};
  const NodeState state = StateOf(nodes[0], {{"a100", Mebibytes(81920)}}, {{"n1", 1}});
  EXPECT_TRUE(state.ready);
  EXPECT_EQ(state.cpu, MilliCpu(64'000));
  EXPECT_THAT(state.labels, Contains(Pair("slurm.partition.main", "true")));
  EXPECT_THAT(state.labels, Contains(Pair("slurm.feature.nvlink", "true")));
  EXPECT_THAT(state.labels, Contains(Pair("slurm.reservation.r1", "true")));
  EXPECT_THAT(state.labels, Contains(Pair("slurm.gres", "a100")));
  ASSERT_EQ(state.gpus.size(), 4U);
  EXPECT_EQ(state.gpus[0].uuid, "slurm:n1:a100:0");
  EXPECT_EQ(state.gpus[0].memory, Mebibytes(81920));
  EXPECT_EQ(state.gpus[1].foreign, Mebibytes(0));
  EXPECT_EQ(state.gpus[2].foreign, Mebibytes(81920)) << "two of three in use are not ours";
  EXPECT_EQ(state.gpus[3].foreign, Mebibytes(81920));
}

TEST(NodeState, ForeignUseWithoutKnownMemoryKeepsOthersAway) {
  const std::vector<Node> nodes =
      ParseNodes("NodeName=n1 CPUTot=1 Gres=gpu:2 GresUsed=gpu:1 RealMemory=9 State=MIXED\n");
  const NodeState state = StateOf(nodes[0], {}, {});
  EXPECT_EQ(state.gpus[0].fault, "");
  EXPECT_NE(state.gpus[1].fault, "");
}

}  // namespace
}  // namespace yard::engine::slurm
