#include "control/holdings.h"

#include <gtest/gtest.h>

#include "control/state.h"

namespace yard::control {
namespace {

Uuid MakeId(std::uint8_t number) {
  Uuid id;
  id.bytes[15] = number;
  return id;
}

const ClusterId kCluster{MakeId(9)};
constexpr NodePoolId kPool{1};
constexpr NodePoolId kOtherPool{2};

Project MakeProject(std::int64_t id, std::int64_t department) {
  Project project;
  project.id = ProjectId{id};
  project.department = DepartmentId{department};
  return project;
}

Department MakeDepartment(std::int64_t id) {
  Department department;
  department.id = DepartmentId{id};
  return department;
}

Node MakeNode(std::string name) {
  return {.name = std::move(name), .cluster = kCluster};
}

Workload MakeWorkload(std::uint8_t id, const Project& project) {
  Workload workload;
  workload.id = WorkloadId{MakeId(id)};
  workload.project = project.id;
  workload.department = project.department;
  workload.cluster = kCluster;
  workload.request.cpu = MilliCpu(500);
  workload.request.memory = Mebibytes(1024);
  return workload;
}

Attempt MakeAttempt(std::uint8_t id, const Workload& workload, NodePoolId pool = kPool) {
  return {.id = AttemptId{MakeId(id)},
          .workload = workload.id,
          .pool = pool,
          .places = {{"a", {"gpu-1", "gpu-2"}, MilliGpu(500)}, {"b", {"gpu-3"}, MilliGpu(1000)}}};
}

template <class T>
void Put(State& state, T value) {
  Ptr<T> before = state.Find<T>(value.id);
  state.Apply({before ? std::optional<Object>(before) : std::nullopt,
               std::make_shared<const T>(std::move(value))});
}

std::size_t CountOpen(const State& state) {
  std::size_t count = 0;
  state.EachOpenAttempt([&](const Ptr<Attempt>&) { ++count; });
  return count;
}

class HoldingsTest : public ::testing::Test {
 protected:
  State state_;
  Project vision_ = MakeProject(1, 1);
  Project speech_ = MakeProject(2, 1);
  Workload work_ = MakeWorkload(1, vision_);
  Attempt attempt_ = MakeAttempt(1, work_);
  Held whole_{MilliGpu(2000), MilliCpu(1000), Mebibytes(2048)};
};

TEST_F(HoldingsTest, AnOpenAttemptHoldsItsPlacesForItsProjectAndDepartment) {
  Put(state_, work_);
  Put(state_, attempt_);
  EXPECT_EQ(state_.holdings().Of(vision_).all, whole_);
  EXPECT_EQ(state_.holdings().Of(MakeDepartment(1)).all, whole_);
  EXPECT_EQ(state_.holdings().Of(speech_).all, Held{});
  EXPECT_EQ(state_.holdings().Of(MakeDepartment(2)).all, Held{});
  EXPECT_EQ(state_.holdings().On(MakeNode("a")),
            (Held{MilliGpu(1000), MilliCpu(500), Mebibytes(1024)}));
  EXPECT_EQ(state_.holdings().On(MakeNode("c")), Held{});
}

TEST_F(HoldingsTest, PoolsAreCountedApartAndTogether) {
  Put(state_, work_);
  Put(state_, attempt_);
  Workload other = MakeWorkload(2, vision_);
  Put(state_, other);
  Put(state_, MakeAttempt(2, other, kOtherPool));
  EXPECT_EQ(state_.holdings().Of(vision_, kPool).all, whole_);
  EXPECT_EQ(state_.holdings().Of(vision_, kOtherPool).all, whole_);
  EXPECT_EQ(state_.holdings().Of(vision_).all.gpu, MilliGpu(4000));
}

TEST_F(HoldingsTest, OnlyWorkThatNobodyMayPreemptCountsAsLasting) {
  work_.preemptible = true;
  Put(state_, work_);
  Put(state_, attempt_);
  EXPECT_EQ(state_.holdings().Of(vision_).lasting, Held{});
  work_.preemptible = false;
  Put(state_, work_);
  EXPECT_EQ(state_.holdings().Of(vision_).lasting, whole_);
}

TEST_F(HoldingsTest, TheMasterOfDistributedWorkHasItsOwnSize) {
  work_.request.master = PodRequest{.cpu = MilliCpu(4000), .memory = Mebibytes(8192)};
  Put(state_, work_);
  Put(state_, attempt_);
  EXPECT_EQ(state_.holdings().On(MakeNode("a")).cpu, MilliCpu(4000));
  EXPECT_EQ(state_.holdings().On(MakeNode("b")).cpu, MilliCpu(500));
}

TEST_F(HoldingsTest, TheEndGivesEverythingBack) {
  Put(state_, work_);
  Put(state_, attempt_);
  EXPECT_EQ(CountOpen(state_), 1U);
  attempt_.started_at = Time{5};
  Put(state_, attempt_);
  EXPECT_EQ(state_.holdings().Of(vision_).all, whole_);
  attempt_.end = AttemptEnd{};
  Put(state_, attempt_);
  EXPECT_EQ(CountOpen(state_), 0U);
  EXPECT_EQ(state_.holdings().Of(vision_), UnitHeld{});
  EXPECT_EQ(state_.holdings().On(MakeNode("a")), Held{});
}

TEST_F(HoldingsTest, ItDoesNotMatterWhetherWorkloadOrAttemptIsLoadedFirst) {
  Put(state_, attempt_);
  EXPECT_EQ(state_.holdings().Of(vision_).all, Held{});
  Put(state_, work_);
  EXPECT_EQ(state_.holdings().Of(vision_).all, whole_);
}

TEST_F(HoldingsTest, AWorkloadThatChangesOrGoesTakesItsAttemptAlong) {
  Put(state_, work_);
  Put(state_, attempt_);
  Workload larger = work_;
  larger.request.cpu = MilliCpu(700);
  Put(state_, larger);
  EXPECT_EQ(state_.holdings().Of(vision_).all.cpu, MilliCpu(1400));
  state_.Apply({state_.Find<Workload>(work_.id), std::nullopt});
  EXPECT_EQ(state_.holdings().Of(vision_), UnitHeld{});
}

TEST_F(HoldingsTest, ACopyOfTheStateKeepsItsSums) {
  Put(state_, work_);
  State before = state_;
  Put(state_, attempt_);
  EXPECT_EQ(before.holdings().Of(vision_).all, Held{});
  EXPECT_EQ(state_.holdings().Of(vision_).all, whole_);
}

}  // namespace
}  // namespace yard::control
