// Workloads with each array as one row: its first item and how many items are in which phase. A day
// with 21,000 items is a page of a few rows.
//
// Every item is looked at once, those in the archive a few hundred at a time: what leaves the
// server and what it keeps grow with the rows, not with the items.
#include "api/workloads/folded_list.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/workloads/archive_question.h"
#include "api/workloads/workload_pages.h"
#include "api/workloads/workload_views.h"
#include "wire/enums.h"

namespace yard::api {
namespace {

constexpr std::size_t kDefaultLimit = 500;
constexpr std::size_t kChunk = 500;  // archived workloads that are in memory at once

// What an array's items are like.
struct ArraySum {
  std::map<std::string_view, std::int64_t> phases;
  std::int64_t items = 0;
  std::optional<Time> last_end;
};

// A row of the list: one workload, or the first item of an array.
struct Fold {
  WorkloadId id;
  const Workload* workload = nullptr;  // null: archived
  std::string array;                   // empty: of no array
  ArraySum sum;
};

class Folder {
 public:
  Folder(Call& call, ProjectDirectory& names, const ListQuery& query)
      : call_(call), names_(names), query_(query) {}

  Status TakeAll(Existence which, std::optional<Time> ended_after) {
    TakeFromMemory(which, ended_after);
    YARD_TRY(TakeFromArchive(which, ended_after));
    std::ranges::sort(folds_, {}, &Fold::id);
    return {};
  }
  const std::vector<Fold>& folds() const { return folds_; }

 private:
  void Take(const Workload& workload, const Workload* kept) {
    const std::optional<ArrayItem>& item = workload.rules.array;
    Fold* fold = nullptr;
    if (item) {
      auto [at, fresh] = arrays_.try_emplace(item->id, folds_.size());
      if (!fresh) fold = &folds_[at->second];
    }
    if (fold == nullptr) {
      fold = &folds_.emplace_back(
          Fold{workload.id, kept, item ? std::string(item->id) : std::string(), {}});
    }
    if (workload.id < fold->id) {
      fold->id = workload.id;
      fold->workload = kept;
    }
    ++fold->sum.items;
    ++fold->sum.phases[Name(workload.phase())];
    if (workload.completed_at)
      fold->sum.last_end = std::max(fold->sum.last_end.value_or(Time{}), *workload.completed_at);
  }

  void TakeFromMemory(Existence which, std::optional<Time> ended_after) {
    const serve::RowFilter<WorkloadRow> filter = FilterOf(query_);
    EachVisible(call_, names_, which, [&](const WorkloadRow& row) {
      const std::optional<Time>& end = row.workload->completed_at;
      if (ended_after && end && *end < *ended_after) return;
      if (filter(row)) Take(*row.workload, row.workload);
    });
  }

  Status TakeFromArchive(Existence which, std::optional<Time> ended_after) {
    if (call_.state().archived() == 0) return {};
    YARD_ASSIGN(ArchiveQuestion question, ArchiveQuestion::Make(call_, names_, query_, which));
    ArchiveQuery query = question.query();
    query.limit = kChunk;
    if (ended_after) {
      query.filter.all_of.push_back(
          {ArchiveField::kEnded, ArchiveCompare::kAtLeast, {ended_after->micros}});
    }
    while (true) {
      YARD_ASSIGN(ArchivePage page, call_.state().archive().Read(query));
      std::vector<WorkloadId> ids;
      ids.reserve(page.keys.size());
      for (const ArchiveKey& key : page.keys) {
        // It may have gone to the archive since this call began.
        if (!call_.state().Find<Workload>(key.id)) ids.push_back(key.id);
      }
      YARD_ASSIGN(std::vector<ArchivedWorkload> chunk, call_.state().archive().Read(ids));
      for (const ArchivedWorkload& past : chunk) Take(*past.workload, nullptr);
      if (page.keys.size() < kChunk) return {};
      query.offset += kChunk;
    }
  }

