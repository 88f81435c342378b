#include "store/series/history.h"

#include <algorithm>
#include <span>

namespace yard::store {
namespace {

using Points = std::span<const MetricPoint>;

// Points of a block and fresh ones before or among them, in order, none twice. False: the sink has
// enough.
template <class Sink>
bool Feed(Points block, Points& fresh, Sink& sink) {
  for (const MetricPoint& point : block) {
    while (!fresh.empty() && fresh.front() < point) {
      if (!sink.Add(fresh.front())) return false;
      fresh = fresh.subspan(1);
    }
    if (!fresh.empty() && fresh.front() == point) fresh = fresh.subspan(1);
    if (!sink.Add(point)) return false;
  }
  return true;
}

class RangeSink {
 public:
  RangeSink(const RangeQuery& query, SeriesRange& range) : query_(query), range_(range) {}

  bool Add(const MetricPoint& point) {
    if (point.step < query_.from_step || (query_.after && point <= *query_.after)) return true;
    if (point.step > query_.to_step) return false;
    std::vector<MetricPoint>& points = range_.points;
    bool replaces =
        query_.per_step == PerStep::kLast && !points.empty() && points.back().step == point.step;
    if (replaces) {
      points.back() = point;
      return true;
    }
    if (points.size() >= query_.limit) return false;
    points.push_back(point);
    return true;
  }

 private:
  const RangeQuery& query_;
  SeriesRange& range_;
};

class ChartSink {
 public:
  explicit ChartSink(const ChartWindow& window) : window_(window), outlines_(window.pixels) {}

  bool Add(const MetricPoint& point) {
    std::int64_t at = window_.At(point);
    if (window_.Holds(at)) outlines_[window_.PixelOf(at)].Add(point);
    return true;
  }
  // True if the whole block lies within one pixel, and is taken.
  bool AddWhole(const BlockHead& head) {
    auto [from, to] = RangeOf(head);
    if (!window_.Holds(from) || !window_.Holds(to)) return false;
    std::uint32_t pixel = window_.PixelOf(from);
    if (pixel != window_.PixelOf(to)) return false;
    outlines_[pixel].Add(head.outline);
    return true;
  }
  bool Misses(const BlockHead& head) const {
    auto [from, to] = RangeOf(head);
    return to < window_.from || from > window_.to;
  }
  std::vector<ChartPixel> Pixels() const {
    std::vector<ChartPixel> pixels;
    for (std::uint32_t i = 0; i < outlines_.size(); ++i) {
      if (outlines_[i].points > 0) pixels.push_back({.pixel = i, .outline = outlines_[i]});
    }
    return pixels;
  }

 private:
  std::pair<std::int64_t, std::int64_t> RangeOf(const BlockHead& head) const {
    if (window_.axis == ChartAxis::kTime) return {head.earliest.micros, head.latest.micros};
    return {head.outline.first.step, head.outline.last.step};
  }

  const ChartWindow window_;
  std::vector<Outline> outlines_;
};

Result<std::vector<StoredBlock>> BlocksOf(HistorySource& source, std::int64_t from,
                                          std::int64_t to) {
  if (!source.series) return std::vector<StoredBlock>{};
  return source.reader.Blocks(*source.series, from, to);
}

// From the first to the last; nothing if there are no points.
std::optional<ChartWindow> WholeWindow(const HistorySource& source,
                                       std::span<const StoredBlock> blocks, ChartAxis axis) {
  ChartWindow window{.axis = axis, .from = INT64_MAX, .to = INT64_MIN};
  auto cover = [&](std::int64_t from, std::int64_t to) {
    window.from = std::min(window.from, from);
    window.to = std::max(window.to, to);
  };
  for (const StoredBlock& block : blocks) {
    if (axis == ChartAxis::kStep) cover(block.first_step, block.last_step);
    if (axis == ChartAxis::kTime && block.head) {
      cover(block.head->earliest.micros, block.head->latest.micros);
    }
  }
  for (const MetricPoint& point : source.fresh) cover(window.At(point), window.At(point));
  if (window.from > window.to) return std::nullopt;
  return window;
}

Status DrawBlock(HistorySource& source, const StoredBlock& block, Points& fresh, ChartSink& sink,
                 SeriesChart& chart) {
  if (!block.head) {
    chart.damaged.push_back(source.damages.Add(source.key, block));
    return {};
  }
  bool alone = fresh.empty() || fresh.front() > block.head->outline.last;
  if (alone && (sink.Misses(*block.head) || sink.AddWhole(*block.head))) return {};
  std::vector<MetricPoint> points;
  YARD_ASSIGN(bool whole, source.reader.Unpack(block, points));
  if (!whole) {
    chart.damaged.push_back(source.damages.Add(source.key, block));
    return {};
  }
  Feed(points, fresh, sink);
  return {};
}

}  // namespace

Result<SeriesRange> ReadHistory(HistorySource source, const RangeQuery& query) {
  SeriesRange range;
  RangeSink sink(query, range);
  Points fresh = source.fresh;
  std::int64_t from = query.after ? std::max(query.from_step, query.after->step) : query.from_step;
  YARD_ASSIGN(std::vector<StoredBlock> blocks, BlocksOf(source, from, query.to_step));
  std::vector<MetricPoint> points;
  for (const StoredBlock& block : blocks) {
    bool before = block.head && query.after && block.head->outline.last <= *query.after;
    if (before) continue;
    YARD_ASSIGN(bool whole, source.reader.Unpack(block, points));
    if (!whole) {
      range.damaged.push_back(source.damages.Add(source.key, block));
    } else if (!Feed(points, fresh, sink)) {
      return range;
    }
  }
  for (const MetricPoint& point : fresh) {
    if (!sink.Add(point)) break;
  }
  return range;
}

Result<SeriesChart> DrawHistory(HistorySource source, const ChartQuery& query) {
  constexpr std::uint32_t kMostPixels = 1 << 16;
  if (query.pixels == 0 || query.pixels > kMostPixels) {
    return Fail(Code::kInvalid, "a chart has between 1 and 65536 pixels");
  }
  YARD_ASSIGN(std::vector<StoredBlock> blocks, BlocksOf(source, INT64_MIN, INT64_MAX));
  auto all = WholeWindow(source, blocks, query.axis);
  SeriesChart chart{.window = all.value_or(ChartWindow{.axis = query.axis})};
  chart.window.from = query.from.value_or(chart.window.from);
  chart.window.to = query.to.value_or(chart.window.to);
  chart.window.pixels = query.pixels;
  if (!all || chart.window.from > chart.window.to) return chart;
  ChartSink sink(chart.window);
  Points fresh = source.fresh;
  for (const StoredBlock& block : blocks) YARD_TRY(DrawBlock(source, block, fresh, sink, chart));
  for (const MetricPoint& point : fresh) sink.Add(point);
  chart.pixels = sink.Pixels();
  return chart;
}

}  // namespace yard::store
