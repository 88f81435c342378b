#include "api/workloads/workload_pages.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "api/workloads/archive_question.h"
#include "wire/enums.h"
#include "wire/spec.h"

namespace yard::api {
namespace {

template <class T>
Cell Optional(const std::optional<T>& value) {
  return value ? Cell(*value) : Cell();
}

// The first pool that was asked for; nothing has been given one yet.
Cell FirstPool(const WorkloadRow& r) {
  if (r.workload->spec->placement->node_pools.empty()) return Cell();
  return std::string_view(r.workload->spec->placement->node_pools.front());
}

constexpr Column<WorkloadRow> kColumns[] = {
    {"name", [](const WorkloadRow& r) -> Cell { return std::string_view(r.workload->name); }, true},
    {"id", [](const WorkloadRow& r) -> Cell { return FormatUuid(r.workload->id.value); }},
    {"type", [](const WorkloadRow& r) -> Cell { return Name(r.workload->type); }, true},
    {"phase", [](const WorkloadRow& r) -> Cell { return Name(r.workload->phase()); }, true},
    {"clusterId",
     [](const WorkloadRow& r) -> Cell { return FormatUuid(r.workload->host().value); }},
    {"projectId", [](const WorkloadRow& r) -> Cell { return r.workload->project.value; }},
    {"projectName", [](const WorkloadRow& r) -> Cell { return std::string_view(r.names->project); },
     true},
    {"departmentId", [](const WorkloadRow& r) -> Cell { return r.workload->department.value; }},
    {"departmentName",
     [](const WorkloadRow& r) -> Cell { return std::string_view(r.names->department); }, true},
    {"createdAt", [](const WorkloadRow& r) -> Cell { return r.workload->stamp.created_at; }},
    {"completedAt",
     [](const WorkloadRow& r) -> Cell { return Optional(r.workload->completed_at); }},
    {"deletedAt", [](const WorkloadRow& r) -> Cell { return Optional(r.workload->deleted_at); }},
    {"submittedBy",
     [](const WorkloadRow& r) -> Cell { return std::string_view(r.workload->stamp.created_by); },
     true},
    {"nodepool", FirstPool},
    {"distributedFramework",
     [](const WorkloadRow& r) -> Cell { return wire::NameOf(r.workload->spec->framework); }},
    {"priorityClassName",
     [](const WorkloadRow& r) -> Cell { return std::string_view(r.workload->priority_class); }},
    {"allocatedGPU", [](const WorkloadRow&) -> Cell { return 0.0; }},
    {"idleGpus", [](const WorkloadRow&) -> Cell { return Cell(); }},
    {"idleAllocatedGpus", [](const WorkloadRow&) -> Cell { return Cell(); }},
};

// A row of the page in the making: in memory, or known by its key alone.
struct Candidate {
  WorkloadId id;
  const WorkloadRow* row = nullptr;  // null: archived
  Cell cell;
};

class PageMaker {
 public:
  PageMaker(Call& call, ProjectDirectory& names, const ListQuery& query)
      : call_(call), names_(names), query_(query) {
    if (query.sort_by.empty()) return;
    std::span<const Column<WorkloadRow>> columns = kColumns;
    key_ = serve::FindColumn(columns, query.sort_by)->get;
  }

  Result<WorkloadPage> Make(Existence which) {
    TakeFromMemory(which);
    YARD_TRY(TakeFromArchive(which));
    std::ranges::sort(candidates_, {}, &Candidate::id);
    return Cut();
  }

 private:
  void TakeFromMemory(Existence which) {
    serve::RowFilter<WorkloadRow> filter(kColumns, query_);
    EachVisible(call_, names_, which, [&](const WorkloadRow& row) {
      if (!filter(row)) return;
      const WorkloadRow& kept = rows_.emplace_back(row);
      candidates_.push_back({row.workload->id, &kept, key_ != nullptr ? key_(kept) : Cell()});
    });
    page_.total = rows_.size();
  }

  // Of the sorted archive, those can be skipped that lie before the page even if all rows in memory
  // lie after them.
  Status TakeFromArchive(Existence which) {
    YARD_ASSIGN(ArchiveQuestion question, ArchiveQuestion::Make(call_, names_, query_, which));
    skipped_ = query_.offset - std::min(query_.offset, rows_.size());
    ArchiveQuery query = question.query();
    query.offset = skipped_;
    query.limit = query_.offset + query_.limit - skipped_;
    YARD_ASSIGN(ArchivePage archived, call_.state().archive().Read(query));
    page_.total += static_cast<std::size_t>(archived.total);
    for (const ArchiveKey& key : archived.keys) {
      // It may have gone to the archive since this call began.
      if (call_.state().Find<Workload>(key.id)) continue;
      candidates_.push_back({key.id, nullptr, key_ != nullptr ? question.CellOf(key) : Cell()});
    }
    return {};
  }

