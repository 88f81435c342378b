// Work that waits costs nothing while nothing happens.
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/commands/workloads.h"
#include "control/runtime/driver.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

constexpr const char* kAllGpus = R"({"command":"x","compute":{"gpuDevicesRequest":4}})";

TEST(DriverWaiting, TenThousandThatWaitWriteNothingForAMinute) {
  YardFixture yard;
  yard.Run(yard.Submit("first", kAllGpus));
  const Workload draft = yard.Draft("", kAllGpus, WorkloadType::kTraining);
  for (int made = 0; made < 10'000;) {
    ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
      for (const int end = made + 1000; made < end; ++made) {
        Workload workload = draft;
        workload.name = fmt::format("w{}", made);
        YARD_TRY(Outcome(CreateWorkload(txn, {.workload = std::move(workload)})));
      }
      return {};
    }));
  }
  yard.Advance(Minutes(1));
  ASSERT_EQ(yard.driver().Waiting()->size(), 10'000U);
  const std::int64_t rows = yard.store().last_sequence();
  const std::size_t commits = yard.store().entries().size();
  for (int second = 0; second < 60; ++second) yard.Advance(Seconds(1));
  EXPECT_EQ(yard.store().last_sequence(), rows);
  EXPECT_EQ(yard.store().entries().size(), commits);
  EXPECT_EQ(yard.driver().Waiting()->size(), 10'000U);
}

}  // namespace
}  // namespace yard::control
