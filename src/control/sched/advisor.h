// Asks the scheduler about waiting work without disturbing the one that decides: every answer is
// worked out on the caller's thread, on a picture made from the newest published state.
//
// Thread-safe. A picture is kept as long as the state does not change; callers take turns on it.
// The queue may be a little older than the state: as old as it took to work out, a few times over.
#pragma once

#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "control/live.h"
#include "control/sched/view.h"
#include "control/service.h"
#include "sched/explain/binding.h"
#include "sched/forecast/forecast.h"

namespace yard::control {

class Advisor {
 public:
  // `usual`: the rules that hold where no setting says otherwise. The run times and the promises
  // must outlive it.
  Advisor(Service& service, ClusterId cluster, sched::Policy usual, const RunTimes& run_times,
          const Promises& promises)
      : service_(service),
        cluster_(cluster),
        usual_(usual),
        run_times_(run_times),
        promises_(promises) {}

  Result<Why> Explain(WorkloadId workload);
  Result<Why> DryRun(const Workload& draft, DryRunDepth depth);
  Result<std::vector<QueueLine>> Queue();
  Result<std::vector<NthGpuLine>> NthGpuOrder();

 private:
  // Of a workload in a picture of the state.
  Result<Why> ExplainIn(SchedView& view, const State& state, sched::WorkloadIndex index,
                        const Workload& workload);
  struct Asked {
    sched::WorkloadIndex index;
    sched::Outlook outlook;
    std::string_view name;
  };
  void AddOutlook(Why& why, SchedView& view, const State& state, const Asked& asked);
  std::string BasisText(SchedView& view, const State& state, sched::Basis basis) const;
  // The picture of the newest state; the lock must be held.
  Result<SchedView*> Newest();
  Result<std::vector<QueueLine>> MakeQueue();

  // Constant after construction.
  Service& service_;
  const ClusterId cluster_;
  const sched::Policy usual_;
  const RunTimes& run_times_;
  const Promises& promises_;

  // Guarded by mutex_.
  std::mutex mutex_;
  Snapshot state_;
  std::optional<SchedView> view_;
  std::optional<std::vector<QueueLine>> queue_;
  Time queue_good_until_;
};

}  // namespace yard::control
