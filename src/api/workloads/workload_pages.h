// Pages of workloads: what is in memory and what is archived, filtered, sorted and cut as one list.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "api/workloads/workload_views.h"
#include "model/archive.h"

namespace yard::api {

// The names that lists of workloads are filtered and sorted by.
std::span<const std::string_view> WorkloadColumns();

serve::RowFilter<WorkloadRow> FilterOf(const ListQuery& query);

struct WorkloadPage {
  std::vector<WorkloadRow> rows;
  std::size_t total = 0;                   // rows that match, before paging
  std::optional<std::size_t> next;         // offset of the next page
  std::vector<ArchivedWorkload> archived;  // that the rows borrow from
};

// The names must outlive the page. Reads the disk if work is archived.
Result<WorkloadPage> SelectWorkloads(Call& call, ProjectDirectory& names, const ListQuery& query,
                                     Existence which);
Result<std::size_t> CountSelected(Call& call, ProjectDirectory& names, const ListQuery& query,
                                  Existence which);

}  // namespace yard::api
