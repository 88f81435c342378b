#include <fmt/format.h>

#include "api/groups.h"
#include "api/handler.h"
#include "base/strings.h"
#include "wire/iam_audit.h"

namespace yard::api {
namespace {

using Row = JournalRecord;

constexpr std::size_t kMaxRows = 1000;
// What a filter that the journal cannot answer itself may look through.
constexpr std::size_t kMaxScan = 20'000;
constexpr std::size_t kMaxFile = 100'000;

constexpr Column<Row> kColumns[] = {
    {"timestamp", [](const Row& r) -> Cell { return r.at; }},
    {"subject", [](const Row& r) -> Cell { return std::string_view(r.origin.subject); }},
    {"subject_type", [](const Row& r) -> Cell { return std::string_view(r.origin.subject_type); }},
    {"source_ip", [](const Row& r) -> Cell { return wire::AuditAddress(r); }},
    {"action", [](const Row& r) -> Cell { return std::string_view(r.action); }},
    {"http_method", [](const Row& r) -> Cell { return std::string_view(r.origin.method); }},
    {"result", [](const Row& r) -> Cell { return wire::AuditResult(r); }},
    {"url", [](const Row& r) -> Cell { return std::string_view(r.origin.url); }},
    {"entity_type", [](const Row& r) -> Cell { return std::string_view(r.entity_type); }},
    {"entity_name", [](const Row& r) -> Cell { return std::string_view(r.entity_name); }},
    {"entity_id", [](const Row& r) -> Cell { return std::string_view(r.entity_id); }},
    {"cluster_name", [](const Row&) -> Cell { return std::string_view("local"); }},
};

struct AuditQuery {
  JournalQuery journal;
  ListQuery list;      // what is left to do with the rows the journal gives
  bool exact = false;  // nothing is left: the journal pages by itself
};

Result<Time> RequiredTime(const Call& call, std::string_view name) {
  std::optional<Time> time = ParseRfc3339(call.Query(name).value_or(""));
  if (time) return *time;
  return Fail(Code::kInvalid,
              fmt::format("{}: a time such as 2026-01-31T00:00:00Z is needed", name));
}

// Moves a condition into the journal's own query if it knows it.
bool Push(JournalQuery& journal, const serve::Condition& condition) {
  if (condition.compare != serve::Compare::kEqual) return false;
  std::optional<std::string>* slot = nullptr;
  if (condition.field == "subject") slot = &journal.subject;
  if (condition.field == "action") slot = &journal.action;
  if (condition.field == "entity_type") slot = &journal.entity_type;
  if (condition.field == "entity_id") slot = &journal.entity_id;
  if (slot == nullptr || *slot) return false;
  *slot = condition.value;
  return true;
}

Result<AuditQuery> ReadQuery(const Call& call) {
  std::span<const Column<Row>> columns = kColumns;
  AuditQuery query;
  query.journal.for_people = true;
  YARD_ASSIGN(query.list, ParseListQuery(call.query(), ColumnNames(columns)));
  YARD_ASSIGN(query.journal.start, RequiredTime(call, "start"));
  YARD_ASSIGN(query.journal.end, RequiredTime(call, "end"));
  if (*query.journal.end < *query.journal.start) {
    return Fail(Code::kInvalid, "end: lies before start");
  }
  if (auto samples = call.Query("numberOfSamples")) {
    std::optional<std::int64_t> count = ParseInt(*samples);
    if (!count || *count < 0 || *count > static_cast<std::int64_t>(kMaxRows)) {
      return Fail(Code::kInvalid, fmt::format("numberOfSamples: must be 0 to {}", kMaxRows));
    }
    query.list.limit = static_cast<std::size_t>(*count);
  } else if (!call.Query("limit")) {
    query.list.limit = 20;
  }
  std::erase_if(query.list.filter,
                [&](const serve::Condition& c) { return Push(query.journal, c); });
  if (query.list.sort_by == "timestamp" || query.list.sort_by.empty()) {
    bool oldest_first = !query.list.descending && !query.list.sort_by.empty();
    query.journal.newest_first = !oldest_first;
    query.list.sort_by.clear();
  }
  query.exact =
      query.list.filter.empty() && query.list.sort_by.empty() && query.list.search.empty();
  return query;
}

struct Found {
  std::vector<Row> rows;
  std::size_t total = 0;
};

// Slow: reads the disk.
Result<Found> Search(control::Service& service, AuditQuery query) {
  query.journal.offset = query.exact ? query.list.offset : 0;
  query.journal.limit = query.exact ? query.list.limit : kMaxScan;
  YARD_ASSIGN(JournalPage page, service.ReadJournal(query.journal));
  if (query.exact) return Found{std::move(page.records), static_cast<std::size_t>(page.total)};
  Page<Row> selected =
      Select(Pointers(page.records), std::span<const Column<Row>>(kColumns), query.list);
  Found found{.total = selected.total};
  for (const Row* row : selected.rows) found.rows.push_back(*row);
  return found;
}

std::string JsonRows(const std::vector<Row>& rows) {
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  for (const Row& row : rows) {
    w.Item();
    wire::WriteAuditLog(w, row);
  }
  w.EndList();
  return out;
}

Result<Answer> AuditLog(Call& call) {
  YARD_TRY(call.Require(ScopePath{}));
  YARD_ASSIGN(AuditQuery query, ReadQuery(call));
  return Slow{[&call, query]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(Found found, Search(call.service(), query));
    std::size_t next = query.list.offset + found.rows.size();
    std::string out;
    wire::Writer w(out);
    w.Begin();
    // Required by the contract, which does not say what it is: how many follow here.
    w("logs", found.rows.size());
    w("total", found.total);
    if (next < found.total) w("next", next);
    w.Key("audit_logs");
    w.Raw(JsonRows(found.rows));
    w.End();
    return Json(std::move(out));
  }};
}

Result<Answer> AuditFile(Call& call) {
  YARD_TRY(call.Require(ScopePath{}));
  YARD_ASSIGN(AuditQuery query, ReadQuery(call));
  if (!call.Query("numberOfSamples")) query.list.limit = kMaxFile;
  // The contract writes it in one way, and its own client in the other.
  std::string_view asked = call.Query("fileType").value_or("csv");
  std::string type = Lower(call.Query("file_type").value_or(asked));
  if (type != "csv" && type != "json") {
    return Fail(Code::kInvalid, "file_type: must be CSV or JSON");
  }
  return Slow{[&call, query, type]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(Found found, Search(call.service(), query));
    http::Reply reply;
    reply.content_type = "application/octet-stream";
    reply.headers.emplace_back("Content-Disposition",
                               fmt::format("attachment; filename=\"audit.{}\"", type));
    if (type == "json") {
      reply.body = JsonRows(found.rows);
      return reply;
    }
    wire::AppendAuditCsvHead(reply.body);
    for (const Row& row : found.rows) wire::AppendAuditCsv(reply.body, row);
    return reply;
  }};
}

std::vector<QueryParameter> AuditParameters() {
  std::vector<QueryParameter> parameters = ListParameters();
  parameters.insert(parameters.end(),
                    {{"start", "time", true}, {"end", "time", true}, {"numberOfSamples", "int"}});
  return parameters;
}

}  // namespace

void AddAuditRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr Need kNeed = May(Action::kRead, Resource::kEventsHistory);
  std::vector<QueryParameter> file = AuditParameters();
  file.push_back({"file_type", "CSV|JSON"});
  file.push_back({"fileType", "CSV|JSON"});
  routes.insert(routes.end(), {{kGet, "/api/v1/audit/log", kNeed, AuditLog, "Read the audit log",
                                "", "AuditLogPage", 200, AuditParameters()},
                               {kGet, "/api/v1/audit/log/file", kNeed, AuditFile,
                                "Download the audit log", "", "", 200, file}});
}

}  // namespace yard::api
