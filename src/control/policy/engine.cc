#include "control/policy/engine.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/strings.h"
#include "control/policy/values.h"

namespace yard::control {
namespace {

enum class Winner { kClosest, kHighest };

bool IsRule(const json::object& node) {
  constexpr std::array<std::string_view, 9> kWords{
      "required", "canEdit", "options", "min", "max", "step", "canAdd", "locked", "defaultFrom"};
  return std::ranges::any_of(kWords, [&](std::string_view w) { return node.contains(w); });
}

std::string_view ScopeName(ScopeType type) {
  switch (type) {
    case ScopeType::kSystem:
      return "system";
    case ScopeType::kTenant:
      return "tenant";
    case ScopeType::kCluster:
      return "cluster";
    case ScopeType::kDepartment:
      return "department";
    case ScopeType::kProject:
      return "project";
  }
  return "tenant";
}

json::object SourceOf(const Scope& scope) {
  json::object source{{"scope", ScopeName(scope.type)}};
  if (scope.type == ScopeType::kProject) source["projectId"] = ParseInt(scope.id).value_or(0);
  if (scope.type == ScopeType::kDepartment) source["departmentId"] = scope.id;
  if (scope.type == ScopeType::kCluster) source["clusterId"] = scope.id;
  return source;
}

// Lays a lower layer's rules over those from above.
void MergeRules(json::object& into, const json::object& from, const Scope& scope, Winner winner) {
  for (const auto& [key, value] : from) {
    const json::object* node = value.if_object();
    if (node == nullptr || key == "sourceOfRule") continue;
    bool first = !into.contains(key);
    if (IsRule(*node)) {
      if (!first && winner == Winner::kHighest) continue;
      json::object rule = *node;
      rule["sourceOfRule"] = SourceOf(scope);
      into[key] = std::move(rule);
      continue;
    }
    if (first) into[key] = json::object();
    Winner inner = key == "compute" || key == "security" ? Winner::kHighest : winner;
    MergeRules(into[key].as_object(), *node, scope, inner);
  }
}

void MergeItems(json::array& into, const json::array& from) {
  for (const json::value& item : from) {
    if (json::object* same = FindItem(into, ItemName(item))) {
      *same = item.as_object();
    } else {
      into.push_back(item);
    }
  }
}

// Lays a lower layer's defaults over those from above.
void MergeDefaults(json::object& into, const json::object& from) {
  for (const auto& [key, value] : from) {
    if (value.is_null()) continue;
    json::value* old = into.if_contains(key);
    if (old != nullptr && old->is_object() && value.is_object()) {
      MergeDefaults(old->as_object(), value.as_object());
    } else if (old != nullptr && key == "instances" && old->is_array() && value.is_array()) {
      MergeItems(old->as_array(), value.as_array());
    } else {
      into[key] = value;
    }
  }
}

// Imposed assets add up; distributed policies list them per kind of pod.
void MergeImposed(json::value& into, const json::value& from) {
  if (const json::object* replicas = from.if_object()) {
    if (!into.is_object()) into = json::object();
    for (const auto& [replica, ids] : *replicas) MergeImposed(into.as_object()[replica], ids);
    return;
  }
  const json::array* ids = from.if_array();
  if (ids == nullptr) return;
  if (!into.is_array()) into = json::array();
  json::array& all = into.as_array();
  for (const json::value& id : *ids) {
    if (std::ranges::find(all, id) == all.end()) all.push_back(id);
  }
}

// Sets what is missing in `into`; an object is filled member by member.
void FillMissing(json::object& into, const json::object& defaults) {
  for (const auto& [key, value] : defaults) {
    json::value* old = into.if_contains(key);
    if (old == nullptr || old->is_null()) {
      into[key] = value;
    } else if (old->is_object() && value.is_object()) {
      FillMissing(old->as_object(), value.as_object());
    }
  }
}

void FillItems(json::array& items, const json::object& defaults) {
  if (const json::array* instances = ListIn(defaults, "instances")) {
    for (const json::value& instance : *instances) {
      if (FindItem(items, ItemName(instance)) == nullptr) items.push_back(instance);
    }
  }
  const json::object* attributes = ObjectIn(defaults, "attributes");
  if (attributes == nullptr) return;
  for (json::value& item : items) {
    if (item.is_object()) FillMissing(item.as_object(), *attributes);
  }
}

void Fill(json::object& spec, const json::object& defaults) {
  for (const auto& [key, value] : defaults) {
    json::value* old = spec.if_contains(key);
    bool missing = old == nullptr || old->is_null();
    const json::object* nested = value.if_object();
    if (nested == nullptr) {
      if (missing && !value.is_null()) spec[key] = value;
    } else if (IsItemized(*nested)) {
      if (missing) spec[key] = json::array();
      if (json::array* items = spec[key].if_array()) FillItems(*items, *nested);
    } else {
      if (missing) spec[key] = json::object();
      if (json::object* inner = spec[key].if_object()) Fill(*inner, *nested);
    }
  }
}

// Computes values from others, as `defaultFrom` rules say, where there is no value yet.
void FillDerived(json::object& root, json::object& spec, const json::object& rules) {
  for (const auto& [key, value] : rules) {
    const json::object* node = value.if_object();
    if (node == nullptr) continue;
    json::value* old = spec.if_contains(key);
    bool missing = old == nullptr || old->is_null();
    if (const json::object* from = ObjectIn(*node, "defaultFrom")) {
      std::optional<json::value> derived = missing ? Derive(root, *from) : std::nullopt;
      if (derived) spec[key] = *std::move(derived);
    } else if (!IsRule(*node) && !IsItemized(*node) && !missing && old->is_object()) {
      FillDerived(root, old->as_object(), *node);
    }
  }
}

bool IsExcluded(const json::value& item) {
  const json::object* object = item.if_object();
  const json::value* mark = object == nullptr ? nullptr : object->if_contains("exclude");
  return mark != nullptr && mark->is_bool() && mark->get_bool();
}

void DropExcluded(json::object& node) {
  for (auto& [key, value] : node) {
    if (json::object* inner = value.if_object()) DropExcluded(*inner);
    json::array* items = value.if_array();
    if (items == nullptr) continue;
    items->erase(std::remove_if(items->begin(), items->end(), IsExcluded), items->end());
    for (json::value& item : *items) {
      if (item.is_object()) item.as_object().erase("exclude");
    }
  }
}

}  // namespace

json::object EffectivePolicy(std::span<const PolicyLayer> layers) {
  json::object defaults;
  json::object rules;
  json::value imposed;
  for (const PolicyLayer& layer : layers) {
    if (const json::object* own = ObjectIn(*layer.policy, "defaults"))
      MergeDefaults(defaults, *own);
    if (const json::object* own = ObjectIn(*layer.policy, "rules")) {
      MergeRules(rules, *own, layer.scope, Winner::kClosest);
    }
    if (const json::value* own = ValueIn(*layer.policy, "imposedAssets")) {
      MergeImposed(imposed, *own);
    }
  }
  json::object effective{{"defaults", std::move(defaults)}, {"rules", std::move(rules)}};
  if (!imposed.is_null()) effective["imposedAssets"] = std::move(imposed);
  return effective;
}

json::object ApplyDefaults(const json::object& spec, const json::object& policy) {
  json::object filled = spec;
  if (const json::object* defaults = ObjectIn(policy, "defaults")) Fill(filled, *defaults);
  if (const json::object* rules = ObjectIn(policy, "rules")) FillDerived(filled, filled, *rules);
  DropExcluded(filled);
  return filled;
}

}  // namespace yard::control
