// Departments and projects: served alike, by one template over what tells them apart.
#include <fmt/format.h>

#include "api/groups.h"
#include "api/handler.h"
#include "api/org/org_views.h"
#include "base/strings.h"

namespace yard::api {
namespace {

using control::QuotaEdit;
using control::State;
using control::Txn;

// A unit with the state it is seen in, so that columns can look things up.
template <class T>
struct Row {
  const T* unit;
  const State* state;
};

template <class T>
Cell TotalGpuQuota(const Row<T>& r) {
  std::int64_t milli = 0;
  for (const PoolQuota& q : r.unit->resources) milli += q.gpu.deserved.value_or(MilliGpu{}).value;
  return static_cast<double>(milli) / 1000;
}

Cell ParentName(const Row<Project>& r) {
  Ptr<Department> parent = r.state->Find<Department>(r.unit->department);
  return parent ? Cell(std::string_view(parent->name)) : Cell();
}

template <class T>
constexpr Column<Row<T>> kName{
    "name", [](const Row<T>& r) -> Cell { return std::string_view(r.unit->name); }, true};
template <class T>
constexpr Column<Row<T>> kId{"id", [](const Row<T>& r) -> Cell { return r.unit->id.value; }};
template <class T>
constexpr Column<Row<T>> kCluster{
    "clusterId", [](const Row<T>& r) -> Cell { return FormatUuid(r.unit->cluster.value); }};
template <class T>
constexpr Column<Row<T>> kQuotaSum{"totalGpuQuota", TotalGpuQuota<T>};
template <class T>
constexpr Column<Row<T>> kCreatedAt{
    "createdAt", [](const Row<T>& r) -> Cell { return r.unit->stamp.created_at; }};

struct Departments {
  using Unit = Department;
  static constexpr std::string_view kNoun = "department";
  static constexpr std::string_view kList = "departments";
  static constexpr std::string_view kParameter = "departmentId";
  static constexpr Column<Row<Unit>> kColumns[] = {kName<Unit>, kId<Unit>, kCluster<Unit>,
                                                   kQuotaSum<Unit>, kCreatedAt<Unit>};
  static constexpr auto kGet = control::GetDepartment;
  static constexpr auto kCreate = control::CreateDepartment;
  static constexpr auto kUpdate = control::UpdateDepartment;
  static constexpr auto kSetQuota = control::SetDepartmentQuota;
  static constexpr auto kDelete = control::DeleteDepartment;
  static constexpr auto kWrite = wire::WriteDepartment;
};

struct Projects {
  using Unit = Project;
  static constexpr std::string_view kNoun = "project";
  static constexpr std::string_view kList = "projects";
  static constexpr std::string_view kParameter = "projectId";
  static constexpr Column<Row<Unit>> kColumns[] = {
      kName<Unit>,
      kId<Unit>,
      kCluster<Unit>,
      {"departmentId", [](const Row<Unit>& r) -> Cell { return r.unit->department.value; }},
      {"parentId", [](const Row<Unit>& r) -> Cell { return r.unit->department.value; }},
      {"parentName", ParentName, true},
      {"phase", [](const Row<Unit>&) -> Cell { return std::string_view("Ready"); }},
      kQuotaSum<Unit>,
      kCreatedAt<Unit>,
  };
  static constexpr auto kGet = control::GetProject;
  static constexpr auto kCreate = control::CreateProject;
  static constexpr auto kUpdate = control::UpdateProject;
  static constexpr auto kSetQuota = control::SetProjectQuota;
  static constexpr auto kDelete = control::DeleteProject;
  static constexpr auto kWrite = wire::WriteProject;
};

// Promises to others are for people who may see all of them.
control::Overbooked OverbookedFor(const Call& call) {
  control::Access access(call.state(), call.who());
  if (!access.May(Resource::kDepartment, Action::kRead, ScopePath{})) return {};
  return control::Overbooked(call.state());
}

// The handlers of one kind of unit.
template <class Kind>
struct Handlers {
  using Unit = typename Kind::Unit;
  using Id = typename Unit::Id;

  static http::Reply UnitReply(const State& state, const control::Overbooked& overbooked,
                               const Unit& unit, int status = 200) {
    std::string out;
    wire::Writer w(out);
    Kind::kWrite(w, ViewOf(state, overbooked, unit));
    return Json(std::move(out), status);
  }

  static Result<Id> IdOf(const Call& call) {
    std::string_view text = call.Path(Kind::kParameter);
    if (std::optional<std::int64_t> id = ParseInt(text)) return Id{*id};
    return Fail(Code::kNotFound, fmt::format("there is no {} '{}'", Kind::kNoun, text),
                fmt::format("see GET /api/v1/org-unit/{} for the ids", Kind::kList));
  }

  static std::vector<Row<Unit>> VisibleRows(Call& call) {
    std::vector<Row<Unit>> rows;
    call.state().template Of<Unit>().Each([&](const Unit& unit) {
      if (call.Sees(call.state().PathOf(unit))) rows.push_back({&unit, &call.state()});
    });
    // With no unit there was none to check.
    call.NeedsNoScope();
    return rows;
  }

  static Result<Answer> List(Call& call) {
    std::span<const Column<Row<Unit>>> columns = Kind::kColumns;
    YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
    std::vector<Row<Unit>> rows = VisibleRows(call);
    Page<Row<Unit>> page = Select(Pointers(rows), columns, query);
    const control::Overbooked overbooked = OverbookedFor(call);
    std::string out;
    wire::Writer w(out);
    w.Begin();
    w.Key(Kind::kList);
    w.BeginList();
    for (const Row<Unit>* row : page.rows) {
      w.Item();
      Kind::kWrite(w, ViewOf(call.state(), overbooked, *row->unit));
    }
    w.EndList();
    w("next", page.next);
    w.End();
    return Json(std::move(out));
  }