  Call& call_;
  ProjectDirectory& names_;
  const ListQuery& query_;
  std::vector<Fold> folds_;
  std::map<std::string, std::size_t, std::less<>> arrays_;  // by id: the place among the folds
};

void WriteSum(wire::Writer& w, const Fold& fold) {
  w.Item();
  w.Begin();
  w("id", fold.array);
  w("firstItem", fold.id);
  w("items", fold.sum.items);
  w.Key("phases");
  w.Begin();
  for (const auto& [phase, count] : fold.sum.phases) w(phase, count);
  w.End();
  w.OrNull("lastCompletedAt", fold.sum.last_end);
  w.End();
}

// The rows of one page, those of the archive read again.
Status WriteRows(Call& call, ProjectDirectory& names, std::span<const Fold> folds,
                 wire::Writer& w) {
  std::vector<WorkloadId> ids;
  for (const Fold& fold : folds) {
    if (fold.workload == nullptr) ids.push_back(fold.id);
  }
  YARD_ASSIGN(std::vector<ArchivedWorkload> archived, call.state().archive().Read(ids));
  const ViewMaker views(call);
  auto next = archived.begin();
  for (const Fold& fold : folds) {
    WorkloadRow row{fold.workload, nullptr, nullptr};
    if (row.workload == nullptr) {
      // One that was deleted for good meanwhile is in no list.
      if (next == archived.end() || next->workload->id != fold.id) continue;
      row.workload = next->workload.get();
      if (!next->attempts.empty()) row.newest = next->attempts.back().get();
      ++next;
    }
    row.names = &names.Of(*row.workload);
    w.Item();
    wire::WriteListing(w, views.Of(row));
  }
  return {};
}

Result<http::Reply> FoldedReply(Call& call, const ListQuery& query,
                                std::optional<Time> ended_after) {
  ProjectDirectory names(call);
  Folder folder(call, names, query);
  const Existence which = call.Query("deleted") == "true" ? Existence::kDeleted : Existence::kLive;
  YARD_TRY(folder.TakeAll(which, ended_after));
  call.NeedsNoScope();
  const std::span<const Fold> all = folder.folds();
  const std::size_t begin = std::min(query.offset, all.size());
  const std::size_t count = std::min(query.limit, all.size() - begin);
  const std::span<const Fold> page = all.subspan(begin, count);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("workloads");
  w.BeginList();
  YARD_TRY(WriteRows(call, names, page, w));
  w.EndList();
  w.Key("arrays");
  w.BeginList();
  for (const Fold& fold : page) {
    if (!fold.array.empty()) WriteSum(w, fold);
  }
  w.EndList();
  if (begin + count < all.size()) w("next", begin + count);
  w.End();
  return JsonPage(std::move(out), all.size());
}

Result<Answer> ListFolded(Call& call) {
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), WorkloadColumns()));
  if (!query.sort_by.empty())
    return Fail(Code::kInvalid, "sortBy: a folded list stands in the order of submission");
  if (!call.Query("limit")) query.limit = kDefaultLimit;
  std::optional<Time> ended_after;
  if (const auto text = call.Query("endedAfter")) {
    ended_after = ParseRfc3339(*text);
    if (!ended_after) return Fail(Code::kInvalid, "endedAfter: must be a time in RFC 3339");
  }
  auto work = [&call, query = std::move(query), ended_after]() -> Result<Slow::Outcome> {
    return FoldedReply(call, query, ended_after);
  };
  return Slow{.work = std::move(work)};
}

std::vector<QueryParameter> FoldedParameters() {
  std::vector<QueryParameter> parameters = ListParameters();
  parameters.push_back({"deleted", "bool"});
  parameters.push_back({"endedAfter", "time"});
  return parameters;
}

}  // namespace

void AddFoldedListRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet, "/api/v1/workloads/folded",
                    May(Action::kRead, Resource::kWorkloads), ListFolded,
                    "List workloads with each array as one row", "", "FoldedList", 200,
                    FoldedParameters()});
}

}  // namespace yard::api
