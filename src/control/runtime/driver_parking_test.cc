// Work that leaves its GPUs with its memory kept, and comes back to them.
#include <algorithm>

#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "control/dispatch/node_sync.h"
#include "control/runtime/driver.h"
#include "control/testing/parking_fixture.h"

namespace yard::control {
namespace {

constexpr auto kTraining = WorkloadType::kTraining;

std::string Gpus(int count) {
  return R"({"command":"train","compute":{"gpuDevicesRequest":)" + std::to_string(count) + "}}";
}

class Parking : public ParkingFixture {
 protected:
  using ParkingFixture::Park;
  Status Park(WorkloadId id) {
    return yard_.Do([id](Txn& txn) { return Outcome(ParkWorkload(txn, id)); });
  }
  Status Suspend() {
    return yard_.Do([&](Txn& txn) { return Outcome(SuspendWorkload(txn, id_, kTraining)); });
  }
  WorkloadId RunOther(const std::string& spec = Gpus(4)) {
    WorkloadId other = yard_.Submit("other", spec);
    if (yard_.AttemptOf(other)) yard_.Run(other);
    return other;
  }
  bool IsParkedAtTheEngine() { return yard_.engine().Find(yard_.KeyOf(id_))->parked; }
  std::string EventText(std::string_view reason) {
    const std::vector<WorkloadEvent> events = *yard_.service().ReadEvents(id_, 0, 100);
    for (const WorkloadEvent& event : events) {
      if (event.reason == reason) return event.message;
    }
    return "";
  }
};

TEST_F(Parking, WorkLeavesItsGpusAndComesBackAsTheSameAttempt) {
  yard_.engine().Use({.key = yard_.KeyOf(id_), .gpu_memory = Mebibytes(5 * 1024)});
  ASSERT_TRUE(Park());
  EXPECT_TRUE(IsParkedAtTheEngine());
  EXPECT_EQ(ResidenceOf(), Residence::kAway);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kStopped);
  EXPECT_EQ(yard_.ReasonOf(id_), "Parked");
  EXPECT_EQ(
      yard_.Find(id_)->phase_message,
      "Its GPU memory (5.0 GiB) lies in host memory; resume brings it back to the same GPUs.");
  ASSERT_TRUE(Resume());
  EXPECT_FALSE(IsParkedAtTheEngine());
  EXPECT_EQ(ResidenceOf(), Residence::kOnGpu);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
  EXPECT_EQ(yard_.AttemptOf(id_)->number, 1);
  EXPECT_EQ(yard_.engine().launches(), 1U);
  yard_.End(id_);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kCompleted);
}

TEST_F(Parking, OthersHaveItsGpusMeanwhileAndItWaitsForThemAndSaysForWhom) {
  ASSERT_TRUE(Park());
  WorkloadId other = RunOther();
  EXPECT_EQ(yard_.PhaseOf(other), Phase::kRunning);
  ASSERT_TRUE(Resume());
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kPending);
  EXPECT_EQ(yard_.ReasonOf(id_), "WaitsForItsGpus");
  EXPECT_NE(yard_.Find(id_)->phase_message.find("'other' has them."), std::string::npos);
  EXPECT_EQ(yard_.PhaseOf(other), Phase::kRunning) << "nobody is preempted for it";
  yard_.End(other);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
  EXPECT_EQ(yard_.AttemptOf(id_)->number, 1);
}

TEST_F(Parking, WhoWaitsForItsOwnGpusGoesBeforeTheQueue) {
  ASSERT_TRUE(Park());
  WorkloadId other = RunOther();
  WorkloadId queued = yard_.Submit("queued", Gpus(1));
  ASSERT_TRUE(Resume());
  yard_.End(other);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
  EXPECT_EQ(yard_.PhaseOf(queued), Phase::kPending);
}

TEST_F(Parking, ThoseWhoWaitForTheSameGpusGoInTheOrderTheyWereResumed) {
  ASSERT_TRUE(Park());
  WorkloadId second = RunOther();
  ASSERT_TRUE(Park(second));
  WorkloadId third = yard_.Submit("third", Gpus(4));
  yard_.Run(third);
  auto resume = [](Txn& txn, WorkloadId id) { return Outcome(ResumeWorkload(txn, id, kTraining)); };
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return resume(txn, second); }));
  yard_.clock().Advance(Seconds(1));
  ASSERT_TRUE(Resume());
  yard_.End(third);
  EXPECT_EQ(yard_.PhaseOf(second), Phase::kRunning);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kPending);
}

