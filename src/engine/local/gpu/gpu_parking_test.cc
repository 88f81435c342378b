// Tasks that leave their GPUs and come back, on the fake driver that says in its name that it is
// one. Every test runs with a part of the GPU, by its slice, and with the whole GPU, without one.
#include "engine/local/gpu/gpu_parking.h"

#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>

#include <cstdint>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/local/gpu/slice_host.h"
#include "engine/local/native/cgroups.h"
#include "engine/local/native/memory_limit.h"

namespace yard::engine::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kContextMib = 300;
constexpr std::int64_t kGib = 1024;

class ParkingTest : public SlicesTest {
 protected:
  bool IsWhole() const { return GetParam().name == "whole"; }

  // A program that takes so much of the GPU beside its context and keeps it.
  std::string Holds(std::int64_t mib) const {
    const std::string driver = IsWhole() ? Built("test/fake/libcuda.so.1") : "libcuda.so.1";
    return fmt::format("(printf 'init\\nalloc linear {}\\n'; sleep 1000) | {} {}", mib << 20,
                       Built("gpuyard-slice-client"), driver);
  }
  // A task that has `part` of the GPU, or all of it.
  TaskSpec Wants(const std::string& script, std::int64_t part_mib = 30 * kGib) {
    TaskSpec spec = Part(script);
    spec.gpus[0].memory = Mebibytes(part_mib);
    if (IsWhole()) spec.gpus[0].part = MilliGpu(1000);
    return spec;
  }
  // One that runs and holds so much, the context included.
  TaskKey Holder(std::int64_t mib, std::int64_t part_mib = 30 * kGib) {
    const TaskKey key = Launch(Wants(Holds(mib - kContextMib), part_mib));
    WaitRunning(key);
    EXPECT_TRUE(AwaitHeld(key, mib));
    return key;
  }
  std::int64_t HeldBy(const TaskKey& key) {
    return engine().UsageOf({&key, 1}).front().gpu_memory.value_or(Mebibytes(-1)).value;
  }
  bool AwaitHeld(const TaskKey& key, std::int64_t mib) {
    for (int round = 0; round < 3000; ++round) {
      if (HeldBy(key) == mib) return true;
      ::poll(nullptr, 0, 10);
    }
    return false;
  }
  std::int64_t HeldByAll() { return engine().Nodes()->front().gpus.front().used.value().value; }
  TaskEnd End(const TaskKey& key) {
    EXPECT_TRUE(engine().Stop(key, {15, Seconds(30)}));
    return WaitEnd(key);
  }
};

Subject On(const char* name) {
  return {name, [] { return std::make_unique<SliceHost>(); }};
}

INSTANTIATE_TEST_SUITE_P(Fake, ParkingTest, ::testing::Values(On("part"), On("whole")),
                         SubjectName);

TEST_P(ParkingTest, IsOfferedWhereTheDriverKnowsCheckpoints) {
  EXPECT_TRUE(engine().capabilities().parking);
  EXPECT_EQ(engine().capabilities().parking_missing, "");
  EXPECT_EQ(engine().checkpoint()->Park(NewKey()).error().code, Code::kNotFound);
  EXPECT_EQ(engine().checkpoint()->Unpark(NewKey()).error().code, Code::kNotFound);
}

TEST_P(ParkingTest, ATaskLeavesItsGpuAndComesBackWithAll) {
  const TaskKey key = Holder(10 * kGib);
  ASSERT_TRUE(engine().checkpoint()->Unpark(key)) << "it is here";
  ASSERT_TRUE(engine().checkpoint()->Park(key));
  EXPECT_EQ(HeldBy(key), 0);
  ASSERT_TRUE(engine().checkpoint()->Park(key)) << "twice is once";
  EXPECT_EQ(StatusOf(key).state, TaskState::kRunning);
  ASSERT_TRUE(engine().checkpoint()->Unpark(key));
  EXPECT_EQ(HeldBy(key), 10 * kGib);
  ASSERT_TRUE(engine().checkpoint()->Unpark(key)) << "twice is once";
  EXPECT_EQ(HeldBy(key), 10 * kGib);
}

