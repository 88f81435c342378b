#include "api/testing/authorization_world.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "base/check.h"
#include "base/strings.h"
#include "control/commands/roles_predefined.h"

namespace yard::api::testing {
namespace {

constexpr std::string_view kPolicies = "/api/v2/policy/";
constexpr std::string_view kUsers = "/api/v1/users";
constexpr std::string_view kApps = "/api/v1/apps";
constexpr std::string_view kOwnApps = "/api/v1/administration/user-applications";
constexpr std::string_view kTokens = "/api/v1/administration/tokens";
constexpr std::string_view kRules = "/api/v1/authorization/access-rules";
constexpr std::string_view kRoles = "/api/v1/authorization/roles";
constexpr std::string_view kProjects = "/api/v1/org-unit/projects";
constexpr std::string_view kDepartments = "/api/v1/org-unit/departments";
constexpr std::string_view kClusters = "/api/v1/clusters";
constexpr std::string_view kNodePools = "/api/v1/node-pools";
constexpr std::string_view kNodes = "/api/v1/nodes";
constexpr std::string_view kStudies = "/api/v1/studies";

bool IsPartOfCluster(std::string_view path) {
  return path.starts_with(kClusters) || path.starts_with(kNodePools) || path.starts_with(kNodes);
}

// The places themselves.
bool IsUnit(std::string_view collection) {
  return collection == kClusters || collection == kDepartments || collection == kProjects;
}

// Collections that are filled with one POST each.
std::vector<std::string_view> Collections() {
  std::vector<std::string_view> found{kOwnApps, kTokens, kNodes};
  for (const Route& route : AllRoutes()) {
    // What is made inside of another object needs that object first.
    bool creates = route.need.kind == Need::Kind::kPermission &&
                   route.need.action == Action::kCreate && !route.path.contains('{');
    if (creates && route.method == http::Method::kPost) found.push_back(route.path);
  }
  return found;
}

std::string_view ViewerId() {
  static const std::string id = [] {
    const auto& roles = control::PredefinedRoles();
    return std::to_string(std::ranges::find(roles, "Viewer", &Role::name)->id.value);
  }();
  return id;
}

std::string IdIn(const json::value& answer) {
  const json::object& object = answer.as_object();
  for (std::string_view key : {"workloadId", "uuid", "id"}) {
    const json::value* id = object.if_contains(key);
    if (id != nullptr && id->is_string()) return std::string(std::string_view(id->get_string()));
    if (id != nullptr) return std::to_string(id->as_int64());
  }
  return IdIn(object.at("meta"));
}

// What these are told changes what others may do with the study afterwards.
bool EndsStudy(std::string_view path) {
  return path.ends_with("/pause") || path.ends_with("/resume") || path.ends_with("/stop");
}

// Routes about workloads of any kind are walked with a workspace.
std::string_view HomeOf(std::string_view collection) {
  return collection == "/api/v1/workloads" ? "/api/v1/workloads/workspaces" : collection;
}

// What the specs of assets must say beyond what their schemas require.
Fields AssetFields() {
  Fields fields{{"existingPvc", "true"},
                {"claimName", "claim"},
                {"keyValuePairs", R"([{"key":"k","value":"v"}])"}};
  for (std::string_view name :
       {"user", "password", "url", "server", "path", "mountPath", "repository", "bucket",
        "configMap", "accessKeyId", "secretAccessKey"}) {
    fields[std::string(name)] = "/some/text";
  }
  return fields;
}

}  // namespace

const Route& MakerOf(std::string_view collection) {
  for (const Route& route : AllRoutes()) {
    if (route.method == http::Method::kPost && route.path == collection) return route;
  }
  CheckFailed("add this route to the world: nothing is made at", collection, 0);
}

World::World() {
  // So that project administrators may make data sources of the machine's folders.
  h_.Admin().Put("/api/v1/host-access/tenant/tenant", R"({"paths":[{"path":"/some"}]})");
  reader_ = Post(kRoles, R"({"name":"reader","permissions":[]})");
  ours_.cluster = FormatUuid(h_.cluster().value);
  ours_ = MakePlace({.mark = "ourmark", .cluster_mark = "alpha", .cluster = ours_.cluster});
  next_door_ = MakePlace({.mark = "beside", .cluster_mark = "alpha", .cluster = ours_.cluster});
  far_away_ = MakePlace({.mark = "faraway", .cluster_mark = "omega"});
  for (Place* place : {&ours_, &next_door_, &far_away_}) Seed(*place);
  h_.Admin().Put(fmt::format("{}/{}", kClusters, ours_.cluster), R"({"name":"alpha"})");
  h_.Admin().Put("/v1/k8s/setting", R"({"key":"ourmark","value":true})");
  GrantEverybody();
}

Place World::MakePlace(Place place) {
  if (place.cluster.empty()) place.cluster = Make(kClusters, place);
  place.department = Make(kDepartments, place);
  place.project = Make(kProjects, place);
  place.cluster_ids.push_back(place.cluster);
  return place;
}

void World::Seed(Place& place) {
  for (std::string_view collection : Collections()) {
    if (!IsUnit(collection)) TargetIn(collection, place);
  }
  for (std::string_view type : {"workspaces", "trainings", "distributed", "inferences"}) {
    PutPolicy(fmt::format("{}{}", kPolicies, type), place);
  }
}

std::string World::CallerAt(const Role& role, Position position) {
  return fmt::format("role{}-{}@lab.org", role.id.value, static_cast<int>(position));
}

void World::GrantEverybody() {
  auto number = [](const std::string& id) { return ParseInt(id).value_or(0); };
  Scope cluster{ScopeType::kCluster, ours_.cluster};
  for (const Role& role : control::PredefinedRoles()) {
    auto grant = [&](Position position, const Scope& scope) {
      h_.Grant(CallerAt(role, position), role.name, scope);
    };
    grant(Position::kProject, Scope::Of(ProjectId{number(ours_.project)}));
    grant(Position::kDepartment, Scope::Of(DepartmentId{number(ours_.department)}));
    grant(Position::kCluster, cluster);
    grant(Position::kTenant, Scope::Tenant());
    grant(Position::kNextDoor, Scope::Of(ProjectId{number(next_door_.project)}));
    grant(Position::kFarAway, Scope::Of(ProjectId{number(far_away_.project)}));
  }
}

std::string World::Post(std::string_view path, std::string body) {
  Response made = h_.Admin().Post(std::string(path), std::move(body));
  if (made.status >= 300) CheckFailed(made.body.c_str(), path, made.status);
  return IdIn(made.Json());
}

void World::PutPolicy(std::string_view path, const Place& place) {
  std::string body =
      fmt::format(R"({{"meta":{{"name":"{}","scope":"project","projectId":{}}},"policy":{{}}}})",
                  place.mark, place.project);
  Response put = h_.Admin().Put(std::string(path), body);
  if (put.status != 200) CheckFailed(put.body.c_str(), path, put.status);
  if (&place == &ours_) policies_[std::string(path)] = true;
}

void World::GrantViewer(std::string_view type, std::string_view subject, const Place& place) {
  Post(kRules, fmt::format(R"({{"subjectId":"{}","subjectType":"{}","roleId":{},)"
                           R"("scopeId":"{}","scopeType":"project"}})",
                           subject, type, ViewerId(), place.project));
}

std::string World::MakeOwn(std::string_view collection, Place& place) {
  std::string email = fmt::format("{}-owner{}@lab.org", place.mark, ++made_);
  GrantViewer("user", Post(kUsers, fmt::format(R"({{"email":"{}"}})", email)), place);
  std::string body = fmt::format(R"({{"name":"{}-{}"}})", place.mark, ++made_);
  return IdIn(h_.As(email).Post(std::string(collection), body).Json());
}

std::string World::Make(std::string_view collection, Place& place) {
  if (collection == kOwnApps) return MakeOwn("/api/v1/user-applications", place);
  if (collection == kTokens) return MakeOwn("/api/v1/me/tokens", place);
  const Route& route = MakerOf(collection);
  std::string id = Post(collection, SampleBody(route.request, FieldsFor(route, place)));
  if (collection == kUsers) GrantViewer("user", id, place);
  if (collection == kApps) GrantViewer("app", id, place);
  // Small numbers stand in many answers; only long ids tell what they are of.
  if (id.size() == 36) (IsPartOfCluster(collection) ? place.cluster_ids : place.ids).push_back(id);
  return id;
}

std::string World::TargetIn(std::string_view collection, Place& place) {
  auto known = place.targets.find(collection);
  if (known != place.targets.end()) return known->second;
  std::string id = Make(collection, place);
  place.targets[std::string(collection)] = id;
  return id;
}

std::string World::VictimOf(std::string_view collection) {
  auto known = victims_.find(collection);
  if (known != victims_.end()) return known->second;
  std::string id = Make(collection, ours_);
  victims_[std::string(collection)] = id;
  return id;
}

std::string World::NewTrial() {
  std::string path = fmt::format("{}/{}/trials", kStudies, TargetIn(kStudies, ours_));
  Response made = h_.Admin().Post(path, "{}");
  if (made.status != 201) CheckFailed(made.body.c_str(), path, made.status);
  return std::to_string(made.Json().at("number").as_int64());
}

std::string World::QuotasIn(const Place& place) const {
  std::string quotas;
  h_.state()->Of<NodePool>().Each([&](const NodePool& pool) {
    if (!pool.is_default || FormatUuid(pool.cluster.value) != place.cluster) return;
    quotas = fmt::format(R"({{"nodePool":{{"id":"{}"}},"gpu":{{"deserved":1}}}})", pool.id.value);
  });
  return "[" + quotas + "]";
}

Fields World::FieldsFor(const Route& route, Place& place) {
  const std::string& mark = IsPartOfCluster(route.path) ? place.cluster_mark : place.mark;
  std::string name = fmt::format("{}-{}", mark, ++made_);
  Fields fields = AssetFields();
  fields.insert({{"name", name},
                 {"email", name + "@lab.org"},
                 {"subjectId", name},
                 {"key", "ourmark"},
                 {"labelKey", "rack"},
                 {"labelValue", name},
                 {"clusterId", place.cluster},
                 {"parentId", place.department},
                 {"projectId", place.project},
                 {"scopeId", place.project},
                 {"scope", "project"},
                 {"scopeType", "project"},
                 {"subjectType", "group"},
                 {"roleId", reader_}});
  fields["resources"] = QuotasIn(place);
  // What a unit is called and belongs to is settled when it is made.
  if (route.request == "ProjectChange" || route.request == "DepartmentChange") {
    fields.erase("name");
    fields.erase("parentId");
  }
  if (route.request == "[Resources]") fields[""] = fields["resources"];
  if (route.request.starts_with("Template")) {
    fields["environment"] = TargetIn("/api/v1/asset/environment", place);
  }
  if (route.request == "SecretDraft" || route.request == "SecretUpdate") {
    fields["credentialAssetId"] = TargetIn("/api/v1/asset/credentials/generic-secret", place);
  }
  if (route.request.starts_with("Reservation")) {
    fields["start"] = "2030-01-01T00:00:00Z";
    fields["end"] = "2030-01-02T00:00:00Z";
  }
  if (route.request == "RunTags") {
    fields["ids"] = fmt::format(R"(["{}"])", TargetIn("/api/v1/runs", place));
  }
  if (route.request == "RunChartWish") {
    fields["runs"] = fmt::format(R"(["{}"])", TargetIn("/api/v1/runs", place));
  }
  if (route.request == "PriorityOrder") fields["priorityClass"] = "high";
  if (route.request == "StudyDraft") {
    fields["sampler"] = "random";
    fields["objectives"] = R"([{"metric":"loss"}])";
    fields["parameters"] = R"([{"name":"x","low":0,"high":1}])";
  }
  if (route.request == "StudyBudget") fields["maxTrials"] = "1000000";
  if (route.request == "StudyReportDraft") fields["value"] = "1";
  if (route.request == "StudyTell") fields["values"] = "[1]";
  if (route.request == "DryRun") {
    fields["workload"] =
        SampleBody("WorkspaceDraft",
                   {{"name", name}, {"projectId", place.project}, {"clusterId", place.cluster}});
  }
  if (route.request == "WorkloadBatch" || route.request == "WorkloadOrders") {
    fields["ids"] = fmt::format(R"(["{}"])", VictimOf("/api/v1/workloads/workspaces"));
  }
  return fields;
}

std::optional<Request> World::RequestFor(const Route& route) {
  std::optional<std::string> path = PathFor(route);
  std::optional<std::string> query = QueryFor(route);
  if (!path || !query) return std::nullopt;
  if (route.path.starts_with(kPolicies) && !policies_[std::string(route.path)]) {
    PutPolicy(route.path, ours_);
  }
  if (route.path == "/api/v2/policy") PutPolicy("/api/v2/policy/workspaces", ours_);
  return Request{*path + *query, SampleBody(route.request, FieldsFor(route, ours_))};
}

void World::Spend(const Route& route) {
  if (route.request == "WorkloadBatch") victims_.erase("/api/v1/workloads/workspaces");
  if (route.method != http::Method::kDelete) return;
  policies_[std::string(route.path)] = false;
  std::string_view collection = route.path.substr(0, route.path.rfind('/'));
  if (auto known = victims_.find(HomeOf(collection)); known != victims_.end()) {
    victims_.erase(known);
  }
}

std::optional<std::string> World::PathFor(const Route& route) {
  std::string path;
  std::string_view rest = route.path.substr(1);
  std::size_t at = 0;
  for (std::string_view segment : Split(rest, '/')) {
    std::string_view collection = route.path.substr(0, at);
    at += segment.size() + 1;
    if (!segment.starts_with('{')) {
      path += fmt::format("/{}", segment);
      continue;
    }
    std::optional<std::string> id = Segment(route, collection, segment);
    if (!id) return std::nullopt;
    path += "/" + *id;
  }
  return path;
}

std::optional<std::string> World::Segment(const Route& route, std::string_view collection,
                                          std::string_view name) {
  const std::map<std::string_view, std::string> fixed{
      {"{projectId}", ours_.project},
      {"{departmentId}", ours_.department},
      {"{clusterUuid}", ours_.cluster},
      {"{nodepoolName}", "default"},
      {"{settingKey}", "ourmark"},
      {"{port}", "8888"},
      {"{podId}", "00000000-0000-7000-8000-000000000000"}};
  if (name == "{scopeType}") return "project";
  if (name == "{dataSetName}" || name == "{ftpsLogin}" || name == "{takeId}") return "none";
  if (name == "{journalName}") return "ours";
  if (name == "{projectId}" &&
      (route.path.contains("/datasets/") || route.path.contains("/study-journals/"))) {
    return ours_.project;
  }
  if (name == "{scopeId}") return ours_.project;
  if (name == "{trialNumber}") return NewTrial();
  if (name == "{studyId}" && EndsStudy(route.path)) return Make(kStudies, ours_);
  bool deletes = route.method == http::Method::kDelete;
  if (auto known = fixed.find(name); known != fixed.end() && !deletes) return known->second;
  std::string_view home = HomeOf(collection);
  bool makes = home == kOwnApps || home == kTokens ||
               std::ranges::any_of(AllRoutes(), [&](const Route& other) {
                 return other.method == http::Method::kPost && other.path == home;
               });
  if (!makes) return std::nullopt;
  return deletes ? VictimOf(home) : TargetIn(home, ours_);
}

std::optional<std::string> World::QueryFor(const Route& route) {
  bool of_unit = route.path.contains("/org-unit/");
  bool of_project = route.path.contains("/projects/");
  bool of_nodes = route.path.contains("/nodes/");
  // A role that may update puts a file below /data, and one that may not delete leaves it there.
  bool reads_file = route.method == http::Method::kGet && route.path.ends_with("/artifacts/file");
  std::string grouping = of_nodes                ? "TOTAL_GPUS&groupBy=Node"
                         : of_unit && of_project ? "GPU_QUOTA&groupBy=ProjectId"
                         : of_unit               ? "GPU_QUOTA&groupBy=DepartmentId"
                                                 : "WORKLOADS_COUNT&groupBy=ProjectId";
  const std::map<std::string_view, std::string> known{
      {"scope", "project&projectId=" + ours_.project},
      {"start", "2026-01-01T00:00:00Z"},
      {"end", "2027-01-01T00:00:00Z"},
      {"metricType", of_unit ? "GPU_QUOTA" : "GPU_UTILIZATION"},
      {"telemetryType", grouping},
      {"command", "ls"},
      {"name", "loss"},
      {"path", reads_file ? "/none" : "/data"},
      {"upload", "none"},
      {"part", "1"}};
  std::string query;
  for (const QueryParameter& parameter : route.query) {
    if (!parameter.required) continue;
    auto found = known.find(parameter.name);
    if (found == known.end()) return std::nullopt;
    query += fmt::format("{}{}={}", query.empty() ? "?" : "&", found->first, found->second);
  }
  return query;
}

void World::GrowProject() {
  for (std::string_view collection : Collections()) {
    if (!IsPartOfCluster(collection)) Make(collection, ours_);
  }
}

void World::GrowCluster() {
  Make(kNodePools, ours_);
  Make(kNodes, ours_);
}

std::string World::TraceOf(std::string_view body, Judged judged) const {
  bool cluster = judged == Judged::kInsideCluster;
  const std::string& mark = cluster ? ours_.cluster_mark : ours_.mark;
  if (body.contains(mark)) return mark;
  for (const std::string& id : cluster ? ours_.cluster_ids : ours_.ids) {
    if (body.contains(id)) return id;
  }
  return "";
}

}  // namespace yard::api::testing