TEST_F(Parking, WhatTheEngineRefusesGoesOnRunningAndSaysWhy) {
  yard_.engine().RefuseParks(
      Error{Code::kPrecondition, "it holds 30 GiB, and its memory limit leaves 8 GiB"});
  ASSERT_TRUE(Park());
  EXPECT_EQ(ResidenceOf(), Residence::kOnGpu);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
  EXPECT_EQ(yard_.ReasonOf(id_), "Running");
  EXPECT_NE(EventText("ParkFailed").find("its memory limit leaves 8 GiB"), std::string::npos);
  EXPECT_EQ(yard_.engine().Find(yard_.KeyOf(id_))->stops, 0) << "the memory must not be lost";
}

TEST_F(Parking, WhatHasJustEndedIsNotSaidToGoOn) {
  yard_.engine().RefuseParks(Error{Code::kNotFound, "there is no such task"});
  ASSERT_TRUE(Park());
  EXPECT_EQ(ResidenceOf(), Residence::kOnGpu);
  EXPECT_EQ(EventText("ParkFailed"), "");
}

TEST_F(Parking, ParkingTwiceIsParkingOnce) {
  ASSERT_TRUE(Park());
  ASSERT_TRUE(Park());
  EXPECT_EQ(yard_.engine().parks(), 1U);
}

TEST_F(Parking, OnlyOneRunningTaskWithAGpuCanLeave) {
  auto why_not = [&](WorkloadId id) {
    Status refused = Park(id);
    return refused ? "" : refused.error().message;
  };
  WorkloadId waits = yard_.Submit("waits", Gpus(1));
  EXPECT_NE(why_not(waits).find("only work that runs"), std::string::npos);
  WorkloadId plain = yard_.Submit("plain", R"({"command":"x"})");
  yard_.Run(plain);
  EXPECT_NE(why_not(plain).find("it has none"), std::string::npos);
  yard_.End(id_);
  yard_.End(waits);
  WorkloadId service = yard_.Submit("service", Gpus(1), WorkloadType::kInference);
  yard_.Run(service);
  EXPECT_NE(why_not(service).find("a service is not suspended"), std::string::npos);
  yard_.End(service);
  WorkloadId gang =
      yard_.Submit("gang", R"({"command":"x","numWorkers":2,"compute":{"gpuDevicesRequest":1}})",
                   WorkloadType::kDistributed);
  yard_.Run(gang);
  EXPECT_NE(why_not(gang).find("at one moment"), std::string::npos);
}

TEST_F(Parking, WhoCannotComeBackYetStaysAwayAndTriesAgain) {
  ASSERT_TRUE(Park());
  yard_.engine().RefuseUnparks(Error{Code::kConflict, "somebody has its memory"});
  ASSERT_TRUE(Resume());
  EXPECT_EQ(ResidenceOf(), Residence::kAway);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kPending);
  EXPECT_NE(yard_.Find(id_)->phase_message.find("somebody has its memory"), std::string::npos);
  std::size_t tries = yard_.engine().parks();
  yard_.Advance(Seconds(9));
  EXPECT_EQ(yard_.engine().parks(), tries);
  yard_.Advance(Seconds(2));
  EXPECT_EQ(yard_.engine().parks(), tries + 1);
  yard_.engine().RefuseUnparks(std::nullopt);
  yard_.Advance(Seconds(11));
  EXPECT_EQ(ResidenceOf(), Residence::kAway) << "each failed try doubles the pause";
  yard_.Advance(Seconds(10));
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
}

