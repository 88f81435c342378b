// One machine with four GPUs, and work on all of them that can leave them, for tests.
#pragma once

#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "control/dispatch/parking.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {

class ParkingFixture : public ::testing::Test {
 protected:
  ParkingFixture()
      : id_(yard_.Submit("train", R"({"command":"train","compute":{"gpuDevicesRequest":4}})")) {
    yard_.Run(id_);
  }

  Status Park() {
    return yard_.Do([&](Txn& txn) { return Outcome(ParkWorkload(txn, id_)); });
  }
  Status Resume() {
    return yard_.Do(
        [&](Txn& txn) { return Outcome(ResumeWorkload(txn, id_, WorkloadType::kTraining)); });
  }
  // As a driver does that finds its GPUs free.
  Status StartReturn() {
    return yard_.Do([&](Txn& txn) -> Status {
      BeginReturn(txn, id_);
      return {};
    });
  }
  Residence ResidenceOf() const { return yard_.AttemptOf(id_)->residence; }

  YardFixture yard_;
  WorkloadId id_;
};

}  // namespace yard::control
