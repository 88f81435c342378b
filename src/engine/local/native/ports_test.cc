#include "engine/local/native/ports.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace yard::engine {
namespace {

TEST(Ports, EachTaskIsGivenAPortOfItsOwnAndKeepsIt) {
  PortPool pool;
  const TaskKey one{.attempt = AttemptId{{1}}, .rank = 0};
  const TaskKey two{.attempt = AttemptId{{1}}, .rank = 1};
  const std::optional<std::uint16_t> first = pool.Take(one);
  const std::optional<std::uint16_t> second = pool.Take(two);
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  EXPECT_EQ(pool.Take(one), first);
  pool.GiveBack(one);
  EXPECT_EQ(pool.Take(TaskKey{.attempt = AttemptId{{1}}, .rank = 2}), first) << "it is free again";
}

TEST(Ports, AProcessThatWasGivenNoneHasNone) {
  const std::array<int, 1> pids{::getpid()};
  EXPECT_FALSE(GivenPort(pids));
}

}  // namespace
}  // namespace yard::engine
