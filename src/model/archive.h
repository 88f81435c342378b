// Ended work that has left the server's memory, and the questions that are asked about it.
//
// A page is described by conditions over a closed list of fields; names of projects and
// departments are none of them, since they can change later: whoever asks turns them into ids.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/object.h"

namespace yard {

// A workload with its attempts, oldest first.
struct ArchivedWorkload {
  Ptr<Workload> workload;
  std::vector<Ptr<Attempt>> attempts;
};

enum class ArchiveField {
  kId,
  kName,
  kType,
  kPhase,
  kCluster,
  kProject,
  kDepartment,
  kCreated,
  kEnded,
  kDeleted,
  kOwner,
  kPool,
  kFramework,
  kPriorityClass,
};

enum class ArchiveCompare {
  kEqual,
  kNotEqual,
  kAtMost,
  kAtLeast,
  kContains,  // this and the next three without regard to the case of ASCII letters
  kLacks,
  kStarts,
  kEnds,
  kOneOf,
};

// Times are microseconds, ids of projects and departments numbers, all else is text.
using ArchiveValue = std::variant<std::monostate, std::int64_t, std::string>;

struct ArchiveTerm {
  ArchiveField field = ArchiveField::kName;
  ArchiveCompare compare = ArchiveCompare::kEqual;
  std::vector<ArchiveValue> values;  // one, or any number of them for kOneOf
};

struct ArchiveFilter {
  std::optional<bool> deleted;  // absent: both
  // Absent: all projects. Inference is a kind of work that takes a right of its own.
  std::optional<std::vector<ProjectId>> projects;
  std::vector<ProjectId> without_inference;
  std::vector<ArchiveTerm> all_of;
  std::vector<ArchiveTerm> any_of;  // empty: no condition
  // Work with an attempt that may have held something within [from, to).
  struct Span {
    Time from;
    Time to;
  };
  std::optional<Span> held_within;
  // Of that span, only work that its whole days (UTC) do not cover; see ArchiveUsage.
  bool beyond_whole_days = false;
  std::optional<Time> expired_by;  // whose own time to be kept is over by then
  bool without_time = false;       // only work that names no time of its own
};

struct ArchiveQuery {
  ArchiveFilter filter;
  // Equal rows stand in the order of their ids; descending is the exact reverse of ascending.
  ArchiveField sort_by = ArchiveField::kId;
  // Not empty: by the rank of the project instead; the key is the project's number.
  std::vector<std::pair<ProjectId, std::int64_t>> project_ranks;
  bool descending = false;
  std::size_t offset = 0;
  std::size_t limit = 100;
};

// One row of a page: what it is sorted by, without the workload itself.
struct ArchiveKey {
  WorkloadId id;
  ArchiveValue key;
};

struct ArchivePage {
  std::vector<ArchiveKey> keys;
  std::int64_t total = 0;  // rows that match, before paging
};

// What attempts held and used, all together.
struct UsageTotals {
  std::int64_t attempts = 0;
  Micros time;
  Micros cpu;
  GpuTime held;
  GpuTime used;
  GpuTime idle;
};

// What a person's work of one kind in one project held within the whole days (UTC) of a span of
// time; kept, not recounted. Work that reaches beyond these days is not part of it.
struct ArchiveUsage {
  ClusterId cluster;
  DepartmentId department;
  ProjectId project;
  std::string type;
  std::string owner;
  std::int64_t workloads = 0;
  UsageTotals totals;
};

// How many there are of each kind; kept, not recounted.
struct ArchiveCount {
  ClusterId cluster;
  DepartmentId department;
  ProjectId project;
  std::string type;
  std::string phase;
  bool deleted = false;
  std::int64_t workloads = 0;
};

}  // namespace yard