TEST_P(ParkingTest, AllProcessesOfATaskLeave) {
  const TaskKey key = Launch(Wants(Holds(kGib) + " & " + Holds(2 * kGib)));
  ASSERT_TRUE(AwaitHeld(key, 3 * kGib + 2 * kContextMib));
  ASSERT_TRUE(engine().checkpoint()->Park(key));
  EXPECT_EQ(HeldBy(key), 0);
  ASSERT_TRUE(engine().checkpoint()->Unpark(key));
  EXPECT_EQ(HeldBy(key), 3 * kGib + 2 * kContextMib);
}

TEST_P(ParkingTest, AnotherTaskHasItsGpuMeanwhileAndItComesBackAfterThatEnded) {
  const TaskKey key = Holder(25 * kGib);
  ASSERT_TRUE(engine().checkpoint()->Park(key));
  const TaskKey other = Holder(39 * kGib, 40 * kGib);
  const Status early = engine().checkpoint()->Unpark(key);
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code, Code::kConflict);
  EXPECT_EQ(HeldBy(key), 0) << "it is still away";
  EXPECT_EQ(HeldBy(other), 39 * kGib) << "nothing is taken from the other";
  End(other);
  ASSERT_TRUE(engine().checkpoint()->Unpark(key));
  EXPECT_EQ(HeldBy(key), 25 * kGib);
}

TEST_P(ParkingTest, ATaskThatIsAwayIsFoundSoAfterARestart) {
  const TaskKey key = Holder(10 * kGib);
  ASSERT_TRUE(engine().checkpoint()->Park(key));
  Restart();
  EXPECT_EQ(HeldBy(key), 0);
  ASSERT_TRUE(engine().checkpoint()->Park(key))
      << "as a server does that was killed before it wrote that down";
  EXPECT_EQ(HeldBy(key), 0);
  ASSERT_TRUE(engine().checkpoint()->Unpark(key));
  EXPECT_EQ(HeldBy(key), 10 * kGib);
}

TEST_P(ParkingTest, ATaskThatIsAwayCanBeStopped) {
  const TaskKey key = Holder(10 * kGib);
  const TaskKey next = Holder(kGib, kGib);
  ASSERT_TRUE(engine().checkpoint()->Park(key));
  EXPECT_EQ(End(key).signal, 15);
  EXPECT_EQ(engine().checkpoint()->Unpark(key).error().code, Code::kPrecondition);
  EXPECT_EQ(HeldByAll(), HeldBy(next));
}

TEST_P(ParkingTest, ATaskThatTheDriverCannotMoveRunsOnAsItWas) {
  const TaskKey key = Holder(10 * kGib);
  ::setenv("YARD_FAKE_UNPARKABLE", "1", 1);
  const Status parked = engine().checkpoint()->Park(key);
  ::setenv("YARD_FAKE_UNPARKABLE", "", 1);
  ASSERT_FALSE(parked);
  EXPECT_EQ(parked.error().code, Code::kUnsupported);
  EXPECT_THAT(parked.error().message, HasSubstr("801: operation not supported"));
  EXPECT_EQ(HeldBy(key), 10 * kGib);
  EXPECT_TRUE(engine().checkpoint()->Park(key)) << "it was let go";
}

TEST_P(ParkingTest, ATaskThatHoldsNothingStays) {
  const TaskKey key = Launch(Wants("echo ready; sleep 1000"));
  WaitLog(key, "ready");
  WaitRunning(key);
  const Status parked = engine().checkpoint()->Park(key);
  ASSERT_FALSE(parked);
  EXPECT_EQ(parked.error().code, Code::kPrecondition);
  EXPECT_THAT(parked.error().message, HasSubstr("none of its processes holds memory"));
}

TEST_P(ParkingTest, ATaskThatTheMachineCannotHoldStays) {
  const TaskKey key = Holder(10 * kGib);
  dynamic_cast<const SliceHost&>(host()).SetFreeMemory(Mebibytes(4 * kGib));
  const Status parked = engine().checkpoint()->Park(key);
  ASSERT_FALSE(parked);
  EXPECT_EQ(parked.error().code, Code::kPrecondition);
  EXPECT_THAT(parked.error().message,
              HasSubstr("10816 MiB are needed, 4096 MiB are free on the machine"));
  EXPECT_EQ(HeldBy(key), 10 * kGib);
}

