// Kinds of metrics as training programs write them, and the codecs that the store's own is
// compared with.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/metric.h"

namespace yard::store {

struct MetricKind {
  std::string_view name;
  std::vector<MetricPoint> (*make)(std::size_t points);
};

std::span<const MetricKind> MetricKinds();

// Bytes of a block's points.
std::size_t GorillaBytes(std::span<const MetricPoint> points);
std::size_t GorillaZstdBytes(std::span<const MetricPoint> points);
std::size_t ColumnsZstdBytes(std::span<const MetricPoint> points);
std::size_t OwnBytes(std::span<const MetricPoint> points);
std::size_t OwnZstdBytes(std::span<const MetricPoint> points);

}  // namespace yard::store
