#include "control/policy/host_lists.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>

#include "control/policy/host_access.h"
#include "wire/setting.h"

namespace yard::control {
namespace {

Ptr<Setting> Store(Txn& txn, const std::string& key, const json::value& value) {
  Setting setting{.id = key, .value = wire::SettingDocument(value), .stamp = txn.NewStamp()};
  if (Ptr<Setting> current = txn.state().Find<Setting>(key)) {
    if (current->value.json == setting.value.json) return current;
    setting.stamp = current->stamp;
    txn.Touch(setting.stamp);
  }
  return txn.Put(std::move(setting));
}

}  // namespace

Result<Ptr<Setting>> SetHostAccess(Txn& txn, const Scope& scope, const json::object& list) {
  YARD_TRY(txn.Require(Resource::kSettings, Action::kUpdate, {}));
  if (scope.type == ScopeType::kSystem || !txn.state().PathOf(scope)) {
    return Fail(Code::kNotFound, fmt::format("there is no such scope: id '{}'", scope.id),
                "name the tenant, or a cluster, department or project that exists");
  }
  YARD_TRY(ReadHostAccess(list, ClosedFolders(txn.state())));
  return Store(txn, HostAccessKey(scope), list);
}

Status ClearHostAccess(Txn& txn, const Scope& scope) {
  YARD_TRY(txn.Require(Resource::kSettings, Action::kUpdate, {}));
  std::string key = HostAccessKey(scope);
  if (txn.state().Find<Setting>(key)) txn.Erase<Setting>(key);
  return {};
}

Status CloseFolders(Txn& txn, const std::vector<std::string>& folders) {
  YARD_TRY(txn.Require(Resource::kSettings, Action::kUpdate, {}));
  Store(txn, ClosedFoldersKey(), json::value_from(folders));
  return {};
}

}  // namespace yard::control
