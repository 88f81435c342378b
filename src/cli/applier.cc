#include "cli/applier.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/check.h"
#include "base/strings.h"
#include "cli/asset_links.h"
#include "cli/kinds.h"
#include "cli/output.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;
using Body = Outcome<json::object>;

Failure Wrong(std::string message) {
  return Failure({Code::kInvalid, std::move(message)});
}

std::shared_ptr<const json::value> Share(json::value object) {
  return std::make_shared<const json::value>(std::move(object));
}

// ---- organisation ----

// `nodePool: default` becomes the {id, name} that the API wants; without one it is that pool.
Outcome<void> ResolvePools(Resolver& resolver, const std::string& cluster, json::object& body) {
  json::value* resources = body.if_contains("resources");
  json::array* list = resources == nullptr ? nullptr : resources->if_array();
  if (list == nullptr) return {};
  for (json::value& entry : *list) {
    json::object* object = entry.if_object();
    if (object == nullptr) continue;
    json::value& pool = object->emplace("nodePool", "default").first->value();
    const json::string* name = pool.if_string();
    if (name == nullptr) continue;
    std::string called(*name);
    YARD_ASSIGN(std::string id, resolver.IdIn("node-pools", called, cluster));
    pool = json::object{{"id", id}, {"name", called}};
  }
  return {};
}

Body UnitBody(Resolver& resolver, const Manifest& manifest) {
  json::object body = manifest.spec();
  body["name"] = manifest.name();
  YARD_ASSIGN(std::string cluster, resolver.ClusterId(manifest.Meta("cluster")));
  body["clusterId"] = cluster;
  YARD_TRY(ResolvePools(resolver, cluster, body));
  // Without a word about quota there is none: work runs over quota only.
  if (!body.contains("resources")) {
    YARD_ASSIGN(std::string pool, resolver.IdIn("node-pools", "default", cluster));
    body["resources"] = json::array{json::object{{"nodePool", {{"id", pool}, {"name", "default"}}},
                                                 {"gpu", {{"deserved", 0}}}}};
  }
  return body;
}

Body ProjectBody(Resolver& resolver, const Manifest& manifest) {
  YARD_ASSIGN(json::object body, UnitBody(resolver, manifest));
  std::string department = manifest.Meta("department");
  YARD_ASSIGN(std::string parent,
              resolver.IdIn("departments", department.empty() ? "default" : department,
                            TextAt(body, "clusterId")));
  body["parentId"] = parent;
  json::value* clusters = body.if_contains("clusters");
  json::array* names = clusters == nullptr ? nullptr : clusters->if_array();
  if (names == nullptr) return body;
  for (json::value& name : *names) {
    if (!name.is_string()) continue;  // the server says what is wrong with it
    YARD_ASSIGN(std::string id, resolver.ClusterId(std::string(name.get_string())));
    name = id;
  }
  return body;
}

Body PoolBody(Resolver& resolver, const Manifest& manifest) {
  json::object body = manifest.spec();
  body["name"] = manifest.name();
  YARD_ASSIGN(std::string cluster, resolver.ClusterId(manifest.Meta("cluster")));
  body["clusterId"] = cluster;
  return body;
}

// ---- access ----

Body UserBody(Resolver&, const Manifest& manifest) {
  json::object body = manifest.spec();
  body["email"] = manifest.name();
  return body;
}

Body RoleBody(Resolver&, const Manifest& manifest) {
  json::object body = manifest.spec();
  body["name"] = manifest.name();
  if (!body.contains("description")) body["description"] = "";
  return body;
}

struct Where {
  std::string type = "tenant";
  std::string id;
};

Outcome<Where> ScopeOf(Resolver& resolver, const Manifest& manifest) {
  if (std::string name = manifest.Meta("project"); !name.empty()) {
    YARD_ASSIGN(std::string id, resolver.Id("projects", name));
    return Where{"project", id};
  }
  if (std::string name = manifest.Meta("department"); !name.empty()) {
    YARD_ASSIGN(std::string id, resolver.Id("departments", name));
    return Where{"department", id};
  }
  if (std::string name = manifest.Meta("cluster"); !name.empty()) {
    YARD_ASSIGN(std::string id, resolver.ClusterId(name));
    return Where{"cluster", id};
  }
  return Where{};
}

