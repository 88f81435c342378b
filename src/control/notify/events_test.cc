#include "control/notify/events.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "control/notify/rules.h"
#include "control/testing/yard_fixture.h"
#include "wire/enums.h"

namespace yard::control {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using enum NotifyEvent;

class NotifyEventsTest : public ::testing::Test {
 protected:
  NotifyRuleId Watch(std::vector<NotifyEvent> events, NotifyRule rule = {}) {
    Status made = yard_.Do([&](Txn& txn) -> Status {
      rule.id = NotifyRuleId{txn.NewUuid()};
      rule.name = "r";
      if (!rule.owner) rule.project = rule.project.value_or(yard_.project());
      rule.events = std::move(events);
      rule.stamp = txn.NewStamp();
      txn.Put(rule);
      return {};
    });
    EXPECT_TRUE(made.has_value());
    return rule.id;
  }
  WorkloadId Submit(std::string name) {
    return yard_.Submit(std::move(name), R"({"command":"train"})");
  }
  // "Running resnet", oldest first.
  std::vector<std::string> Told(NotifyRuleId rule) {
    std::vector<std::string> told;
    for (const Ptr<Delivery>& delivery : yard_.state()->DeliveriesOf(rule)) {
      told.push_back(std::string(wire::ToName(delivery->event)) + " " + delivery->workload_name);
    }
    return told;
  }
  void Due(Time after, Time until) {
    Status done = yard_.Do([&](Txn& txn) -> Status {
      AnnounceDue(txn, {after, until}, {});
      return {};
    });
    EXPECT_TRUE(done.has_value());
  }

