#include "api/assets/assets_compliance.h"

#include <algorithm>
#include <array>

#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/strings.h"
#include "control/commands/assets.h"
#include "wire/asset.h"

namespace yard::api {
namespace {

// Fields of an environment that a workload has under `security`.
constexpr std::array<std::string_view, 11> kSecurity{
    "runAsUid",           "runAsGid",     "supplementalGroups",      "uidGidSource",
    "capabilities",       "runAsNonRoot", "readOnlyRootFilesystem",  "hostIpc",
    "seccompProfileType", "hostNetwork",  "allowPrivilegeEscalation"};

json::object EnvironmentPart(const json::object& spec) {
  json::object part;
  json::object security;
  for (const auto& [key, value] : spec) {
    if (key == "connections") continue;
    bool secure = std::ranges::find(kSecurity, std::string_view(key)) != kSecurity.end();
    (secure ? security : part)[key] = value;
  }
  if (!security.empty()) part["security"] = std::move(security);
  return part;
}

// The part of a workload's spec that comes from this asset.
json::object PartOf(const Asset& asset) {
  Result<json::value> parsed = ParseJson(asset.spec.json);
  if (!parsed || !parsed->is_object()) return {};
  json::object& spec = parsed->get_object();
  if (asset.kind == AssetKind::kCompute) return {{"compute", spec}};
  if (asset.kind == AssetKind::kEnvironment) return EnvironmentPart(spec);
  if (!control::IsDataSource(asset.kind)) return {};
  spec["name"] = asset.name;
  return {{"storage", json::object{{wire::StorageKeyOf(asset.kind), json::array{spec}}}}};
}

// Whether an issue is about the asset's own part, not about what it leaves to others.
bool IsAbout(const json::object& part, const FieldIssue& issue) {
  std::string_view field = issue.field;
  return part.contains(field.substr(0, field.find_first_of(".[")));
}

bool IsImposed(const control::State& state, const Asset& asset,
               const control::Submission& submission) {
  control::EffectiveView effective =
      control::EffectiveAt(state, submission.type, Scope::Of(submission.project));
  Result<json::value> policy = ParseJson(effective.json);
  if (!policy || !policy->is_object()) return false;
  const json::value* imposed = policy->get_object().if_contains("imposedAssets");
  std::string id = FormatUuid(asset.id.value);
  return imposed != nullptr && JsonText(*imposed).find(id) != std::string::npos;
}

}  // namespace

Result<std::optional<control::Submission>> ReadSubmission(const Call& call) {
  std::optional<std::string_view> project = call.Query("complyToProject");
  std::optional<std::string_view> type = call.Query("complyToWorkloadType");
  if (!project && !type) return std::optional<control::Submission>();
  std::optional<std::int64_t> id = ParseInt(project.value_or(""));
  Ptr<Project> found = id ? call.state().Find<Project>(ProjectId{*id}) : nullptr;
  if (!found) return Fail(Code::kInvalid, "complyToProject must be the id of a project");
  // The answer tells what the project's policies say.
  const Need& need = call.route().need;
  YARD_TRY(control::Authorize(call.state(), call.who(), need.resource, need.action,
                              call.state().PathOf(*found)));
  std::optional<PolicyType> policy = wire::FromName<PolicyType>(Lower(type.value_or("")));
  if (!policy) {
    return Fail(Code::kInvalid,
                "complyToWorkloadType must be one of Workspace, Training, Distributed, Inference");
  }
  control::Submission submission{*policy, ProjectId{*id}};
  if (call.Query("complyToReplicaType") == "Master") submission.replica = control::Replica::kMaster;
  return std::optional(submission);
}

wire::AssetCompliance ComplianceOf(const control::State& state, const Asset& asset,
                                   const control::Submission& submission) {
  wire::AssetCompliance compliance{.imposed = IsImposed(state, asset, submission)};
  json::object part = PartOf(asset);
  if (part.empty()) return compliance;
  auto issues = control::Compliance(state, submission, JsonText(part));
  if (!issues) return compliance;
  for (FieldIssue& issue : *issues) {
    if (IsAbout(part, issue)) compliance.issues.push_back(std::move(issue));
  }
  return compliance;
}

}  // namespace yard::api
