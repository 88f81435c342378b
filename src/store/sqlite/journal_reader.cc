#include "store/sqlite/journal_reader.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "store/sqlite/archive_reader.h"
#include "store/sqlite/entity_key.h"
#include "store/sqlite/packed_text.h"
#include "store/sqlite/schema.h"
#include "wire/stored.h"

namespace yard::store {
namespace {

constexpr int kVerbDelete = 1 + static_cast<int>(Verb::kDelete);

// All entity types in the journal, found by hopping through the index.
constexpr std::string_view kEntityTypes =
    "(WITH RECURSIVE type(name) AS (SELECT min(entity_type) FROM journal UNION ALL "
    "SELECT (SELECT min(entity_type) FROM journal WHERE entity_type > name) FROM type "
    "WHERE name IS NOT NULL) SELECT name FROM type WHERE name IS NOT NULL)";

// The version of an entity after the change with this number: what the next change replaced,
// else the live object.
constexpr std::string_view kAfterSql =
    "SELECT coalesce("
    "(SELECT body FROM journal n JOIN undo u ON u.sequence = n.sequence "
    "WHERE n.entity_type = ?1 AND n.entity_id = ?2 AND n.sequence > ?3 "
    "ORDER BY n.sequence LIMIT 1), "
    "(SELECT body FROM object WHERE kind = ?1 AND id = ?2))";

enum class Path { kEntityIndex, kPeopleIndex, kWalk };

Path PathOf(const JournalQuery& query) {
  bool unindexed = query.subject || query.action;
  if (query.entity_id) return Path::kEntityIndex;
  if (query.for_people) return Path::kPeopleIndex;
  return query.entity_type && !unindexed ? Path::kEntityIndex : Path::kWalk;
}

std::string_view IndexOf(Path path) {
  switch (path) {
    case Path::kEntityIndex:
      return "INDEXED BY journal_entity";
    case Path::kPeopleIndex:
      return "INDEXED BY journal_people";
    case Path::kWalk:
      return "NOT INDEXED";
  }
  std::unreachable();
}

std::string WhereOf(const JournalQuery& query) {
  std::string where = "WHERE 1";
  if (query.for_people) where += fmt::format(" AND {}", kForPeopleSql);
  if (query.entity_type) {
    where += " AND entity_type = ?";
  } else if (query.entity_id) {
    where += fmt::format(" AND entity_type IN {}", kEntityTypes);
  }
  if (query.entity_id) where += " AND entity_id = ?";
  if (query.start) where += " AND at >= ?";
  if (query.end) where += " AND at < ?";
  if (query.subject) where += " AND subject = ?";
  if (query.action) where += " AND action = ?";
  if (query.after_sequence) where += " AND sequence > ?";
  return where;
}

std::string OrderOf(const JournalQuery& query) {
  std::string_view direction = query.newest_first ? "DESC" : "ASC";
  if (PathOf(query) != Path::kPeopleIndex) return fmt::format("ORDER BY sequence {}", direction);
  return fmt::format("ORDER BY at {0}, sequence {0}", direction);
}

// The filters of one query, bound in the order WhereOf names them.
class Filters {
 public:
  explicit Filters(const JournalQuery& query)
      : query_(query), entity_(query.entity_id.value_or("")) {}

  void BindTo(Statement& statement) const {
    if (query_.entity_type) statement.Bind(*query_.entity_type);
    if (query_.entity_id) entity_.BindTo(statement);
    if (query_.start) statement.Bind(query_.start->micros);
    if (query_.end) statement.Bind(query_.end->micros);
    if (query_.subject) statement.Bind(*query_.subject);
    if (query_.action) statement.Bind(*query_.action);
    if (query_.after_sequence) statement.Bind(*query_.after_sequence);
  }

 private:
  const JournalQuery& query_;
  EntityKey entity_;
};

// By nothing but, perhaps, a sequence number.
bool IsUnfiltered(const JournalQuery& query) {
  return !query.start && !query.end && !query.entity_type && !query.entity_id && !query.subject &&
         !query.action && !query.for_people;
}

Result<std::int64_t> CountRows(Database& database, const JournalQuery& query,
                               const Filters& filters) {
  if (IsUnfiltered(query)) {
    // Two seeks count them: the numbers have no gaps but where the attempts of archived work were.
    YARD_ASSIGN(auto first, database.QueryInt("SELECT min(sequence) FROM journal"));
    YARD_ASSIGN(auto last, database.QueryInt("SELECT max(sequence) FROM journal"));
    if (!last) return 0;
    std::int64_t before = std::max(*first - 1, query.after_sequence.value_or(0));
    return std::max<std::int64_t>(*last - before, 0);
  }
  YARD_ASSIGN(Statement count,
              database.Prepare(fmt::format("SELECT count(*) FROM journal {} {}",
                                           IndexOf(PathOf(query)), WhereOf(query))));
  filters.BindTo(count);
  YARD_TRY(count.Step());
  return count.Int(0);
}

std::string TextOf(const Statement& row, int column) {
  return std::string(row.Text(column));
}

std::string NextText(std::string_view& packed) {
  return std::string(TakePacked(packed).value_or(""));
}

// Columns in the order of the table; `before` follows the last one.
JournalRecord RecordOf(const Statement& row) {
  JournalRecord record;
  record.sequence = row.Int(0);
  record.at = Time{row.Int(1)};
  record.status = static_cast<int>(row.Int(3));
  record.action = TextOf(row, 4);
  record.entity_type = TextOf(row, 5);
  record.entity_id = EntityKey::Read(row, 6);
  record.origin.subject = TextOf(row, 7);
  std::string_view detail = row.Text(8);
  record.entity_name = NextText(detail);
  record.origin.subject_type = NextText(detail);
  record.origin.address = NextText(detail);
  record.origin.method = NextText(detail);
  record.origin.url = NextText(detail);
  record.origin.request_id = NextText(detail);
  if (!row.IsNull(9)) record.before = wire::HideSecrets(row.Text(9));
  return record;
}

Status FillAfter(Statement& find, JournalRecord& record) {
  EntityKey key(record.entity_id);
  find.Bind(record.entity_type);
  key.BindTo(find);
  YARD_TRY(find.Bind(record.sequence).Step());
  if (!find.IsNull(0)) record.after = wire::HideSecrets(find.Text(0));
  find.Reset();
  return {};
}

// What the archive keeps of the versions of a workload, which have left the journal with it.
class ArchivedVersions {
 public:
  explicit ArchivedVersions(Database& database) : database_(database) {}

