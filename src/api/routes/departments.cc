#include <fmt/format.h>

#include "api/list.h"
#include "api/routes/groups.h"
#include "api/routes/org_views.h"
#include "base/strings.h"

namespace yard::api {
namespace {

using control::State;
using control::Txn;

// A department with the state it is seen in, so that columns can look things up.
struct Row {
  const Department* department;
  const State* state;
};

constexpr Column<Row> kColumns[] = {
    {"name", [](const Row& r) -> Cell { return std::string_view(r.department->name); }, true},
    {"id", [](const Row& r) -> Cell { return r.department->id.value; }},
    {"clusterId", [](const Row& r) -> Cell { return FormatUuid(r.department->cluster.value); }},
    {"totalGpuQuota",
     [](const Row& r) -> Cell {
       std::int64_t milli = 0;
       for (const PoolQuota& q : r.department->resources)
         milli += q.gpu.deserved.value_or(MilliGpu{}).value;
       return static_cast<double>(milli) / 1000;
     }},
    {"createdAt", [](const Row& r) -> Cell { return r.department->stamp.created_at; }},
};

http::Reply DepartmentReply(const State& state, const Department& department, int status = 200) {
  std::string out;
  wire::Writer w(out);
  wire::WriteDepartment(w, ViewOf(state, department));
  return Json(std::move(out), status);
}

Result<DepartmentId> IdOf(const Call& call) {
  std::optional<std::int64_t> id = ParseInt(call.Path("departmentId"));
  if (!id)
    return Fail(Code::kNotFound,
                fmt::format("there is no department '{}'", call.Path("departmentId")));
  return DepartmentId{*id};
}

std::vector<Row> VisibleRows(Call& call) {
  std::vector<Row> rows;
  call.state().Of<Department>().Each([&](const Department& department) {
    if (call.Sees(call.state().PathOf(department))) rows.push_back({&department, &call.state()});
  });
  return rows;
}

Result<Answer> ListDepartments(Call& call) {
  std::span<const Column<Row>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  std::vector<Row> rows = VisibleRows(call);
  Page<Row> page = Select(Pointers(rows), columns, query);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("departments");
  w.BeginList();
  for (const Row* row : page.rows) {
    w.Item();
    wire::WriteDepartment(w, ViewOf(call.state(), *row->department));
  }
  w.EndList();
  w("next", page.next);
  w.End();
  call.NeedsNoScope();
  return Json(std::move(out));
}

Result<Answer> CountDepartments(Call& call) {
  std::span<const Column<Row>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  std::vector<Row> rows = VisibleRows(call);
  call.NeedsNoScope();
  return Json(fmt::format(R"({{"count":{}}})", Select(Pointers(rows), columns, query).total));
}

Result<Answer> GetDepartment(Call& call) {
  YARD_ASSIGN(DepartmentId id, IdOf(call));
  YARD_ASSIGN(Ptr<Department> department, control::GetDepartment(call.state(), id));
  YARD_TRY(call.Require(call.state().PathOf(*department)));
  return DepartmentReply(call.state(), *department);
}

// The answer to a change shows the department as the newest state has it.
auto RenderDepartment(Call& call, int status) {
  return [&call, status](const Ptr<Department>& department) {
    return DepartmentReply(*call.service().Read(), *department, status);
  };
}

Result<Answer> CreateDepartment(Call& call) {
  YARD_ASSIGN(control::OrgUnitDraft draft, ReadDraft(call));
  return Commit([draft](Txn& txn) { return control::CreateDepartment(txn, draft); },
                RenderDepartment(call, 201));
}

Result<Answer> UpdateDepartment(Call& call) {
  YARD_ASSIGN(DepartmentId id, IdOf(call));
  YARD_ASSIGN(control::OrgUnitDraft draft, ReadDraft(call));
  return Commit([id, draft](Txn& txn) { return control::UpdateDepartment(txn, id, draft); },
                RenderDepartment(call, 200));
}

Result<Answer> EditQuota(Call& call, control::QuotaEdit edit) {
  YARD_ASSIGN(DepartmentId id, IdOf(call));
  YARD_ASSIGN(std::vector<PoolQuota> quotas, ReadQuotaBody(call));
  return Commit(
      [id, quotas, edit](Txn& txn) { return control::SetDepartmentQuota(txn, id, quotas, edit); },
      [&call](const Ptr<Department>& department) {
        return QuotaReply(*call.service().Read(), *department);
      });
}

Result<Answer> PutQuota(Call& call) {
  return EditQuota(call, control::QuotaEdit::kReplace);
}
Result<Answer> PatchQuota(Call& call) {
  return EditQuota(call, control::QuotaEdit::kMerge);
}

Result<Answer> DeleteDepartment(Call& call) {
  YARD_ASSIGN(DepartmentId id, IdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteDepartment(txn, id); },
                [] { return Empty(204); });
}

}  // namespace

void AddDepartmentRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/org-unit/departments";
  constexpr std::string_view kOne = "/api/v1/org-unit/departments/{departmentId}";
  constexpr std::string_view kQuota = "/api/v1/org-unit/departments/{departmentId}/resources";
  constexpr Resource kDepartment = Resource::kDepartment;
  routes.insert(routes.end(),
                {{kGet, kAll, May(Action::kRead, kDepartment), ListDepartments, "List departments",
                  "", "DepartmentList", 200, ListParameters()},
                 {kPost, kAll, May(Action::kCreate, kDepartment), CreateDepartment,
                  "Create a department", "OrgUnitDraft", "Department", 201},
                 {kGet, "/api/v1/org-unit/departments/count", May(Action::kRead, kDepartment),
                  CountDepartments, "Count departments", "", "Count", 200, ListParameters()},
                 {kGet, kOne, May(Action::kRead, kDepartment), GetDepartment, "Get a department",
                  "", "Department"},
                 {kPut, kOne, May(Action::kUpdate, kDepartment), UpdateDepartment,
                  "Update a department", "OrgUnitUpdate", "Department"},
                 {kDelete, kOne, May(Action::kDelete, kDepartment), DeleteDepartment,
                  "Delete a department", "", "", 204},
                 {kPut, kQuota, May(Action::kUpdate, kDepartment), PutQuota,
                  "Replace a department's quotas", "[Resources]", "[Resources]"},
                 {kPatch, kQuota, May(Action::kUpdate, kDepartment), PatchQuota,
                  "Change a department's quotas", "[Resources]", "[Resources]"}});
}

}  // namespace yard::api
