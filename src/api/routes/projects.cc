#include <fmt/format.h>

#include "api/list.h"
#include "api/routes/groups.h"
#include "api/routes/org_views.h"
#include "base/strings.h"

namespace yard::api {
namespace {

using control::State;
using control::Txn;

// A project with the state it is seen in, so that columns can look things up.
struct Row {
  const Project* project;
  const State* state;
};

constexpr Column<Row> kColumns[] = {
    {"name", [](const Row& r) -> Cell { return std::string_view(r.project->name); }, true},
    {"id", [](const Row& r) -> Cell { return r.project->id.value; }},
    {"clusterId", [](const Row& r) -> Cell { return FormatUuid(r.project->cluster.value); }},
    {"departmentId", [](const Row& r) -> Cell { return r.project->department.value; }},
    {"parentId", [](const Row& r) -> Cell { return r.project->department.value; }},
    {"parentName",
     [](const Row& r) -> Cell {
       Ptr<Department> parent = r.state->Find<Department>(r.project->department);
       return parent ? Cell(std::string_view(parent->name)) : Cell();
     },
     true},
    {"phase", [](const Row&) -> Cell { return std::string_view("Ready"); }},
    {"totalGpuQuota",
     [](const Row& r) -> Cell {
       std::int64_t milli = 0;
       for (const PoolQuota& q : r.project->resources)
         milli += q.gpu.deserved.value_or(MilliGpu{}).value;
       return static_cast<double>(milli) / 1000;
     }},
    {"createdAt", [](const Row& r) -> Cell { return r.project->stamp.created_at; }},
};

http::Reply ProjectReply(const State& state, const Project& project, int status = 200) {
  std::string out;
  wire::Writer w(out);
  wire::WriteProject(w, ViewOf(state, project));
  return Json(std::move(out), status);
}

Result<ProjectId> IdOf(const Call& call) {
  std::optional<std::int64_t> id = ParseInt(call.Path("projectId"));
  if (!id)
    return Fail(Code::kNotFound, fmt::format("there is no project '{}'", call.Path("projectId")));
  return ProjectId{*id};
}

std::vector<Row> VisibleRows(Call& call) {
  std::vector<Row> rows;
  call.state().Of<Project>().Each([&](const Project& project) {
    if (call.Sees(call.state().PathOf(project))) rows.push_back({&project, &call.state()});
  });
  return rows;
}

Result<Answer> ListProjects(Call& call) {
  std::span<const Column<Row>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  std::vector<Row> rows = VisibleRows(call);
  Page<Row> page = Select(Pointers(rows), columns, query);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("projects");
  w.BeginList();
  for (const Row* row : page.rows) {
    w.Item();
    wire::WriteProject(w, ViewOf(call.state(), *row->project));
  }
  w.EndList();
  w("next", page.next);
  w.End();
  call.NeedsNoScope();
  return Json(std::move(out));
}

Result<Answer> CountProjects(Call& call) {
  std::span<const Column<Row>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  std::vector<Row> rows = VisibleRows(call);
  call.NeedsNoScope();
  return Json(fmt::format(R"({{"count":{}}})", Select(Pointers(rows), columns, query).total));
}

Result<Answer> GetProject(Call& call) {
  YARD_ASSIGN(ProjectId id, IdOf(call));
  YARD_ASSIGN(Ptr<Project> project, control::GetProject(call.state(), id));
  YARD_TRY(call.Require(call.state().PathOf(*project)));
  return ProjectReply(call.state(), *project);
}

// The answer to a change shows the project as the newest state has it.
auto RenderProject(Call& call, int status) {
  return [&call, status](const Ptr<Project>& project) {
    return ProjectReply(*call.service().Read(), *project, status);
  };
}

Result<Answer> CreateProject(Call& call) {
  YARD_ASSIGN(control::OrgUnitDraft draft, ReadDraft(call));
  return Commit([draft](Txn& txn) { return control::CreateProject(txn, draft); },
                RenderProject(call, 201));
}

Result<Answer> UpdateProject(Call& call) {
  YARD_ASSIGN(ProjectId id, IdOf(call));
  YARD_ASSIGN(control::OrgUnitDraft draft, ReadDraft(call));
  return Commit([id, draft](Txn& txn) { return control::UpdateProject(txn, id, draft); },
                RenderProject(call, 200));
}

Result<Answer> EditQuota(Call& call, control::QuotaEdit edit) {
  YARD_ASSIGN(ProjectId id, IdOf(call));
  YARD_ASSIGN(std::vector<PoolQuota> quotas, ReadQuotaBody(call));
  return Commit(
      [id, quotas, edit](Txn& txn) { return control::SetProjectQuota(txn, id, quotas, edit); },
      [&call](const Ptr<Project>& project) {
        return QuotaReply(*call.service().Read(), *project);
      });
}

Result<Answer> PutQuota(Call& call) {
  return EditQuota(call, control::QuotaEdit::kReplace);
}
Result<Answer> PatchQuota(Call& call) {
  return EditQuota(call, control::QuotaEdit::kMerge);
}

Result<Answer> DeleteProject(Call& call) {
  YARD_ASSIGN(ProjectId id, IdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteProject(txn, id); },
                [] { return Empty(204); });
}

}  // namespace

void AddProjectRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/org-unit/projects";
  constexpr std::string_view kOne = "/api/v1/org-unit/projects/{projectId}";
  constexpr std::string_view kQuota = "/api/v1/org-unit/projects/{projectId}/resources";
  constexpr Resource kProject = Resource::kProject;
  routes.insert(
      routes.end(),
      {{kGet, kAll, May(Action::kRead, kProject), ListProjects, "List projects", "", "ProjectList",
        200, ListParameters()},
       {kPost, kAll, May(Action::kCreate, kProject), CreateProject, "Create a project",
        "ProjectDraft", "Project", 201},
       {kGet, "/api/v1/org-unit/projects/count", May(Action::kRead, kProject), CountProjects,
        "Count projects", "", "Count", 200, ListParameters()},
       {kGet, kOne, May(Action::kRead, kProject), GetProject, "Get a project", "", "Project"},
       {kPut, kOne, May(Action::kUpdate, kProject), UpdateProject, "Update a project",
        "OrgUnitUpdate", "Project"},
       {kDelete, kOne, May(Action::kDelete, kProject), DeleteProject, "Delete a project", "", "",
        204},
       {kPut, kQuota, May(Action::kUpdate, kProject), PutQuota, "Replace a project's quotas",
        "[Resources]", "[Resources]"},
       {kPatch, kQuota, May(Action::kUpdate, kProject), PatchQuota, "Change a project's quotas",
        "[Resources]", "[Resources]"}});
}

}  // namespace yard::api