  Status Fill(JournalRecord& record) {
    const bool may_lack = record.entity_type == "workload" && (!record.before || !record.after);
    std::optional<Uuid> id = may_lack ? ParseUuid(record.entity_id) : std::nullopt;
    if (!id) return {};
    if (id != id_) {
      YARD_ASSIGN(body_, ReadBody(database_, WorkloadId(*id)));
      id_ = id;
    }
    if (body_) FillFrom(*body_, record);
    return {};
  }

 private:
  static void FillFrom(const ArchiveBody& body, JournalRecord& record) {
    auto next = std::ranges::upper_bound(body.undo, record.sequence, {},
                                         &std::pair<std::int64_t, std::string>::first);
    if (next != body.undo.begin() && std::prev(next)->first == record.sequence) {
      record.before = wire::HideSecrets(std::prev(next)->second);
    }
    if (!record.after) {
      record.after = wire::HideSecrets(next == body.undo.end() ? body.workload : next->second);
    }
  }
  Database& database_;
  std::optional<Uuid> id_;
  std::optional<ArchiveBody> body_;
};

// SQLite reads a negative limit as none at all.
std::int64_t Clamp(std::size_t count) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(std::min(count, kMost));
}

// Of events that come oldest first.
std::vector<WorkloadEvent> PageOf(std::vector<WorkloadEvent> events, const EventQuery& query) {
  std::ranges::reverse(events);
  const auto skipped = static_cast<std::ptrdiff_t>(std::min(query.offset, events.size()));
  events.erase(events.begin(), events.begin() + skipped);
  if (events.size() > query.limit) events.resize(query.limit);
  for (WorkloadEvent& event : events) event.workload = query.workload;
  return events;
}

}  // namespace

Result<JournalPage> ReadJournalPage(Database& database, const JournalQuery& query) {
  JournalPage page;
  Filters filters(query);
  YARD_ASSIGN(page.total, CountRows(database, query, filters));
  // The page is chosen on the index alone; whole rows are read for its few records only.
  std::string order = OrderOf(query);
  YARD_ASSIGN(Statement rows,
              database.Prepare(fmt::format(
                  "SELECT j.*, u.body FROM journal j LEFT JOIN undo u USING(sequence) "
                  "WHERE sequence IN (SELECT sequence FROM journal {} {} {} LIMIT ? OFFSET ?) {}",
                  IndexOf(PathOf(query)), WhereOf(query), order, order)));
  YARD_ASSIGN(Statement find_after, database.Prepare(kAfterSql));
  ArchivedVersions archived(database);
  filters.BindTo(rows);
  rows.Bind(Clamp(query.limit)).Bind(Clamp(query.offset));
  while (true) {
    YARD_ASSIGN(bool more, rows.Step());
    if (!more) return page;
    bool changed = rows.Int(2) > 0 && rows.Int(2) != kVerbDelete;
    page.records.push_back(RecordOf(rows));
    if (!changed) continue;
    YARD_TRY(FillAfter(find_after, page.records.back()));
    YARD_TRY(archived.Fill(page.records.back()));
  }
}

Result<std::vector<WorkloadEvent>> ReadEventPage(Database& database, const EventQuery& query) {
  YARD_ASSIGN(std::optional<ArchiveBody> archived, ReadBody(database, query.workload));
  if (archived) return PageOf(std::move(archived->events), query);
  YARD_ASSIGN(Statement rows,
              database.Prepare("SELECT at, id, type, reason, message, source FROM event "
                               "WHERE workload = ? ORDER BY sequence DESC LIMIT ? OFFSET ?"));
  rows.BindBlob(BytesOf(query.workload.value)).Bind(Clamp(query.limit)).Bind(Clamp(query.offset));
  std::vector<WorkloadEvent> events;
  while (true) {
    YARD_ASSIGN(bool more, rows.Step());
    if (!more) return events;
    events.push_back({.id = ReadUuid(rows, 1),
                      .workload = query.workload,
                      .at = Time{rows.Int(0)},
                      .type = TextOf(rows, 2),
                      .reason = TextOf(rows, 3),
                      .message = TextOf(rows, 4),
                      .source = TextOf(rows, 5)});
  }
}

}  // namespace yard::store
