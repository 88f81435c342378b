#include "model/queue_priority.h"

#include <gtest/gtest.h>

namespace yard {
namespace {

TEST(QueuePriority, NamesAreInOrderAndReadInAnyCase) {
  EXPECT_LT(QueuePriorityOf("VeryLow"), QueuePriorityOf("low"));
  EXPECT_LT(QueuePriorityOf("Low"), QueuePriorityOf("MEDIUMLOW"));
  EXPECT_LT(QueuePriorityOf("MediumLow"), QueuePriorityOf("Normal"));
  EXPECT_LT(QueuePriorityOf("Normal"), QueuePriorityOf("MediumHigh"));
  EXPECT_LT(QueuePriorityOf("MediumHigh"), QueuePriorityOf("High"));
  EXPECT_LT(QueuePriorityOf("High"), QueuePriorityOf("VeryHigh"));
  EXPECT_EQ(QueuePriorityOf("Medium"), kNormalQueuePriority);
}

TEST(QueuePriority, NumbersStandForThemselves) {
  EXPECT_EQ(QueuePriorityOf("0"), 0);
  EXPECT_EQ(QueuePriorityOf("-1"), std::nullopt);
  EXPECT_EQ(QueuePriorityOf("7"), 7);
  EXPECT_EQ(QueuePriorityOf("1001"), std::nullopt);
  EXPECT_EQ(QueuePriorityOf("1.5"), std::nullopt);
  EXPECT_EQ(QueuePriorityOf("urgent"), std::nullopt);
  EXPECT_EQ(QueuePriorityOf(""), std::nullopt);
}

}  // namespace
}  // namespace yard
