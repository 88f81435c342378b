#include "store/series/block.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/check.h"
#include "base/crc32c.h"
#include "store/series/integer_column.h"
#include "store/series/value_column.h"

namespace yard::store {
namespace {

constexpr std::int64_t kMicrosPerMilli = 1000;

// Relative to the first point of the block, which is near.
void AppendPoint(std::string& out, const MetricPoint& point, const MetricPoint& origin) {
  AppendVarint(out, ZigZag(static_cast<std::int64_t>(static_cast<std::uint64_t>(point.step) -
                                                     static_cast<std::uint64_t>(origin.step))));
  AppendVarint(out,
               ZigZag(static_cast<std::int64_t>(static_cast<std::uint64_t>(point.time.micros) -
                                                static_cast<std::uint64_t>(origin.time.micros))));
  AppendFixed64(out, std::bit_cast<std::uint64_t>(point.value));
}

std::optional<MetricPoint> ReadPoint(ByteReader& reader, const MetricPoint& origin) {
  auto step = reader.Varint();
  auto time = reader.Varint();
  auto value = reader.Fixed64();
  if (!step || !time || !value) return std::nullopt;
  auto add = [](std::int64_t base, std::uint64_t folded) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(base) +
                                     static_cast<std::uint64_t>(UnZigZag(folded)));
  };
  return MetricPoint{.step = add(origin.step, *step),
                     .time = Time{add(origin.time.micros, *time)},
                     .value = std::bit_cast<double>(*value)};
}

std::string WriteHead(const BlockHead& head) {
  std::string out;
  const Outline& line = head.outline;
  AppendVarint(out, line.points);
  AppendVarint(out, line.finite);
  AppendPoint(out, line.first, {});
  AppendPoint(out, line.last, line.first);
  AppendPoint(out, line.low, line.first);
  AppendPoint(out, line.high, line.first);
  AppendVarint(out, ZigZag(head.earliest.micros));
  AppendVarint(out, ZigZag(head.latest.micros));
  AppendFixed32(out, head.body_crc);
  AppendFixed32(out, Crc32c(out));
  return out;
}

bool ReadOutline(ByteReader& reader, Outline& line) {
  auto points = reader.Varint();
  auto finite = reader.Varint();
  auto first = ReadPoint(reader, {});
  if (!points || !finite || !first) return false;
  auto last = ReadPoint(reader, *first);
  auto low = ReadPoint(reader, *first);
  auto high = ReadPoint(reader, *first);
  if (!last || !low || !high || *points > 2 * kBlockPoints) return false;
  line = {.points = *points,
          .finite = *finite,
          .first = *first,
          .last = *last,
          .low = *low,
          .high = *high};
  return true;
}

// Clocks of many clients count milliseconds: three digits that need not be kept.
void PackTimes(std::vector<std::int64_t>& times, std::string& out) {
  bool millis =
      std::ranges::all_of(times, [](std::int64_t time) { return time % kMicrosPerMilli == 0; });
  if (millis) {
    for (std::int64_t& time : times) time /= kMicrosPerMilli;
  }
  out.push_back(millis ? 1 : 0);
  PackIntegers(times, out);
}

bool UnpackTimes(ByteReader& reader, std::span<std::int64_t> times) {
  auto millis = reader.Take(1);
  if (!millis || !UnpackIntegers(reader, times)) return false;
  if (millis->front() == 0) return true;
  for (std::int64_t& time : times) {
    time = static_cast<std::int64_t>(static_cast<std::uint64_t>(time) * kMicrosPerMilli);
  }
  return true;
}

}  // namespace

BlockHead OutlineOf(std::span<const MetricPoint> points) {
  YARD_CHECK(!points.empty());
  BlockHead head;
  head.earliest = points.front().time;
  head.latest = points.front().time;
  for (const MetricPoint& point : points) {
    head.outline.Add(point);
    head.earliest = std::min(head.earliest, point.time);
    head.latest = std::max(head.latest, point.time);
  }
  return head;
}

PackedBlock PackBlock(std::span<const MetricPoint> points) {
  std::string body;
  std::vector<std::int64_t> column;
  column.reserve(points.size());
  for (const MetricPoint& point : points) column.push_back(point.step);
  PackIntegers(column, body);
  column.clear();
  for (const MetricPoint& point : points) column.push_back(point.time.micros);
  PackTimes(column, body);
  std::vector<double> values;
  values.reserve(points.size());
  for (const MetricPoint& point : points) values.push_back(point.value);
  PackValues(values, body);
  BlockHead head = OutlineOf(points);
  head.body_crc = Crc32c(body);
  return {.head = WriteHead(head), .body = std::move(body)};
}

std::optional<BlockHead> ReadHead(std::string_view bytes) {
  if (bytes.size() < 8) return std::nullopt;
  std::string_view checked = bytes.substr(0, bytes.size() - 4);
  if (Crc32c(checked) != LoadFixed32(bytes.data() + checked.size())) return std::nullopt;
  ByteReader reader(checked);
  BlockHead head;
  if (!ReadOutline(reader, head.outline)) return std::nullopt;
  auto earliest = reader.Varint();
  auto latest = reader.Varint();
  auto body_crc = reader.Fixed32();
  if (!earliest || !latest || !body_crc) return std::nullopt;
  head.earliest = Time{UnZigZag(*earliest)};
  head.latest = Time{UnZigZag(*latest)};
  head.body_crc = *body_crc;
  return head;
}

bool UnpackBlock(const BlockHead& head, std::string_view body, std::vector<MetricPoint>& points) {
  if (Crc32c(body) != head.body_crc) return false;
  std::size_t count = head.outline.points;
  std::vector<std::int64_t> steps(count);
  std::vector<std::int64_t> times(count);
  std::vector<double> values(count);
  ByteReader reader(body);
  if (!UnpackIntegers(reader, steps) || !UnpackTimes(reader, times) ||
      !UnpackValues(reader, values) || !reader.empty()) {
    return false;
  }
  points.resize(count);
  for (std::size_t i = 0; i < count; ++i) points[i] = {steps[i], Time{times[i]}, values[i]};
  return true;
}

}  // namespace yard::store