TEST_F(Parking, WhileNobodyKnowsWhetherItCameBackItsGpusAreGivenToNobody) {
  ASSERT_TRUE(Park());
  yard_.engine().RefuseUnparks(Error{Code::kUnavailable, "the answer is lost"});
  ASSERT_TRUE(Resume());
  ASSERT_FALSE(IsParkedAtTheEngine());
  EXPECT_EQ(ResidenceOf(), Residence::kReturning) << "it may be on them already";
  EXPECT_NE(yard_.Find(id_)->phase_message.find("the answer is lost"), std::string::npos);
  WorkloadId other = yard_.Submit("other", Gpus(1));
  EXPECT_EQ(yard_.PhaseOf(other), Phase::kPending);
  std::size_t tries = yard_.engine().parks();
  yard_.Advance(Seconds(9));
  EXPECT_EQ(yard_.engine().parks(), tries);
  yard_.engine().RefuseUnparks(std::nullopt);
  yard_.Advance(Seconds(2));
  EXPECT_EQ(yard_.engine().parks(), tries + 1);
  EXPECT_EQ(ResidenceOf(), Residence::kOnGpu);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
  EXPECT_EQ(yard_.PhaseOf(other), Phase::kPending);
}

TEST_F(Parking, WhoIsResumedAnewIsTriedAtOnce) {
  ASSERT_TRUE(Park());
  yard_.engine().RefuseUnparks(Error{Code::kConflict, "somebody has its memory"});
  ASSERT_TRUE(Resume());
  yard_.Advance(Seconds(11));
  yard_.Advance(Seconds(21));
  EXPECT_EQ(ResidenceOf(), Residence::kAway);
  ASSERT_TRUE(Suspend());
  EXPECT_EQ(yard_.ReasonOf(id_), "Parked");
  yard_.engine().RefuseUnparks(std::nullopt);
  ASSERT_TRUE(Resume());
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
}

TEST_F(Parking, AVainTryCostsNobodyItsTurn) {
  ASSERT_TRUE(Park());
  WorkloadId second = RunOther();
  ASSERT_TRUE(Park(second));
  yard_.engine().RefuseUnparks(Error{Code::kConflict, "somebody has its memory"});
  ASSERT_TRUE(Resume());
  yard_.Advance(Seconds(5));
  auto resume = [&](Txn& txn) { return Outcome(ResumeWorkload(txn, second, kTraining)); };
  ASSERT_TRUE(yard_.Do(resume));
  yard_.Advance(Seconds(6));   // the first tries again
  yard_.Advance(Seconds(5));   // the second
  yard_.Advance(Seconds(16));  // the first once more, and is now the last that began to wait
  ASSERT_GT(yard_.Find(id_)->phase_since, yard_.Find(second)->phase_since);
  WorkloadId third = yard_.Submit("third", Gpus(4), WorkloadType::kWorkspace);
  yard_.Run(third);
  yard_.Advance(Minutes(5));
  yard_.engine().RefuseUnparks(std::nullopt);
  yard_.End(third);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning) << "it was resumed first";
  EXPECT_EQ(yard_.PhaseOf(second), Phase::kPending);
}

TEST_F(Parking, SuspendedAgainWhileItWaitsItKeepsItsMemory) {
  ASSERT_TRUE(Park());
  RunOther();
  ASSERT_TRUE(Resume());
  ASSERT_TRUE(Suspend());
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kStopped);
  EXPECT_EQ(yard_.ReasonOf(id_), "Parked");
  EXPECT_TRUE(IsParkedAtTheEngine());
  EXPECT_EQ(yard_.engine().Find(yard_.KeyOf(id_))->stops, 0);
}

TEST_F(Parking, WhatIsParkedIsSuspendedAlready) {
  ASSERT_TRUE(Park());
  ASSERT_TRUE(Suspend());
  EXPECT_EQ(yard_.ReasonOf(id_), "Parked");
  EXPECT_EQ(yard_.engine().Find(yard_.KeyOf(id_))->stops, 0);
}

TEST_F(Parking, CancelledAwayItEnds) {
  ASSERT_TRUE(Park());
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return Outcome(CancelWorkload(txn, id_)); }));
  EXPECT_EQ(yard_.AttemptOf(id_)->end->cause, EndCause::kCancelled);
  EXPECT_EQ(yard_.Find(id_)->life, Life::kCancelled);
  EXPECT_TRUE(yard_.engine().Live().empty());
}

TEST_F(Parking, CancelledWhileItWaitsItEnds) {
  ASSERT_TRUE(Park());
  RunOther();
  ASSERT_TRUE(Resume());
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return Outcome(CancelWorkload(txn, id_)); }));
  EXPECT_TRUE(yard_.AttemptOf(id_)->end.has_value());
  EXPECT_EQ(yard_.Find(id_)->life, Life::kCancelled);
}

