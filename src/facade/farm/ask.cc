#include "facade/farm/ask.h"

#include <fmt/format.h>

#include "control/auth/access.h"
#include "facade/farm/task.h"

namespace yard::facade::farm {
namespace {

constexpr std::string_view kOnProject = "/farm/{project}/";

std::unexpected<Error> NoProject(std::string_view name) {
  return Fail(Code::kNotFound, fmt::format("there is no project '{}'", name),
              "correct the name in /farm/PROJECT of the address");
}

bool NamesProject(const serve::Call& call) {
  return call.route().path.starts_with(kOnProject);
}

// Whether anything of the project may be seen at all by this route's kind of caller.
bool IsKnown(serve::Call& call, const Project& project) {
  return control::Authorize(call.state(), call.who(), call.route().need.resource, Action::kRead,
                            call.state().PathOf(project))
      .has_value();
}

Result<Ptr<Project>> NamedProject(serve::Call& call) {
  const std::string_view name = call.Path("project");
  Ptr<Project> found;
  call.state().Of<Project>().Each([&](const Project& project) {
    if (project.name == name) found = call.state().Find<Project>(project.id);
    return !found;
  });
  if (!found || !IsKnown(call, *found)) {
    call.NeedsNoScope();
    return NoProject(name);
  }
  YARD_TRY(call.Require(call.state().PathOf(*found)));
  return found;
}

}  // namespace

Result<std::set<ProjectId>> VisibleProjects(serve::Call& call) {
  std::set<ProjectId> visible;
  if (NamesProject(call)) {
    YARD_ASSIGN(Ptr<Project> project, NamedProject(call));
    visible.insert(project->id);
    return visible;
  }
  call.NeedsNoScope();
  call.state().Of<Project>().Each([&](const Project& project) {
    if (call.Sees(call.state().PathOf(project))) visible.insert(project.id);
  });
  return visible;
}

Result<Ptr<Project>> ProjectOf(serve::Call& call) {
  if (NamesProject(call)) return NamedProject(call);
  YARD_ASSIGN(std::set<ProjectId> visible, VisibleProjects(call));
  if (visible.size() == 1) return call.state().Find<Project>(*visible.begin());
  if (visible.empty()) {
    return Fail(Code::kForbidden, fmt::format("{} has no project for this", call.who().id),
                "ask an administrator for a role in a project");
  }
  const std::string first = call.state().Find<Project>(*visible.begin())->name;
  return Fail(Code::kInvalid, "you have several projects, and the request names none",
              fmt::format("add /farm/{} to FARM_URL", first));
}

std::unexpected<Error> NoTask(std::string_view id) {
  return Fail(Code::kNotFound, fmt::format("there is no task '{}'", id));
}

Result<Ptr<Workload>> TaskOf(serve::Call& call, std::string_view id) {
  call.NeedsNoScope();  // each way out of here has looked at the task's own project
  std::optional<Uuid> uuid = ParseUuid(id);
  Ptr<Workload> workload = uuid ? call.state().FindEver(WorkloadId{*uuid}) : nullptr;
  if (!workload || workload->deleted_at || !IsTask(*workload)) return NoTask(id);
  Ptr<Project> project = call.state().Find<Project>(workload->project);
  if (!project || !IsKnown(call, *project)) return NoTask(id);
  if (NamesProject(call) && project->name != call.Path("project")) return NoTask(id);
  YARD_TRY(call.Require(call.state().PathOf(*workload)));
  return workload;
}

}  // namespace yard::facade::farm
