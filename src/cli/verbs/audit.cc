// audit: who changed what, and when.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/submit/parse.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/view.h"

namespace yard::cli {
namespace {

using client::Outcome;
using Query = std::vector<std::pair<std::string, std::string>>;

constexpr std::int64_t kPage = 1000;  // the most that the server gives at once

struct AuditArguments {
  std::string since = "1d";
  std::string by;
  std::string action;
  std::string kind;
  std::int64_t limit = 100;
};

std::string FilterOf(const AuditArguments& arguments) {
  std::vector<std::string> terms;
  if (!arguments.by.empty()) terms.push_back("subject==" + arguments.by);
  if (!arguments.action.empty()) terms.push_back("action==" + arguments.action);
  if (!arguments.kind.empty()) terms.push_back("entity_type==" + arguments.kind);
  return Join(terms, ",");
}

Outcome<std::vector<json::value>> ReadAudit(Session& session, const AuditArguments& arguments,
                                            const Query& query) {
  YARD_ASSIGN(client::Client * server, session.Server());
  std::vector<json::value> rows;
  while (true) {
    const std::int64_t left = arguments.limit - static_cast<std::int64_t>(rows.size());
    const std::int64_t wanted = std::min(kPage, left);
    Query page = query;
    page.emplace_back("offset", std::to_string(rows.size()));
    page.emplace_back("limit", std::to_string(wanted));
    YARD_ASSIGN(json::value answer, server->Get("/api/v1/audit/log", std::move(page)));
    const json::array* list = At(answer, "audit_logs").if_array();
    if (list == nullptr) return rows;
    rows.insert(rows.end(), list->begin(), list->end());
    const bool last = static_cast<std::int64_t>(list->size()) < wanted;
    if (last || static_cast<std::int64_t>(rows.size()) >= arguments.limit) return rows;
  }
}

Table AuditTable(const std::vector<json::value>& rows) {
  Table table{.header = {"TIME", "BY", "ACTION", "KIND", "NAME", "RESULT", "FROM"}, .rows = {}};
  table.rows.reserve(rows.size());
  for (const json::value& row : rows) {
    std::vector<std::string> cells;
    cells.reserve(table.header.size());
    for (const char* path :
         {"timestamp", "subject", "action", "entity_type", "entity_name", "result", "source_ip"})
      cells.push_back(OrDash(TextAt(row, path)));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Outcome<void> Audit(Session& session, const AuditArguments& arguments) {
  if (arguments.limit < 1)
    return std::unexpected(client::Failure({Code::kInvalid, "--limit must be at least 1"}));
  YARD_ASSIGN(Micros span, ParseDuration(arguments.since));
  const Time now = session.around().clock.Now();
  Query query{{"start", FormatRfc3339(now - span)},
              {"end", FormatRfc3339(now + Seconds(1))},
              {"sortBy", "timestamp"},
              {"sortOrder", "desc"}};
  if (std::string filter = FilterOf(arguments); !filter.empty())
    query.emplace_back("filterBy", filter);
  YARD_ASSIGN(std::vector<json::value> rows, ReadAudit(session, arguments, query));
  return PrintTable(session, rows, AuditTable(rows));
}

}  // namespace

void AddAudit(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<AuditArguments>();
  Verb verb = Verb(app, session).Add("audit", "Who changed what, newest first");
  verb.Text("--since", arguments->since, "how far back [1d]", "SPAN")
      .Text("--by", arguments->by, "only changes of this person or application", "EMAIL")
      .Text("--action", arguments->action, "only this action: create, update, delete", "ACTION")
      .Text("--kind", arguments->kind, "only of this kind of thing: project, workload", "KIND")
      .Number("--limit", arguments->limit, "at most so many [100]")
      .Format()
      .Examples(
          "gpuyard audit --since 7d\ngpuyard audit --by ann@lab.org --action delete\n"
          "gpuyard audit --since 30d --limit 100000 -o csv > audit.csv");
  verb.Run([arguments, &session] { return Audit(session, *arguments); });
}

}  // namespace yard::cli
