#include "store/series/block_reader.h"

#include <utility>

namespace yard::store {
namespace {

StoredSeries SeriesOf(const Statement& row) {
  return {.id = row.Int(0),
          .summary = {.name = std::string(row.Text(1)),
                      .points = static_cast<std::uint64_t>(row.Int(2)),
                      .latest = {.step = row.Int(3),
                                 .time = Time{row.Int(4)},
                                 .value = FromOrderedBits(row.Int(5))}}};
}

}  // namespace

Result<std::int64_t> BlockReader::FlushedLog() {
  YARD_ASSIGN(auto number, database_.QueryInt("SELECT flushed_log FROM state"));
  return number.value_or(0);
}

Result<std::optional<StoredSeries>> BlockReader::Find(const SeriesKey& key) {
  YARD_ASSIGN(Statement query,
              database_.Prepare("SELECT s.id, s.name, s.points, s.last_step, s.last_time, "
                                "s.last_value FROM run r JOIN series s ON s.run=r.id "
                                "WHERE r.key=? AND s.name=?"));
  YARD_ASSIGN(bool found, query.BindBlob(key.run.text).BindBlob(key.name).Step());
  if (!found) return std::nullopt;
  return SeriesOf(query);
}

Result<std::vector<StoredSeries>> BlockReader::List(const RunKey& run) {
  YARD_ASSIGN(Statement query,
              database_.Prepare("SELECT s.id, s.name, s.points, s.last_step, s.last_time, "
                                "s.last_value FROM run r JOIN series s ON s.run=r.id "
                                "WHERE r.key=? ORDER BY s.name"));
  query.BindBlob(run.text);
  std::vector<StoredSeries> series;
  while (true) {
    YARD_ASSIGN(bool row, query.Step());
    if (!row) return series;
    series.push_back(SeriesOf(query));
  }
}

Status BlockReader::Each(const SeriesStore::VisitSeries& visit) {
  YARD_ASSIGN(Statement query,
              database_.Prepare("SELECT s.id, s.name, s.points, s.last_step, s.last_time, "
                                "s.last_value, r.key FROM series s JOIN run r ON s.run=r.id"));
  while (true) {
    YARD_ASSIGN(bool row, query.Step());
    if (!row) return {};
    visit(RunKey{std::string(query.Text(6))}, SeriesOf(query).summary);
  }
}

Result<std::vector<StoredBlock>> BlockReader::Blocks(std::int64_t series, std::int64_t from_step,
                                                     std::int64_t to_step) {
  YARD_ASSIGN(Statement query,
              database_.Prepare("SELECT id, first_step, last_step, points, head FROM block "
                                "WHERE series=? AND first_step<=? AND last_step>=?"));
  query.Bind(series).Bind(to_step).Bind(from_step);
  std::vector<StoredBlock> blocks;
  while (true) {
    YARD_ASSIGN(bool row, query.Step());
    if (!row) break;
    blocks.push_back({.id = query.Int(0),
                      .first_step = query.Int(1),
                      .last_step = query.Int(2),
                      .points = static_cast<std::uint64_t>(query.Int(3)),
                      .head = ReadHead(query.Text(4))});
  }
  SortBlocks(blocks);
  return blocks;
}

Result<bool> BlockReader::Unpack(const StoredBlock& block, std::vector<MetricPoint>& points) {
  if (!block.head) return false;
  if (!body_) {
    YARD_ASSIGN(Statement query, database_.Prepare("SELECT body FROM block WHERE id=?"));
    body_ = std::move(query);
  }
  YARD_ASSIGN(bool row, body_->Bind(block.id).Step());
  bool whole = row && UnpackBlock(*block.head, body_->Text(0), points);
  body_->Reset();
  return whole;
}

}  // namespace yard::store