// The kernel counts the copy as the task's own memory.
TEST_P(ParkingTest, ATaskMayHoldMoreHostMemoryWhileItIsAway) {
  if (!host().LimitsMissing().empty()) GTEST_SKIP() << host().LimitsMissing();
  TaskSpec spec = Wants("echo pid $$ .; " + Holds(kGib - kContextMib));
  spec.limits.memory = Mebibytes(512);
  const TaskKey key = Launch(spec);
  const std::string log = WaitLog(key, " .\n");
  const int pid = std::stoi(log.substr(log.find("pid ") + 4));
  const auto limit = [&] {
    return MemoryLimits::Of(pid, GroupName(key)).Own().value_or(Mebibytes(0)).value;
  };
  ASSERT_TRUE(AwaitHeld(key, kGib));
  ASSERT_EQ(limit(), 512);
  ::setenv("YARD_FAKE_UNPARKABLE", "1", 1);
  EXPECT_FALSE(engine().checkpoint()->Park(key));
  ::setenv("YARD_FAKE_UNPARKABLE", "", 1);
  EXPECT_EQ(limit(), 512) << "it did not leave";
  ASSERT_TRUE(engine().checkpoint()->Park(key));
  EXPECT_EQ(limit(), 512 + 1076 + 64);
  Restart();
  EXPECT_EQ(limit(), 512 + 1076 + 64);
  ASSERT_TRUE(engine().checkpoint()->Unpark(key));
  EXPECT_EQ(limit(), 512);
}

// Without a slice only the driver knows.
class WholeParkingTest : public ParkingTest {
 protected:
  void Call(const char* name, int pid) {
    void* const driver = ::dlopen(Built("test/fake/libcuda.so.1").c_str(), RTLD_NOW);
    ASSERT_NE(driver, nullptr) << ::dlerror();
    std::uint64_t arguments[8] = {};
    EXPECT_EQ(reinterpret_cast<int (*)(int, void*)>(::dlsym(driver, name))(pid, arguments), 0);
    ::dlclose(driver);
  }
};

INSTANTIATE_TEST_SUITE_P(Fake, WholeParkingTest, ::testing::Values(On("whole")), SubjectName);

TEST_P(WholeParkingTest, ATaskThatAnEarlierLifeLeftHalfwayLeavesAndComesBackWhole) {
  const TaskKey key = Launch(Wants(Holds(kGib) + " & echo its pid $! .; " + Holds(2 * kGib)));
  const std::string log = WaitLog(key, " .\n");
  ASSERT_TRUE(AwaitHeld(key, 3 * kGib + 2 * kContextMib));
  const int first = std::stoi(log.substr(log.find("pid ") + 4));
  Call("cuCheckpointProcessLock", first);
  Call("cuCheckpointProcessCheckpoint", first);
  ASSERT_EQ(HeldBy(key), 2 * kGib + kContextMib);
  ASSERT_TRUE(engine().checkpoint()->Park(key));
  EXPECT_EQ(HeldBy(key), 0);
  ASSERT_TRUE(engine().checkpoint()->Unpark(key));
  EXPECT_EQ(HeldBy(key), 3 * kGib + 2 * kContextMib);
}

TEST_P(WholeParkingTest, ATaskThatCameBackByHalfIsNotSaidToBeAway) {
  const TaskKey key = Launch(Wants(Holds(10 * kGib) + " & " + Holds(10 * kGib)));
  ASSERT_TRUE(AwaitHeld(key, 2 * (10 * kGib + kContextMib)));
  ASSERT_TRUE(engine().checkpoint()->Park(key));
  const TaskKey other = Holder(30 * kGib);
  ::setenv("YARD_FAKE_UNPARKABLE", "1", 1);
  const Status back = engine().checkpoint()->Unpark(key);
  ::setenv("YARD_FAKE_UNPARKABLE", "", 1);
  ASSERT_FALSE(back);
  EXPECT_EQ(HeldBy(key), 10 * kGib + kContextMib) << "there was room for one of the two";
  EXPECT_EQ(back.error().code, Code::kUnavailable);
  End(other);
  ASSERT_TRUE(engine().checkpoint()->Unpark(key));
  EXPECT_EQ(HeldBy(key), 2 * (10 * kGib + kContextMib));
}

}  // namespace
}  // namespace yard::engine::testing
