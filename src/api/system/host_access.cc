// What projects may have of their machines; see control/policy/host_access.h.
#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/handler.h"
#include "base/json_text.h"
#include "control/policy/host_access.h"
#include "control/policy/host_lists.h"
#include "wire/enums.h"
#include "wire/setting.h"

namespace yard::api {
namespace {

using control::Txn;

Result<Scope> ScopeOf(const Call& call) {
  std::string_view name = call.Path("scopeType");
  std::optional<ScopeType> type = wire::FromName<ScopeType>(name);
  if (!type || *type == ScopeType::kSystem) {
    return Fail(Code::kNotFound, fmt::format("there is no scope '{}'", name),
                "use tenant, cluster, department or project");
  }
  // The tenant has no id; any word stands for it.
  if (*type == ScopeType::kTenant) return Scope::Tenant();
  return Scope{*type, std::string(call.Path("scopeId"))};
}

json::object ShownList(const Scope& scope, const Setting& setting) {
  json::object shown{{"scopeType", wire::ToName(scope.type)}, {"scopeId", scope.id}};
  json::value list = wire::SettingValue(setting);
  if (list.is_object()) {
    for (const auto& [key, value] : list.get_object()) shown[key] = value;
  }
  return shown;
}

Result<Answer> ListAll(Call& call) {
  YARD_TRY(call.Require({}));
  json::array lists;
  call.state().Of<Setting>().Each([&](const Setting& setting) {
    std::optional<Scope> scope = control::ScopeOfHostAccess(setting.id);
    if (scope) lists.push_back(ShownList(*scope, setting));
  });
  return Json(JsonText(json::object{{"lists", std::move(lists)}}));
}

Result<Answer> Set(Call& call) {
  YARD_ASSIGN(Scope scope, ScopeOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  return Commit(
      [scope, body](Txn& txn) { return control::SetHostAccess(txn, scope, body); },
      [scope](const Ptr<Setting>& setting) { return Json(JsonText(ShownList(scope, *setting))); });
}

Result<Answer> Clear(Call& call) {
  YARD_ASSIGN(Scope scope, ScopeOf(call));
  return Commit([scope](Txn& txn) { return control::ClearHostAccess(txn, scope); },
                [] { return Empty(204); });
}

}  // namespace

void AddHostAccessRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kOne = "/api/v1/host-access/{scopeType}/{scopeId}";
  constexpr Need kChange = May(Action::kUpdate, Resource::kSettings);
  routes.insert(routes.end(),
                {{kGet, "/api/v1/host-access", May(Action::kRead, Resource::kSettings), ListAll,
                  "What work may have of its machine, by scope", "", "HostAccessLists"},
                 {kPut, kOne, kChange, Set, "Replace what work of a scope may have of its machine",
                  "HostAccessChange", "HostAccess"},
                 {kDelete, kOne, kChange, Clear, "Allow nothing at this scope", "", "", 204}});
}

}  // namespace yard::api
