#include "wire/asset_fill.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "wire/asset.h"
#include "wire/fields.h"

namespace yard::wire {
namespace {

constexpr std::string_view kContainer[] = {
    "image", "imagePullPolicy", "workingDir", "createHomeDir", "probes", "tty", "stdin"};
constexpr std::string_view kSecurity[] = {"uidGidSource",
                                          "capabilities",
                                          "seccompProfileType",
                                          "runAsNonRoot",
                                          "readOnlyRootFilesystem",
                                          "runAsUid",
                                          "runAsGid",
                                          "supplementalGroups",
                                          "allowPrivilegeEscalation",
                                          "hostIpc",
                                          "hostNetwork"};
constexpr std::string_view kTemplate[] = {"nodeType",
                                          "nodePools",
                                          "podAffinity",
                                          "terminateAfterPreemption",
                                          "autoDeletionTimeAfterCompletionSeconds",
                                          "terminationGracePeriodSeconds",
                                          "annotations",
                                          "labels",
                                          "tolerations",
                                          "completions",
                                          "parallelism"};

// Where an asset says it otherwise than a workload.
constexpr std::pair<std::string_view, std::string_view> kCredentials[] = {
    {"passwordAssetId", "passwordSecret"},
    {"accessKeyAssetId", "accessKeySecret"},
    {"credentialAssetId", "secret"}};

void TakeField(json::object& to, const json::object& from, std::string_view field) {
  const json::value* value = ValueIn(from, field);
  if (value != nullptr && ValueIn(to, field) == nullptr) to[field] = *value;
}

// The member as an object, made if it is not there.
json::object& Within(json::object& object, std::string_view field) {
  json::value& value = object[field];
  return value.is_object() ? value.get_object() : value.emplace_object();
}

json::array& ListWithin(json::object& object, std::string_view field) {
  json::value& value = object[field];
  return value.is_array() ? value.get_array() : value.emplace_array();
}

// A command of its own has its own arguments.
void TakeCommand(json::object& spec, const json::object& from) {
  const bool own = ValueIn(spec, "command") != nullptr;
  TakeField(spec, from, "command");
  if (!own) TakeField(spec, from, "args");
}

void TakeSecurity(json::object& spec, const json::object& from) {
  const bool any =
      std::ranges::any_of(kSecurity, [&](auto field) { return ValueIn(from, field) != nullptr; });
  if (!any) return;
  json::object& security = Within(spec, "security");
  for (std::string_view field : kSecurity) TakeField(security, from, field);
}

bool HasItem(const json::object& object, std::string_view list, std::string_view name) {
  return std::ranges::any_of(ListOrEmpty(object, list), [name](const json::value& item) {
    const json::object* one = item.if_object();
    return one != nullptr && TextOrEmpty(*one, "name") == name;
  });
}

void TakeVariables(json::object& spec, const json::object& from) {
  constexpr std::string_view kList = "environmentVariables";
  EachObject(from, kList, [&](const json::object& variable) {
    if (!HasItem(spec, kList, TextOrEmpty(variable, "name")))
      ListWithin(spec, kList).push_back(variable);
  });
}

// The pages of its tools. Work that names pages itself takes none of them.
void TakeTools(json::object& spec, const json::object& environment) {
  if (!ListOrEmpty(spec, "exposedUrls").empty()) return;
  EachObject(environment, "connections", [&](const json::object& connection) {
    const json::object* tool = ObjectIn(connection, "internalToolInfo");
    const json::value* port = tool == nullptr ? nullptr : ValueIn(*tool, "containerPort");
    if (port == nullptr) return;
    json::object url{{"toolName", TextOrEmpty(connection, "name")},
                     {"toolType", TextOrEmpty(*tool, "toolType")},
                     {"container", *port}};
    ListWithin(spec, "exposedUrls").push_back(std::move(url));
  });
}

bool IsOfGpus(std::string_view field) {
  return field.starts_with("gpu") || field == "migProfile";
}

}  // namespace

void FillFromEnvironment(json::object& spec, const json::object& environment) {
  for (std::string_view field : kContainer) TakeField(spec, environment, field);
  TakeCommand(spec, environment);
  TakeSecurity(spec, environment);
  TakeVariables(spec, environment);
  TakeTools(spec, environment);
}

void FillFromCompute(json::object& spec, const json::object& compute) {
  json::object& own = Within(spec, "compute");
  const bool asks_gpus = std::ranges::any_of(
      own, [](const auto& field) { return IsOfGpus(field.key()) && !field.value().is_null(); });
  for (const auto& [field, value] : compute) {
    if (!asks_gpus || !IsOfGpus(field)) TakeField(own, compute, field);
  }
}

void FillFromTemplate(json::object& spec, const json::object& own) {
  TakeCommand(spec, own);
  TakeSecurity(spec, own);
  TakeVariables(spec, own);
  for (std::string_view field : kTemplate) TakeField(spec, own, field);
  if (ValueIn(spec, "retry") == nullptr) TakeField(spec, own, "backoffLimit");
}

Status FillFromDataSource(json::object& spec, const Asset& asset, std::string_view path) {
  const std::string_view list = StorageKeyOf(asset.kind);
  if (list.empty() || asset.kind == AssetKind::kDataVolume) {
    return Fail(Code::kInvalid,
                fmt::format("'{}' is no data source that can be mounted", asset.name),
                "name an NFS, host-path, PVC, git, S3, config-map or secret data source");
  }
  json::object& storage = Within(spec, "storage");
  if (HasItem(storage, list, asset.name)) return {};
  YARD_ASSIGN(json::value parsed, ParseJson(asset.spec.json));
  json::object item = parsed.as_object();
  for (const auto& [theirs, ours] : kCredentials) {
    const json::value* id = ValueIn(item, theirs);
    if (id == nullptr) continue;
    item[ours] = *id;
    item.erase(theirs);
  }
  item["name"] = asset.name;
  const bool by_path = asset.kind == AssetKind::kPvc || asset.kind == AssetKind::kGit ||
                       asset.kind == AssetKind::kS3;
  if (!path.empty()) item[by_path ? "path" : "mountPath"] = path;
  ListWithin(storage, list).push_back(std::move(item));
  return {};
}

}  // namespace yard::wire