TEST_F(Parking, DeletedAwayItEnds) {
  ASSERT_TRUE(Park());
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return DeleteWorkload(txn, id_, std::nullopt); }));
  EXPECT_EQ(yard_.AttemptOf(id_)->end->cause, EndCause::kDeleted);
  EXPECT_TRUE(yard_.engine().Live().empty());
}

TEST_F(Parking, WhatEndsAwayHasEnded) {
  ASSERT_TRUE(Park());
  yard_.End(id_, EndCause::kExit, 3);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kFailed);
  EXPECT_EQ(yard_.AttemptOf(id_)->end->exit_code, 3);
}

TEST_F(Parking, WhatIsLostAwayIsStoppedAndCanBeResumedAnew) {
  ASSERT_TRUE(Park());
  yard_.End(id_, EndCause::kNodeLost, std::nullopt);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kStopped);
  EXPECT_EQ(yard_.ReasonOf(id_), "NodeLost");
  ASSERT_TRUE(Resume());
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kInitializing);
  EXPECT_EQ(yard_.AttemptOf(id_)->number, 2);
}

TEST_F(Parking, WhatIsLostWhileItWaitsForItsGpusIsStopped) {
  ASSERT_TRUE(Park());
  RunOther();
  ASSERT_TRUE(Resume());
  yard_.End(id_, EndCause::kNodeLost, std::nullopt);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kStopped);
  EXPECT_EQ(yard_.Find(id_)->desired, DesiredPhase::kStopped);
}

TEST_F(Parking, ToADrainedMachineNothingComesBack) {
  ASSERT_TRUE(Park());
  NodeId node;
  yard_.state()->Of<Node>().Each([&](const Node& one) { node = one.id; });
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return Outcome(DrainNode(txn, node, {"new disk"})); }));
  ASSERT_TRUE(Resume());
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kPending);
  EXPECT_NE(yard_.Find(id_)->phase_message.find("cannot be used now"), std::string::npos);
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return Outcome(ResumeNode(txn, node)); }));
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
}

TEST_F(Parking, WhoLeavesAnywayIsNotForcedToGiveWay) {
  yard_.StopDriver();
  ASSERT_TRUE(Park());
  WorkloadId winner = yard_.Submit("high", Gpus(4), WorkloadType::kWorkspace);
  yard_.Restart();
  EXPECT_EQ(ResidenceOf(), Residence::kAway);
  EXPECT_FALSE(yard_.AttemptOf(id_)->stop) << "its memory would be lost";
  EXPECT_EQ(yard_.PhaseOf(winner), Phase::kInitializing);
}

TEST_F(Parking, NobodyComesBackOnlyToBePreempted) {
  ASSERT_TRUE(Park());
  WorkloadId holder = yard_.Submit("holder", Gpus(4), WorkloadType::kWorkspace);
  yard_.Run(holder);
  WorkloadId next = yard_.Submit("next", Gpus(4), WorkloadType::kWorkspace);
  ASSERT_TRUE(Resume());
  yard_.End(holder);
  EXPECT_EQ(ResidenceOf(), Residence::kAway);
  EXPECT_FALSE(yard_.AttemptOf(id_)->stop) << "its memory would be lost";
  EXPECT_EQ(yard_.PhaseOf(next), Phase::kInitializing);
  EXPECT_NE(yard_.Find(id_)->phase_message.find("'next' has them."), std::string::npos);
  yard_.Run(next);
  yard_.End(next);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
  EXPECT_EQ(yard_.AttemptOf(id_)->number, 1);
}

TEST_F(Parking, OnceBackItGivesWayLikeOthers) {
  ASSERT_TRUE(Park());
  ASSERT_TRUE(Resume());
  ASSERT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
  WorkloadId winner = yard_.Submit("high", Gpus(4), WorkloadType::kWorkspace);
  EXPECT_EQ(yard_.PhaseOf(winner), Phase::kInitializing);
  EXPECT_EQ(yard_.AttemptOf(id_)->end->cause, EndCause::kPreempted);
}

TEST_F(Parking, WhatLeftMeanwhileIsNotPreempted) {
  ASSERT_TRUE(Park());
  Cycle cycle;
  StopOrder order{EndCause::kPreempted, "high", "priority", yard_.clock().Now()};
  cycle.stops.push_back({id_, yard_.AttemptOf(id_)->id, order});
  const CycleScope scope{yard_.Find(id_)->cluster, "fake"};
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return CommitCycle(txn, scope, cycle); }));
  EXPECT_FALSE(yard_.AttemptOf(id_)->stop);
  EXPECT_TRUE(IsParkedAtTheEngine());
}