  Result<WorkloadPage> Cut() {
    serve::SortKeys keys;
    const std::size_t begin = std::min(query_.offset - skipped_, candidates_.size());
    const std::size_t end = std::min(begin + query_.limit, candidates_.size());
    if (key_ != nullptr) {
      for (Candidate& candidate : candidates_) keys.Add(std::move(candidate.cell));
      ListQuery cut = query_;
      cut.offset = begin;
      keys.Order(cut);
    }
    std::vector<const Candidate*> chosen;
    for (std::size_t i = begin; i < end; ++i) {
      chosen.push_back(&candidates_[key_ == nullptr ? i : keys.RowAt(i)]);
    }
    if (query_.offset + query_.limit < page_.total) page_.next = query_.offset + query_.limit;
    YARD_TRY(Fetch(chosen));
    return std::move(page_);
  }

  Status Fetch(const std::vector<const Candidate*>& chosen) {
    std::vector<WorkloadId> ids;
    for (const Candidate* one : chosen) {
      if (one->row == nullptr) ids.push_back(one->id);
    }
    YARD_ASSIGN(page_.archived, call_.state().archive().Read(ids));
    auto next = page_.archived.begin();
    for (const Candidate* one : chosen) {
      if (one->row != nullptr) {
        page_.rows.push_back(*one->row);
      } else if (next != page_.archived.end() && next->workload->id == one->id) {
        page_.rows.push_back(RowOf(*next++));
      }
    }
    return {};
  }

  WorkloadRow RowOf(const ArchivedWorkload& past) {
    return {past.workload.get(), &names_.Of(*past.workload),
            past.attempts.empty() ? nullptr : past.attempts.back().get()};
  }

  Call& call_;
  ProjectDirectory& names_;
  const ListQuery& query_;
  Cell (*key_)(const WorkloadRow& row) = nullptr;
  std::deque<WorkloadRow> rows_;  // a deque: rows stay where they are
  std::vector<Candidate> candidates_;
  std::size_t skipped_ = 0;
  WorkloadPage page_;
};

WorkloadPage SelectFromMemory(Call& call, ProjectDirectory& names, const ListQuery& query,
                              Existence which) {
  std::deque<WorkloadRow> rows;  // a deque: rows stay where they are
  serve::Selection<WorkloadRow> selection(kColumns, query);
  EachVisible(call, names, which, [&](const WorkloadRow& row) {
    if (!selection.Offer(rows.emplace_back(row))) rows.pop_back();
  });
  Page<WorkloadRow> found = selection.Cut();
  WorkloadPage page;
  page.total = found.total;
  page.next = found.next;
  for (const WorkloadRow* row : found.rows) page.rows.push_back(*row);
  return page;
}

}  // namespace

std::span<const std::string_view> WorkloadColumns() {
  static const std::vector<std::string_view> names =
      ColumnNames(std::span<const Column<WorkloadRow>>(kColumns));
  return names;
}

serve::RowFilter<WorkloadRow> FilterOf(const ListQuery& query) {
  return {kColumns, query};
}

Result<WorkloadPage> SelectWorkloads(Call& call, ProjectDirectory& names, const ListQuery& query,
                                     Existence which) {
  if (call.state().archived() == 0) return SelectFromMemory(call, names, query, which);
  return PageMaker(call, names, query).Make(which);
}

Result<std::size_t> CountSelected(Call& call, ProjectDirectory& names, const ListQuery& query,
                                  Existence which) {
  serve::RowFilter<WorkloadRow> filter(kColumns, query);
  std::size_t count = 0;
  EachVisible(call, names, which, [&](const WorkloadRow& row) { count += filter(row); });
  if (call.state().archived() == 0) return count;
  YARD_ASSIGN(ArchiveQuestion question, ArchiveQuestion::Make(call, names, query, which));
  ArchiveQuery asked = question.query();
  asked.limit = 0;
  YARD_ASSIGN(ArchivePage page, call.state().archive().Read(asked));
  return count + static_cast<std::size_t>(page.total);
}

}  // namespace yard::api