Body RuleBody(Resolver& resolver, const Manifest& manifest) {
  json::object body = manifest.spec();
  std::string role = TextAt(body, "role");
  if (role.empty()) return std::unexpected(Wrong("spec.role is missing"));
  YARD_ASSIGN(std::string role_id, resolver.Id("roles", role));
  YARD_ASSIGN(Where where, ScopeOf(resolver, manifest));
  body.erase("role");
  json::value subject = At(body, "subject");
  body.erase("subject");
  if (!subject.is_null()) body["subjectId"] = subject;
  if (!body.contains("subjectType")) body["subjectType"] = "user";
  body["roleId"] = ParseInt(role_id).value_or(0);
  body["scopeType"] = where.type;
  // A tenant has no id of its own to name.
  body["scopeId"] = where.type == "tenant" ? "1" : where.id;
  return body;
}

// ---- assets and policies ----

Outcome<void> AddScope(Resolver& resolver, const Manifest& manifest, json::object& meta) {
  YARD_ASSIGN(Where where, ScopeOf(resolver, manifest));
  meta["scope"] = where.type;
  if (where.type == "project") meta["projectId"] = ParseInt(where.id).value_or(0);
  if (where.type == "department") meta["departmentId"] = where.id;
  if (where.type == "cluster") meta["clusterId"] = where.id;
  return {};
}

Body AssetBody(Resolver& resolver, const Manifest& manifest) {
  json::object meta{{"name", manifest.name()}};
  for (const char* field : {"description", "autoDelete", "workloadSupportedTypes"}) {
    if (const json::value* value = manifest.metadata().if_contains(field)) meta[field] = *value;
  }
  YARD_TRY(AddScope(resolver, manifest, meta));
  json::object spec = manifest.spec();
  YARD_TRY(ResolveAssetLinks(resolver, spec));
  return json::object{{"meta", std::move(meta)}, {"spec", std::move(spec)}};
}

constexpr std::string_view kDataSourceTypes[] = {"nfs", "pvc",        "host-path", "git",
                                                 "s3",  "config-map", "secrets"};
constexpr std::string_view kCredentialTypes[] = {"access-key", "password", "docker-registry",
                                                 "generic-secret"};
constexpr std::string_view kWorkloadTypes[] = {"workspaces", "trainings", "distributed",
                                               "inferences"};

// metadata.type, which must be one of `types`.
Outcome<void> CheckType(const Manifest& manifest, std::span<const std::string_view> types) {
  std::string type = manifest.Meta("type");
  std::string segment = SegmentOf(type);
  if (std::ranges::find(types, segment) != types.end()) return {};
  std::optional<std::string_view> near = Nearest(segment, types);
  Failure failure =
      Wrong(type.empty() ? "metadata.type is missing"
                         : fmt::format("metadata.type '{}' does not exist{}", type,
                                       near ? fmt::format("; did you mean '{}'?", *near) : ""));
  failure.error.details = fmt::format("types are {}", fmt::join(types, ", "));
  failure.error.fields = {{"metadata.type", "is not a type"}};
  return std::unexpected(std::move(failure));
}

Body TypedAssetBody(Resolver& resolver, const Manifest& manifest) {
  bool secret = manifest.kind() == "Credential";
  YARD_TRY(CheckType(manifest, secret ? std::span<const std::string_view>(kCredentialTypes)
                                      : std::span<const std::string_view>(kDataSourceTypes)));
  return AssetBody(resolver, manifest);
}

Body PolicyBody(Resolver& resolver, const Manifest& manifest) {
  YARD_TRY(CheckType(manifest, kWorkloadTypes));
  json::object meta{{"name", manifest.name()}};
  YARD_TRY(AddScope(resolver, manifest, meta));
  return json::object{{"meta", std::move(meta)}, {"policy", manifest.spec()}};
}

// ---- workloads ----

Body WorkloadBody(Resolver& resolver, const Manifest& manifest) {
  std::string project = manifest.Meta("project");
  if (project.empty()) project = resolver.default_project;
  if (project.empty() && !resolver.blind()) {
    return std::unexpected(Failure({Code::kInvalid, "no project is named",
                                    "set metadata.project, or `gpuyard config use-project NAME`"}));
  }
  YARD_ASSIGN(std::string id, resolver.Id("projects", project));
  YARD_ASSIGN(std::string cluster, resolver.ClusterId(""));
  return json::object{{"name", manifest.name()},
                      {"projectId", id},
                      {"clusterId", cluster},
                      {"spec", manifest.spec()}};
}

