#include "wire/asset.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/strings.h"
#include "wire/field_issues.h"
#include "wire/fields.h"
#include "wire/infra.h"
#include "wire/reader.h"

namespace yard::wire {
namespace {

json::object SpecOf(const Asset& asset) {
  Result<json::value> spec = ParseJson(asset.spec.json);
  return spec && spec->is_object() ? std::move(spec->get_object()) : json::object();
}

void TakeTexts(SecretValues& values, const json::object& object) {
  for (const auto& [key, value] : object) {
    if (value.is_string()) values[std::string(key)] = std::string_view(value.get_string());
  }
  EachObject(object, "keyValuePairs", [&](const json::object& pair) {
    values[std::string(TextOrEmpty(pair, "key"))] = TextOrEmpty(pair, "value");
  });
}

void Alias(SecretValues& values, std::string_view from, std::string_view to) {
  auto at = values.find(from);
  if (at != values.end()) values.try_emplace(std::string(to), at->second);
}

// The id that goes with a scope, as text; empty if it was not sent.
std::string IdIn(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || value->is_null()) return "";
  const json::string* text = value->if_string();
  return text == nullptr ? JsonText(*value) : std::string(std::string_view(*text));
}

std::string_view IdKey(ScopeType type) {
  switch (type) {
    case ScopeType::kCluster:
      return "clusterId";
    case ScopeType::kDepartment:
      return "departmentId";
    case ScopeType::kProject:
      return "projectId";
    case ScopeType::kSystem:
    case ScopeType::kTenant:
      break;
  }
  return "";
}

void WriteNames(Writer& w, std::string_view key, const std::vector<AssetName>& names) {
  w.Key(key);
  w.BeginList();
  for (const AssetName& name : names) {
    w.Item();
    w.Begin();
    w("id", name.id);
    w("name", name.name);
    w.End();
  }
  w.EndList();
}

void WriteUse(Writer& w, const AssetUse& use) {
  w.Key("usedBy");
  w.Begin();
  for (std::string_view kind : {"workspaces", "trainings", "distributed", "inferences"}) {
    WriteNames(w, kind, {});
  }
  WriteNames(w, "templates", use.templates);
  w.Key("assets");
  w.Begin();
  WriteNames(w, "environments", use.environments);
  w.Key("datasources");
  w.BeginList();
  for (const AssetUse::Source& source : use.sources) {
    w.Item();
    w.Begin();
    w("id", source.name.id);
    w("name", source.name.name);
    w("kind", source.kind);
    w.End();
  }
  w.EndList();
  w.End();
  w.End();
}

void WriteCompliance(Writer& w, const AssetCompliance& compliance) {
  w.Key("compliance");
  w.Begin();
  w("imposed", compliance.imposed);
  w("compliance", compliance.issues.empty());
  WriteFieldIssues(w, "reason", compliance.issues);
  w.End();
}

// The members of a JSON object, one by one.
void WriteMembers(Writer& w, const Document& document) {
  Result<json::value> value = ParseJson(document.json);
  if (!value || !value->is_object()) return;
  for (const auto& [key, member] : value->get_object()) {
    w.Key(key);
    w.Raw(JsonText(member));
  }
}

void WriteMeta(Writer& w, const AssetView& view) {
  const Asset& asset = *view.asset;
  w.Key("meta");
  w.Begin();
  w("name", asset.name);
  if (!asset.description.empty()) w("description", asset.description);
  WriteScope(w, asset.scope);
  WriteMembers(w, asset.meta);
  w("id", asset.id);
  w("kind", asset.kind);
  w("tenantId", kTenantId);
  w("createdBy", asset.stamp.created_by);
  w("createdAt", asset.stamp.created_at);
  w("updatedBy", asset.stamp.updated_by);
  w("updatedAt", asset.stamp.updated_at);
  w("projectName", view.project_name);
  w.End();
}

}  // namespace

