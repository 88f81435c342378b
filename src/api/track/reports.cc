// Reports: pages in Markdown that members of a project write about its runs.
//
// The text is kept and handed out as it was written; whoever shows it must not take it for HTML.
#include <span>
#include <utility>

#include <fmt/format.h>

#include "api/track/tracked.h"
#include "base/strings.h"
#include "control/commands/org.h"
#include "wire/fields.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::Shared;
using control::TrackTxn;

constexpr std::size_t kMostReports = 500;  // in a project
constexpr std::size_t kMostTextBytes = 256 * 1024;

constexpr Column<Report> kColumns[] = {
    {"id", [](const Report& r) -> Cell { return std::string_view(r.id); }},
    {"title", [](const Report& r) -> Cell { return std::string_view(r.title); }, true},
    {"authorName", [](const Report& r) -> Cell { return std::string_view(r.author); }, true},
    {"editorName", [](const Report& r) -> Cell { return std::string_view(r.editor); }},
    {"createdAt", [](const Report& r) -> Cell { return r.created_at; }},
    {"updatedAt", [](const Report& r) -> Cell { return r.updated_at; }},
};

enum class Parts { kEntry, kAll };

void WriteReport(wire::Writer& w, const Report& report, std::string_view project, Parts parts) {
  w.Begin();
  w("id", report.id);
  w("title", report.title);
  w("projectId", report.project);
  w("projectName", project);
  w("authorName", report.author);
  w("editorName", report.editor);
  w("createdAt", report.created_at);
  w("updatedAt", report.updated_at);
  w("revision", report.revision);
  if (parts == Parts::kAll) w("text", report.text);
  w.End();
}

http::Reply ReportReply(const Report& report, std::string_view project, int status = 200) {
  std::string out;
  wire::Writer w(out);
  WriteReport(w, report, project, Parts::kAll);
  return Json(std::move(out), status);
}

Error NoReport(std::string_view id) {
  return {Code::kNotFound, fmt::format("there is no report '{}'", id),
          "see GET /api/v1/reports for the ids"};
}

// A report that exists, and the name of its project, where the caller may do what the route is
// about.
struct FoundReport {
  Shared<Report> report;
  std::string project;
};
Result<FoundReport> ReportOf(Call& call, const control::Tracking& tracking) {
  std::string_view id = call.Path("reportId");
  Shared<Report> report = tracking.catalog().Find<Report>(id);
  Ptr<Project> project = report ? call.state().Find<Project>(report->project) : nullptr;
  if (!project) return std::unexpected(NoReport(id));
  YARD_TRY(call.Require(call.state().PathOf(*project)));
  return FoundReport{std::move(report), project->name};
}

Result<std::string> TextIn(const json::object& body) {
  std::string_view text = wire::TextOrEmpty(body, "text");
  if (text.size() <= kMostTextBytes) return std::string(text);
  return Fail(Code::kTooLarge,
              fmt::format("a report has at most {} KiB; this one has {}", kMostTextBytes / 1024,
                          text.size() / 1024),
              "split it, or log long tables as artifacts of a run");
}

Result<Answer> List(Call& call) {
  VisibleProjects projects = ProjectsOf(call);
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  std::span<const Column<Report>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  auto reports = tracking->catalog().Select<Report>(
      [&](const Report& report) { return projects.contains(report.project); });
  std::vector<const Report*> rows;
  for (const Shared<Report>& report : reports) rows.push_back(report.get());
  Page<Report> page = Select(rows, columns, query);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("reports");
  w.BeginList();
  for (const Report* report : page.rows) {
    w.Item();
    WriteReport(w, *report, projects.at(report->project), Parts::kEntry);
  }
  w.EndList();
  w("next", page.next);
  w.End();
  return JsonPage(std::move(out), page.total);
}

Result<Answer> Get(Call& call) {
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_ASSIGN(FoundReport found, ReportOf(call, *tracking));
  return ReportReply(*found.report, found.project);
}

Result<Answer> Create(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  ProjectId project{wire::WholeOf(body, "projectId").value_or(0)};
  YARD_ASSIGN(Ptr<Project> home, control::GetProject(call.state(), project));
  YARD_TRY(call.Require(call.state().PathOf(*home)));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_ASSIGN(std::string text, TextIn(body));
  auto report =
      std::make_shared<Report>(Report{.project = project,
                                      .title = std::string(wire::TextOrEmpty(body, "title")),
                                      .text = std::move(text),
                                      .author = call.who().id,
                                      .editor = call.who().id});
  auto change = [report](TrackTxn& txn) -> Status {
    auto here = [&](const Report& other) { return other.project == report->project; };
    if (txn.Count<Report>(here) >= kMostReports) {
      return Fail(Code::kConflict, fmt::format("the project has {} reports already", kMostReports),
                  "delete one that nobody reads");
    }
    report->id = txn.NewId();
    report->created_at = report->updated_at = txn.now();
    txn.Put(Report(*report));
    return {};
  };
  return Store(*tracking, std::move(change),
               [report, name = home->name] { return ReportReply(*report, name, 201); });
}

// With a revision, it refuses to write over what somebody else has changed since.
Result<Answer> Change(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_ASSIGN(FoundReport found, ReportOf(call, *tracking));
  YARD_ASSIGN(std::string text, TextIn(body));
  auto wanted = std::make_shared<Report>(*found.report);
  wanted->title = wire::TextOrEmpty(body, "title");
  wanted->text = std::move(text);
  wanted->editor = call.who().id;
  auto change = [wanted, seen = wire::WholeOf(body, "revision")](TrackTxn& txn) -> Status {
    Shared<Report> now = txn.Find<Report>(wanted->id);
    if (!now) return std::unexpected(NoReport(wanted->id));
    if (seen && *seen != now->revision) {
      return Fail(Code::kConflict,
                  fmt::format("{} has changed the report since you opened it", now->editor),
                  "keep your text, open the report again and put your change into it");
    }
    wanted->revision = now->revision + 1;
    wanted->updated_at = txn.now();
    txn.Put(Report(*wanted));
    return {};
  };
  return Store(*tracking, std::move(change),
               [wanted, name = found.project] { return ReportReply(*wanted, name); });
}

Result<Answer> Delete(Call& call) {
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_ASSIGN(FoundReport found, ReportOf(call, *tracking));
  auto change = [id = found.report->id](TrackTxn& txn) -> Status {
    txn.Remove<Report>(id);
    return {};
  };
  return Store(*tracking, change, [] { return Empty(204); });
}

std::vector<QueryParameter> ReportListParameters() {
  std::vector<QueryParameter> parameters = ListParameters();
  parameters.push_back({"projectId", "int"});
  return parameters;
}

}  // namespace

void AddReportRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/reports";
  constexpr std::string_view kOne = "/api/v1/reports/{reportId}";
  routes.insert(routes.end(),
                {{kGet, kAll, kReadRuns, List, "List reports about runs", "", "ReportList", 200,
                  ReportListParameters()},
                 {kPost, kAll, kCreateRuns, Create, "Write a report", "ReportDraft", "Report", 201},
                 {kGet, kOne, kReadRuns, Get, "Get a report", "", "Report"},
                 {kPut, kOne, kUpdateRuns, Change, "Change a report", "ReportChange", "Report"},
                 {kDelete, kOne, kDeleteRuns, Delete, "Delete a report", "", "", 204}});
}

}  // namespace yard::api
