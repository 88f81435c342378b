#include "control/policy/own_work.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::control {
namespace {

bool Allows(WorkAccess access, Touch touch) {
  switch (access) {
    case WorkAccess::kTeam:
      return true;
    case WorkAccess::kGuarded:
      return touch == Touch::kOrder;
    case WorkAccess::kPrivate:
      return false;
  }
  return false;
}

}  // namespace

bool IsOwn(const State& state, const Principal& who, std::string_view owner) {
  if (EqualsIgnoreCase(who.id, owner)) return true;
  Ptr<User> person = state.UserByEmail(owner);
  return person && who.user == person->id;
}

bool IsOwn(const State& state, const Principal& who, const Workload& workload) {
  return IsOwn(state, who, workload.stamp.created_by);
}

Status RequireTouch(const State& state, const Principal& who, const Owned& owned, Touch touch) {
  Ptr<Project> project = state.Find<Project>(owned.project);
  WorkAccess access =
      project ? project->work_access.value_or(WorkAccess::kTeam) : WorkAccess::kTeam;
  if (Allows(access, touch) || IsOwn(state, who, owned.owner)) return {};
  if (Authorize(state, who, Resource::kProject, Action::kUpdate, state.PathOf(*project))) return {};
  return Fail(Code::kForbidden,
              fmt::format("{} '{}' is {}'s, and project '{}' keeps its members' work apart",
                          owned.kind, owned.name, owned.owner, project->name),
              touch == Touch::kEnter ? "ask the owner, or submit work of your own"
                                     : "ask the owner, or an administrator of the project");
}

Status RequireTouch(const State& state, const Principal& who, const Workload& workload,
                    Touch touch) {
  const Owned owned{.kind = "workload",
                    .name = workload.name,
                    .owner = workload.stamp.created_by,
                    .project = workload.project};
  return RequireTouch(state, who, owned, touch);
}

}  // namespace yard::control
