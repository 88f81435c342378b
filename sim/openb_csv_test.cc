#include "sim/openb_csv.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::sim {
namespace {

using ::testing::HasSubstr;

const std::string kNodeHeading = "sn,cpu_milli,memory_mib,gpu,model\n";
const std::string kPodHeading = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos\n";

std::string NodeError(const std::string& rows) {
  const auto result = ParseOpenbNodes(kNodeHeading + rows);
  return result ? "accepted" : result.error().message;
}

std::string PodError(const std::string& rows) {
  const auto result = ParseOpenbPods(kPodHeading + rows, {"T4", "G2"});
  return result ? "accepted" : result.error().message;
}

TEST(OpenbNodes, AreReadWithTheirModels) {
  const auto cluster = ParseOpenbNodes(kNodeHeading + "a,64000,262144,2,T4\nb,96000,1,8,G2\n");
  ASSERT_TRUE(cluster.has_value());
  EXPECT_THAT(cluster->models, ::testing::ElementsAre("T4", "G2"));
  EXPECT_EQ(cluster->nodes[1].FreeMilli(), 8000);
  EXPECT_EQ(cluster->nodes[1].model, 1);
  EXPECT_EQ(cluster->nodes[0].cpu_milli, 64000);
}

TEST(OpenbNodes, MayHaveColumnsInAnyOrderAndWindowsLineEnds) {
  const auto cluster =
      ParseOpenbNodes("model,extra,gpu,sn,memory_mib,cpu_milli\r\nT4,x,1,a,5,7\r\n");
  ASSERT_TRUE(cluster.has_value());
  EXPECT_EQ(cluster->nodes[0].cpu_milli, 7);
  EXPECT_EQ(cluster->nodes[0].memory_mib, 5);
}

TEST(OpenbNodes, MayHaveNoGpus) {
  const auto cluster = ParseOpenbNodes(kNodeHeading + "a,1,1,0,\n");
  ASSERT_TRUE(cluster.has_value());
  EXPECT_EQ(cluster->nodes[0].gpu_count, 0);
}

TEST(OpenbNodes, AreRefusedByLineAndField) {
  EXPECT_EQ(NodeError("a,1,1,1,T4\nb,-5,1,1,T4\n"), "nodes: line 3: cpu_milli \"-5\" is negative");
  EXPECT_EQ(NodeError("a,1,many,1,T4\n"),
            "nodes: line 2: memory_mib \"many\" is not a whole number");
  EXPECT_EQ(NodeError("a,1,1,65,T4\n"), "nodes: line 2: gpu \"65\" is more than 64");
  EXPECT_EQ(NodeError("a,1,1,1,\n"), "nodes: line 2: model \"\" is empty on a node with GPUs");
  EXPECT_EQ(NodeError("a,1,1,1,T4\na,1,1,1,T4\n"), "nodes: line 3: sn \"a\" occurs twice");
  EXPECT_EQ(NodeError(",1,1,1,T4\n"), "nodes: line 2: sn \"\" is empty");
  EXPECT_EQ(NodeError("a,1,1\n"), "nodes: line 2: 3 fields where the heading has 5");
  EXPECT_EQ(NodeError(""), "nodes: no row after the heading");
}

TEST(OpenbNodes, NeedEveryColumn) {
  const auto result = ParseOpenbNodes("sn,cpu_milli,gpu,model\n");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message, "nodes: line 1: column \"memory_mib\" is missing");
  EXPECT_EQ(ParseOpenbNodes("").error().message, "nodes: the file is empty");
}

TEST(OpenbPods, RunOnAnyModelWhereTheTraceHasNoColumnOfModels) {
  const auto tasks =
      ParseOpenbPods("name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1,2,1,810\n", {"T4", "G2"});
  ASSERT_TRUE(tasks.has_value());
  EXPECT_EQ((*tasks)[0].gpu_milli, 810);
  EXPECT_EQ((*tasks)[0].models, 0U);
}

TEST(OpenbPods, AreReadWithTheModelsTheyAllow) {
  const auto tasks = ParseOpenbPods(
      kPodHeading + "p,1,2,1,810,,LS\nq,1,2,8,1000,G2|T4,LS\nr,9,9,0,0,,BE\n", {"T4", "G2"});
  ASSERT_TRUE(tasks.has_value());
  EXPECT_EQ((*tasks)[0].gpu_milli, 810);
  EXPECT_EQ((*tasks)[0].models, 0U);
  EXPECT_EQ((*tasks)[1].models, 0b11U);
  EXPECT_EQ((*tasks)[1].TotalMilli(), 8000);
  EXPECT_EQ((*tasks)[2].gpu_count, 0);
}

TEST(OpenbPods, AreRefusedByLineAndField) {
  EXPECT_EQ(PodError("p,1,2,1,1001,,LS\n"), "pods: line 2: gpu_milli \"1001\" is more than 1000");
  EXPECT_EQ(PodError("p,1,2,1,-1,,LS\n"), "pods: line 2: gpu_milli \"-1\" is negative");
  EXPECT_EQ(PodError("p,1,2,0,500,,LS\n"),
            "pods: line 2: gpu_milli \"500\" is not 0 although num_gpu is 0");
  EXPECT_EQ(PodError("p,1,2,2,0,,LS\n"),
            "pods: line 2: gpu_milli \"0\" is 0 although num_gpu is not");
  EXPECT_THAT(PodError("p,1,2,1,500,G2|H9,LS\n"),
              HasSubstr("line 2: gpu_spec \"G2|H9\" names the model \"H9\", which no node has"));
  EXPECT_EQ(PodError("p,1,2,1,500,,LS\n\np,1,2,1,500,,LS\n"),
            "pods: line 4: name \"p\" occurs twice");
}

TEST(OpenbPods, NameTheFieldForPrograms) {
  const auto result = ParseOpenbPods(kPodHeading + "p,x,2,1,500,,LS\n", {"T4"});
  ASSERT_FALSE(result.has_value());
  ASSERT_EQ(result.error().fields.size(), 1U);
  EXPECT_EQ(result.error().fields[0].field, "cpu_milli");
}

}  // namespace
}  // namespace yard::sim
