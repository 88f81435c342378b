#include "control/usage/sum.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace yard::control {
namespace {

Time At(std::int64_t seconds) {
  return Time{} + Seconds(seconds);
}

Attempt Held(std::int64_t gpus, MilliGpu each, Time from, std::optional<Time> to) {
  Attempt attempt{.places = {{.node = "a", .gpus = {}, .each = each}}, .placed_at = from};
  attempt.places[0].gpus.resize(static_cast<std::size_t>(gpus));
  if (to) attempt.end = AttemptEnd{.message = "", .at = *to};
  return attempt;
}

TEST(UsageSum, HeldGpusAreUsedIdleOrNotMeasured) {
  Attempt attempt = Held(2, MilliGpu(1000), At(0), At(100));
  AttemptUse use{.cpu = Seconds(50),
                 .memory_peak = std::nullopt,
                 .gpu_measured = GpuTime(2000 * Seconds(80).value),
                 .gpu_used = GpuTime(2000 * Seconds(20).value)};
  UsageSum sum = UsageWithin(attempt, use, {At(0), At(1000)}, At(2000));
  EXPECT_EQ(sum.attempts, 1);
  EXPECT_EQ(sum.time, Seconds(100));
  EXPECT_EQ(sum.cpu, Seconds(50));
  EXPECT_EQ(sum.held, GpuTime(2000 * Seconds(100).value));
  EXPECT_EQ(sum.used, GpuTime(2000 * Seconds(20).value));
  EXPECT_EQ(sum.idle, GpuTime(2000 * Seconds(60).value));
  EXPECT_EQ(sum.not_measured(), GpuTime(2000 * Seconds(20).value));
}

TEST(UsageSum, WhatRunsStillCountsUntilNow) {
  Attempt attempt = Held(1, MilliGpu(500), At(10), std::nullopt);
  EXPECT_EQ(UsageWithin(attempt, {}, {At(0), At(1000)}, At(30)).held,
            GpuTime(500 * Seconds(20).value));
  EXPECT_EQ(UsageWithin(attempt, {}, {At(0), At(1000)}, At(5)), UsageSum{});
}

TEST(UsageSum, OutsideOfItsTimeAnAttemptAddsNothing) {
  Attempt attempt = Held(1, MilliGpu(1000), At(100), At(200));
  EXPECT_EQ(UsageWithin(attempt, {}, {At(0), At(100)}, At(500)), UsageSum{});
  EXPECT_EQ(UsageWithin(attempt, {}, {At(200), At(300)}, At(500)), UsageSum{});
}

TEST(UsageSum, CountersThatSayTooMuchAreHeldToWhatWasHeld) {
  Attempt attempt = Held(1, MilliGpu(1000), At(0), At(10));
  AttemptUse use{.cpu = std::nullopt,
                 .memory_peak = std::nullopt,
                 .gpu_measured = GpuTime(1'000'000'000'000),
                 .gpu_used = GpuTime(2'000'000'000'000)};
  UsageSum sum = UsageWithin(attempt, use, {At(0), At(10)}, At(10));
  EXPECT_EQ(sum.used, sum.held);
  EXPECT_EQ(sum.idle, GpuTime(0));
}

struct Sample {
  Attempt attempt;
  AttemptUse use;
  std::size_t owner = 0;
};

std::vector<Sample> RandomSamples(SeededRandom& random) {
  std::vector<Sample> samples;
  for (int i = 0; i < 60; ++i) {
    Time from{static_cast<std::int64_t>(random.Below(1'000'000'000))};
    std::optional<Time> to;
    if (random.Below(5) != 0) {
      to = from + Micros(static_cast<std::int64_t>(random.Below(900'000'000)));
    }
    Sample sample{
        .attempt = Held(static_cast<std::int64_t>(random.Below(9)),
                        MilliGpu(static_cast<std::int64_t>(random.Below(1000)) + 1), from, to),
        .use = {},
        .owner = random.Below(7)};
    sample.use.cpu = Micros(static_cast<std::int64_t>(random.Below(1'000'000'007)));
    sample.use.gpu_measured = GpuTime(static_cast<std::int64_t>(random.Below(3'000'000'000'019)));
    sample.use.gpu_used = GpuTime(static_cast<std::int64_t>(random.Below(3'000'000'000'019)));
    samples.push_back(std::move(sample));
  }
  return samples;
}

UsageSum SumOf(const std::vector<Sample>& samples, const Period& period,
               std::optional<std::size_t> owner) {
  const Time now{1'500'000'000};
  UsageSum sum;
  for (const Sample& sample : samples) {
    if (!owner || sample.owner == *owner) {
      sum += UsageWithin(sample.attempt, sample.use, period, now);
    }
  }
  return sum;
}

TEST(UsageSum, PartsAddUpToTheWholeOverPeopleAndOverPeriods) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SeededRandom random(seed);
    std::vector<Sample> samples = RandomSamples(random);
    Period whole{Time{static_cast<std::int64_t>(random.Below(500'000'000))}, Time{2'000'000'000}};
    UsageSum total = SumOf(samples, whole, std::nullopt);
    UsageSum by_people;
    for (std::size_t owner = 0; owner < 7; ++owner) by_people += SumOf(samples, whole, owner);
    ASSERT_EQ(by_people, total) << "seed " << seed;
    UsageSum by_periods;
    for (Time at = whole.from; at < whole.to;) {
      Time next =
          std::min(whole.to, at + Micros(static_cast<std::int64_t>(random.Below(90'000'000)) + 1));
      by_periods += SumOf(samples, {at, next}, std::nullopt);
      at = next;
    }
    by_periods.attempts = total.attempts;  // one attempt is in several periods
    ASSERT_EQ(by_periods, total) << "seed " << seed;
    ASSERT_EQ(total.used + total.idle + total.not_measured(), total.held);
    ASSERT_GE(total.not_measured(), GpuTime(0)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace yard::control
