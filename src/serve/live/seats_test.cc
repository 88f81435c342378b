#include "serve/live/seats.h"

#include <vector>

#include <gtest/gtest.h>

namespace yard::serve {
namespace {

TEST(Seats, OnePersonLeavesSomeToOthers) {
  Seats seats({.of_one = 2, .together = 3});
  std::vector<Seats::Seat> held;
  for (int i = 0; i < 2; ++i) held.push_back(*seats.Take("ann"));
  Result<Seats::Seat> refused = seats.Take("ann");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kTooMany);
  EXPECT_TRUE(seats.Take("bob"));
}

TEST(Seats, AreBoundedTogether) {
  Seats seats({.of_one = 2, .together = 3});
  std::vector<Seats::Seat> held{*seats.Take("ann"), *seats.Take("ann"), *seats.Take("bob")};
  EXPECT_FALSE(seats.Take("carl"));
  held.pop_back();
  EXPECT_TRUE(seats.Take("carl"));
}

TEST(Seats, AreFreeOnceTheLastCopyIsGone) {
  Seats::Seat left;
  {
    Seats seats({.of_one = 1, .together = 1});
    Seats::Seat first = *seats.Take("ann");
    Seats::Seat copy = first;
    first.reset();
    EXPECT_FALSE(seats.Take("ann"));
    copy.reset();
    left = *seats.Take("ann");
    EXPECT_TRUE(left.use_count() == 1);
  }
  left.reset();  // after the seats themselves
}

}  // namespace
}  // namespace yard::serve
