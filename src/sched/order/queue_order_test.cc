// The steps by which one queue is served before another, each where all before it are equal.
#include "sched/order/queue_order.h"

#include <gtest/gtest.h>

namespace yard::sched {
namespace {

Resources Gpus(std::int64_t gpus) {
  return {MilliGpu(gpus * 1000), MilliCpu(0), Mebibytes(0)};
}

struct Held {
  std::int64_t has;
  std::int64_t share;
  std::int64_t quota;
  std::int64_t next = 1;
};

QueueClaim Claim(const Held& held, std::int32_t row) {
  return {Gpus(held.has), Gpus(held.share), Gpus(held.quota), Gpus(held.next), 0,
          Time{100},      QueueIndex(row)};
}

// The later row wins only by the step itself.
void ExpectFirst(const QueueClaim& first, const QueueClaim& second) {
  EXPECT_TRUE(ServedBefore(first, second));
  EXPECT_FALSE(ServedBefore(second, first));
}

TEST(QueueOrderSteps, OneThatIsNotOverItsFairShareComesFirst) {
  ExpectFirst(Claim({.has = 4, .share = 4, .quota = 0}, 1),
              Claim({.has = 3, .share = 2, .quota = 9}, 0));
}

TEST(QueueOrderSteps, ThenOneThatStaysWithinItsQuotaWithTheNextWorkload) {
  ExpectFirst(Claim({.has = 3, .share = 4, .quota = 4}, 1),
              Claim({.has = 1, .share = 4, .quota = 1}, 0));
}

TEST(QueueOrderSteps, ThenTheHigherPriority) {
  QueueClaim high = Claim({.has = 3, .share = 4, .quota = 0}, 1);
  high.priority = 1;
  ExpectFirst(high, Claim({.has = 0, .share = 4, .quota = 0}, 0));
}

TEST(QueueOrderSteps, ThenOneThatHasAShareAtAll) {
  ExpectFirst(Claim({.has = 0, .share = 1, .quota = 0, .next = 9}, 1),
              Claim({.has = 0, .share = 0, .quota = 0}, 0));
}

TEST(QueueOrderSteps, ThenTheSmallerPartOfItsShareWithTheNextWorkload) {
  ExpectFirst(Claim({.has = 2, .share = 8, .quota = 0, .next = 2}, 1),
              Claim({.has = 1, .share = 4, .quota = 0, .next = 2}, 0));
}

TEST(QueueOrderSteps, ThenTheSmallerPartWithoutIt) {
  ExpectFirst(Claim({.has = 0, .share = 4, .quota = 0, .next = 2}, 1),
              Claim({.has = 1, .share = 4, .quota = 0, .next = 1}, 0));
}

TEST(QueueOrderSteps, ThenTheSmallerShare) {
  ExpectFirst(Claim({.has = 1, .share = 4, .quota = 0, .next = 1}, 1),
              Claim({.has = 2, .share = 8, .quota = 0, .next = 2}, 0));
}

TEST(QueueOrderSteps, ThenTheOlderThenTheOneMadeFirst) {
  QueueClaim older = Claim({.has = 1, .share = 4, .quota = 0}, 1);
  older.created = Time{99};
  ExpectFirst(older, Claim({.has = 1, .share = 4, .quota = 0}, 0));
  ExpectFirst(Claim({.has = 1, .share = 4, .quota = 0}, 0),
              Claim({.has = 1, .share = 4, .quota = 0}, 1));
}

}  // namespace
}  // namespace yard::sched
