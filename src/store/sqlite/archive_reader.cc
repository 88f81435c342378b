#include "store/sqlite/archive_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "store/sqlite/archive_sql.h"
#include "store/sqlite/entity_key.h"

namespace yard::store {
namespace {

constexpr std::string_view kBodySql =
    "SELECT dictionary, size, packed FROM archive JOIN archive_body ON row=body";

Result<std::int64_t> CountBy(Database& database, const Sql& sql) {
  YARD_ASSIGN(Statement count, database.Prepare(sql.text));
  sql.BindTo(count);
  YARD_TRY(count.Step());
  return count.Int(0);
}

// Few enough to be sorted.
constexpr std::int64_t kFew = 20'000;

// How many rows match, and how they are found.
struct Size {
  std::int64_t matches = 0;  // or, if it is not exact, at most so many
  bool exact = false;
  bool narrow = false;  // some condition leaves few rows, which an index finds
};

Result<std::int64_t> CountKept(Database& database, const CountCondition& condition) {
  Sql sql{"SELECT total(workloads) FROM archive_count WHERE ", {}};
  return CountBy(database, sql.Add(condition.sql));
}

// How many names may hold a part; `most` is enough to know.
Result<std::int64_t> CountNames(Database& database, const std::string& letters) {
  Sql sql{fmt::format("SELECT count(*) FROM (SELECT 1 FROM archive_words "
                      "WHERE archive_words MATCH ? LIMIT {})",
                      kFew),
          {letters}};
  return CountBy(database, sql);
}

// The parts of a search that the counters know, as the words that have them; see ArchiveCount.
Result<std::vector<ArchiveTerm>> Resolve(Database& database, std::vector<ArchiveTerm> terms) {
  std::vector<ArchiveTerm> resolved;
  for (ArchiveTerm& term : terms) {
    const bool kept = term.field == ArchiveField::kOwner || term.field == ArchiveField::kType ||
                      term.field == ArchiveField::kPhase;
    if (!kept || term.compare != ArchiveCompare::kContains) {
      resolved.push_back(std::move(term));
      continue;
    }
    const std::string_view column = ColumnOf(term.field);
    YARD_ASSIGN(Statement rows,
                database.Prepare(fmt::format("SELECT DISTINCT {0} FROM archive_count "
                                             "WHERE instr(lower({0}), lower(?)) > 0",
                                             column)));
    const Sql part{"", term.values};  // it is borrowed until the last row
    part.BindTo(rows);
    ArchiveTerm words{.field = term.field, .compare = ArchiveCompare::kOneOf, .values = {}};
    while (true) {
      YARD_ASSIGN(bool more, rows.Step());
      if (!more) break;
      words.values.emplace_back(std::string(rows.Text(0)));
    }
    if (!words.values.empty()) resolved.push_back(std::move(words));
  }
  return resolved;
}

bool IsTime(const ArchiveTerm& term) {
  return term.field == ArchiveField::kCreated || term.field == ArchiveField::kEnded;
}

// Whether one condition that all rows meet leaves few of them.
Result<bool> IsNarrow(Database& database, const ArchiveFilter& filter) {
  if (filter.held_within || filter.expired_by) return true;
  ArchiveFilter times;
  for (const ArchiveTerm& term : filter.all_of) {
    const bool picks =
        term.compare == ArchiveCompare::kEqual || term.compare == ArchiveCompare::kOneOf;
    if (picks && (term.field == ArchiveField::kName || term.field == ArchiveField::kId))
      return true;
    if (IsTime(term)) times.all_of.push_back(term);
    std::optional<std::string> letters = LettersOf(term);
    if (!letters) continue;
    YARD_ASSIGN(std::int64_t names, CountNames(database, *letters));
    if (names < kFew) return true;
  }
  if (times.all_of.empty()) return false;
  Sql sql{"SELECT count(*) FROM (SELECT 1 FROM archive WHERE ", {}};
  sql.Add(ConditionOf(times)).Add(fmt::format(" LIMIT {})", kFew));
  YARD_ASSIGN(std::int64_t rows, CountBy(database, sql));
  return rows < kFew;
}

// Of a search: the names that may match, and what the counters say of all else.
Result<std::int64_t> SizeOfSearch(Database& database, const ArchiveFilter& filter) {
  std::int64_t size = 0;
  for (const ArchiveTerm& term : filter.any_of) {
    if (std::optional<std::string> letters = LettersOf(term)) {
      YARD_ASSIGN(std::int64_t names, CountNames(database, *letters));
      size += names;
      continue;
    }
    const CountCondition one = CountConditionOf({.all_of = {term}});
    YARD_ASSIGN(std::int64_t rows, CountKept(database, one));
    size += rows;
  }
  return size;
}

Result<Size> SizeOf(Database& database, const ArchiveFilter& filter) {
  const CountCondition condition = CountConditionOf(filter);
  Size size{.exact = condition.exact};
  YARD_ASSIGN(size.matches, CountKept(database, condition));
  YARD_ASSIGN(size.narrow, IsNarrow(database, filter));
  if (filter.any_of.empty() || size.narrow) return size;
  YARD_ASSIGN(std::int64_t found, SizeOfSearch(database, filter));
  size.narrow = found < kFew;
  return size;
}

// Whether walking along the order touches fewer rows than sorting all that match.
Result<bool> WalksAlong(Database& database, const ArchiveQuery& query, const Size& size) {
  if (size.narrow || !query.project_ranks.empty()) return false;
  if (query.sort_by != ArchiveField::kId && IndexOf(query.sort_by).empty()) return false;
  YARD_ASSIGN(auto all, database.QueryInt("SELECT total(workloads) FROM archive_count"));
  const double wanted = static_cast<double>(query.offset + query.limit);
  const double matches = std::max<double>(1, static_cast<double>(size.matches));
  return wanted * static_cast<double>(all.value_or(0)) < matches * matches;
}

Names NamesBy(const Size& size) {
  return size.narrow ? Names::kByLetters : Names::kByRow;
}

std::string RankSql(const ArchiveQuery& query) {
  std::string sql = "CASE project";
  for (const auto& [project, rank] : query.project_ranks) {
    sql += fmt::format(" WHEN {} THEN {}", project.value, rank);
  }
  return sql + " END";
}

Result<Sql> PageSql(Database& database, const ArchiveQuery& query, const Size& size) {
  const bool ranked = !query.project_ranks.empty();
  const std::string_view column = ranked ? "project" : ColumnOf(query.sort_by);
  const std::string order = ranked ? RankSql(query) : std::string(column);
  const std::string_view direction = query.descending ? "DESC" : "ASC";
  YARD_ASSIGN(bool along, WalksAlong(database, query, size));
  std::string from = "archive";
  if (along && query.sort_by == ArchiveField::kId) from += " NOT INDEXED";
  if (along && query.sort_by != ArchiveField::kId) {
    from += fmt::format(" INDEXED BY {}", IndexOf(query.sort_by));
  }
  Sql sql{fmt::format("SELECT id, {} FROM {} WHERE ", column, from), {}};
  sql.Add(ConditionOf(query.filter, NamesBy(size)));
  // The plus keeps SQLite from walking along an index all the same.
  sql.Add(fmt::format(" ORDER BY {0}{1} {2}, {0}id {2} LIMIT ? OFFSET ?", along ? "" : "+", order,
                      direction));
  sql.values.emplace_back(static_cast<std::int64_t>(query.limit));
  sql.values.emplace_back(static_cast<std::int64_t>(query.offset));
  return sql;
}

ArchiveValue KeyOf(const Statement& row, const ArchiveQuery& query) {
  constexpr int kKey = 1;
  if (row.IsNull(kKey)) return {};
  switch (query.project_ranks.empty() ? query.sort_by : ArchiveField::kProject) {
    case ArchiveField::kId:
    case ArchiveField::kCluster:
      return EntityKey::Read(row, kKey);
    case ArchiveField::kProject:
    case ArchiveField::kDepartment:
    case ArchiveField::kCreated:
    case ArchiveField::kEnded:
    case ArchiveField::kDeleted:
      return row.Int(kKey);
    default:
      return std::string(row.Text(kKey));
  }
}

Result<std::vector<ArchiveKey>> ReadKeys(Database& database, const ArchiveQuery& query,
                                         const Size& size) {
  std::vector<ArchiveKey> keys;
  if (query.limit == 0) return keys;
  YARD_ASSIGN(Sql sql, PageSql(database, query, size));
  YARD_ASSIGN(Statement rows, database.Prepare(sql.text));
  sql.BindTo(rows);
  while (true) {
    YARD_ASSIGN(bool more, rows.Step());
    if (!more) return keys;
    keys.push_back({.id = WorkloadId(ReadUuid(rows, 0)), .key = KeyOf(rows, query)});
  }
}

}  // namespace

Result<std::optional<ArchiveBody>> ReadBody(Database& database, WorkloadId id) {
  YARD_ASSIGN(Statement find, database.Prepare(fmt::format("{} WHERE id=?", kBodySql)));
  YARD_ASSIGN(bool found, find.BindBlob(BytesOf(id.value)).Step());
  if (!found) return std::nullopt;
  return Unpack(database, find, 0);
}

Result<std::vector<ArchivedWorkload>> ReadArchived(Database& database,
                                                   std::span<const WorkloadId> ids) {
  std::vector<ArchivedWorkload> found;
  for (WorkloadId id : ids) {
    YARD_ASSIGN(std::optional<ArchiveBody> body, ReadBody(database, id));
    if (!body) continue;
    YARD_ASSIGN(ArchivedWorkload past, Decode(*body));
    found.push_back(std::move(past));
  }
  return found;
}

Result<std::optional<WorkloadId>> FindByName(Database& database, ProjectId project,
                                             std::string_view name) {
  YARD_ASSIGN(Statement find,
              database.Prepare("SELECT id FROM archive INDEXED BY archive_project_name "
                               "WHERE project=? AND name=? AND deleted IS NULL"));
  YARD_ASSIGN(bool found, find.Bind(project.value).Bind(name).Step());
  if (!found) return std::nullopt;
  return WorkloadId(ReadUuid(find, 0));
}

Result<ArchivePage> ReadArchivePage(Database& database, const ArchiveQuery& asked) {
  ArchivePage page;
  ArchiveQuery query = asked;
  YARD_ASSIGN(query.filter.any_of, Resolve(database, asked.filter.any_of));
  if (query.filter.any_of.empty() != asked.filter.any_of.empty()) return page;
  YARD_ASSIGN(Size size, SizeOf(database, query.filter));
  page.total = size.matches;
  if (size.matches == 0) return page;
  YARD_ASSIGN(page.keys, ReadKeys(database, query, size));
  if (size.exact) return page;
  // A page that is not full says itself how many there are.
  if (page.keys.size() < query.limit && (query.offset == 0 || !page.keys.empty())) {
    page.total = static_cast<std::int64_t>(query.offset + page.keys.size());
    return page;
  }
  Sql count{"SELECT count(*) FROM archive WHERE ", {}};
  count.Add(ConditionOf(query.filter, NamesBy(size)));
  YARD_ASSIGN(page.total, CountBy(database, count));
  return page;
}

Status EachArchived(Database& database, const ArchiveFilter& filter,
                    const std::function<Status(const ArchivedWorkload&)>& visit) {
  Sql sql{fmt::format("{} WHERE ", kBodySql), {}};
  sql.Add(ConditionOf(filter));
  YARD_ASSIGN(Statement rows, database.Prepare(sql.text));
  sql.BindTo(rows);
  while (true) {
    YARD_ASSIGN(bool more, rows.Step());
    if (!more) return {};
    YARD_ASSIGN(ArchiveBody body, Unpack(database, rows, 0));
    YARD_ASSIGN(ArchivedWorkload past, Decode(body));
    YARD_TRY(visit(past));
  }
}

Result<std::vector<ArchiveUsage>> SumArchive(Database& database, const ArchiveFilter& filter) {
  std::vector<ArchiveUsage> sums;
  if (!filter.held_within) return sums;
  const WholeDays days = WholeDaysOf(*filter.held_within);
  Sql sql{
      "SELECT cluster, department, project, type, owner, sum(workloads), sum(attempts), "
      "sum(time), sum(cpu), sum(gpu_held), sum(gpu_used), sum(gpu_idle) FROM archive_usage "
      "WHERE first_day >= ? AND last_day < ?",
      {days.first, days.past_last}};
  sql.Add(ScopeOf(filter)).Add(" GROUP BY 1, 2, 3, 4, 5");
  YARD_ASSIGN(Statement rows, database.Prepare(sql.text));
  sql.BindTo(rows);
  while (true) {
    YARD_ASSIGN(bool more, rows.Step());
    if (!more) return sums;
    sums.push_back({.cluster = ClusterId(ReadUuid(rows, 0)),
                    .department = DepartmentId(rows.Int(1)),
                    .project = ProjectId(rows.Int(2)),
                    .type = std::string(rows.Text(3)),
                    .owner = std::string(rows.Text(4)),
                    .workloads = rows.Int(5),
                    .totals = {.attempts = rows.Int(6),
                               .time = Micros(rows.Int(7)),
                               .cpu = Micros(rows.Int(8)),
                               .held = GpuTime(rows.Int(9)),
                               .used = GpuTime(rows.Int(10)),
                               .idle = GpuTime(rows.Int(11))}});
  }
}

Result<bool> HasAttempt(Database& database, AttemptId id) {
  YARD_ASSIGN(Statement find, database.Prepare("SELECT 1 FROM archive_attempt WHERE id=?"));
  return find.BindBlob(BytesOf(id.value)).Step();
}

Result<std::vector<ArchiveCount>> CountArchive(Database& database) {
  YARD_ASSIGN(Statement rows,
              database.Prepare("SELECT cluster, department, project, type, phase, deleted, "
                               "sum(workloads) FROM archive_count GROUP BY 1, 2, 3, 4, 5, 6"));
  std::vector<ArchiveCount> counts;
  while (true) {
    YARD_ASSIGN(bool more, rows.Step());
    if (!more) return counts;
    counts.push_back({.cluster = ClusterId(ReadUuid(rows, 0)),
                      .department = DepartmentId(rows.Int(1)),
                      .project = ProjectId(rows.Int(2)),
                      .type = std::string(rows.Text(3)),
                      .phase = std::string(rows.Text(4)),
                      .deleted = rows.Int(5) != 0,
                      .workloads = rows.Int(6)});
  }
}

Result<std::map<ProjectId, std::int64_t>> SizeArchive(Database& database) {
  YARD_ASSIGN(Statement rows, database.Prepare("SELECT project, bytes FROM archive_size"));
  std::map<ProjectId, std::int64_t> sizes;
  while (true) {
    YARD_ASSIGN(bool more, rows.Step());
    if (!more) return sizes;
    sizes[ProjectId(rows.Int(0))] = rows.Int(1);
  }
}

}  // namespace yard::store
