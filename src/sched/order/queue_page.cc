#include "sched/order/queue_page.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "sched/core/ledger.h"

namespace yard::sched {
namespace {

struct Entry {
  WorkloadIndex index;
  const Workload* workload;
  MilliGpu gpus;
  MilliGpu ordinal;
};

bool EarlierForTheUser(const Entry& a, const Entry& b) {
  const auto key = [](const Entry& e) {
    return std::tuple(e.gpus.value > 0, -e.workload->user_priority, e.workload->started,
                      std::string_view(e.workload->name));
  };
  return key(a) < key(b);
}

bool EarlierOnThePage(const Entry& a, const Entry& b) {
  const auto key = [](const Entry& e) {
    return std::tuple(e.gpus.value > 0, e.workload->user == kNone<UserIndex>, e.ordinal,
                      -e.workload->started.micros, std::string_view(e.workload->name));
  };
  return key(a) < key(b);
}

}  // namespace

std::vector<QueuePageRow> QueuePage(const Snapshot& snapshot) {
  std::vector<Entry> entries;
  for (std::size_t w = 0; w < snapshot.workloads.size(); ++w) {
    const Workload& workload = snapshot.workloads[w];
    if (workload.state != WorkloadState::kRunning) continue;
    const MilliGpu gpus = CostOf(snapshot, workload, workload.tasks).gpu;
    entries.push_back({WorkloadIndex(static_cast<std::int32_t>(w)), &workload, gpus, gpus});
  }
  std::ranges::sort(entries, EarlierForTheUser);
  std::map<UserIndex, MilliGpu> sums;
  for (Entry& entry : entries) {
    if (entry.workload->user == kNone<UserIndex>) continue;
    entry.ordinal = sums[entry.workload->user] += entry.gpus;
  }
  std::ranges::sort(entries, EarlierOnThePage);
  std::vector<QueuePageRow> rows;
  MilliGpu sum;
  for (const Entry& entry : entries) {
    sum += entry.gpus;
    rows.push_back({entry.index, entry.ordinal, sum});
  }
  return rows;
}

}  // namespace yard::sched
