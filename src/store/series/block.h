// A block: up to kBlockPoints points of one series, in order, packed by columns.
//
// The head says what is inside without unpacking it: a chart whose pixel covers the whole block
// needs no more. Head and body carry checksums of their own; the head holds the body's. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/metric.h"

namespace yard::store {

// Larger blocks pack no better (docs/adr/051-metric-series.md) and cost more to rewrite.
constexpr std::size_t kBlockPoints = 4096;

struct BlockHead {
  Outline outline;
  Time earliest;  // of all points: the clock of a writer may go back
  Time latest;
  std::uint32_t body_crc = 0;
};

struct PackedBlock {
  std::string head;
  std::string body;
};

// `points` are sorted, none twice, at least one.
PackedBlock PackBlock(std::span<const MetricPoint> points);

BlockHead OutlineOf(std::span<const MetricPoint> points);

// Nothing if the checksum or the form is wrong.
std::optional<BlockHead> ReadHead(std::string_view bytes);

// Replaces `points`; false if the checksum or the form is wrong.
bool UnpackBlock(const BlockHead& head, std::string_view body, std::vector<MetricPoint>& points);

}  // namespace yard::store