// ---- what is there ----

Outcome<Current> FindAt(Resolver& resolver, std::string_view plural, std::string_view prefix,
                        const Manifest& manifest) {
  YARD_ASSIGN(json::value object, resolver.Find(plural, manifest.name()));
  const Kind& kind = **FindKind(plural);
  if (object.is_null()) return Current{};
  std::string path = fmt::format("{}/{}", prefix, TextAt(object, kind.id));
  return Current{Share(std::move(object)), std::move(path)};
}

bool SameRule(const json::value& rule, const json::object& wanted) {
  bool everywhere = TextAt(wanted, "scopeType") == "tenant";
  for (const char* field : {"subjectId", "subjectType", "roleId", "scopeType", "scopeId"}) {
    if (everywhere && std::string_view(field) == "scopeId") continue;
    if (TextAt(rule, field) != TextAt(wanted, field)) return false;
  }
  return true;
}

Outcome<Current> FindRule(Resolver& resolver, const Manifest&, const json::object& body) {
  YARD_ASSIGN(std::vector<json::value> rules,
              ListObjects(resolver.client(), **FindKind("access-rules"),
                          {.query = {{"subjectIds", TextAt(body, "subjectId")}}}));
  for (const json::value& rule : rules) {
    if (SameRule(rule, body)) return Current{Share(rule), {}};
  }
  return Current{};
}

std::string AssetPath(const Manifest& manifest) {
  std::string type = SegmentOf(manifest.Meta("type"));
  if (manifest.kind() == "Environment") return "/api/v1/asset/environment";
  if (manifest.kind() == "Compute") return "/api/v1/asset/compute";
  if (manifest.kind() == "Registry") return "/api/v1/asset/registries";
  if (manifest.kind() == "Template") return "/api/v1/asset/workload-template";
  if (manifest.kind() == "Credential") return "/api/v1/asset/credentials/" + type;
  return "/api/v1/asset/datasource/" + type;
}

// Assets of one name may live at several scopes; the right one is at the manifest's own.
Outcome<Current> FindAsset(Resolver& resolver, const Manifest& manifest, const json::object& body) {
  std::string path = AssetPath(manifest);
  YARD_ASSIGN(json::value answer, resolver.client().Get(path));
  const json::array* entries = At(answer, "entries").if_array();
  if (entries == nullptr) return Current{};
  json::object identity = body.at("meta").get_object();
  for (const char* field : {"description", "autoDelete", "workloadSupportedTypes"})
    identity.erase(field);
  for (const json::value& entry : *entries) {
    if (Covers(At(entry, "meta"), identity))
      return Current{Share(entry), fmt::format("{}/{}", path, TextAt(entry, "meta.id"))};
  }
  return Current{};
}

std::string PolicyPath(const Manifest& manifest) {
  return "/api/v2/policy/" + SegmentOf(manifest.Meta("type"));
}

Outcome<Current> FindPolicy(Resolver& resolver, const Manifest& manifest,
                            const json::object& body) {
  std::vector<std::pair<std::string, std::string>> query{{"scope", TextAt(body, "meta.scope")}};
  for (const char* field : {"projectId", "departmentId", "clusterId"}) {
    std::string value = TextAt(body, fmt::format("meta.{}", field));
    if (!value.empty()) query.emplace_back(field, value);
  }
  Outcome<json::value> found = resolver.client().Get(PolicyPath(manifest), std::move(query));
  if (!found && found.error().error.code == Code::kNotFound) return Current{};
  if (!found) return std::unexpected(found.error());
  return Current{Share(*found), PolicyPath(manifest)};
}

std::string WorkloadPath(const Manifest& manifest) {
  return "/api/v1/workloads/" + SegmentOf(manifest.kind());
}

Outcome<Current> FindWorkload(Resolver& resolver, const Manifest& manifest,
                              const json::object& body) {
  ListRequest narrow{.query = {{"filterBy", fmt::format("name=={},projectId=={}", manifest.name(),
                                                        TextAt(body, "projectId"))}}};
  YARD_ASSIGN(std::vector<json::value> same,
              ListObjects(resolver.client(), **FindKind("workloads"), narrow));
  if (same.empty()) return Current{};
  std::string path = fmt::format("{}/{}", WorkloadPath(manifest), TextAt(same.front(), "id"));
  YARD_ASSIGN(json::value object, resolver.client().Get(path));
  return Current{Share(std::move(object)), path};
}

