#include "wire/asset_rules.h"

#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/refuse.h"
#include "wire/fields.h"
#include "wire/spec_rules.h"

namespace yard::wire {
namespace {

using Issues = std::vector<FieldIssue>;
using Names = std::vector<std::string_view>;

void Add(Issues& issues, std::string_view field, std::string problem) {
  issues.push_back({fmt::format("spec.{}", field), std::move(problem)});
}

std::string_view TextIn(const json::object& spec, std::string_view key) {
  const json::value* value = ValueIn(spec, key);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : "";
}

std::optional<double> AmountIn(const json::object& spec, std::string_view key) {
  const json::value* value = ValueIn(spec, key);
  return value == nullptr ? std::nullopt : Amount(*value);
}

void Need(Issues& issues, const json::object& spec, const Names& fields) {
  for (std::string_view field : fields) {
    if (ValueIn(spec, field) == nullptr) Add(issues, field, "is required");
  }
}

// Fields that mean something only with one way of asking for GPUs.
void CheckOnlyWith(Issues& issues, const json::object& spec, std::string_view type,
                   const Names& fields) {
  if (TextIn(spec, "gpuRequestType") == type) return;
  for (std::string_view field : fields) {
    if (ValueIn(spec, field) != nullptr) {
      Add(issues, field, fmt::format("is possible only with gpuRequestType '{}'", type));
    }
  }
}

void CheckGpu(Issues& issues, const json::object& spec) {
  std::string_view type = TextIn(spec, "gpuRequestType");
  CheckOnlyWith(issues, spec, "portion", {"gpuPortionRequest", "gpuPortionLimit"});
  CheckOnlyWith(issues, spec, "memory", {"gpuMemoryRequest", "gpuMemoryLimit"});
  CheckOnlyWith(issues, spec, "migProfile", {"migProfile"});
  if (type == "portion") Need(issues, spec, {"gpuPortionRequest"});
  if (type == "memory") Need(issues, spec, {"gpuMemoryRequest"});
  if (type == "migProfile") Need(issues, spec, {"migProfile"});
  if (!type.empty() && AmountIn(spec, "gpuDevicesRequest").value_or(1) < 1) {
    Add(issues, "gpuDevicesRequest", "must be at least 1 when gpuRequestType is set");
  }
}

void CheckCompute(Issues& issues, const json::object& spec) {
  CheckGpu(issues, spec);
  CheckAmounts(spec, "spec.", issues);
  const json::array* extended = ListIn(spec, "extendedResources");
  for (std::size_t i = 0; extended != nullptr && i < extended->size(); ++i) {
    const json::object* item = (*extended)[i].if_object();
    for (std::string_view key : {"resource", "quantity"}) {
      if (item != nullptr && ValueIn(*item, key) == nullptr)
        Add(issues, fmt::format("extendedResources[{}].{}", i, key), "is required");
    }
  }
}

void CheckConnections(Issues& issues, const json::object& spec) {
  const json::array* connections = ListIn(spec, "connections");
  std::set<std::string_view> names;
  for (std::size_t i = 0; connections != nullptr && i < connections->size(); ++i) {
    const json::object* one = (*connections)[i].if_object();
    if (one == nullptr) continue;
    std::string at = fmt::format("connections[{}].", i);
    if (!names.insert(TextIn(*one, "name")).second) {
      Add(issues, at + "name", "stands twice");
    }
    bool external = FlagIn(*one, "isExternal").value_or(false);
    std::string_view needed = external ? "externalToolInfo" : "internalToolInfo";
    if (ObjectIn(*one, needed) == nullptr) {
      Add(issues, at + std::string(needed),
          external ? "is required for an external tool" : "is required for a tool inside");
    }
  }
}

void CheckVariables(Issues& issues, const json::object& spec, std::string_view prefix) {
  const json::array* variables = ListIn(spec, "environmentVariables");
  std::set<std::string_view> names;
  for (std::size_t i = 0; variables != nullptr && i < variables->size(); ++i) {
    const json::object* one = (*variables)[i].if_object();
    if (one == nullptr) continue;
    std::string at = fmt::format("{}environmentVariables[{}].", prefix, i);
    std::string_view name = TextIn(*one, "name");
    if (name.empty()) {
      Add(issues, at + "name", "is required");
    } else if (!names.insert(name).second) {
      Add(issues, at + "name", "stands twice");
    }
    if (ValueIn(*one, "value") != nullptr && ObjectIn(*one, "credential") != nullptr) {
      Add(issues, at + "credential", "is not possible beside a value");
    }
  }
}

void CheckEnvironment(Issues& issues, const json::object& spec) {
  CheckConnections(issues, spec);
  CheckVariables(issues, spec, "");
  if (TextIn(spec, "uidGidSource") == "custom" || ValueIn(spec, "uidGidSource") == nullptr) return;
  for (std::string_view field : {"runAsUid", "runAsGid", "supplementalGroups"}) {
    if (ValueIn(spec, field) != nullptr) {
      Add(issues, field, "is possible only with uidGidSource 'custom'");
    }
  }
}

void CheckTemplate(Issues& issues, const json::object& spec) {
  if (const json::object* own = ObjectIn(spec, "specificEnv")) {
    CheckVariables(issues, *own, "specificEnv.");
  }
}

void CheckPvc(Issues& issues, const json::object& spec) {
  Need(issues, spec, {"path"});
  if (FlagIn(spec, "existingPvc").value_or(false)) {
    Need(issues, spec, {"claimName"});
    return;
  }
  const json::object* claim = ObjectIn(spec, "claimInfo");
  if (claim == nullptr || ValueIn(*claim, "size") == nullptr) {
    Add(issues, "claimInfo.size", "is required for a new volume");
  }
}

// A credential names an existing secret or brings its own fields, not both.
void CheckCredential(Issues& issues, const json::object& spec, const Names& fields, SpecUse use) {
  bool existing = ValueIn(spec, "existingSecretName") != nullptr;
  if (!existing && use == SpecUse::kCreate) return Need(issues, spec, fields);
  for (std::string_view field : fields) {
    if (existing && ValueIn(spec, field) != nullptr) {
      Add(issues, field, "is not possible beside existingSecretName");
    }
  }
}

void CheckPairs(Issues& issues, const json::object& spec) {
  const json::array* pairs = ListIn(spec, "keyValuePairs");
  std::set<std::string_view> keys;
  for (std::size_t i = 0; pairs != nullptr && i < pairs->size(); ++i) {
    const json::object* pair = (*pairs)[i].if_object();
    std::string at = fmt::format("keyValuePairs[{}].", i);
    if (pair == nullptr || TextIn(*pair, "key").empty()) {
      Add(issues, at + "key", "is required");
    } else if (!keys.insert(TextIn(*pair, "key")).second) {
      Add(issues, at + "key", "stands twice");
    }
    if (pair != nullptr && ValueIn(*pair, "value") == nullptr) {
      Add(issues, at + "value", "is required");
    }
  }
}

// What every asset of a simple kind must say.
Names FieldsOf(AssetKind kind) {
  static const std::map<AssetKind, Names> fields{
      {AssetKind::kAccessKey, {"accessKeyId", "secretAccessKey"}},
      {AssetKind::kPassword, {"user", "password"}},
      {AssetKind::kDockerRegistry, {"user", "password", "url"}},
      {AssetKind::kGenericSecret, {"keyValuePairs"}},
      {AssetKind::kNfs, {"server", "path", "mountPath"}},
      {AssetKind::kHostPath, {"path", "mountPath"}},
      {AssetKind::kGit, {"repository", "path"}},
      {AssetKind::kS3, {"bucket", "path"}},
      {AssetKind::kConfigMap, {"configMap", "mountPath"}},
      {AssetKind::kSecretVolume, {"credentialAssetId", "mountPath"}}};
  auto found = fields.find(kind);
  return found == fields.end() ? Names{} : found->second;
}

void Take(json::object& from, std::string_view key, json::object& into) {
  json::value* value = from.if_contains(key);
  if (value == nullptr) return;
  if (!value->is_null()) into[key] = *value;
  from.erase(key);
}

// Keys stay visible, so that people can see what a secret holds; values do not.
void TakePairValues(json::object& spec, json::object& secrets) {
  json::value* pairs = spec.if_contains("keyValuePairs");
  if (pairs == nullptr || !pairs->is_array()) return;
  secrets["keyValuePairs"] = *pairs;
  for (json::value& pair : pairs->get_array()) {
    if (pair.is_object()) pair.get_object().erase("value");
  }
}

}  // namespace

std::vector<FieldIssue> CheckSpec(AssetKind kind, const json::object& spec, SpecUse use) {
  Issues issues;
  switch (kind) {
    case AssetKind::kCompute:
      CheckCompute(issues, spec);
      break;
    case AssetKind::kEnvironment:
      CheckEnvironment(issues, spec);
      break;
    case AssetKind::kTemplate:
      CheckTemplate(issues, spec);
      break;
    case AssetKind::kPvc:
      CheckPvc(issues, spec);
      break;
    case AssetKind::kAccessKey:
    case AssetKind::kPassword:
    case AssetKind::kDockerRegistry:
    case AssetKind::kGenericSecret:
      CheckCredential(issues, spec, FieldsOf(kind), use);
      CheckPairs(issues, spec);
      break;
    case AssetKind::kNfs:
    case AssetKind::kHostPath:
    case AssetKind::kGit:
    case AssetKind::kS3:
    case AssetKind::kConfigMap:
    case AssetKind::kSecretVolume:
      Need(issues, spec, FieldsOf(kind));
      break;
    case AssetKind::kRegistry:
    case AssetKind::kDataVolume:
      break;
  }
  return issues;
}

Status RequireValid(AssetKind kind, const json::object& spec, SpecUse use) {
  return RefuseFields(CheckSpec(kind, spec, use));
}

json::object TakeSecrets(AssetKind kind, json::object& spec) {
  json::object secrets;
  if (kind == AssetKind::kAccessKey) Take(spec, "secretAccessKey", secrets);
  if (kind == AssetKind::kGenericSecret) TakePairValues(spec, secrets);
  if (kind == AssetKind::kPassword || kind == AssetKind::kDockerRegistry ||
      kind == AssetKind::kRegistry) {
    Take(spec, "password", secrets);
  }
  return secrets;
}

}  // namespace yard::wire
