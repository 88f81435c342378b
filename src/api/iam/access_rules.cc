#include "control/commands/access_rules.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/handler.h"
#include "api/iam/iam_views.h"
#include "base/strings.h"
#include "wire/reader.h"

namespace yard::api {
namespace {

using control::State;
using control::Txn;
using Row = wire::AccessRuleView;

constexpr Column<Row> kColumns[] = {
    {"subjectId", [](const Row& r) -> Cell { return std::string_view(r.rule->subject_id); }, true},
    {"subjectType", [](const Row& r) -> Cell { return wire::ToName(r.rule->subject_type); }},
    {"roleId", [](const Row& r) -> Cell { return r.rule->role.value; }},
    {"scopeId", [](const Row& r) -> Cell { return wire::ScopeIdText(r.rule->scope); }},
    {"scopeType", [](const Row& r) -> Cell { return wire::ToName(r.rule->scope.type); }},
    {"roleName", [](const Row& r) -> Cell { return std::string_view(r.role_name); }, true},
    {"scopeName", [](const Row& r) -> Cell { return std::string_view(r.scope_name); }, true},
    {"createdAt", [](const Row& r) -> Cell { return r.rule->stamp.created_at; }},
    {"deletedAt",
     [](const Row& r) -> Cell { return r.rule->deleted_at ? Cell(*r.rule->deleted_at) : Cell(); }},
    {"createdBy", [](const Row& r) -> Cell { return std::string_view(r.rule->stamp.created_by); }},
};

Result<AccessRuleId> IdOf(const Call& call) {
  std::optional<std::int64_t> id = ParseInt(call.Path("accessRuleId"));
  if (id) return AccessRuleId{*id};
  return Fail(Code::kNotFound,
              fmt::format("there is no access rule '{}'", call.Path("accessRuleId")));
}

// The parameters that stand beside filterBy.
struct Narrow {
  std::optional<std::string_view> type;
  std::optional<std::string_view> part;
  std::vector<std::string_view> subjects;
  std::optional<std::string_view> cluster;
  std::optional<std::string_view> scope_type;
  std::optional<std::string_view> scope_id;
  std::optional<std::int64_t> role;
  std::optional<Time> updated_since;
  bool deleted_too = false;
};

Result<Narrow> ReadNarrow(const Call& call) {
  Narrow narrow{.type = call.Query("subjectType"),
                .part = call.Query("subjectIdFilter"),
                .cluster = call.Query("clusterId"),
                .scope_type = call.Query("scopeType"),
                .scope_id = call.Query("scopeId"),
                .deleted_too = call.Query("includeDeleted") == "true"};
  if (auto subjects = call.Query("subjectIds")) narrow.subjects = Split(*subjects, ',');
  if (auto role = call.Query("roleId")) {
    narrow.role = ParseInt(*role);
    if (!narrow.role) return Fail(Code::kInvalid, "roleId: must be a number");
  }
  if (auto since = call.Query("lastUpdated")) {
    narrow.updated_since = ParseRfc3339(*since);
    if (!narrow.updated_since) return Fail(Code::kInvalid, "lastUpdated: must be a time");
  }
  return narrow;
}

bool Keeps(const Narrow& narrow, const Row& row) {
  const AccessRule& rule = *row.rule;
  if (rule.deleted_at && !narrow.deleted_too) return false;
  if (narrow.type && *narrow.type != wire::ToName(rule.subject_type)) return false;
  if (narrow.part && !ContainsIgnoreCase(rule.subject_id, *narrow.part)) return false;
  auto is_subject = [&](std::string_view s) { return EqualsIgnoreCase(s, rule.subject_id); };
  if (!narrow.subjects.empty() && !std::ranges::any_of(narrow.subjects, is_subject)) return false;
  if (narrow.cluster && (!row.cluster || FormatUuid(row.cluster->value) != *narrow.cluster)) {
    return false;
  }
  if (narrow.scope_type && *narrow.scope_type != wire::ToName(rule.scope.type)) return false;
  if (narrow.scope_id && *narrow.scope_id != wire::ScopeIdText(rule.scope)) return false;
  if (narrow.role && *narrow.role != rule.role.value) return false;
  return !narrow.updated_since || rule.stamp.updated_at >= *narrow.updated_since;
}

// Rules of a scope that is gone are for those who may see everything.
ScopePath WhereIs(const State& state, const AccessRule& rule) {
  return state.PathOf(rule.scope).value_or(ScopePath{});
}

std::vector<Row> VisibleRows(Call& call, const Narrow& narrow) {
  std::vector<Row> rows;
  const State& state = call.state();
  state.Of<AccessRule>().Each([&](const AccessRule& rule) {
    if (!call.Sees(WhereIs(state, rule))) return;
    Row row = ViewOf(state, rule);
    row.scope_path.reset();
    if (Keeps(narrow, row)) rows.push_back(std::move(row));
  });
  call.NeedsNoScope();
  return rows;
}

Result<Answer> ListRules(Call& call) {
  std::span<const Column<Row>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  YARD_ASSIGN(Narrow narrow, ReadNarrow(call));
  std::vector<Row> rows = VisibleRows(call, narrow);
  Page<Row> page = Select(Pointers(rows), columns, query);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("totalRecords", page.total);
  w("displayRecords", page.rows.size());
  w.Key("accessRules");
  w.BeginList();
  for (const Row* row : page.rows) {
    w.Item();
    wire::WriteAccessRule(w, *row);
  }
  w.EndList();
  w.End();
  return Json(std::move(out));
}

Result<Answer> CountRules(Call& call) {
  std::span<const Column<Row>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  YARD_ASSIGN(Narrow narrow, ReadNarrow(call));
  std::vector<Row> rows = VisibleRows(call, narrow);
  return Json(fmt::format(R"({{"count":{}}})", Select(Pointers(rows), columns, query).total));
}

Result<Answer> GetRule(Call& call) {
  YARD_ASSIGN(AccessRuleId id, IdOf(call));
  YARD_ASSIGN(Ptr<AccessRule> rule, control::GetAccessRule(call.state(), id));
  YARD_TRY(call.Require(WhereIs(call.state(), *rule)));
  if (rule->deleted_at) {
    return Fail(Code::kNotFound, fmt::format("access rule {} is deleted", id.value),
                "the list shows it with includeDeleted=true");
  }
  return WriteReply(ViewOf(call.state(), *rule), wire::WriteAccessRule);
}

Result<Answer> CreateRule(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  control::AccessRuleDraft draft;
  std::vector<FieldIssue> issues;
  wire::Reader reader(body, "", issues);
  reader("subjectId", draft.subject);
  reader("subjectType", draft.subject_type);
  reader("roleId", draft.role);
  reader("scopeType", draft.scope.type);
  reader("scopeId", draft.scope.id);
  return Commit([draft](Txn& txn) { return control::CreateAccessRule(txn, draft); },
                [&call](const Ptr<AccessRule>& rule) {
                  Row row = ViewOf(*call.service().Read(), *rule);
                  row.scope_path.reset();
                  return WriteReply(row, wire::WriteAccessRule, 201);
                });
}

Result<Answer> DeleteRule(Call& call) {
  YARD_ASSIGN(AccessRuleId id, IdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteAccessRule(txn, id); },
                [] { return Empty(204); });
}

std::vector<QueryParameter> RuleParameters() {
  std::vector<QueryParameter> parameters = ListParameters();
  parameters.insert(parameters.end(), {{"subjectType", "user|app|group"},
                                       {"subjectIdFilter", "string"},
                                       {"subjectIds", "string"},
                                       {"clusterId", "uuid"},
                                       {"scopeType", "string"},
                                       {"scopeId", "string"},
                                       {"roleId", "int"},
                                       {"lastUpdated", "time"},
                                       {"includeDeleted", "bool"}});
  return parameters;
}

}  // namespace

void AddAccessRuleRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/authorization/access-rules";
  constexpr std::string_view kOne = "/api/v1/authorization/access-rules/{accessRuleId}";
  constexpr Resource kRules = Resource::kAccessRules;
  routes.insert(
      routes.end(),
      {{kGet, kAll, May(Action::kRead, kRules), ListRules, "List access rules", "",
        "AccessRuleList", 200, RuleParameters()},
       {kPost, kAll, May(Action::kCreate, kRules), CreateRule, "Grant a role at a scope",
        "AccessRuleDraft", "AccessRule", 201},
       {kGet, "/api/v1/authorization/access-rules/count", May(Action::kRead, kRules), CountRules,
        "Count access rules", "", "Count", 200, RuleParameters()},
       {kGet, kOne, May(Action::kRead, kRules), GetRule, "Get an access rule", "", "AccessRule"},
       {kDelete, kOne, May(Action::kDelete, kRules), DeleteRule, "End an access rule", "", "",
        204}});
}

}  // namespace yard::api
