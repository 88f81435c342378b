// The trials of a study as columns: little text for many trials, for those who draw them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "api/live/views.h"
#include "api/studies/routes.h"
#include "api/studies/views.h"
#include "wire/study.h"

namespace yard::api {
namespace {

using control::SharedStudy;
using control::StudyView;

constexpr std::size_t kMost = 50'000;  // trials of one answer
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kMilliMicrosPerHour = 3600.0 * 1e6 * 1e3;

// Trials [begin, end) of a study.
struct Rows {
  const StudyView& view;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// One number for each trial; not a number becomes null.
template <class Pick>
void WriteColumn(wire::Writer& w, const Rows& rows, Pick pick) {
  w.BeginList();
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    w.Item();
    w.Value(static_cast<double>(pick(*rows.view.trials[i])));
  }
  w.EndList();
}

template <class Pick>
void WriteNamed(wire::Writer& w, std::string_view name, const Rows& rows, Pick pick) {
  w.Key(name);
  WriteColumn(w, rows, std::move(pick));
}

double At(const std::vector<double>& list, std::size_t index) {
  return index < list.size() ? list[index] : kNone;
}

double Number(const std::optional<std::int64_t>& number) {
  return number ? static_cast<double>(*number) : kNone;
}

double Milliseconds(const std::optional<Time>& time) {
  return time ? static_cast<double>(time->micros / 1000) : kNone;
}

void WriteParameters(wire::Writer& w, const Rows& rows) {
  const std::vector<StudyParameter>& parameters = rows.view.study.spec.parameters;
  w.Key("parameters");
  w.BeginList();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    w.Item();
    w.Begin();
    w("name", parameters[i].name);
    WriteNamed(w, "values", rows, [i](const StudyTrial& t) { return At(t.values, i); });
    w.End();
  }
  w.EndList();
}

void WriteResults(wire::Writer& w, const Rows& rows) {
  w.Key("values");
  w.BeginList();
  for (std::size_t i = 0; i < rows.view.study.spec.objectives.size(); ++i) {
    w.Item();
    WriteColumn(w, rows, [i](const StudyTrial& t) { return At(t.results, i); });
  }
  w.EndList();
}

// R, C, P or F for each trial.
std::string LettersOf(const Rows& rows) {
  std::string letters;
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    letters += wire::ToName(rows.view.trials[i]->phase).front();
  }
  return letters;
}

std::string ColumnsOf(const Rows& rows) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("from", rows.begin);
  w("states", LettersOf(rows));
  WriteResults(w, rows);
  WriteParameters(w, rows);
  WriteNamed(w, "repeatOf", rows, [](const StudyTrial& t) { return Number(t.repeat_of); });
  WriteNamed(w, "continues", rows, [](const StudyTrial& t) { return Number(t.continues); });
  WriteNamed(w, "resumesFrom", rows, [](const StudyTrial& t) { return Number(t.resumes_from); });
  WriteNamed(w, "steps", rows, [](const StudyTrial& t) {
    return t.reports.empty() ? kNone : static_cast<double>(t.reports.back().step);
  });
  WriteNamed(w, "lasts", rows, [](const StudyTrial& t) {
    return t.reports.empty() ? kNone : t.reports.back().value;
  });
  WriteNamed(w, "started", rows, [](const StudyTrial& t) { return Milliseconds(t.created_at); });
  WriteNamed(w, "ended", rows, [](const StudyTrial& t) { return Milliseconds(t.ended_at); });
  // Of a trial that runs nobody has counted them yet.
  WriteNamed(w, "gpuHours", rows, [](const StudyTrial& t) {
    return t.ended_at ? static_cast<double>(t.gpu_time.value) / kMilliMicrosPerHour : kNone;
  });
  if (rows.end < rows.view.trials.size()) w("next", rows.end);
  w.End();
  return out;
}

Result<Answer> Columns(Call& call) {
  YARD_ASSIGN(SharedStudy view, AllowedStudy(call));
  YARD_ASSIGN(std::optional<std::int64_t> from, NumberOf(call, "from", 0));
  return Slow{.work = [view, from]() -> Result<Slow::Outcome> {
    const std::size_t count = view->trials.size();
    const std::size_t begin = std::min(static_cast<std::size_t>(from.value_or(0)), count);
    return Json(ColumnsOf({*view, begin, std::min(begin + kMost, count)}));
  }};
}

}  // namespace

void AddStudyColumnRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet,
                    "/api/v1/studies/{studyId}/columns",
                    May(Action::kRead, Resource::kTrainings),
                    Columns,
                    "The trials of a study as columns, to draw them",
                    "",
                    "StudyColumns",
                    200,
                    {{"from", "int"}}});
}

}  // namespace yard::api
