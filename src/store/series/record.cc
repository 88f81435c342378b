#include "store/series/record.h"

#include <bit>

#include "base/bytes.h"

namespace yard::store {
namespace {

enum Kind : char { kBatch = 1, kDeletion = 2 };

std::int64_t Minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

std::int64_t Plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

// Steps and times as differences to the point before, also across series: the metrics of one call
// share them.
void AppendPoints(std::string& out, const SeriesPoints& series, MetricPoint& before) {
  AppendSized(out, series.name);
  AppendVarint(out, series.points.size());
  for (const MetricPoint& point : series.points) {
    AppendVarint(out, ZigZag(Minus(point.step, before.step)));
    AppendVarint(out, ZigZag(Minus(point.time.micros, before.time.micros)));
    AppendFixed64(out, std::bit_cast<std::uint64_t>(point.value));
    before = point;
  }
}

bool ReadPoints(ByteReader& reader, SeriesPoints& series, MetricPoint& before) {
  constexpr std::size_t kLeastBytes = 10;
  auto name = reader.Sized();
  auto count = reader.Varint();
  if (!name || !count || *count > reader.left().size() / kLeastBytes) return false;
  series.name = *name;
  series.points.reserve(*count);
  for (std::uint64_t i = 0; i < *count; ++i) {
    auto step = reader.Varint();
    auto time = reader.Varint();
    auto value = reader.Fixed64();
    if (!step || !time || !value) return false;
    before = {.step = Plus(before.step, UnZigZag(*step)),
              .time = Time{Plus(before.time.micros, UnZigZag(*time))},
              .value = std::bit_cast<double>(*value)};
    series.points.push_back(before);
  }
  return true;
}

std::optional<SeriesBatch> ReadBatch(ByteReader& reader) {
  auto run = reader.Sized();
  auto count = reader.Varint();
  if (!run || !count || *count > reader.left().size()) return std::nullopt;
  SeriesBatch batch{.run = RunKey{std::string(*run)}, .series = {}};
  batch.series.resize(*count);
  MetricPoint before;
  for (SeriesPoints& series : batch.series) {
    if (!ReadPoints(reader, series, before)) return std::nullopt;
  }
  return batch;
}

std::optional<SeriesRecord> ReadRecord(std::string_view bytes) {
  ByteReader reader(bytes);
  auto kind = reader.Take(1);
  if (!kind) return std::nullopt;
  if (kind->front() == kBatch) return ReadBatch(reader);
  auto run = reader.Sized();
  if (kind->front() != kDeletion || !run) return std::nullopt;
  return RunDeletion{RunKey{std::string(*run)}};
}

std::string Body(const SeriesBatch& batch) {
  std::string body(1, kBatch);
  AppendSized(body, batch.run.text);
  AppendVarint(body, batch.series.size());
  MetricPoint before;
  for (const SeriesPoints& series : batch.series) AppendPoints(body, series, before);
  return body;
}

std::string Body(const RunDeletion& deletion) {
  std::string body(1, kDeletion);
  AppendSized(body, deletion.run.text);
  return body;
}

}  // namespace

void AppendRecord(std::string& out, const SeriesRecord& record) {
  AppendSized(out, std::visit([](const auto& kind) { return Body(kind); }, record));
}

std::optional<std::vector<SeriesRecord>> ReadRecords(std::string_view bytes) {
  std::vector<SeriesRecord> records;
  ByteReader reader(bytes);
  while (!reader.empty()) {
    auto body = reader.Sized();
    auto record = body ? ReadRecord(*body) : std::nullopt;
    if (!record) return std::nullopt;
    records.push_back(std::move(*record));
  }
  return records;
}

}  // namespace yard::store
