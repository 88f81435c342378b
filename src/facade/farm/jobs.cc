#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/strings.h"
#include "control/commands/job_definitions.h"
#include "facade/farm/ask.h"
#include "facade/farm/definition.h"
#include "facade/farm/routes.h"
#include "facade/farm/task_draft.h"
#include "wire/fields.h"

namespace yard::facade::farm {
namespace {

using control::Txn;
using serve::Answer;
using serve::Call;

// Farm's patterns are letters, digits, "." for any character and "*" for any number of the one
// before; of these ".*" and plain text are what people write. Others are read as text.
bool Matches(std::string_view name, std::string_view pattern) {
  for (std::size_t at = 0; at != std::string_view::npos;) {
    const std::size_t gap = pattern.find(".*");
    const std::string_view part = pattern.substr(0, gap);
    at = name.find(part, at);
    if (at == std::string_view::npos) return false;
    if (gap == std::string_view::npos) return true;
    at += part.size();
    pattern.remove_prefix(gap + 2);
  }
  return false;
}

Result<Answer> Load(Call& call) {
  YARD_ASSIGN(Ptr<Project> project, ProjectOf(call));
  const std::string_view filter = call.Query("filter").value_or("");
  json::object all;
  for (const auto& [name, setting] : control::JobDefinitionsOf(call.state(), project->id)) {
    if (Matches(name, filter)) all[name] = DefinitionOf(*setting);
  }
  return serve::Json(JsonText(all));
}

std::string SavedJson(std::string_view name, const std::vector<std::string>& ignored) {
  json::object answer{{"job-name", name}, {"success", true}};
  if (!ignored.empty()) answer["ignored"] = json::array(ignored.begin(), ignored.end());
  return JsonText(answer);
}

// A definition that would be refused at every task is refused here.
Status RequireRunnable(Call& call, const Project& project, const json::object& definition) {
  TaskOrder order{.type = std::string(wire::TextOrEmpty(definition, "name")), .user = "nobody"};
  YARD_ASSIGN(TaskSpec made, SpecOf(definition, order));
  return CheckSpec(call, project, made.spec);
}

Result<Answer> Save(Call& call) {
  YARD_ASSIGN(Ptr<Project> project, ProjectOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(ReadDefinition read, CheckDefinition(body));
  std::string name(wire::TextOrEmpty(read.definition, "name"));
  YARD_TRY(control::CheckJobDefinitionName(name));
  YARD_TRY(RequireRunnable(call, *project, read.definition));
  return serve::Commit(
      [id = project->id, name, value = StoredForm(read.definition)](Txn& txn) {
        return control::SaveJobDefinition(txn, id, name, value);
      },
      [name, ignored = std::move(read.ignored)] { return serve::Json(SavedJson(name, ignored)); });
}

// Scripts remove a definition before they save it, so one that is not there is no error.
Result<Answer> Remove(Call& call) {
  YARD_ASSIGN(Ptr<Project> project, ProjectOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  std::string name(wire::TextOrEmpty(body, "job_definition_name"));
  YARD_TRY(control::CheckJobDefinitionName(name));
  return serve::Commit(
      [id = project->id, name](Txn& txn) { return control::RemoveJobDefinition(txn, id, name); },
      [name, in = project->name](bool there) {
        json::object answer{{"job-name", name}, {"success", there}};
        if (!there)
          answer["detail"] = fmt::format("there was no job definition '{}' in '{}'", name, in);
        return serve::Json(JsonText(answer));
      });
}

Result<Answer> SayOk(Call&) {
  return serve::Json(R"("OK")");
}

}  // namespace

void AddJobRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  using serve::May;
  constexpr Resource kDefinitions = Resource::kTemplates;
  routes.insert(routes.end(),
                {{Method::kGet,
                  "/queue/management/jobs/load",
                  May(Action::kRead, kDefinitions),
                  Load,
                  "The job definitions of a project",
                  "",
                  "",
                  200,
                  {{"filter", "string"}}},
                 {Method::kPost, "/queue/management/jobs/save", May(Action::kCreate, kDefinitions),
                  Save, "Save a job definition"},
                 {Method::kPost, "/queue/management/jobs/remove",
                  May(Action::kDelete, kDefinitions), Remove, "Remove a job definition"}});
  for (std::string_view path :
       {"/queue/management/jobs/status", "/queue/management/tasks/status",
        "/queue/management/logs/status", "/queue/management/agents/status"}) {
    routes.push_back({Method::kGet, path, serve::Public(), SayOk, "Whether the service is there"});
  }
}

}  // namespace yard::facade::farm
