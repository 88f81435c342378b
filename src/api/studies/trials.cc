// Trials of a study: list, get, ask for one, add one, report and tell.
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/studies/routes.h"
#include "api/studies/views.h"
#include "serve/server.h"
#include "wire/fields.h"
#include "wire/study.h"

namespace yard::api {
namespace {

using control::SharedStudy;
using control::StudyEngine;
using control::StudyView;
using control::TrialOutcome;
using control::TrialValues;

constexpr Column<StudyTrial> kColumns[] = {
    {"number", [](const StudyTrial& t) -> Cell { return t.number; }},
    {"state", [](const StudyTrial& t) -> Cell { return wire::ToName(t.phase); }},
    {"origin", [](const StudyTrial& t) -> Cell { return std::string_view(t.origin); }},
    {"value",
     [](const StudyTrial& t) -> Cell {
       if (t.results.empty()) return std::monostate{};
       return t.results.front();
     }},
    {"createdAt", [](const StudyTrial& t) -> Cell { return t.created_at; }},
};

Result<Answer> List(Call& call) {
  YARD_ASSIGN(SharedStudy view, AllowedStudy(call));
  std::span<const Column<StudyTrial>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  std::vector<const StudyTrial*> rows;
  rows.reserve(view->trials.size());
  for (const auto& trial : view->trials) rows.push_back(trial.get());
  Page<StudyTrial> page = Select(rows, columns, query);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("trials");
  w.BeginList();
  for (const StudyTrial* row : page.rows) {
    w.Item();
    w.Begin();
    wire::WriteTrial(w, view->study, *row);
    w.End();
  }
  w.EndList();
  w("next", page.next);
  w.End();
  return JsonPage(std::move(out), page.total);
}

Result<Answer> Get(Call& call) {
  YARD_ASSIGN(SharedStudy view, AllowedStudy(call));
  YARD_ASSIGN(std::int64_t number, TrialNumberOf(call, *view));
  return Json(TrialJson(*view, *view->trials[static_cast<std::size_t>(number)]));
}

// A number, or one of the words that JSON has none for.
Result<double> ReadNumber(std::string_view field, const json::value& value) {
  if (const json::string* text = value.if_string()) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (*text == "nan" || *text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (*text == "inf" || *text == "Infinity") return kInfinity;
    if (*text == "-inf" || *text == "-Infinity") return -kInfinity;
  }
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  json::error_code error;
  double number = value.to_number<double>(error);
  if (!error) return number;
  return Fail(Code::kInvalid, fmt::format("{}: a value is a number, \"nan\" or \"inf\"", field));
}

Result<std::vector<double>> ReadNumbers(const json::object& body) {
  std::vector<double> out;
  for (const json::value& value : wire::ListOrEmpty(body, "values")) {
    YARD_ASSIGN(double number, ReadNumber("values", value));
    out.push_back(number);
  }
  return out;
}

// What the order has made, for the answer.
struct Made {
  std::int64_t number = 0;
};

StudyRender TrialReply(std::shared_ptr<Made> made, int status) {
  return [made = std::move(made), status](const StudyView& view) {
    const auto index = static_cast<std::size_t>(made->number);
    return Json(TrialJson(view, *view.trials[index]), status);
  };
}

Result<Answer> Add(Call& call) {
  YARD_ASSIGN(SharedStudy view, OrderedStudy(call));
  YARD_ASSIGN(json::object body, call.Body());
  auto made = std::make_shared<Made>();
  const json::object* parameters = wire::ObjectIn(body, "parameters");
  if (parameters == nullptr) {
    return ChangeStudy(
        call, view->study.id,
        [made](StudyEngine& engine, Time now) -> Status {
          YARD_ASSIGN(made->number, engine.Ask(now));
          return {};
        },
        TrialReply(made, 201));
  }
  YARD_ASSIGN(std::vector<double> values, wire::ReadParameters(view->study.spec, *parameters));
  std::optional<TrialOutcome> outcome;
  if (wire::ListIn(body, "values") != nullptr) {
    outcome.emplace();
    YARD_ASSIGN(outcome->results, ReadNumbers(body));
  }
  return ChangeStudy(
      call, view->study.id,
      [made, values, outcome](StudyEngine& engine, Time now) -> Status {
        YARD_ASSIGN(made->number, engine.Add(values, outcome, now));
        return {};
      },
      TrialReply(made, 201));
}

Result<TrialValues> ReadReport(const StudySpec& spec, const json::object& body) {
  TrialValues report{.step = wire::WholeOf(body, "step"), .values = {}};
  report.values.resize(spec.objectives.size());
  const json::value* single = body.if_contains("value");
  if (single != nullptr) {
    YARD_ASSIGN(report.values[0], ReadNumber("value", *single));
    return report;
  }
  const json::object& named = wire::ObjectOrEmpty(body, "values");
  bool any = false;
  for (std::size_t i = 0; i < spec.objectives.size(); ++i) {
    const json::value* value = named.if_contains(spec.objectives[i].metric);
    if (value == nullptr) continue;
    YARD_ASSIGN(report.values[i], ReadNumber("values", *value));
    any = true;
  }
  if (any) return report;
  return Fail(Code::kInvalid,
              fmt::format("the report holds no value of '{}'", spec.objectives[0].metric),
              "send value, or values by the names of the study's metrics");
}

Result<Answer> Report(Call& call) {
  YARD_ASSIGN(SharedStudy view, OrderedStudy(call));
  YARD_ASSIGN(std::int64_t number, TrialNumberOf(call, *view));
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(TrialValues values, ReadReport(view->study.spec, body));
  return ChangeStudy(
      call, view->study.id,
      [number, values](StudyEngine& engine, Time) { return engine.Report(number, values); },
      [number](const StudyView& now) {
        const StudyTrial& trial = *now.trials[static_cast<std::size_t>(number)];
        const bool stop = !trial.stop_reason.empty() || now.study.state == StudyState::kStopped;
        std::string out;
        wire::Writer w(out);
        w.Begin();
        w("stop", stop);
        w("reason", trial.stop_reason.empty() && stop ? now.study.message : trial.stop_reason);
        w.End();
        return Json(std::move(out));
      });
}

Result<Answer> Tell(Call& call) {
  YARD_ASSIGN(SharedStudy view, OrderedStudy(call));
  YARD_ASSIGN(std::int64_t number, TrialNumberOf(call, *view));
  YARD_ASSIGN(json::object body, call.Body());
  TrialOutcome outcome{.phase = wire::FromName<TrialPhase>(wire::TextOrEmpty(body, "state"))
                                    .value_or(TrialPhase::kComplete),
                       .results = {},
                       .message = std::string(wire::TextOrEmpty(body, "reason"))};
  YARD_ASSIGN(outcome.results, ReadNumbers(body));
  auto made = std::make_shared<Made>(Made{number});
  return ChangeStudy(
      call, view->study.id,
      [number, outcome](StudyEngine& engine, Time now) {
        return engine.Tell(number, outcome, now);
      },
      TrialReply(made, 200));
}

}  // namespace

void AddStudyTrialRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/studies/{studyId}/trials";
  constexpr std::string_view kOne = "/api/v1/studies/{studyId}/trials/{trialNumber}";
  constexpr Need kRead = May(Action::kRead, Resource::kTrainings);
  constexpr Need kUpdate = May(Action::kUpdate, Resource::kTrainings);
  routes.insert(
      routes.end(),
      {{kGet, kAll, kRead, List, "List the trials of a study", "", "StudyTrialPage", 200,
        ListParameters()},
       {kPost, kAll, kUpdate, Add,
        "Add a trial by hand; without parameters the next suggestion, for a program that runs it",
        "StudyTrialDraft", "StudyTrial", 201},
       {kGet, kOne, kRead, Get, "Get a trial", "", "StudyTrial"},
       {kPost, "/api/v1/studies/{studyId}/trials/{trialNumber}/reports", kUpdate, Report,
        "Report an intermediate value; the answer says whether to stop", "StudyReportDraft",
        "StudyVerdict"},
       {kPost, "/api/v1/studies/{studyId}/trials/{trialNumber}/tell", kUpdate, Tell,
        "Tell how a trial ended that a program ran", "StudyTell", "StudyTrial"}});
}

}  // namespace yard::api
