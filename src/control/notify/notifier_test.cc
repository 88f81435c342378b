#include "control/notify/notifier.h"

#include <condition_variable>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/testing/memory_service.h"

namespace yard::control {
namespace {

// Remembers what it carried and answers as it is told to.
class FakeCourier final : public Courier {
 public:
  std::function<Try(int number)> answer = [](int) { return Try{.verdict = Try::Verdict::kSent}; };

  Try Send(const NotifyRule&, const Delivery& delivery, Time now) override {
    std::unique_lock lock(mutex_);
    sent_.push_back(delivery.id);
    Try result = answer(static_cast<int>(sent_.size()));
    result.at = now;
    changed_.notify_all();
    return result;
  }
  std::string Missing(NotifyChannel) const override { return {}; }
  void Cancel() override {}

  std::vector<DeliveryId> WaitForSent(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return sent_.size() >= count; });
    return sent_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<DeliveryId> sent_;
};

class NotifierTest : public ::testing::Test {
 protected:
  DeliveryId Put(DeliveryOutcome outcome = DeliveryOutcome::kPending) {
    DeliveryId id;
    Status put = service_->WriteAndWait(SystemPrincipal(), [&](Txn& txn) -> Status {
      NotifyRule rule{.id = rule_, .name = "r", .events = {NotifyEvent::kFailed}};
      txn.Put(rule);
      id = DeliveryId{txn.NewUuid()};
      txn.Put(Delivery{.id = id, .rule = rule_, .outcome = outcome, .next_try = txn.now()});
      return {};
    });
    EXPECT_TRUE(put.has_value());
    return id;
  }
  // Waits until the delivery is no longer pending, by its commits.
  Delivery Settled(DeliveryId id) {
    std::mutex mutex;
    std::condition_variable changed;
    auto subscription = service_->Watch([&](const Notice&) {
      std::lock_guard lock(mutex);
      changed.notify_all();
    });
    std::unique_lock lock(mutex);
    auto settled = [&] {
      return service_->Read()->Find<Delivery>(id)->outcome != DeliveryOutcome::kPending;
    };
    changed.wait(lock, settled);
    lock.unlock();
    return *service_->Read()->Find<Delivery>(id);
  }

  SeededRandom random_{3};
  std::unique_ptr<Service> service_ = StartInMemory(SystemClock(), random_);
  FakeCourier courier_;
  NotifyRuleId rule_{Uuid{{1}}};
};

TEST_F(NotifierTest, WhatIsCommittedIsSentAndWrittenDown) {
  Notifier notifier(*service_, courier_, {});
  DeliveryId id = Put();
  Delivery delivery = Settled(id);
  EXPECT_EQ(delivery.outcome, DeliveryOutcome::kSent);
  EXPECT_EQ(delivery.tries, 1);
}

TEST_F(NotifierTest, WhatWaitedFromAnEarlierLifeIsSentAndNothingElse) {
  DeliveryId waiting = Put();
  Put(DeliveryOutcome::kSent);
  Put(DeliveryOutcome::kGivenUp);
  Notifier notifier(*service_, courier_, {});
  EXPECT_EQ(Settled(waiting).outcome, DeliveryOutcome::kSent);
  EXPECT_THAT(courier_.WaitForSent(1), ::testing::ElementsAre(waiting));
}

TEST_F(NotifierTest, ATargetThatFailsIsTriedAgain) {
  courier_.answer = [](int number) {
    return number < 2 ? Try{.status = 503, .error = "the target answered 503"}
                      : Try{.verdict = Try::Verdict::kSent, .status = 200};
  };
  Notifier notifier(*service_, courier_, {});
  Delivery delivery = Settled(Put());
  EXPECT_EQ(delivery.tries, 2);
  EXPECT_EQ(delivery.last_status, 200);
  EXPECT_EQ(delivery.last_error, "");
}

}  // namespace
}  // namespace yard::control
