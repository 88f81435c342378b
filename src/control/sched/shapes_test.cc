#include "control/sched/shapes.h"

#include <gtest/gtest.h>

#include "wire/spec.h"

namespace yard::control {
namespace {

std::int32_t OwnPriority(const std::string& spec, std::int64_t class_priority) {
  Workload workload{.name = "w"};
  workload.spec = wire::ReadSpecText(spec);
  workload.priority = class_priority;
  SchedTables tables;
  tables.projects[workload.project] = sched::QueueIndex(0);
  ExtraWords missing;
  auto row = DescribeWorkload(
      tables, workload, [](sched::TaskShape) { return sched::ShapeIndex(0); }, missing);
  EXPECT_TRUE(row.has_value());
  return row->user_priority;
}

std::string Labelled(const std::string& value) {
  return R"({"labels":[{"name":"team","value":"9"},{"name":"priority","value":")" + value +
         R"("}]})";
}

TEST(OwnPriority, GoesByTheLabelThenByTheClass) {
  EXPECT_GT(OwnPriority(Labelled("1"), 50), OwnPriority("{}", 75));
  EXPECT_EQ(OwnPriority(Labelled("+1"), 50), OwnPriority(Labelled("1"), 50));
  EXPECT_LT(OwnPriority(Labelled("-1"), 100), OwnPriority("{}", 50));
  EXPECT_GT(OwnPriority("{}", 75), OwnPriority("{}", 50));
}

TEST(OwnPriority, IgnoresALabelThatIsNoNumber) {
  EXPECT_EQ(OwnPriority(Labelled("high"), 50), OwnPriority("{}", 50));
}

}  // namespace
}  // namespace yard::control
