#include "base/seldom.h"

#include <gtest/gtest.h>

#include <utility>

namespace yard {
namespace {

struct Part {
  int amount = 7;
};

TEST(Seldom, IsTheDefaultUntilItIsEdited) {
  Seldom<Part> part;
  EXPECT_TRUE(part.IsDefault());
  EXPECT_EQ(part->amount, 7);
  part.Edit().amount = 8;
  EXPECT_EQ(part->amount, 8);
  part.Reset();
  EXPECT_EQ(part->amount, 7);
}

TEST(Seldom, ACopyHasAValueOfItsOwn) {
  Seldom<Part> first;
  first.Edit().amount = 1;
  Seldom<Part> second = first;
  second.Edit().amount = 2;
  EXPECT_EQ(first->amount, 1);
  first = second;
  EXPECT_EQ(first->amount, 2);
  const Seldom<Part> moved = std::move(first);
  EXPECT_EQ(moved->amount, 2);
}

}  // namespace
}  // namespace yard