Result<Scope> ReadScope(const json::object& object) {
  Scope scope;
  std::vector<FieldIssue> issues;
  Reader reader(object, "", issues);
  reader("scope", scope.type);
  std::string_view key = IdKey(scope.type);
  if (key.empty()) return scope;
  scope.id = IdIn(object, key);
  if (scope.id.empty()) {
    return Fail(Code::kInvalid, fmt::format("meta.{} is required for this scope", key),
                "say which one is meant");
  }
  // One spelling per id, since scopes are compared as text.
  if (scope.type == ScopeType::kCluster) {
    if (std::optional<Uuid> uuid = ParseUuid(scope.id)) scope.id = FormatUuid(*uuid);
  } else if (std::optional<std::int64_t> number = ParseInt(scope.id)) {
    scope.id = std::to_string(*number);
  }
  return scope;
}

void WriteScope(Writer& w, const Scope& scope) {
  w("scope", scope.type);
  std::string_view key = IdKey(scope.type);
  if (key.empty()) return;
  if (scope.type == ScopeType::kProject) {
    w(key, ParseInt(scope.id).value_or(0));  // an integer in this part of the contract
  } else {
    w(key, scope.id);
  }
}

Result<AssetMetaBody> ReadAssetMeta(const json::object& meta) {
  AssetMetaBody body;
  std::vector<FieldIssue> issues;
  Reader reader(meta, "meta", issues);
  reader("name", body.name);
  reader("description", body.description);
  if (meta.contains("scope")) {
    YARD_ASSIGN(body.scope, ReadScope(meta));
  }
  json::object kept;
  for (std::string_view key : {"autoDelete", "workloadSupportedTypes"}) {
    const json::value* value = meta.if_contains(key);
    if (value != nullptr && !value->is_null()) kept[key] = *value;
  }
  body.meta.json = JsonText(kept);
  return body;
}

void WriteAsset(Writer& w, const AssetView& view) {
  w.Begin();
  WriteMeta(w, view);
  w.Key("spec");
  if (view.spec_key.empty()) {
    w.Raw(view.spec);
  } else {
    w.Begin();
    w.Key(view.spec_key);
    w.Raw(view.spec);
    w.End();
  }
  if (view.use) WriteUse(w, *view.use);
  if (view.compliance) WriteCompliance(w, *view.compliance);
  if (view.shows_status) {
    w.Key("status");
    w.Raw(R"({"status":"No issues found","issues":[]})");
  }
  w.End();
}

std::string_view StorageKeyOf(AssetKind kind) {
  switch (kind) {
    case AssetKind::kNfs:
      return "nfs";
    case AssetKind::kPvc:
      return "pvc";
    case AssetKind::kHostPath:
      return "hostPath";
    case AssetKind::kGit:
      return "git";
    case AssetKind::kS3:
      return "s3";
    case AssetKind::kConfigMap:
      return "configMapVolume";
    case AssetKind::kSecretVolume:
      return "secretVolume";
    case AssetKind::kCompute:
    case AssetKind::kEnvironment:
    case AssetKind::kAccessKey:
    case AssetKind::kDockerRegistry:
    case AssetKind::kPassword:
    case AssetKind::kGenericSecret:
    case AssetKind::kRegistry:
    case AssetKind::kTemplate:
    case AssetKind::kDataVolume:
      break;
  }
  return "";
}

HostPathMount ReadHostPath(const Asset& asset) {
  json::object spec = SpecOf(asset);
  return {std::string(TextOrEmpty(spec, "path")), std::string(TextOrEmpty(spec, "mountPath")),
          FlagOrFalse(spec, "readOnly")};
}

ClaimMount ReadClaim(const Asset& asset) {
  json::object spec = SpecOf(asset);
  return {.claim = std::string(TextOrEmpty(spec, "claimName")),
          .path = std::string(TextOrEmpty(spec, "path")),
          .existing = FlagOrFalse(spec, "existingPvc")};
}

std::string RegistryUrl(const Asset& asset) {
  return std::string(TextOrEmpty(SpecOf(asset), "url"));
}

Result<SecretValues> ReadSecretValues(const Asset& asset, std::string_view secret) {
  SecretValues values;
  TakeTexts(values, SpecOf(asset));
  if (!secret.empty()) {
    YARD_ASSIGN(json::value opened, ParseJson(secret));
    if (opened.is_object()) TakeTexts(values, opened.get_object());
  }
  Alias(values, "user", "username");
  Alias(values, "accessKeyId", "AccessKeyId");
  Alias(values, "secretAccessKey", "SecretKey");
  return values;
}

}  // namespace yard::wire
