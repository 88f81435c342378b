#include "cli/kinds.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/output.h"

namespace yard::cli {
namespace {

constexpr KindColumn kUserColumns[] = {{"EMAIL", "username"},          {"LOCAL", "isLocal"},
                                       {"LAST LOGIN", "lastLogin"},    {"GROUPS", "groups", true},
                                       {"CREATED", "createdAt", true}, {"ID", "id", true}};
constexpr KindColumn kTokenColumns[] = {{"NAME", "name"},
                                        {"OWNER", "createdBy"},
                                        {"EXPIRES", "expiresAt"},
                                        {"CREATED", "createdAt", true},
                                        {"ID", "id"}};
constexpr KindColumn kSessionColumns[] = {{"ADDRESS", "address"}, {"SIGNED IN", "createdAt"},
                                          {"USED", "usedAt"},     {"ENDS", "expiresAt"},
                                          {"CURRENT", "current"}, {"ID", "id"}};
constexpr KindColumn kAppColumns[] = {{"NAME", "name"},
                                      {"CLIENT ID", "clientId"},
                                      {"ENABLED", "enabled"},
                                      {"LAST LOGIN", "lastLogin"},
                                      {"CREATED BY", "createdBy", true},
                                      {"ID", "id", true}};
constexpr KindColumn kRoleColumns[] = {
    {"ID", "id"}, {"NAME", "name"}, {"DESCRIPTION", "description"}};
constexpr KindColumn kRuleColumns[] = {{"ID", "id"},
                                       {"SUBJECT", "subjectId"},
                                       {"TYPE", "subjectType"},
                                       {"ROLE", "roleName"},
                                       {"SCOPE", "scopeType"},
                                       {"AT", "scopeName"},
                                       {"CREATED BY", "createdBy", true},
                                       {"CREATED", "createdAt", true}};
constexpr KindColumn kDepartmentColumns[] = {{"NAME", "name"},
                                             {"GPU QUOTA", "totalResources.gpuQuota"},
                                             {"GPU IN USE", "status.quotaStatus.allocated.gpu"},
                                             {"FAIRNESS", "fairness", true},
                                             {"DESCRIPTION", "description", true},
                                             {"ID", "id", true}};
constexpr KindColumn kProjectColumns[] = {{"NAME", "name"},
                                          {"DEPARTMENT", "parent.name"},
                                          {"STATUS", "status.phase"},
                                          {"GPU QUOTA", "totalResources.gpuQuota"},
                                          {"GPU IN USE", "status.quotaStatus.allocated.gpu"},
                                          {"NAMESPACE", "status.namespace", true},
                                          {"CREATED", "createdAt", true},
                                          {"ID", "id", true}};
constexpr KindColumn kPoolColumns[] = {{"NAME", "name"},
                                       {"LABEL", "labelKey"},
                                       {"VALUE", "labelValue"},
                                       {"GPU PLACEMENT", "placementStrategy.gpu"},
                                       {"DEFAULT", "isDefault"},
                                       {"CLUSTER", "clusterName", true},
                                       {"OVER-PROVISIONING", "overProvisioningRatio", true},
                                       {"ID", "id", true}};
constexpr KindColumn kNodeColumns[] = {{"NAME", "name"},
                                       {"STATUS", "status"},
                                       {"POOL", "nodePool"},
                                       {"GPU", "gpuInfo.gpuType"},
                                       {"GPUS", "gpuInfo.gpuCount"},
                                       {"CLUSTER", "clusterName", true},
                                       {"CREATED", "createdAt", true},
                                       {"ID", "id", true}};
constexpr KindColumn kClusterColumns[] = {{"NAME", "name"},           {"STATUS", "status.state"},
                                          {"ENGINE", "engine"},       {"VERSION", "version", true},
                                          {"DOMAIN", "domain", true}, {"ID", "uuid", true}};
constexpr KindColumn kEnvironmentColumns[] = {{"NAME", "meta.name"},
                                              {"IMAGE", "spec.image"},
                                              {"SCOPE", "meta.scope"},
                                              {"PROJECT", "meta.projectName"},
                                              {"CREATED BY", "meta.createdBy", true},
                                              {"ID", "meta.id", true}};
constexpr KindColumn kComputeColumns[] = {{"NAME", "meta.name"},
                                          {"GPUS", "spec.gpuDevicesRequest"},
                                          {"GPU PORTION", "spec.gpuPortionRequest"},
                                          {"CPU", "spec.cpuCoreRequest"},
                                          {"MEMORY", "spec.cpuMemoryRequest"},
                                          {"SCOPE", "meta.scope"},
                                          {"PROJECT", "meta.projectName", true},
                                          {"ID", "meta.id", true}};
constexpr KindColumn kAssetColumns[] = {{"NAME", "meta.name"},
                                        {"KIND", "meta.kind"},
                                        {"SCOPE", "meta.scope"},
                                        {"PROJECT", "meta.projectName"},
                                        {"DESCRIPTION", "meta.description", true},
                                        {"CREATED BY", "meta.createdBy", true},
                                        {"ID", "meta.id", true}};
constexpr KindColumn kWorkloadColumns[] = {{"NAME", "name"},
                                           {"TYPE", "type"},
                                           {"PROJECT", "projectName"},
                                           {"STATUS", "phase"},
                                           {"MESSAGE", "phaseMessage"},
                                           {"BY", "submittedBy", true},
                                           {"CREATED", "createdAt", true},
                                           {"ID", "id", true}};
constexpr KindColumn kPolicyColumns[] = {{"NAME", "meta.name"},
                                         {"TYPE", "type"},
                                         {"SCOPE", "meta.scope"},
                                         {"PROJECT", "meta.projectId"},
                                         {"DEPARTMENT", "meta.departmentId"}};

constexpr KindColumn kReservationColumns[] = {{"NAME", "name"},
                                              {"PROJECT", "projectName"},
                                              {"GPUS", "gpu"},
                                              {"FROM", "start"},
                                              {"TO", "end"},
                                              {"STATE", "state"},
                                              {"POOL", "nodePool", true},
                                              {"RELEASE AFTER MIN", "releaseAfterMinutes", true},
                                              {"BY", "createdBy", true},
                                              {"ID", "id", true}};

constexpr KindColumn kHostAccessColumns[] = {
    {"SCOPE", "scopeType"}, {"ID", "scopeId"},
    {"PATHS", "paths"},     {"CAPABILITIES", "capabilities"},
    {"IDS", "ids"},         {"NETWORK", "hostNetwork"},
    {"IPC", "hostIpc"}};

constexpr std::string_view kProjects = "/api/v1/org-unit/projects";
constexpr std::string_view kDepartments = "/api/v1/org-unit/departments";

constexpr Kind kKinds[] = {
    {"users", "user", "", "/api/v1/users", "", Lists::kPaged, "id", "username", "",
     "/api/v1/users/{id}", kUserColumns},
    {"tokens", "token", "", "/api/v1/me/tokens", "", Lists::kWhole, "id", "name", "",
     "/api/v1/me/tokens/{id}", kTokenColumns},
    {"user-tokens", "user-token", "", "/api/v1/administration/tokens", "", Lists::kWhole, "id",
     "name", "", "/api/v1/administration/tokens/{id}", kTokenColumns},
    {"sessions", "session", "", "/api/v1/me/sessions", "", Lists::kWhole, "id", "address", "",
     "/api/v1/me/sessions/{id}", kSessionColumns},
    {"apps", "app", "application applications", "/api/v1/apps", "", Lists::kWhole, "id", "name", "",
     "/api/v1/apps/{id}", kAppColumns},
    {"roles", "role", "", "/api/v1/authorization/roles", "", Lists::kWhole, "id", "name", "",
     "/api/v1/authorization/roles/{id}", kRoleColumns},
    {"access-rules", "access-rule", "accessrule accessrules rule rules",
     "/api/v1/authorization/access-rules", "accessRules", Lists::kPaged, "id", "id", "",
     "/api/v1/authorization/access-rules/{id}", kRuleColumns},
    {"departments", "department", "dept", kDepartments, "departments", Lists::kPaged, "id", "name",
     "name", "/api/v1/org-unit/departments/{id}", kDepartmentColumns},
    {"projects", "project", "proj", kProjects, "projects", Lists::kPaged, "id", "name", "name",
     "/api/v1/org-unit/projects/{id}", kProjectColumns},
    {"reservations", "reservation", "", "/api/v1/reservations", "reservations", Lists::kPaged, "id",
     "name", "name", "/api/v1/reservations/{id}", kReservationColumns},
    {"host-access", "host-access", "", "/api/v1/host-access", "lists", Lists::kWhole, "scopeId",
     "scopeId", "", "", kHostAccessColumns},
    {"node-pools", "node-pool", "nodepool nodepools pool pools", "/api/v1/node-pools", "nodepools",
     Lists::kPaged, "id", "name", "name", "/api/v1/node-pools/{id}", kPoolColumns},
    {"nodes", "node", "", "/api/v1/clusters/{cluster}/nodes", "nodes", Lists::kPerCluster, "id",
     "name", "", "", kNodeColumns},
    {"clusters", "cluster", "", "/api/v1/clusters", "", Lists::kWhole, "uuid", "name", "",
     "/api/v1/clusters/{id}", kClusterColumns},
    {"environments", "environment", "env envs", "/api/v1/asset/environment", "entries",
     Lists::kWhole, "meta.id", "meta.name", "", "/api/v1/asset/environment/{id}",
     kEnvironmentColumns},
    {"compute", "compute", "computes compute-resource compute-resources", "/api/v1/asset/compute",
     "entries", Lists::kWhole, "meta.id", "meta.name", "", "/api/v1/asset/compute/{id}",
     kComputeColumns},
    {"datasources", "datasource", "data-source data-sources ds", "/api/v1/asset/datasource",
     "entries", Lists::kWhole, "meta.id", "meta.name", "", "/api/v1/asset/datasource/{kind}/{id}",
     kAssetColumns},
    {"credentials", "credential", "cred creds", "/api/v1/asset/credentials", "entries",
     Lists::kWhole, "meta.id", "meta.name", "", "/api/v1/asset/credentials/{kind}/{id}",
     kAssetColumns},
    {"registries", "registry", "", "/api/v1/asset/registries", "entries", Lists::kWhole, "meta.id",
     "meta.name", "", "/api/v1/asset/registries/{id}", kAssetColumns},
    {"templates", "template", "", "/api/v1/asset/workload-template", "entries", Lists::kWhole,
     "meta.id", "meta.name", "", "/api/v1/asset/workload-template/{id}", kAssetColumns},
    {"workloads", "workload",
     "wl workspaces workspace trainings training inferences inference "
     "distributed",
     "/api/v1/workloads", "workloads", Lists::kPaged, "id", "name", "name",
     "/api/v1/workloads/{type}/{id}", kWorkloadColumns},
    {"policies", "policy", "", "/api/v2/policy", "policies", Lists::kWhole, "meta.name",
     "meta.name", "", "/api/v2/policy/{type}", kPolicyColumns},
};

bool Answers(const Kind& kind, const std::string& word) {
  if (word == kind.plural || word == kind.singular) return true;
  std::vector<std::string_view> aliases = Split(kind.aliases, ' ');
  return std::ranges::find(aliases, word) != aliases.end();
}

void Fill(std::string& path, std::string_view hole, std::string_view value) {
  std::size_t at = path.find(hole);
  if (at != std::string::npos) path.replace(at, hole.size(), value);
}

}  // namespace

std::span<const Kind> Kinds() {
  return kKinds;
}

Result<const Kind*> FindKind(std::string_view word) {
  std::string lower = Lower(word);
  std::vector<std::string_view> names;
  for (const Kind& kind : kKinds) {
    if (Answers(kind, lower)) return &kind;
    names.push_back(kind.plural);
  }
  constexpr std::string_view kOfWork[] = {"pod",  "pods",        "po",    "job",
                                          "jobs", "deployments", "deploy"};
  if (std::ranges::find(kOfWork, lower) != std::end(kOfWork))
    return Fail(Code::kInvalid, fmt::format("there is no kind '{}'", word),
                "`gpuyard ps` lists work, `gpuyard get workloads` shows it as objects");
  std::optional<std::string_view> near = Nearest(lower, names);
  return Fail(Code::kInvalid,
              fmt::format("there is no kind '{}'{}", word,
                          near ? fmt::format("; did you mean '{}'?", *near) : ""),
              fmt::format("kinds are {}", fmt::join(names, ", ")));
}

std::string SegmentOf(std::string_view kind) {
  constexpr std::pair<std::string_view, std::string_view> kSegments[] = {
      {"accessKey", "access-key"},
      {"dockerRegistry", "docker-registry"},
      {"genericSecret", "generic-secret"},
      {"hostPath", "host-path"},
      {"configMap", "config-map"},
      {"secret-volume", "secrets"},
      {"secret", "secrets"},
      {"training", "trainings"},
      {"workspace", "workspaces"},
      {"inference", "inferences"},
  };
  std::string lower = Lower(kind);
  for (const auto& [name, segment] : kSegments) {
    if (EqualsIgnoreCase(name, kind)) return std::string(segment);
  }
  return lower;
}

std::string DeletePath(const Kind& kind, const json::value& object) {
  std::string path(kind.delete_path);
  Fill(path, "{id}", TextAt(object, kind.id));
  Fill(path, "{kind}", SegmentOf(TextAt(object, "meta.kind")));
  Fill(path, "{type}", SegmentOf(TextAt(object, "type")));
  if (kind.plural != "policies") return path;
  path += "?scope=" + TextAt(object, "meta.scope");
  for (const char* field : {"projectId", "departmentId", "clusterId"}) {
    std::string value = TextAt(object, fmt::format("meta.{}", field));
    if (!value.empty()) path += fmt::format("&{}={}", field, value);
  }
  return path;
}

}  // namespace yard::cli
