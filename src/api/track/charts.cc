// Metric histories: charts of many runs and metrics at once, drawn for as many pixels as are shown,
// and one history point by point.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "api/track/run_views.h"
#include "api/track/tracked.h"
#include "base/strings.h"
#include "wire/fields.h"

namespace yard::api {
namespace {

constexpr std::size_t kMostSeries = 400;  // in one answer
constexpr std::int64_t kUsualPixels = 320;
constexpr std::size_t kUsualPoints = 10'000;  // of a history in one answer

struct ChartWish {
  std::vector<std::string> runs;
  std::vector<std::string> metrics;
  store::ChartQuery query;
};

// The line through a pixel: where it enters, how far it reaches, where it leaves. A chart of these
// points looks as one of all points does.
void AddOutline(const Outline& outline, std::vector<MetricPoint>& line) {
  std::vector<MetricPoint> ends{outline.first, outline.last};
  if (outline.finite > 0) ends.insert(ends.end(), {outline.low, outline.high});
  std::ranges::sort(ends);
  auto repeated = std::ranges::unique(ends);
  line.insert(line.end(), ends.begin(), repeated.begin());
}

struct Line {
  std::vector<MetricPoint> points;
  std::uint64_t of = 0;  // how many points there are in the window
};

Result<Line> Draw(store::SeriesStore& series, const store::SeriesKey& key,
                  const store::ChartQuery& query) {
  YARD_ASSIGN(store::SeriesChart chart, series.Draw(key, query));
  Line line;
  for (const ChartPixel& pixel : chart.pixels) {
    line.of += pixel.outline.points;
    AddOutline(pixel.outline, line.points);
  }
  return line;
}

void WriteLine(wire::Writer& w, const store::SeriesKey& key, const Line& line) {
  w.Begin();
  w("runId", key.run.text);
  w("metric", key.name);
  w("points", line.of);
  std::vector<std::int64_t> steps;
  std::vector<std::int64_t> times;
  for (const MetricPoint& point : line.points) {
    steps.push_back(point.step);
    times.push_back(point.time.micros / 1000);
  }
  w("steps", steps);
  w("times", times);
  w.Key("values");
  w.BeginList();
  for (const MetricPoint& point : line.points) {
    w.Item();
    if (std::isfinite(point.value)) {
      w.Value(point.value);
    } else {
      w.Null();
    }
  }
  w.EndList();
  w.End();
}

Result<http::Reply> ChartsReply(store::SeriesStore& series, const ChartWish& wish) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("series");
  w.BeginList();
  for (const std::string& metric : wish.metrics) {
    for (const std::string& run : wish.runs) {
      store::SeriesKey key{{run}, metric};
      YARD_ASSIGN(Line line, Draw(series, key, wish.query));
      if (line.points.empty()) continue;
      w.Item();
      WriteLine(w, key, line);
    }
  }
  w.EndList();
  w.End();
  return Json(std::move(out));
}

Result<ChartWish> ReadWish(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  ChartWish wish{.runs = wire::TextsOf(body, "runs"), .metrics = wire::TextsOf(body, "metrics")};
  if (wish.runs.size() * wish.metrics.size() > kMostSeries) {
    return Fail(Code::kInvalid,
                fmt::format("{} runs and {} metrics are more than {} lines", wish.runs.size(),
                            wish.metrics.size(), kMostSeries),
                "ask for fewer at once");
  }
  wish.query.pixels =
      static_cast<std::uint32_t>(wire::WholeOf(body, "pixels").value_or(kUsualPixels));
  if (wire::TextOrEmpty(body, "axis") == "time") wish.query.axis = ChartAxis::kTime;
  wish.query.from = wire::WholeOf(body, "from");
  wish.query.to = wire::WholeOf(body, "to");
  return wish;
}

Result<Answer> DrawCharts(Call& call) {
  YARD_ASSIGN(ChartWish wish, ReadWish(call));
  for (const std::string& run : wish.runs) YARD_TRY(FindRun(call, run));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  call.NeedsNoScope();  // without a run there was none to check
  return Slow{[&series = tracking->series(), wish = std::move(wish)]() -> Result<Slow::Outcome> {
    return ChartsReply(series, wish);
  }};
}

// A page goes on behind the last point of the one before.
std::string TokenOf(const MetricPoint& point) {
  return fmt::format("{}_{}_{}", point.step, point.time.micros, OrderedBits(point.value));
}

Result<MetricPoint> PointOf(std::string_view token) {
  std::vector<std::string_view> parts = Split(token, '_');
  std::vector<std::int64_t> numbers;
  for (std::string_view part : parts) {
    if (std::optional<std::int64_t> number = ParseInt(part)) numbers.push_back(*number);
  }
  if (parts.size() != 3 || numbers.size() != 3) {
    return Fail(Code::kInvalid, "'after' is not what an answer gave as next");
  }
  return MetricPoint{numbers[0], Time{numbers[1]}, FromOrderedBits(numbers[2])};
}

std::string HistoryJson(const std::vector<MetricPoint>& points, std::size_t limit) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("points");
  w.BeginList();
  for (std::size_t i = 0; i < std::min(points.size(), limit); ++i) {
    w.Item();
    w.Begin();
    w("step", points[i].step);
    w("time", points[i].time);
    w.Key("value");
    WriteNumber(w, points[i].value);
    w.End();
  }
  w.EndList();
  if (points.size() > limit) w("next", TokenOf(points[limit - 1]));
  w.End();
  return out;
}

Result<Answer> ShowHistory(Call& call) {
  YARD_ASSIGN(control::RunSlot * slot, RunOf(call));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  store::RangeQuery query;
  if (std::optional<std::string_view> after = call.Query("after")) {
    YARD_ASSIGN(query.after, PointOf(*after));
  }
  std::optional<std::int64_t> limit = ParseInt(call.Query("limit").value_or(""));
  query.limit = static_cast<std::size_t>(limit.value_or(kUsualPoints)) + 1;
  store::SeriesKey key{{slot->Get()->id}, std::string(call.Query("name").value_or(""))};
  return Slow{[&series = tracking->series(), key, query]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(store::SeriesRange range, series.Read(key, query));
    return Json(HistoryJson(range.points, query.limit - 1));
  }};
}

}  // namespace

void AddRunChartRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(
      routes.end(),
      {{kPost, "/api/v1/runs/charts", kReadRuns, DrawCharts,
        "Metrics of several runs, drawn for a number of pixels", "RunChartWish", "RunCharts"},
       {kGet,
        "/api/v1/runs/{runId}/history",
        kReadRuns,
        ShowHistory,
        "The history of one metric, point by point",
        "",
        "MetricHistory",
        200,
        {{"name", "text", true}, {"after", "string"}, {"limit", "int(1..100000)"}}}});
}

}  // namespace yard::api