  static Result<Answer> Count(Call& call) {
    std::span<const Column<Row<Unit>>> columns = Kind::kColumns;
    YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
    std::vector<Row<Unit>> rows = VisibleRows(call);
    return Json(fmt::format(R"({{"count":{}}})", Select(Pointers(rows), columns, query).total));
  }

  static Result<Answer> Get(Call& call) {
    YARD_ASSIGN(Id id, IdOf(call));
    YARD_ASSIGN(Ptr<Unit> unit, Kind::kGet(call.state(), id));
    YARD_TRY(call.Require(call.state().PathOf(*unit)));
    return UnitReply(call.state(), OverbookedFor(call), *unit);
  }

  // The answer to a change shows the unit as the newest state has it.
  static auto Render(Call& call, int status) {
    return [&call, status](const Ptr<Unit>& unit) {
      return UnitReply(*call.service().Read(), control::Overbooked(), *unit, status);
    };
  }

  static Result<Answer> Create(Call& call) {
    YARD_ASSIGN(control::OrgUnitDraft draft, ReadDraft(call));
    return Commit([draft](Txn& txn) { return Kind::kCreate(txn, draft); }, Render(call, 201));
  }

  static Result<Answer> Update(Call& call) {
    YARD_ASSIGN(Id id, IdOf(call));
    YARD_ASSIGN(control::OrgUnitDraft draft, ReadDraft(call));
    return Commit([id, draft](Txn& txn) { return Kind::kUpdate(txn, id, draft); },
                  Render(call, 200));
  }

  template <QuotaEdit kEdit>
  static Result<Answer> EditQuota(Call& call) {
    YARD_ASSIGN(Id id, IdOf(call));
    YARD_ASSIGN(std::vector<PoolQuota> quotas, ReadQuotaBody(call));
    return Commit(
        [id, quotas](Txn& txn) { return Kind::kSetQuota(txn, id, quotas, kEdit); },
        [&call](const Ptr<Unit>& unit) { return QuotaReply(*call.service().Read(), *unit); });
  }

  static Result<Answer> Delete(Call& call) {
    YARD_ASSIGN(Id id, IdOf(call));
    return Commit([id](Txn& txn) { return Kind::kDelete(txn, id); }, [] { return Empty(204); });
  }
};

}  // namespace

void AddDepartmentRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  using H = Handlers<Departments>;
  constexpr std::string_view kAll = "/api/v1/org-unit/departments";
  constexpr std::string_view kOne = "/api/v1/org-unit/departments/{departmentId}";
  constexpr std::string_view kQuota = "/api/v1/org-unit/departments/{departmentId}/resources";
  constexpr Need kRead = May(Action::kRead, Resource::kDepartment);
  constexpr Need kUpdate = May(Action::kUpdate, Resource::kDepartment);
  routes.insert(routes.end(), {{kGet, kAll, kRead, H::List, "List departments", "",
                                "DepartmentList", 200, ListParameters()},
                               {kPost, kAll, May(Action::kCreate, Resource::kDepartment), H::Create,
                                "Create a department", "DepartmentDraft", "Department", 201},
                               {kGet, "/api/v1/org-unit/departments/count", kRead, H::Count,
                                "Count departments", "", "Count", 200, ListParameters()},
                               {kGet, kOne, kRead, H::Get, "Get a department", "", "Department"},
                               {kPut, kOne, kUpdate, H::Update, "Update a department",
                                "DepartmentChange", "Department"},
                               {kDelete, kOne, May(Action::kDelete, Resource::kDepartment),
                                H::Delete, "Delete a department", "", "", 204},
                               {kPut, kQuota, kUpdate, H::EditQuota<QuotaEdit::kReplace>,
                                "Replace a department's quotas", "[Resources]", "[Resources]"},
                               {kPatch, kQuota, kUpdate, H::EditQuota<QuotaEdit::kMerge>,
                                "Change a department's quotas", "[Resources]", "[Resources]"}});
}

void AddProjectRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  using H = Handlers<Projects>;
  constexpr std::string_view kAll = "/api/v1/org-unit/projects";
  constexpr std::string_view kOne = "/api/v1/org-unit/projects/{projectId}";
  constexpr std::string_view kQuota = "/api/v1/org-unit/projects/{projectId}/resources";
  constexpr Need kRead = May(Action::kRead, Resource::kProject);
  constexpr Need kUpdate = May(Action::kUpdate, Resource::kProject);
  routes.insert(
      routes.end(),
      {{kGet, kAll, kRead, H::List, "List projects", "", "ProjectList", 200, ListParameters()},
       {kPost, kAll, May(Action::kCreate, Resource::kProject), H::Create, "Create a project",
        "ProjectDraft", "Project", 201},
       {kGet, "/api/v1/org-unit/projects/count", kRead, H::Count, "Count projects", "", "Count",
        200, ListParameters()},
       {kGet, kOne, kRead, H::Get, "Get a project", "", "Project"},
       {kPut, kOne, kUpdate, H::Update, "Update a project", "ProjectChange", "Project"},
       {kDelete, kOne, May(Action::kDelete, Resource::kProject), H::Delete, "Delete a project", "",
        "", 204},
       {kPut, kQuota, kUpdate, H::EditQuota<QuotaEdit::kReplace>, "Replace a project's quotas",
        "[Resources]", "[Resources]"},
       {kPatch, kQuota, kUpdate, H::EditQuota<QuotaEdit::kMerge>, "Change a project's quotas",
        "[Resources]", "[Resources]"}});
}

}  // namespace yard::api
