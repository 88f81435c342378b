#include "control/state/retention.h"

#include <fmt/format.h>
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

class KeptWork : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::uint8_t number = 1; number <= 6; ++number) {
      Workload workload = Finished(number, kNow - Days(10 - number));
      workload.project = ProjectId(number % 2 == 0 ? 2 : 1);
      workload.name = fmt::format("job-{}", number);
      work_.push_back(workload);
    }
    auto fill = [&](Txn& txn) -> Status {
      txn.Put(Project{{.name = "vision"}, ProjectId(1)});
      txn.Put(Project{{.name = "language"}, ProjectId(2)});
      for (const Workload& workload : work_) txn.Put(workload);
      return {};
    };
    ASSERT_TRUE(service_->WriteAndWait(SystemPrincipal(), fill));
    service_->MoveToArchive(kNow + Days(1));
    Settle();
    ASSERT_EQ(service_->Read()->archived(), 6);
  }

  void Settle() {
    ASSERT_TRUE(service_->WriteAndWait(SystemPrincipal(), [](Txn&) -> Status { return {}; }));
  }

  // The numbers of the jobs that are still known; in brackets: deleted.
  std::string After(const KeepRules& rules) {
    RetireSurplus(*service_, {.keep = rules});
    Settle();
    std::string left;
    for (const Workload& workload : work_) {
      Ptr<Workload> found = service_->Read()->FindEver(workload.id);
      const std::string number = workload.name.substr(4);
      if (found) left += found->deleted_at ? "(" + number + ")" : number;
    }
    return left;
  }

  ManualClock clock_{kNow};
  SeededRandom random_{1};
  std::unique_ptr<Service> service_ = StartInMemory(clock_, random_);
  std::vector<Workload> work_;
};

TEST_F(KeptWork, StaysWithinWhatIsKept) {
  EXPECT_EQ(After({}), "123456");
}

TEST_F(KeptWork, IsDeletedWhenItIsTooOldForItsProject) {
  KeepRules rules{.usual = {.age = Days(7)}};
  rules.of_project["language"].age = Days(30);
  EXPECT_EQ(After(rules), "(1)2(3)456");
}

TEST_F(KeptWork, IsForgottenFromTheOldestOnBeyondTheNumberOfItsProject) {
  KeepRules rules{.usual = {.workloads = 1}};
  rules.of_project["vision"].workloads = 2;
  EXPECT_EQ(After(rules), "356");
}

TEST_F(KeptWork, IsForgottenFromTheOldestOnBeyondTheBytesOfItsProject) {
  const std::int64_t bytes = service_->Read()->archive().Sizes()->at(ProjectId(1));
  KeepRules rules;
  rules.of_project["vision"].bytes = bytes * 2 / 3 + 10;
  EXPECT_EQ(After(rules), "23456");
}

TEST(KeepTexts, SayNumbersForAllAndForSingleProjects) {
  auto rules = ParseKeepRules({.days = "10, a=20", .workloads = "5", .mebibytes = "b=3"});
  ASSERT_TRUE(rules);
  EXPECT_EQ(rules->Of("other").age, Days(10));
  EXPECT_EQ(rules->Of("a").age, Days(20));
  EXPECT_EQ(rules->Of("a").workloads, 5);
  EXPECT_EQ(rules->Of("b").age, Days(10));
  EXPECT_EQ(rules->Of("b").bytes, 3 << 20);
  EXPECT_EQ(rules->Of("a").bytes, Keep{}.bytes);
}

TEST(KeepTexts, OfWhatIsNoNumberAreRefused) {
  for (std::string_view text : {"", "0", "many", "10,a=", "10,a=-1"}) {
    auto rules = ParseKeepRules({.days = text, .workloads = "1", .mebibytes = "1"});
    ASSERT_FALSE(rules) << text;
    EXPECT_EQ(rules.error().code, Code::kInvalid);
  }
}

}  // namespace
}  // namespace yard::control
