#include "control/state/retention.h"

#include <gtest/gtest.h>

#include "control/testing/memory_service.h"
#include "wire/spec.h"

namespace yard::control {
namespace {

constexpr Time kNow{1'780'000'000'000'000};

Workload Finished(std::uint8_t number, Time at) {
  Workload workload;
  workload.id.value.bytes[15] = number;
  workload.name = "done";
  workload.life = Life::kCompleted;
  workload.completed_at = at;
  return workload;
}

State With(std::vector<Workload> workloads) {
  State state;
  for (Workload& workload : workloads) {
    state.Apply({std::nullopt, Object(std::make_shared<const Workload>(std::move(workload)))});
  }
  return state;
}

TEST(Retention, FinishedWorkGoesAfterThirtyDaysUnlessItsSpecSaysOtherwise) {
  Workload old = Finished(1, kNow - Days(30));
  Workload young = Finished(2, kNow - Days(29));
  Workload hasty = Finished(3, kNow - Seconds(60));
  hasty.spec = wire::ReadSpecText(R"({"autoDeletionTimeAfterCompletionSeconds":60})");
  Expired expired = FindExpired(With({old, young, hasty}), kNow, {});
  EXPECT_EQ(expired.finished, (std::vector<WorkloadId>{old.id, hasty.id}));
  EXPECT_TRUE(expired.deleted.empty());
}

TEST(Retention, WorkThatHasNotEndedStaysHoweverOldItIs) {
  Workload waiting;
  waiting.life = Life::kWaiting;
  EXPECT_TRUE(FindExpired(With({waiting}), kNow, {}).empty());
}

TEST(Retention, TheRecordOfADeletedWorkloadIsKeptForItsTime) {
  Workload gone = Finished(1, kNow - Days(90));
  gone.deleted_at = kNow - Days(8);
  EXPECT_TRUE(FindExpired(With({gone}), kNow, {}).empty());
  EXPECT_EQ(FindExpired(With({gone}), kNow, {.deleted_workloads = Days(7)}).deleted,
            std::vector<WorkloadId>{gone.id});
}

TEST(Retention, ARoundDeletesWhatEndedAndForgetsWhatWasDeletedLongAgo) {
  ManualClock clock(kNow);
  SeededRandom random(1);
  std::unique_ptr<Service> service = StartInMemory(clock, random);
  auto fill = [](Txn& txn) -> Status {
    txn.Put(Finished(1, kNow - Days(40)));
    Workload gone = Finished(2, kNow - Days(80));
    gone.deleted_at = kNow - Days(31);
    txn.Put(gone);
    txn.Put(IdempotentReply{.id = "ann/1", .expires_at = kNow});
    txn.Put(IdempotentReply{.id = "ann/2", .expires_at = kNow + Hours(1)});
    return {};
  };
  ASSERT_TRUE(service->WriteAndWait(SystemPrincipal(), fill));
  RunRetention(*service, {});
  ASSERT_TRUE(service->WriteAndWait(SystemPrincipal(), [](Txn&) -> Status { return {}; }));
  Snapshot state = service->Read();
  EXPECT_EQ(state->Of<Workload>().size(), 1U);
  EXPECT_EQ(state->Find<Workload>(Finished(1, kNow).id)->deleted_at, kNow);
  EXPECT_EQ(state->Find<IdempotentReply>("ann/1"), nullptr);
  EXPECT_NE(state->Find<IdempotentReply>("ann/2"), nullptr);
}

}  // namespace
}  // namespace yard::control
