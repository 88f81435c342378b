// Work that leaves its GPUs with its memory kept, and comes back to them.
#include <algorithm>

#include <gtest/gtest.h>

#include "control/driver.h"
#include "control/node_sync.h"
#include "control/testing/yard_fixture.h"
#include "control/workload_orders.h"
#include "control/workloads.h"

namespace yard::control {
namespace {

constexpr auto kTraining = WorkloadType::kTraining;

std::string Gpus(int count) {
  return R"({"command":"train","compute":{"gpuDevicesRequest":)" + std::to_string(count) + "}}";
}

// One machine with four GPUs, and work on all of them.
class Parking : public ::testing::Test {
 protected:
  Parking() : id_(yard_.Submit("train", Gpus(4))) { yard_.Run(id_); }

  Status Park(WorkloadId id) {
    return yard_.Do([id](Txn& txn) { return Outcome(ParkWorkload(txn, id)); });
  }
  Status Park() { return Park(id_); }
  Status Resume() {
    return yard_.Do([&](Txn& txn) { return Outcome(ResumeWorkload(txn, id_, kTraining)); });
  }
  Status Suspend() {
    return yard_.Do([&](Txn& txn) { return Outcome(SuspendWorkload(txn, id_, kTraining)); });
  }
  WorkloadId RunOther(const std::string& spec = Gpus(4)) {
    WorkloadId other = yard_.Submit("other", spec);
    if (yard_.AttemptOf(other)) yard_.Run(other);
    return other;
  }
  Residence ResidenceOf() const { return yard_.AttemptOf(id_)->residence; }
  bool IsParkedAtTheEngine() { return yard_.engine().Find(yard_.KeyOf(id_))->parked; }
  std::string EventText(std::string_view reason) {
    for (const WorkloadEvent& event : *yard_.service().ReadEvents(id_, 0, 100)) {
      if (event.reason == reason) return event.message;
    }
    return "";
  }

  YardFixture yard_;
  WorkloadId id_;
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
  EXPECT_NE(yard_.Find(id_)->phase_message.find("'other' has it"), std::string::npos);
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

}  // namespace
}  // namespace yard::control