  YardFixture yard_;
};

TEST_F(NotifyEventsTest, WorkThatStartsAndEndsIsToldInTheSameTransaction) {
  NotifyRuleId rule = Watch({kRunning, kCompleted, kFailed});
  WorkloadId good = Submit("good");
  yard_.Run(good);
  yard_.End(good);
  WorkloadId bad = Submit("bad");
  yard_.Run(bad);
  yard_.End(bad, EndCause::kExit, 3);
  EXPECT_THAT(Told(rule),
              UnorderedElementsAre("Running good", "Completed good", "Running bad", "Failed bad"));
  std::vector<Ptr<Delivery>> all = yard_.state()->DeliveriesOf(rule);
  Ptr<Delivery> last = *std::ranges::find(all, kFailed, &Delivery::event);
  EXPECT_EQ(last->reason, "Exit");
  EXPECT_EQ(last->message, "Exited with code 3.");
  EXPECT_EQ(last->project_name, "vision");
  EXPECT_EQ(last->outcome, DeliveryOutcome::kPending);
}

TEST_F(NotifyEventsTest, WorkThatEndsAtOnceIsToldToHaveStartedToo) {
  yard_.engine().Behave(FakeEngine::OnLaunch::kRun, FakeEngine::OnStop::kEnd);
  NotifyRuleId rule = Watch({kRunning, kCompleted});
  yard_.End(Submit("quick"));
  EXPECT_THAT(Told(rule), UnorderedElementsAre("Running quick", "Completed quick"));
}

TEST_F(NotifyEventsTest, NobodyIsToldOfOthersWorkOrOfWhatTheyDidNotAskFor) {
  NotifyRuleId elsewhere = Watch({kCompleted}, {.project = ProjectId{9999}});
  NotifyRuleId failures = Watch({kFailed});
  NotifyRuleId off = Watch({kCompleted}, {.enabled = false});
  WorkloadId id = Submit("good");
  yard_.Run(id);
  yard_.End(id);
  EXPECT_THAT(Told(elsewhere), IsEmpty());
  EXPECT_THAT(Told(failures), IsEmpty());
  EXPECT_THAT(Told(off), IsEmpty());
}

TEST_F(NotifyEventsTest, APersonsRuleIsAboutTheirOwnWorkOnly) {
  UserId ann;
  UserId bob;
  ASSERT_TRUE(yard_
                  .Do([&](Txn& txn) -> Status {
                    ann = UserId{txn.NewUuid()};
                    bob = UserId{txn.NewUuid()};
                    txn.Put(User{.id = ann, .email = SystemPrincipal().id});
                    txn.Put(User{.id = bob, .email = "bob@lab.org"});
                    return {};
                  })
                  .has_value());
  NotifyRuleId mine = Watch({kRunning}, {.owner = ann});
  NotifyRuleId others = Watch({kRunning}, {.owner = bob});
  yard_.Run(Submit("mine"));
  EXPECT_THAT(Told(mine), ElementsAre("Running mine"));
  EXPECT_THAT(Told(others), IsEmpty());
}

TEST_F(NotifyEventsTest, WorkThatLosesItsPlaceIsToldWhy) {
  NotifyRuleId rule = Watch({kPreempted});
  WorkloadId id = Submit("young");
  yard_.Run(id);
  yard_.StopDriver();
  ASSERT_TRUE(yard_
                  .Do([&](Txn& txn) -> Status {
                    Attempt attempt =
                        *txn.state().Find<Attempt>(*txn.state().Find<Workload>(id)->attempt);
                    attempt.stop = StopOrder{EndCause::kPreempted, "urgent", "quota", txn.now()};
                    attempt.end = AttemptEnd{.cause = EndCause::kPreempted, .at = txn.now()};
                    txn.Put(attempt);
                    return {};
                  })
                  .has_value());
  ASSERT_THAT(Told(rule), ElementsAre("Preempted young"));
  EXPECT_EQ(yard_.state()->DeliveriesOf(rule)[0]->message,
            "Gave its place to urgent by the rule quota.");
}

TEST_F(NotifyEventsTest, AnIdleWarningIsTold) {
  NotifyRuleId rule = Watch({kIdleWarning});
  WorkloadId id = Submit("lazy");
  ASSERT_TRUE(yard_
                  .Do([&](Txn& txn) -> Status {
                    txn.Emit({.id = txn.NewUuid(),
                              .workload = id,
                              .at = txn.now(),
                              .type = "Warning",
                              .reason = "IdleWarning",
                              .message = "Idle for 80 s."});
                    return {};
                  })
                  .has_value());
  EXPECT_THAT(Told(rule), ElementsAre("IdleWarning lazy"));
}

TEST_F(NotifyEventsTest, ALongWaitIsToldOnceAndOnlyIfItGrowsLongAfterTheRuleWasMade) {
  NotifyRuleId rule = Watch({kWaitingLong}, {.waits_longer = Hours(1)});
  yard_.Submit("big", R"({"compute":{"gpuDevicesRequest":99}})");
  Time since = yard_.clock().Now();
  EXPECT_FALSE(AnyDue(*yard_.state(), {since, since + Minutes(59)}));
  EXPECT_TRUE(AnyDue(*yard_.state(), {since, since + Hours(1)}));
  yard_.Advance(Hours(2));
  Due(since, since + Hours(2));
  EXPECT_THAT(Told(rule), ElementsAre("WaitingLong big"));
  EXPECT_FALSE(AnyDue(*yard_.state(), {since + Hours(2), since + Hours(9)}));
  EXPECT_EQ(LastDue(*yard_.state()), since + Hours(2));
  NotifyRuleId late = Watch({kWaitingLong}, {.waits_longer = Hours(1)});
  Due(since, since + Hours(2));
  EXPECT_THAT(Told(late), IsEmpty());
}

TEST_F(NotifyEventsTest, WorkThatComesBackToItsGpusHasNotStartedAgainButMayWaitLong) {
  NotifyRuleId rule = Watch({kRunning, kWaitingLong}, {.waits_longer = Hours(1)});
  constexpr const char* kAll = R"({"command":"x","compute":{"gpuDevicesRequest":4}})";
  WorkloadId id = yard_.Submit("train", kAll);
  yard_.Run(id);
  auto park = [&](Txn& txn) { return Outcome(ParkWorkload(txn, id)); };
  auto resume = [&](Txn& txn) { return Outcome(ResumeWorkload(txn, id, WorkloadType::kTraining)); };
  ASSERT_TRUE(yard_.Do(park));
  ASSERT_TRUE(yard_.Do(resume));
  ASSERT_EQ(yard_.PhaseOf(id), Phase::kRunning);
  EXPECT_THAT(Told(rule), ElementsAre("Running train"));
  ASSERT_TRUE(yard_.Do(park));
  WorkloadId other = yard_.Submit("other", kAll);
  yard_.Run(other);
  yard_.Advance(Seconds(1));
  ASSERT_TRUE(yard_.Do(resume));
  Time since = yard_.clock().Now();
  yard_.Advance(Hours(2));
  Due(since, since + Hours(2));
  EXPECT_THAT(Told(rule), ElementsAre("Running train", "Running other", "WaitingLong train"));
}

TEST_F(NotifyEventsTest, ATimeLimitThatComesCloseIsTold) {
  NotifyRuleId rule = Watch({kTimeLimitNear}, {.time_left = Minutes(15)});
  WorkloadId id = yard_.Submit("long", R"({"command":"train","timeLimitSeconds":3600})");
  yard_.Run(id);
  Time start = *yard_.AttemptOf(id)->started_at;
  EXPECT_FALSE(AnyDue(*yard_.state(), {start, start + Minutes(44)}));
  Due(start, start + Minutes(46));
  ASSERT_THAT(Told(rule), ElementsAre("TimeLimitNear long"));
  EXPECT_THAT(yard_.state()->DeliveriesOf(rule)[0]->message,
              HasSubstr(FormatRfc3339(start + Hours(1))));
}

TEST_F(NotifyEventsTest, AFloodIsCountedAndNotKept) {
  NotifyRuleId rule = Watch({kIdleWarning});
  WorkloadId id = Submit("lazy");
  for (std::size_t i = 0; i < kKeptDeliveries + 5; ++i) {
    ASSERT_TRUE(
        yard_
            .Do([&](Txn& txn) -> Status {
              txn.Emit(
                  {.id = txn.NewUuid(), .workload = id, .at = txn.now(), .reason = "IdleWarning"});
              return {};
            })
            .has_value());
  }
  std::vector<Ptr<Delivery>> kept = yard_.state()->DeliveriesOf(rule);
  EXPECT_EQ(kept.size(), kKeptDeliveries);
  std::int64_t left_out = 0;
  for (const Ptr<Delivery>& delivery : kept) left_out += delivery->left_out;
  EXPECT_EQ(left_out, 5);
}

TEST_F(NotifyEventsTest, ARuleTakesItsMessagesAlong) {
  NotifyRuleId rule = Watch({kRunning});
  yard_.Run(Submit("work"));
  ASSERT_EQ(yard_.state()->Of<Delivery>().size(), 1U);
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return DeleteNotifyRule(txn, rule); }).has_value());
  EXPECT_TRUE(yard_.state()->Of<Delivery>().empty());
}

TEST(Delivery, IsTriedUntilItIsSentOrGivenUp) {
  Time now{1'000'000};
  Delivery delivery = AfterTry({}, {.status = 500, .error = "the target answered 500", .at = now});
  EXPECT_EQ(delivery.outcome, DeliveryOutcome::kPending);
  EXPECT_EQ(delivery.next_try, now + Seconds(1));
  EXPECT_EQ(AfterTry(delivery, {.verdict = Try::Verdict::kSent}).outcome, DeliveryOutcome::kSent);
  EXPECT_EQ(AfterTry(delivery, {.verdict = Try::Verdict::kNever}).outcome,
            DeliveryOutcome::kGivenUp);
  while (delivery.outcome == DeliveryOutcome::kPending) delivery = AfterTry(delivery, {.at = now});
  EXPECT_EQ(delivery.outcome, DeliveryOutcome::kGivenUp);
  EXPECT_EQ(delivery.tries, 8);
}

}  // namespace
}  // namespace yard::control
