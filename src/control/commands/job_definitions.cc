#include "control/commands/job_definitions.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace yard::control {
namespace {

constexpr std::string_view kPrefix = "farm-job/";
constexpr std::size_t kLongestName = 32;

std::string PrefixOf(ProjectId project) {
  return fmt::format("{}{}/", kPrefix, project.value);
}

std::string DefinitionKey(ProjectId project, std::string_view name) {
  return PrefixOf(project) + std::string(name);
}

bool MayStandInAName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.';
}

// A project that is not there is refused like one out of reach.
Status Require(Txn& txn, ProjectId id, Action action) {
  ScopePath where{.project = id};
  Ptr<Project> project = txn.state().Find<Project>(id);
  if (project) where = txn.state().PathOf(*project);
  YARD_TRY(txn.Require(Resource::kTemplates, action, where));
  if (project) return {};
  return Fail(Code::kNotFound, fmt::format("there is no project {}", id.value));
}

}  // namespace

bool IsJobDefinitionKey(std::string_view key) {
  return key.starts_with(kPrefix);
}

Status CheckJobDefinitionName(std::string_view name) {
  bool fits = !name.empty() && name.size() <= kLongestName;
  if (fits && std::ranges::all_of(name, MayStandInAName)) return {};
  return Fail(Code::kInvalid,
              fmt::format("name: '{}' is no name of a job definition", name.substr(0, 100)),
              fmt::format("use 1 to {} letters, digits, '-' and '.'", kLongestName));
}

Ptr<Setting> FindJobDefinition(const State& state, ProjectId project, std::string_view name) {
  return state.Find<Setting>(DefinitionKey(project, name));
}

std::vector<NamedDefinition> JobDefinitionsOf(const State& state, ProjectId project) {
  std::vector<NamedDefinition> found;
  const std::string prefix = PrefixOf(project);
  state.Of<Setting>().Each([&](const Setting& setting) {
    if (!setting.id.starts_with(prefix)) return;
    found.push_back({setting.id.substr(prefix.size()), state.Find<Setting>(setting.id)});
  });
  std::ranges::sort(found, {}, &NamedDefinition::name);
  return found;
}

Status SaveJobDefinition(Txn& txn, ProjectId project, std::string_view name, Document value) {
  YARD_TRY(Require(txn, project, Action::kCreate));
  YARD_TRY(CheckJobDefinitionName(name));
  Setting setting{
      .id = DefinitionKey(project, name), .value = std::move(value), .stamp = txn.NewStamp()};
  if (Ptr<Setting> current = txn.state().Find<Setting>(setting.id)) {
    YARD_TRY(Require(txn, project, Action::kUpdate));
    if (current->value == setting.value) return {};
    setting.stamp = current->stamp;
    txn.Touch(setting.stamp);
  } else if (JobDefinitionsOf(txn.state(), project).size() >= kMaxJobDefinitions) {
    return Fail(
        Code::kPrecondition,
        fmt::format("the project has {} job definitions, and no more are kept", kMaxJobDefinitions),
        "remove those that nobody needs");
  }
  txn.Put(std::move(setting));
  return {};
}

Result<bool> RemoveJobDefinition(Txn& txn, ProjectId project, std::string_view name) {
  YARD_TRY(Require(txn, project, Action::kDelete));
  std::string key = DefinitionKey(project, name);
  if (!txn.state().Find<Setting>(key)) return false;
  txn.Erase<Setting>(key);
  return true;
}

void EraseJobDefinitions(Txn& txn, ProjectId project) {
  for (const NamedDefinition& one : JobDefinitionsOf(txn.state(), project)) {
    txn.Erase<Setting>(one.setting->id);
  }
}

}  // namespace yard::control
