#include <charconv>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "facade/mlflow/ask.h"
#include "facade/mlflow/render.h"
#include "facade/mlflow/routes.h"
#include "facade/mlflow/run_change.h"

namespace yard::facade::mlflow {
namespace {

using serve::Answer;
using serve::Slow;

constexpr std::int64_t kMostPoints = 1'000'000;  // in one answer
constexpr std::size_t kMostRuns = 100;           // in one chart
constexpr std::int64_t kUsualChart = 320;        // points
constexpr std::int64_t kMostChart = 2500;

// A page goes on behind a point, so that a long history is not read from its start again.
std::string TokenOf(const MetricPoint& point) {
  return fmt::format("{}_{}_{}", point.step, point.time.micros, OrderedBits(point.value));
}

std::optional<MetricPoint> PointOf(std::string_view token) {
  std::vector<std::string_view> parts = Split(token, '_');
  if (parts.size() != 3) return std::nullopt;
  std::optional<std::int64_t> step = ParseInt(parts[0]);
  std::optional<std::int64_t> micros = ParseInt(parts[1]);
  std::optional<std::int64_t> bits = ParseInt(parts[2]);
  if (!step || !micros || !bits) return std::nullopt;
  return MetricPoint{*step, Time{*micros}, FromOrderedBits(*bits)};
}

std::string HistoryJson(const std::string& key, const std::vector<MetricPoint>& points,
                        std::size_t limit) {
  bool more = points.size() > limit;
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("metrics");
  w.BeginList();
  for (std::size_t i = 0; i < std::min(points.size(), limit); ++i) {
    w.Item();
    WriteMetric(w, key, points[i]);
  }
  w.EndList();
  if (more) w("next_page_token", TokenOf(points[limit - 1]));
  w.End();
  return out;
}

Result<Answer> History(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  std::string key = fields.NeedText("metric_key");
  std::int64_t limit = fields.Int("max_results", kMostPoints);
  std::string token = fields.Text("page_token");
  store::RangeQuery query;
  if (limit < 1 || limit > kMostPoints) {
    fields.Wrong("max_results", fmt::format("must be between 1 and {}", kMostPoints));
  }
  if (!token.empty()) query.after = PointOf(token);
  if (!token.empty() && !query.after) fields.Wrong("page_token", "is not one this server gave");
  YARD_TRY(fields.Check());
  YARD_TRY(ask.FindRun(id));
  query.limit = static_cast<std::size_t>(limit) + 1;
  return Slow{[&series = ask.tracking().series(), id, key, query]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(store::SeriesRange range, series.Read({{id}, key}, query));
    return serve::Json(HistoryJson(key, range.points, query.limit - 1));
  }};
}

struct Chart {
  std::vector<std::string> runs;
  std::string key;
  store::RangeQuery range;
  std::size_t points = 0;  // for each run
};

// All points if they are few, else the lowest and highest of every pixel: peaks stay.
Result<std::vector<MetricPoint>> Sample(store::SeriesStore& series, const Chart& chart,
                                        const std::string& run) {
  store::RangeQuery few = chart.range;
  few.limit = chart.points + 1;
  YARD_ASSIGN(store::SeriesRange range, series.Read({{run}, chart.key}, few));
  if (range.points.size() <= chart.points) return std::move(range.points);
  store::ChartQuery query{
      .pixels = static_cast<std::uint32_t>(std::max<std::size_t>(1, chart.points / 2))};
  if (chart.range.from_step != INT64_MIN) query.from = chart.range.from_step;
  if (chart.range.to_step != INT64_MAX) query.to = chart.range.to_step;
  YARD_ASSIGN(store::SeriesChart drawn, series.Draw({{run}, chart.key}, query));
  std::vector<MetricPoint> points;
  for (const ChartPixel& pixel : drawn.pixels) {
    const Outline& outline = pixel.outline;
    MetricPoint low = outline.finite > 0 ? outline.low : outline.first;
    MetricPoint high = outline.finite > 0 ? outline.high : outline.last;
    points.push_back(std::min(low, high));
    if (low != high) points.push_back(std::max(low, high));
  }
  return points;
}

void WriteWithRun(wire::Writer& w, const std::string& run, const std::string& key,
                  const MetricPoint& point) {
  std::string metric;
  wire::Writer inner(metric);
  WriteMetric(inner, key, point);
  metric.pop_back();
  w.Raw(metric);
  w.Raw(",\"run_id\":");
  w.Value(run);
  w.Raw("}");
}

Result<http::Reply> ChartReply(store::SeriesStore& series, const Chart& chart) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("metrics");
  w.BeginList();
  for (const std::string& run : chart.runs) {
    YARD_ASSIGN(std::vector<MetricPoint> points, Sample(series, chart, run));
    for (const MetricPoint& point : points) {
      w.Item();
      WriteWithRun(w, run, chart.key, point);
    }
  }
  w.EndList();
  w.End();
  return serve::Json(std::move(out));
}

Result<Answer> Draw(Ask& ask, Fields& fields, Chart chart) {
  YARD_TRY(fields.Check());
  if (chart.runs.empty() || chart.runs.size() > kMostRuns) {
    return Fail(Code::kInvalid, fmt::format("a chart takes 1 to {} runs", kMostRuns));
  }
  for (const std::string& run : chart.runs) YARD_TRY(ask.FindRun(run));
  return Slow{
      [&series = ask.tracking().series(), chart = std::move(chart)]() -> Result<Slow::Outcome> {
        return ChartReply(series, chart);
      }};
}

Result<Answer> BulkInterval(Ask& ask) {
  Fields fields(ask.object());
  Chart chart{.runs = fields.Texts("run_ids"), .key = fields.NeedText("metric_key")};
  chart.range.from_step = fields.Int("start_step", INT64_MIN);
  chart.range.to_step = fields.Int("end_step", INT64_MAX);
  std::int64_t points = fields.Int("max_results", kUsualChart);
  if (points < 1 || points > kMostChart) {
    fields.Wrong("max_results", fmt::format("must be between 1 and {}", kMostChart));
  }
  if (fields.Has("start_step") != fields.Has("end_step")) {
    fields.Wrong("start_step", "and end_step must come together");
  }
  if (chart.range.from_step > chart.range.to_step) {
    fields.Wrong("end_step", "must not be less than start_step");
  }
  chart.points = static_cast<std::size_t>(std::max<std::int64_t>(points, 1));
  return Draw(ask, fields, std::move(chart));
}

Result<Answer> Bulk(Ask& ask) {
  Fields fields(ask.object());
  Chart chart{.runs = fields.Texts("run_id"), .key = fields.NeedText("metric_key")};
  constexpr std::int64_t kMostBulk = 25'000;
  std::int64_t points =
      std::clamp<std::int64_t>(fields.Int("max_results", kMostBulk), 1, kMostBulk);
  chart.points = static_cast<std::size_t>(points);
  return Draw(ask, fields, std::move(chart));
}

}  // namespace

void AddHistoryRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need read = serve::May(Action::kRead, Resource::kTrainings);
  routes.insert(routes.end(),
                {
                    {Method::kGet, "/api/2.0/mlflow/metrics/get-history", read, On<History>,
                     "The history of a metric"},
                    {Method::kGet, "/api/2.0/mlflow/metrics/get-history-bulk", read, On<Bulk>,
                     "A metric of several runs"},
                    {Method::kGet, "/api/2.0/mlflow/metrics/get-history-bulk-interval", read,
                     On<BulkInterval>, "A metric of several runs, drawn with few points"},
                });
}

}  // namespace yard::facade::mlflow
