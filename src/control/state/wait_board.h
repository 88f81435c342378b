// Why each waiting workload waits, published beside the State: it follows from the State and costs
// no journal row. An immutable value; share it freely.
#pragma once

#include <memory>
#include <unordered_map>
#include <utility>

#include "model/wait_note.h"
#include "model/workload.h"

namespace yard::control {

class WaitBoard {
 public:
  using Notes = std::unordered_map<WorkloadId, std::shared_ptr<const WaitNote>>;

  WaitBoard() = default;
  explicit WaitBoard(Notes notes) : notes_(std::move(notes)) {}

  std::size_t size() const { return notes_.size(); }
  // Nothing: the workload does not wait, or was not looked at yet.
  const WaitNote* Find(WorkloadId workload) const {
    auto at = notes_.find(workload);
    return at == notes_.end() ? nullptr : at->second.get();
  }
  // The same for a workload as a newer State has it: one that does not wait any more has no note.
  const WaitNote* Find(const Workload& workload) const {
    return workload.life == Life::kWaiting ? Find(workload.id) : nullptr;
  }

 private:
  Notes notes_;  // many share one note
};

using SharedBoard = std::shared_ptr<const WaitBoard>;  // never null

}  // namespace yard::control
