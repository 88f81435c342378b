// What the workload routes share: ids from paths, names around a workload, visible rows.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/handler.h"
#include "control/state/state.h"
#include "control/state/wait_board.h"
#include "wire/workload.h"

namespace yard::api {

// What a row needs to know of its project; looked up once per project and request.
struct ProjectNames {
  bool visible = false;
  bool inferences_visible = false;  // they take a permission of their own on top
  std::string project;
  std::string department;
  std::string space;
};

struct WorkloadRow {
  const Workload* workload;
  const ProjectNames* names;
  const Attempt* newest = nullptr;  // of archived work
};

// Whether the caller may see this workload of the project.
inline bool Shows(const ProjectNames& names, const Workload& workload) {
  return names.visible && (workload.type != WorkloadType::kInference || names.inferences_visible);
}

// Names by project, with the caller's right to see the project's workloads.
class ProjectDirectory {
 public:
  explicit ProjectDirectory(Call& call) : call_(call) {}
  // Stays valid as long as the directory.
  const ProjectNames& Of(const Workload& workload);

 private:
  Call& call_;
  std::unordered_map<std::int64_t, ProjectNames> by_id_;
  std::int64_t last_id_ = -1;
  const ProjectNames* last_ = nullptr;
};

wire::WorkloadView ViewOf(const WorkloadRow& row);
// The same with its newest attempt.
wire::WorkloadView ViewOf(const control::State& state, const WorkloadRow& row);

// Views with everything around a workload: why it waits, its pool, its tool's address, the GPU
// memory it holds. What they refer to lives as long as the maker and the state.
class ViewMaker {
 public:
  explicit ViewMaker(Call& call);
  wire::WorkloadView Of(const WorkloadRow& row) const;

 private:
  Mebibytes GpuMemoryOf(const Workload& workload, const Attempt& attempt) const;

  const control::State& state_;
  control::SharedBoard waiting_;
  std::string tools_;
  std::map<std::pair<ClusterId, std::string_view>, const Node*> nodes_;
};

// What the scheduler says about waiting work; nothing is known where no engine runs.
control::SharedBoard WaitingOf(Call& call);

Result<WorkloadId> WorkloadIdOf(const Call& call);

// The workloads the caller may see, in the order they were made. `visit` gets each while it is in
// the processor's cache: the one pass over a hundred thousand of them is most of what a page costs.
enum class Existence { kLive, kDeleted };
template <class Visit>
void EachVisible(Call& call, ProjectDirectory& names, Existence which, Visit visit) {
  const auto& table = call.state().Of<Workload>();
  std::vector<const Workload*> all;
  all.reserve(table.size());
  table.Each([&](const Workload& workload) { all.push_back(&workload); });
  // Workloads lie all over the heap; asking for them ahead hides most of the way to memory.
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + kAhead < all.size()) {
      const char* later = reinterpret_cast<const char*>(all[i + kAhead]);
      for (std::size_t line = 0; line < 3; ++line) __builtin_prefetch(later + line * 64);
    }
    const Workload& workload = *all[i];
    if (workload.deleted_at.has_value() != (which == Existence::kDeleted)) continue;
    const ProjectNames& project = names.Of(workload);
    if (Shows(project, workload)) visit(WorkloadRow{&workload, &project});
  }
}
std::vector<WorkloadRow> VisibleWorkloads(Call& call, ProjectDirectory& names, Existence which);

}  // namespace yard::api
