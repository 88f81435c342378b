#include "facade/farm/task_draft.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/refuse.h"
#include "base/strings.h"
#include "control/auth/secrets.h"
#include "control/commands/assets.h"
#include "control/commands/job_definitions.h"
#include "control/policy/comply.h"
#include "control/policy/credential_rules.h"
#include "facade/farm/definition.h"
#include "facade/farm/requirements.h"
#include "serve/server.h"
#include "wire/asset.h"
#include "wire/fields.h"
#include "wire/schema.h"

namespace yard::facade::farm {
namespace {

std::unexpected<Error> NoDefinition(const control::State& state, const Project& project,
                                    std::string_view name) {
  std::vector<std::string> names;
  for (const auto& one : control::JobDefinitionsOf(state, project.id)) names.push_back(one.name);
  std::vector<std::string_view> views(names.begin(), names.end());
  std::optional<std::string_view> near = Nearest(name, views);
  return Fail(Code::kNotFound,
              fmt::format("there is no job definition '{}' in project '{}'", name, project.name),
              near ? fmt::format("did you mean '{}'?", *near)
                   : "save it first, with POST /queue/management/jobs/save");
}

Result<json::object> FindDefinition(const control::State& state, const Project& project,
                                    std::string_view name) {
  Ptr<Setting> setting = control::FindJobDefinition(state, project.id, name);
  if (!setting) return NoDefinition(state, project, name);
  json::object definition = DefinitionOf(*setting);
  if (wire::FlagOrFalse(definition, "active")) return definition;
  return Fail(Code::kPrecondition, fmt::format("the job definition '{}' is not active", name),
              "save it with active: true");
}

// The credential that work of the project may use under that name.
Ptr<Asset> FindCredential(const control::State& state, const ScopePath& where,
                          std::string_view name) {
  Ptr<Asset> found;
  state.Of<Asset>().Each([&](const Asset& asset) {
    std::optional<ScopePath> path = state.PathOf(asset.scope);
    if (asset.name != name || !control::IsCredential(asset.kind) || !path || !path->Covers(where))
      return true;
    found = state.Find<Asset>(asset.id);
    return false;
  });
  return found;
}

Result<wire::SecretValues> OpenCredential(serve::Call& call, const Asset& asset) {
  std::string secret;
  if (!asset.sealed_secret.empty()) {
    const control::Vault* vault = call.server().vault();
    if (vault == nullptr) return Fail(Code::kUnavailable, "this server cannot open secrets");
    YARD_ASSIGN(secret, vault->Open(asset.sealed_secret));
  }
  return wire::ReadSecretValues(asset, secret);
}

bool IsVariableName(std::string_view name) {
  auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && std::ranges::all_of(name, fits) && (name[0] < '0' || name[0] > '9');
}

// Every key of the credential becomes a variable unless the task sets one of that name itself. Only
// names leave here: the work's engine is given the values when it starts.
Status AddCredential(serve::Call& call, const ScopePath& where, const std::string& name,
                     json::array& variables) {
  if (!control::MayUseCredentials(call.state(), call.who(), where)) {
    return Fail(Code::kForbidden, fmt::format("{} may not use credentials here", call.who().id),
                "ask an administrator for a role that may read credentials in the project");
  }
  Ptr<Asset> asset = FindCredential(call.state(), where, name);
  if (!asset) {
    return Fail(Code::kInvalid,
                fmt::format("capacity_requirements.env_from: there is no credential '{}'", name),
                "make one of that name in the project, or remove it from the job definition");
  }
  YARD_ASSIGN(wire::SecretValues values, OpenCredential(call, *asset));
  for (const auto& [key, value] : values) {
    auto sets = [&](const json::value& one) {
      return one.as_object().at("name").as_string() == key;
    };
    if (!IsVariableName(key) || key == "existingSecretName") continue;
    if (std::ranges::any_of(variables, sets)) continue;
    variables.push_back(
        json::object{{"name", key}, {"secret", json::object{{"name", name}, {"key", key}}}});
  }
  return {};
}

Workload WorkloadIn(const Project& project) {
  Workload workload;
  workload.type = WorkloadType::kTraining;
  workload.project = project.id;
  workload.cluster = project.cluster;
  return workload;
}

Status Validate(const json::object& spec) {
  return RefuseFields(wire::SchemaSet::Api().Validate("TrainingSpec", json::value(spec)).issues);
}

}  // namespace

Status CheckSpec(serve::Call& call, const Project& project, const json::object& spec) {
  YARD_TRY(Validate(spec));
  Workload workload = WorkloadIn(project);
  return control::Comply(call.state(), workload, {.spec = &spec});
}

Result<control::WorkloadDraft> DraftOf(serve::Call& call, const Project& project,
                                       const TaskOrder& order) {
  YARD_ASSIGN(json::object definition, FindDefinition(call.state(), project, order.type));
  YARD_ASSIGN(TaskSpec made, SpecOf(definition, order));
  const ScopePath where = call.state().PathOf(project);
  json::array& variables = made.spec["environmentVariables"].as_array();
  for (const std::string& name : made.credentials) {
    YARD_TRY(AddCredential(call, where, name, variables));
  }
  YARD_TRY(Validate(made.spec));
  control::WorkloadDraft draft{.workload = WorkloadIn(project), .naming = control::Naming::kNumber};
  draft.workload.name = WorkloadName(order.type);
  YARD_TRY(control::Comply(call.state(), draft.workload, {.spec = &made.spec}));
  return draft;
}

}  // namespace yard::facade::farm