constexpr const char* kUsers = "/api/v1/users";
constexpr const char* kDepartments = "/api/v1/org-unit/departments";
constexpr const char* kProjects = "/api/v1/org-unit/projects";
constexpr const char* kPools = "/api/v1/node-pools";
constexpr const char* kRoles = "/api/v1/authorization/roles";
constexpr const char* kRules = "/api/v1/authorization/access-rules";
constexpr std::string_view kProjectFields =
    "description resources schedulingRules defaultNodePools nodeTypes reclaimMinRuntimeSeconds "
    "preemptMinRuntimeSeconds workAccess";
constexpr std::string_view kDepartmentFields =
    "description resources schedulingRules defaultNodePools nodeTypes reclaimMinRuntimeSeconds "
    "preemptMinRuntimeSeconds fairness";

template <const char* const& kPath>
std::string Fixed(const Manifest&) {
  return kPath;
}

template <const char* const& kPath>
Outcome<Current> FindNamed(Resolver& resolver, const Manifest& manifest, const json::object&) {
  return FindAt(resolver, ApplierOf(manifest).plural, kPath, manifest);
}

constexpr Applier kAppliers[] = {
    {"User", "users", UserBody, Fixed<kUsers>, FindNamed<kUsers>, Update::kPatch,
     "groups unixName"},
    {"Department", "departments", UnitBody, Fixed<kDepartments>, FindNamed<kDepartments>,
     Update::kPut, kDepartmentFields},
    {"Project", "projects", ProjectBody, Fixed<kProjects>, FindNamed<kProjects>, Update::kPut,
     kProjectFields},
    {"NodePool", "node-pools", PoolBody, Fixed<kPools>, FindNamed<kPools>, Update::kPut,
     "labelKey labelValue overProvisioningRatio placementStrategy"},
    {"Role", "roles", RoleBody, Fixed<kRoles>, FindNamed<kRoles>, Update::kPut},
    {"AccessRule", "access-rules", RuleBody, Fixed<kRules>, FindRule, Update::kNever},
    {"Environment", "environments", AssetBody, AssetPath, FindAsset},
    {"Compute", "compute", AssetBody, AssetPath, FindAsset},
    {"DataSource", "datasources", TypedAssetBody, AssetPath, FindAsset},
    {"Credential", "credentials", TypedAssetBody, AssetPath, FindAsset},
    {"Registry", "registries", AssetBody, AssetPath, FindAsset},
    {"Template", "templates", AssetBody, AssetPath, FindAsset},
    {"Policy", "policies", PolicyBody, PolicyPath, FindPolicy, Update::kReplace},
    {"Workspace", "workloads", WorkloadBody, WorkloadPath, FindWorkload, Update::kNever},
    {"Training", "workloads", WorkloadBody, WorkloadPath, FindWorkload, Update::kNever},
    {"Distributed", "workloads", WorkloadBody, WorkloadPath, FindWorkload, Update::kNever},
    {"Inference", "workloads", WorkloadBody, WorkloadPath, FindWorkload, Update::kNever},
};

// "host-path" is "HostPath", and "secrets" is "Secret".
std::string Pascal(std::string_view segment) {
  std::string name;
  for (std::string_view word : Split(segment, '-')) {
    name += Lower(word);
    char& first = name[name.size() - word.size()];
    first = static_cast<char>(first - 'a' + 'A');
  }
  return segment == "secrets" ? "Secret" : name;
}

}  // namespace

std::string SchemaOf(const Manifest& manifest) {
  const std::string& kind = manifest.kind();
  if (kind == "Policy") return "PolicyOverwrite";
  if (kind == "DataSource" || kind == "Credential")
    return Pascal(SegmentOf(manifest.Meta("type"))) + "Draft";
  return kind + "Draft";
}

const Applier& ApplierOf(const Manifest& manifest) {
  const auto* found = std::ranges::find(kAppliers, manifest.kind(), &Applier::kind);
  YARD_CHECK(found != std::end(kAppliers));
  return *found;
}

}  // namespace yard::cli