TEST_F(Parking, OnItsWayOffItsGpusNothingIsResumed) {
  yard_.StopDriver();
  ASSERT_TRUE(Park());
  Status refused = Resume();
  ASSERT_FALSE(refused) << "the wish would be lost";
  EXPECT_EQ(refused.error().code, Code::kPrecondition);
  EXPECT_EQ(refused.error().details, "wait until it is Stopped, then resume it");
  yard_.Restart();
  EXPECT_EQ(yard_.ReasonOf(id_), "Parked");
  EXPECT_TRUE(Resume());
}

TEST_F(Parking, OnItsWayBackNothingIsParkedAndNoMemoryIsGivenUp) {
  ASSERT_TRUE(Park());
  yard_.StopDriver();
  ASSERT_TRUE(Resume());
  ASSERT_TRUE(StartReturn());
  Status refused = Park();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("it is coming back"), std::string::npos);
  EXPECT_EQ(refused.error().details, "wait until it is Running");
  yard_.Restart();
}

TEST_F(Parking, ParkedWorkWhoseTimeHasComeStops) {
  yard_.End(id_);
  WorkloadId timed =
      yard_.Submit("timed", R"({"command":"x","compute":{"gpuDevicesRequest":1},"stopAt":")" +
                                FormatRfc3339(yard_.clock().Now() + Minutes(10)) + R"("})");
  yard_.Run(timed);
  ASSERT_TRUE(Park(timed));
  yard_.engine().Behave(FakeEngine::OnLaunch::kWait, FakeEngine::OnStop::kIgnore);
  yard_.Advance(Minutes(11));
  EXPECT_EQ(yard_.PhaseOf(timed), Phase::kStopping);
  auto resume = [&](Txn& txn) { return Outcome(ResumeWorkload(txn, timed, kTraining)); };
  EXPECT_FALSE(yard_.Do(resume)) << "there is nothing to come back";
  yard_.End(timed, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard_.PhaseOf(timed), Phase::kStopped);
  EXPECT_EQ(yard_.ReasonOf(timed), "TimeLimit");
}

TEST_F(Parking, OneWhoWaitsForItsGpusIsInTheQueueAndSaysWhy) {
  ASSERT_TRUE(Park());
  RunOther();
  ASSERT_TRUE(Resume());
  EXPECT_EQ(yard_.driver().Explain(id_)->reason, "WaitsForItsGpus");
  std::vector<QueueLine> queue = *yard_.driver().Queue();
  ASSERT_EQ(queue.size(), 1U);
  EXPECT_EQ(queue[0].workload, id_);
  std::vector<NthGpuLine> running = *yard_.driver().NthGpuOrder();
  ASSERT_EQ(running.size(), 1U) << "it is not among those that run";
  EXPECT_NE(running[0].workload, id_);
}

TEST_F(Parking, AHalfComesBackBesideItsNeighbour) {
  yard_.End(id_);
  constexpr const char* kHalf =
      R"({"command":"x","compute":{"gpuRequestType":"portion","gpuPortionRequest":0.5,
          "gpuDevicesRequest":1}})";
  YardFixture one({.nodes = 1, .gpus = 1});
  std::vector<WorkloadId> work;
  for (const char* name : {"a", "b", "c"}) {
    if (work.size() == 2) {
      ASSERT_TRUE(one.Do([&](Txn& txn) { return Outcome(ParkWorkload(txn, work[0])); }));
    }
    work.push_back(one.Submit(name, kHalf));
    one.Run(work.back());
  }
  auto resume = [&](Txn& txn) { return Outcome(ResumeWorkload(txn, work[0], kTraining)); };
  ASSERT_TRUE(one.Do(resume));
  EXPECT_EQ(one.PhaseOf(work[0]), Phase::kPending) << "b and c have both halves";
  one.End(work[1]);
  EXPECT_EQ(one.PhaseOf(work[0]), Phase::kRunning);
  EXPECT_EQ(one.PhaseOf(work[2]), Phase::kRunning);
}

}  // namespace
}  // namespace yard::control
