// What a training program tells in an event file of TensorBoard.
//
// Old and new writers say the same in different ways (a plain number or a tensor with a plugin's
// name); here both are one. Pure data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"

namespace yard::track {

struct Scalar {
  double value = 0;
  bool operator==(const Scalar&) const = default;
};

struct HistogramBucket {
  double left = 0;
  double right = 0;
  double count = 0;
  bool operator==(const HistogramBucket&) const = default;
};

struct Histogram {
  std::vector<HistogramBucket> buckets;
  bool operator==(const Histogram&) const = default;
};

// Encoded (PNG, JPEG, GIF), one or several of one step.
struct Images {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::string> encoded;
  bool operator==(const Images&) const = default;
};

// Markdown.
struct Text {
  std::vector<std::string> lines;
  bool operator==(const Text&) const = default;
};

using HparamValue = std::variant<double, std::string, bool>;

struct HparamsStart {
  std::map<std::string, HparamValue> values;
  bool operator==(const HparamsStart&) const = default;
};

enum class HparamsStatus { kUnknown, kSuccess, kFailure, kRunning };

struct HparamsEnd {
  HparamsStatus status = HparamsStatus::kUnknown;
  bool operator==(const HparamsEnd&) const = default;
};

// Something that is not shown: audio, meshes, curves, an experiment's description.
struct Other {
  std::string plugin;
  bool operator==(const Other&) const = default;
};

using EventData = std::variant<Scalar, Histogram, Images, Text, HparamsStart, HparamsEnd, Other>;

struct EventValue {
  std::string tag;
  EventData data;
  bool operator==(const EventValue&) const = default;
};

struct Event {
  Time time;
  std::int64_t step = 0;
  // The program began again here: what it said of this step and later ones before is void.
  bool restarts = false;
  std::vector<EventValue> values;
  bool operator==(const Event&) const = default;
};

}  // namespace yard::track
