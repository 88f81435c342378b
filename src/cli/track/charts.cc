#include "cli/track/charts.h"

#include <map>
#include <ostream>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/track/plot.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr std::size_t kUsualWidth = 80;

// Along the time a line begins at 0, so that runs of different days lie over each other.
std::vector<std::pair<double, double>> PointsOf(const json::value& series, PlotAxis axis) {
  const json::array& values = series.at("values").as_array();
  const json::array& places = series.at(axis == PlotAxis::kTime ? "times" : "steps").as_array();
  double first = places.empty() ? 0 : places.front().to_number<double>();
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_null()) continue;
    double place = places[i].to_number<double>();
    points.emplace_back(axis == PlotAxis::kTime ? (place - first) / 1000 : place,
                        values[i].to_number<double>());
  }
  return points;
}

Outcome<json::value> ChartsOf(client::Client& server, const std::vector<json::value>& runs,
                              const std::string& metric, PlotAxis axis, std::size_t pixels) {
  json::array ids;
  for (const json::value& run : runs) ids.push_back(run.at("id"));
  json::object wish{{"runs", std::move(ids)},
                    {"metrics", json::array{metric}},
                    {"pixels", pixels},
                    {"axis", axis == PlotAxis::kTime ? "time" : "step"}};
  return server.SendForJson({.method = client::Method::kPost,
                             .path = "/api/v1/runs/charts",
                             .body = json::serialize(wish)});
}

}  // namespace

Result<PlotAxis> ParsePlotAxis(const std::string& text) {
  if (text == "step") return PlotAxis::kStep;
  if (text == "time") return PlotAxis::kTime;
  return Fail(Code::kInvalid, "say step or time");
}

Outcome<void> PlotMetric(Session& session, client::Client& server,
                         const std::vector<json::value>& runs, const std::string& metric,
                         PlotAxis axis) {
  Console& console = session.console();
  std::size_t width = console.width == 0 ? kUsualWidth : console.width;
  YARD_ASSIGN(json::value charts, ChartsOf(server, runs, metric, axis, width * 2));
  std::map<std::string, std::string> names;
  for (const json::value& run : runs) names[TextAt(run, "id")] = TextAt(run, "name");
  std::vector<PlotLine> lines;
  for (const json::value& series : charts.at("series").as_array()) {
    lines.push_back({names[TextAt(series, "runId")], PointsOf(series, axis)});
  }
  std::string drawn =
      RenderPlot(lines, {.columns = width - 1}, console.colour ? Colour::kYes : Colour::kNo);
  if (drawn.empty()) {
    return std::unexpected(
        Failure({Code::kNotFound,
                 fmt::format("{} no finite value of '{}'",
                             runs.size() == 1 ? "the run has" : "the runs have", metric),
                 "see `gpuyard metrics RUN` for what a run has logged"}));
  }
  console.out << fmt::format("{}, by {}\n{}", metric, axis == PlotAxis::kTime ? "seconds" : "step",
                             drawn);
  return {};
}

}  // namespace yard::cli
