#include "control/dispatch/idle.h"

#include <gtest/gtest.h>

namespace yard::control {
namespace {

constexpr Micros kLimit = Seconds(100);

engine::TaskUsage Use(std::optional<std::int32_t> gpu, Micros cpu) {
  engine::TaskUsage usage{.cpu = cpu};
  usage.gpu_percent = gpu;
  return usage;
}

IdleVerdict LookAt(IdleWatch& watch, int second, const engine::TaskUsage& usage) {
  return Look(watch, {&usage, 1}, Time{} + Seconds(second), kLimit);
}

TEST(Idle, WorkWithoutUseIsWarnedOnceAndThenStopped) {
  IdleWatch watch;
  EXPECT_EQ(LookAt(watch, 0, Use(50, Seconds(0))), IdleVerdict::kActive);
  EXPECT_EQ(watch.kept_by, "GPU");
  EXPECT_EQ(LookAt(watch, 60, Use(0, Seconds(0))), IdleVerdict::kActive);
  EXPECT_EQ(LookAt(watch, 85, Use(0, Seconds(0))), IdleVerdict::kWarn);
  EXPECT_EQ(LookAt(watch, 90, Use(0, Seconds(0))), IdleVerdict::kActive);
  EXPECT_EQ(LookAt(watch, 100, Use(0, Seconds(0))), IdleVerdict::kStop);
}

TEST(Idle, AnyUseStartsTheCountAgain) {
  IdleWatch watch;
  LookAt(watch, 0, Use(1, Seconds(0)));
  LookAt(watch, 85, Use(0, Seconds(0)));
  EXPECT_EQ(LookAt(watch, 95, Use(3, Seconds(0))), IdleVerdict::kActive);
  EXPECT_EQ(LookAt(watch, 180, Use(0, Seconds(0))), IdleVerdict::kWarn);
}

TEST(Idle, AMeasuredGpuDecidesAlone) {
  IdleWatch watch;
  LookAt(watch, 0, Use(1, Seconds(0)));
  EXPECT_EQ(LookAt(watch, 100, Use(0, Seconds(100))), IdleVerdict::kStop);
}

TEST(Idle, WithoutAMeasuredGpuTheProcessorDecides) {
  IdleWatch watch;
  LookAt(watch, 0, Use(std::nullopt, Seconds(0)));
  EXPECT_EQ(LookAt(watch, 100, Use(std::nullopt, Seconds(50))), IdleVerdict::kActive);
  EXPECT_EQ(watch.kept_by, "CPU");
  EXPECT_EQ(LookAt(watch, 200, Use(std::nullopt, Seconds(51))), IdleVerdict::kStop);
}

TEST(Idle, SomebodyAtATerminalKeepsWorkAlive) {
  IdleWatch watch;
  LookAt(watch, 0, Use(0, Seconds(0)));
  engine::TaskUsage typed = Use(0, Seconds(0));
  typed.terminal_input_at = Time{5};
  EXPECT_EQ(LookAt(watch, 99, typed), IdleVerdict::kActive);
  EXPECT_EQ(watch.kept_by, "terminal");
}

}  // namespace
}  // namespace yard::control
