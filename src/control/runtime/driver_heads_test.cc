// Protected heads in the live system, with the rules of a server where nothing is set.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "control/runtime/driver.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

std::string Wish(int gpus, std::int64_t seconds) {
  const std::string limit = seconds == 0 ? "" : fmt::format(R"(,"timeLimitSeconds":{})", seconds);
  return fmt::format(R"({{"command":"x"{},"compute":{{"gpuDevicesRequest":{}}}}})", limit, gpus);
}

class DriverHeads : public ::testing::Test {
 protected:
  DriverHeads() { yard_.Run(runs_); }
  bool Started(WorkloadId id) { return yard_.PhaseOf(id) != Phase::kPending; }

  YardFixture yard_;
  WorkloadId runs_ = yard_.Submit("runs", Wish(2, 600));
  WorkloadId large_ = yard_.Submit("large", Wish(4, 600));
};

TEST_F(DriverHeads, WhatComesLaterDoesNotPassALargeOne) {
  WorkloadId endless = yard_.Submit("endless", Wish(1, 0));
  WorkloadId late = yard_.Submit("late", Wish(1, 900));
  WorkloadId soon = yard_.Submit("soon", Wish(1, 500));
  yard_.Settle();
  EXPECT_FALSE(Started(endless));
  EXPECT_FALSE(Started(late));
  EXPECT_TRUE(Started(soon)) << "it is over before the large one begins";
  yard_.Run(soon);
  yard_.End(soon);
  yard_.End(runs_);
  EXPECT_TRUE(Started(large_));
  EXPECT_FALSE(Started(endless));
}

TEST_F(DriverHeads, AHeadKeepsItsStartWhenThePictureIsMadeAnew) {
  ASSERT_TRUE(yard_.Do([&](Txn& txn) -> Status {
    Project project = *txn.state().Find<Project>(yard_.project());
    project.description = "changed";
    txn.Put(std::move(project));
    return {};
  }));
  WorkloadId endless = yard_.Submit("endless", Wish(1, 0));
  yard_.Settle();
  EXPECT_FALSE(Started(endless));
}

TEST_F(DriverHeads, AHeadThatDoesNotWaitAnyMoreKeepsNothing) {
  WorkloadId endless = yard_.Submit("endless", Wish(1, 0));
  yard_.Settle();
  ASSERT_FALSE(Started(endless));
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return Outcome(HoldWorkload(txn, large_)); }));
  yard_.Settle();
  EXPECT_TRUE(Started(endless));
}

}  // namespace
}  // namespace yard::control
