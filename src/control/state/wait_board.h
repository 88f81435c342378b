// Why each workload does not run, published beside the State: it follows from the State and from
// what engines say, and costs no journal row. An immutable value; share it freely.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "model/wait_note.h"
#include "model/workload.h"

namespace yard::control {

class WaitBoard {
 public:
  using Notes = std::unordered_map<WorkloadId, std::shared_ptr<const WaitNote>>;

  WaitBoard() = default;
  // Of one cluster. `lost` is there while the cluster is out of contact, and says it of all that
  // has not ended there.
  WaitBoard(ClusterId cluster, Notes notes, std::optional<WaitNote> lost = std::nullopt)
      : parts_{{cluster, std::make_shared<const Part>(std::move(notes), std::move(lost))}} {}

  void Add(const WaitBoard& other) { parts_.insert(other.parts_.begin(), other.parts_.end()); }

  std::size_t size() const {
    std::size_t size = 0;
    for (const auto& [cluster, part] : parts_) size += part->notes.size();
    return size;
  }
  // Of a workload as the newest State has it: one that runs or has ended needs no note. Nothing
  // too if it was not looked at yet.
  const WaitNote* Find(const Workload& workload) const {
    auto part = parts_.find(workload.host());
    if (part == parts_.end() || HasEnded(workload.life)) return nullptr;
    if (part->second->lost) return &*part->second->lost;
    if (workload.life != Life::kWaiting && workload.life != Life::kStarting) return nullptr;
    auto note = part->second->notes.find(workload.id);
    return note == part->second->notes.end() ? nullptr : note->second.get();
  }
  // Why a cluster is out of contact; nothing: it is not.
  const WaitNote* Lost(ClusterId cluster) const {
    auto part = parts_.find(cluster);
    return part == parts_.end() || !part->second->lost ? nullptr : &*part->second->lost;
  }

 private:
  struct Part {
    Notes notes;  // many share one note
    std::optional<WaitNote> lost;
  };
  std::map<ClusterId, std::shared_ptr<const Part>> parts_;
};

using SharedBoard = std::shared_ptr<const WaitBoard>;  // never null

}  // namespace yard::control
