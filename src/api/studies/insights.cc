// What a study has found out.
#include <utility>

#include "api/studies/routes.h"
#include "api/studies/views.h"
#include "control/study/insight.h"
#include "wire/study.h"

namespace yard::api {
namespace {

using control::SharedStudy;

Result<Answer> Best(Call& call) {
  YARD_ASSIGN(SharedStudy view, AllowedStudy(call));
  return Slow{.work = [view]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(control::StudyBest best, control::BestOf(*view));
    std::string out;
    wire::Writer w(out);
    w.Begin();
    w.Key("trials");
    w.BeginList();
    for (const control::BestTrial& one : best.trials) {
      w.Item();
      w.Begin();
      wire::WriteTrial(w, view->study, *one.trial);
      w("mean", one.mean);
      w("low", one.low);
      w("high", one.high);
      w("runs", one.runs);
      w.End();
    }
    w.EndList();
    w("message", best.message);
    w.End();
    return Json(std::move(out));
  }};
}

Result<Answer> Importances(Call& call) {
  YARD_ASSIGN(SharedStudy view, AllowedStudy(call));
  return Slow{.work = [view]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(auto shares, control::ImportancesOf(*view));
    std::string out;
    wire::Writer w(out);
    w.Begin();
    w.Key("importances");
    w.BeginList();
    for (const auto& [parameter, share] : shares) {
      w.Item();
      w.Begin();
      w("parameter", parameter);
      w("importance", share);
      w.End();
    }
    w.EndList();
    w.End();
    return Json(std::move(out));
  }};
}

Result<Answer> Next(Call& call) {
  YARD_ASSIGN(SharedStudy view, AllowedStudy(call));
  return Slow{.work = [view]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(StudyTrial next, control::NextOf(*view));
    std::string out;
    wire::Writer w(out);
    w.Begin();
    w.Key("parameters");
    w.Raw(wire::ParametersJson(view->study.spec, next));
    w("origin", next.origin);
    w.End();
    return Json(std::move(out));
  }};
}

}  // namespace

void AddStudyInsightRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr Need kRead = May(Action::kRead, Resource::kTrainings);
  routes.insert(routes.end(),
                {{kGet, "/api/v1/studies/{studyId}/best", kRead, Best,
                  "The best trial with its confidence; of several objectives the Pareto front", "",
                  "StudyBest"},
                 {kGet, "/api/v1/studies/{studyId}/importances", kRead, Importances,
                  "How much each parameter matters", "", "StudyImportances"},
                 {kGet, "/api/v1/studies/{studyId}/next", kRead, Next,
                  "What the next trial would be if it began now", "", "StudySuggestion"}});
}

}  // namespace yard::api
