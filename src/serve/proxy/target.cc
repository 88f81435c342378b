#include "serve/proxy/target.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"
#include "control/commands/workloads.h"
#include "control/policy/own_work.h"
#include "http/url.h"
#include "model/reserved_names.h"

namespace yard::serve {
namespace {

Ptr<Project> ProjectByName(const control::State& state, std::string_view name) {
  Ptr<Project> found;
  state.Of<Project>().Each([&](const Project& project) {
    if (project.name != name) return true;
    found = state.Find<Project>(project.id);
    return false;
  });
  return found;
}

bool IsNamed(const Tool& tool, const control::Principal& who) {
  auto same_user = [&](const std::string& user) { return EqualsIgnoreCase(user, who.id); };
  return std::ranges::any_of(tool.users, same_user) ||
         std::ranges::any_of(tool.groups, [&](const std::string& group) {
           return std::ranges::find(who.groups, group) != who.groups.end();
         });
}

}  // namespace

std::optional<ToolPlace> FindToolPlace(const control::State& state, std::string_view path) {
  if (!path.starts_with('/')) return std::nullopt;
  std::size_t second = path.find('/', 1);
  if (second == std::string_view::npos || second == 1) return std::nullopt;
  std::size_t end = std::min(path.find('/', second + 1), path.size());
  Result<std::string> project_name = http::DecodePercent(path.substr(1, second - 1));
  Result<std::string> name = http::DecodePercent(path.substr(second + 1, end - second - 1));
  if (!project_name || !name || IsReservedName(*project_name)) return std::nullopt;
  Ptr<Project> project = ProjectByName(state, *project_name);
  if (!project) return std::nullopt;
  Ptr<Workload> workload = state.WorkloadByName(project->id, *name);
  if (!workload) return std::nullopt;
  return ToolPlace{std::move(workload), std::string(path.substr(0, end))};
}

Result<Tool> ToolOf(const Workload& workload) {
  const ReachSpec& reach = *workload.spec->reach;
  if (!reach.urls.empty()) return reach.urls.front();
  if (reach.serving) return *reach.serving;
  return Fail(Code::kNotFound, fmt::format("workload '{}' exposes no tool", workload.name),
              "name its port in spec.exposedUrls");
}

Status MayUse(const control::State& state, const control::Principal& who, const Workload& workload,
              const Tool& tool) {
  ScopePath where = state.PathOf(workload);
  Resource resource = control::ResourceOf(workload.type);
  YARD_TRY(control::Authorize(state, who, resource, Action::kRead, where));
  bool own = EqualsIgnoreCase(workload.stamp.created_by, who.id);
  if (own || tool.open_to_all || IsNamed(tool, who)) return {};
  if (!tool.users.empty() || !tool.groups.empty()) {
    return Fail(
        Code::kForbidden,
        fmt::format("{} is not among those whom workload '{}' lets in", who.id, workload.name),
        "ask its owner to name you in authorizedUsers");
  }
  YARD_TRY(control::Authorize(state, who, resource, Action::kUpdate, where));
  return control::RequireTouch(state, who, workload, control::Touch::kEnter);
}

}  // namespace yard::serve
