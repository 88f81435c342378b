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

bool IsOwn(const State& state, const Principal& who, const Workload& workload) {
  const std::string& owner = workload.stamp.created_by;
  if (EqualsIgnoreCase(who.id, owner)) return true;
  Ptr<User> person = state.UserByEmail(owner);
  return person && who.user == person->id;
}

Status RequireTouch(const State& state, const Principal& who, const Workload& workload,
                    Touch touch) {
  Ptr<Project> project = state.Find<Project>(workload.project);
  WorkAccess access =
      project ? project->work_access.value_or(WorkAccess::kTeam) : WorkAccess::kTeam;
  if (Allows(access, touch) || IsOwn(state, who, workload)) return {};
  if (Authorize(state, who, Resource::kProject, Action::kUpdate, state.PathOf(workload))) return {};
  return Fail(Code::kForbidden,
              fmt::format("workload '{}' is {}'s, and project '{}' keeps its members' work apart",
                          workload.name, workload.stamp.created_by, project->name),
              touch == Touch::kEnter ? "ask the owner, or submit work of your own"
                                     : "ask the owner, or an administrator of the project");
}

}  // namespace yard::control
