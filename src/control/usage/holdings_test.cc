#include "control/usage/holdings.h"

#include <array>

#include <gtest/gtest.h>

#include "base/random.h"
#include "control/state/state.h"

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

template <class T>
void Erase(State& state, const typename T::Id& id) {
  if (Ptr<T> before = state.Find<T>(id)) state.Apply({before, std::nullopt});
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
  Erase<Workload>(state_, work_.id);
  EXPECT_EQ(state_.holdings().Of(vision_), UnitHeld{});
}

TEST_F(HoldingsTest, ACopyOfTheStateKeepsItsSums) {
  Put(state_, work_);
  State before = state_;
  Put(state_, attempt_);
  EXPECT_EQ(before.holdings().Of(vision_).all, Held{});
  EXPECT_EQ(state_.holdings().Of(vision_).all, whole_);
}

// A few projects, workloads and attempts that come, change, end and go in any order.
class RandomLife {
 public:
  explicit RandomLife(std::uint64_t seed) : random_(seed) {}

  const State& state() const { return state_; }
  void Step() {
    switch (Draw(6)) {
      case 0:
      case 1:
        return Put(state_, SomeWorkload());
      case 2:
        return Erase<Workload>(state_, WorkloadId{MakeId(AnyOf(kWorkloads))});
      case 3:
      case 4:
        return OpenOrEnd();
      default:
        return Erase<Attempt>(state_, AttemptId{MakeId(AnyOf(kAttempts))});
    }
  }

  static constexpr std::array<std::string_view, 3> kNodes{"a", "b", "c"};
  static constexpr std::int64_t kProjects = 4;
  static constexpr std::int64_t kPools = 3;
  static Project ProjectOf(std::int64_t number) { return MakeProject(number, 1 + number % 2); }

 private:
  static constexpr std::uint8_t kWorkloads = 5;
  static constexpr std::uint8_t kAttempts = 10;

  std::int64_t Draw(std::int64_t bound) {
    return static_cast<std::int64_t>(random_.Below(static_cast<std::uint64_t>(bound)));
  }
  std::uint8_t AnyOf(std::uint8_t count) { return static_cast<std::uint8_t>(1 + Draw(count)); }

  // One of its pods is the master, or none.
  Workload SomeWorkload() {
    const std::uint8_t number = AnyOf(kWorkloads);
    Workload workload = MakeWorkload(number, ProjectOf(1 + number % kProjects));
    workload.preemptible = Draw(2) == 0;
    workload.request.cpu = MilliCpu(Draw(4000));
    workload.request.memory = Mebibytes(Draw(4096));
    workload.request.pods = kTasks;
    if (Draw(2) == 0) return workload;
    workload.request.pods = kTasks - 1;
    workload.request.master = PodRequest{.cpu = MilliCpu(Draw(8000)), .memory = Mebibytes(1)};
    return workload;
  }

  void OpenOrEnd() {
    const std::uint8_t number = AnyOf(kAttempts);
    if (Ptr<Attempt> known = state_.Find<Attempt>(AttemptId{MakeId(number)})) {
      Attempt next = *known;
      if (!next.started_at) {
        next.started_at = Time{1};
      } else if (!next.end) {
        next.end = AttemptEnd{};
      }
      return Put(state_, std::move(next));
    }
    Attempt attempt{
        .id = AttemptId{MakeId(number)},
        .workload = WorkloadId{MakeId(static_cast<std::uint8_t>(1 + number % kWorkloads))},
        .number = number,
        .pool = NodePoolId{1 + Draw(kPools)}};
    for (std::int64_t task = 0; task < kTasks; ++task) {
      std::string node(kNodes[static_cast<std::size_t>(Draw(kNodes.size()))]);
      attempt.places.push_back({std::move(node), {"gpu-1", "gpu-2"}, MilliGpu(Draw(1001))});
    }
    Put(state_, std::move(attempt));
  }

  static constexpr std::int64_t kTasks = 3;
  SeededRandom random_;
  State state_;
};

// What the index must say, found by looking at every attempt there is.
template <class Takes>
UnitHeld Walk(const State& state, Takes takes) {
  UnitHeld sum;
  state.Of<Attempt>().Each([&](const Attempt& attempt) {
    Ptr<Workload> workload = state.Find<Workload>(attempt.workload);
    if (attempt.end || !workload || !takes(*workload, attempt)) return;
    const PodRequest total = TotalOf(workload->request);
    const Held held{HeldBy(attempt), total.cpu, total.memory};
    sum.all += held;
    if (!workload->preemptible) sum.lasting += held;
  });
  return sum;
}

Held WalkNode(const State& state, std::string_view node) {
  Held sum;
  state.Of<Attempt>().Each([&](const Attempt& attempt) {
    Ptr<Workload> workload = state.Find<Workload>(attempt.workload);
    if (attempt.end || !workload) return;
    for (std::size_t rank = 0; rank < attempt.places.size(); ++rank) {
      if (attempt.places[rank].node != node) continue;
      const ResourceRequest& request = workload->request;
      const bool leads = rank == 0 && request.master;
      sum += Held{HeldBy(attempt.places[rank]), leads ? request.master->cpu : request.cpu,
                  leads ? request.master->memory : request.memory};
    }
  });
  return sum;
}

void ExpectSumsOfAWalk(const State& state) {
  for (std::int64_t number = 1; number <= RandomLife::kProjects; ++number) {
    const Project project = RandomLife::ProjectOf(number);
    auto own = [&](const Workload& workload, const Attempt&) {
      return workload.project == project.id;
    };
    ASSERT_EQ(state.holdings().Of(project), Walk(state, own));
    for (std::int64_t pool = 1; pool <= RandomLife::kPools; ++pool) {
      auto there = [&](const Workload& workload, const Attempt& attempt) {
        return own(workload, attempt) && attempt.pool == NodePoolId{pool};
      };
      ASSERT_EQ(state.holdings().Of(project, NodePoolId{pool}), Walk(state, there));
    }
  }
  for (std::int64_t number = 1; number <= 2; ++number) {
    const Department department = MakeDepartment(number);
    auto own = [&](const Workload& workload, const Attempt&) {
      return workload.department == department.id;
    };
    ASSERT_EQ(state.holdings().Of(department), Walk(state, own));
  }
  for (std::string_view node : RandomLife::kNodes) {
    ASSERT_EQ(state.holdings().On(MakeNode(std::string(node))), WalkNode(state, node));
  }
}

TEST(Holdings, AreAlwaysWhatAWalkOverAllAttemptsFinds) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RandomLife life(seed);
    for (int step = 0; step < 100; ++step) {
      life.Step();
      ASSERT_NO_FATAL_FAILURE(ExpectSumsOfAWalk(life.state())) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace yard::control
