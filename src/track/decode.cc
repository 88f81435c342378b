#include "track/decode.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "track/proto.h"
#include "track/tensor.h"

namespace yard::track {
namespace {

struct PluginData {
  std::string name;
  std::string content;
};

// The fields of one value of a summary.
struct RawValue {
  std::string tag;
  PluginData plugin;
  std::optional<double> number;
  std::optional<std::string_view> image;
  std::optional<std::string_view> histogram;
  std::optional<std::string_view> tensor;
};

PluginData ReadPlugin(std::string_view metadata) {
  PluginData plugin;
  FieldReader fields(metadata);
  while (auto field = fields.Next()) {
    if (!field->IsBytes(1)) continue;
    FieldReader parts(field->bytes);
    while (auto part = parts.Next()) {
      if (part->IsBytes(1)) plugin.name = part->bytes;
      if (part->IsBytes(2)) plugin.content = part->bytes;
    }
  }
  return plugin;
}

RawValue ReadRaw(std::string_view message) {
  RawValue raw;
  FieldReader fields(message);
  while (auto field = fields.Next()) {
    if (field->IsBytes(1)) raw.tag = field->bytes;
    if (field->IsFloat(2)) raw.number = field->AsFloat();
    if (field->IsBytes(4)) raw.image = field->bytes;
    if (field->IsBytes(5)) raw.histogram = field->bytes;
    if (field->IsBytes(8)) raw.tensor = field->bytes;
    if (field->IsBytes(9)) raw.plugin = ReadPlugin(field->bytes);
  }
  return raw;
}

// The old form: upper limits and counts.
Histogram ReadHistogram(std::string_view message) {
  std::vector<double> limits;
  std::vector<double> counts;
  double least = 0;
  FieldReader fields(message);
  while (auto field = fields.Next()) {
    if (field->IsDouble(1)) least = field->AsDouble();
    if (field->number == 6) TakeDoubles(*field, limits);
    if (field->number == 7) TakeDoubles(*field, counts);
  }
  Histogram histogram;
  double left = least;
  for (std::size_t i = 0; i < std::min(limits.size(), counts.size()); ++i) {
    histogram.buckets.push_back({.left = left, .right = limits[i], .count = counts[i]});
    left = limits[i];
  }
  return histogram;
}

// The new form: rows of left edge, right edge, count.
Histogram HistogramOf(const Tensor& tensor) {
  Histogram histogram;
  for (std::size_t i = 0; i + 2 < tensor.numbers.size(); i += 3) {
    histogram.buckets.push_back({.left = tensor.numbers[i],
                                 .right = tensor.numbers[i + 1],
                                 .count = tensor.numbers[i + 2]});
  }
  return histogram;
}

Images ReadImage(std::string_view message) {
  Images images;
  FieldReader fields(message);
  while (auto field = fields.Next()) {
    if (field->IsVarint(1)) images.height = field->AsInt();
    if (field->IsVarint(2)) images.width = field->AsInt();
    if (field->IsBytes(4)) images.encoded.emplace_back(field->bytes);
  }
  return images;
}

std::int64_t NumberIn(const std::string& text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Width, height, then the images.
Images ImagesOf(Tensor tensor) {
  Images images;
  if (tensor.texts.size() < 2) return images;
  images.width = NumberIn(tensor.texts[0]);
  images.height = NumberIn(tensor.texts[1]);
  images.encoded.assign(std::make_move_iterator(tensor.texts.begin() + 2),
                        std::make_move_iterator(tensor.texts.end()));
  return images;
}

EventData DecodeTensor(std::string_view message, const std::string& plugin) {
  Tensor tensor = ReadTensor(message);
  bool one_number = tensor.numbers.size() == 1;
  if (plugin == "scalars" && one_number) return Scalar{tensor.numbers.front()};
  if (plugin == "histograms") return HistogramOf(tensor);
  if (plugin == "images") return ImagesOf(std::move(tensor));
  if (plugin == "text") return Text{std::move(tensor.texts)};
  // Some writers name no plugin at all.
  if (plugin.empty() && one_number && tensor.shape.empty()) return Scalar{tensor.numbers.front()};
  return Other{plugin};
}

EventData DecodeData(const RawValue& raw, const std::string& plugin) {
  if (plugin == "hparams") {
    return DecodeHparams(raw.plugin.content).value_or(Other{plugin});
  }
  if (raw.number) return Scalar{*raw.number};
  if (raw.histogram) return ReadHistogram(*raw.histogram);
  if (raw.image) return ReadImage(*raw.image);
  if (raw.tensor) return DecodeTensor(*raw.tensor, plugin);
  return Other{plugin};
}

EventValue DecodeValue(std::string_view message, PluginOfTag& plugins) {
  RawValue raw = ReadRaw(message);
  std::string plugin = raw.plugin.name;
  if (!plugin.empty()) {
    plugins[raw.tag] = plugin;
  } else if (auto known = plugins.find(raw.tag); known != plugins.end()) {
    plugin = known->second;
  }
  EventData data = DecodeData(raw, plugin);
  return {.tag = std::move(raw.tag), .data = std::move(data)};
}

bool IsSessionStart(std::string_view session_log) {
  FieldReader fields(session_log);
  while (auto field = fields.Next()) {
    if (field->IsVarint(1)) return field->integer == 1;
  }
  return false;
}

// A clock that is not a number, or beyond what microseconds hold, is taken as 1970.
Time TimeOf(double seconds) {
  constexpr double kMost = 9e12;
  if (!(std::abs(seconds) < kMost)) return Time{};
  return Time{std::llround(seconds * 1e6)};
}

}  // namespace

std::optional<Event> DecodeEvent(std::string_view payload, PluginOfTag& plugins) {
  Event event;
  FieldReader fields(payload);
  while (auto field = fields.Next()) {
    if (field->IsDouble(1)) event.time = TimeOf(field->AsDouble());
    if (field->IsVarint(2)) event.step = field->AsInt();
    if (field->IsBytes(7)) event.restarts = IsSessionStart(field->bytes);
    if (!field->IsBytes(5)) continue;
    FieldReader summary(field->bytes);
    while (auto value = summary.Next()) {
      if (value->IsBytes(1)) event.values.push_back(DecodeValue(value->bytes, plugins));
    }
  }
  if (!fields.whole()) return std::nullopt;
  return event;
}

}  // namespace yard::track
