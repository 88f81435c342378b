// Job definitions of Omniverse Farm: by name in a project, what a task of that name runs.
//
// Kept among the settings, one for each definition, so that they are journaled and in every
// backup; the facade reads and writes what is inside. A project has at most kMaxJobDefinitions.
// Whoever may make, change and delete templates in the project may do so with definitions.
// Commands run on the reactor thread; lookups only read a State.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/asset.h"

namespace yard::control {

inline constexpr std::size_t kMaxJobDefinitions = 200;

// Whether a setting is one; such settings are not shown as settings.
bool IsJobDefinitionKey(std::string_view key);

// Farm's own rule for names, which end up in addresses.
Status CheckJobDefinitionName(std::string_view name);

// By name; null if there is none.
Ptr<Setting> FindJobDefinition(const State& state, ProjectId project, std::string_view name);
struct NamedDefinition {
  std::string name;
  Ptr<Setting> setting;
};
// In the order of their names.
std::vector<NamedDefinition> JobDefinitionsOf(const State& state, ProjectId project);

// Makes it or replaces the one of that name.
Status SaveJobDefinition(Txn& txn, ProjectId project, std::string_view name, Document value);
// Gives false if there is none of that name.
Result<bool> RemoveJobDefinition(Txn& txn, ProjectId project, std::string_view name);
// All of a project that goes.
void EraseJobDefinitions(Txn& txn, ProjectId project);

}  // namespace yard::control
