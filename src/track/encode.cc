#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "track/event_file.h"
#include "track/proto.h"
#include "track/record.h"

namespace yard::track {
namespace {

constexpr double kMicrosPerSecond = 1e6;
constexpr std::uint64_t kString = 7;
constexpr std::uint64_t kDoubleType = 2;
constexpr std::uint64_t kSessionStart = 1;

std::string Begin(Time time, std::int64_t step) {
  std::string event;
  AppendDoubleField(event, 1, static_cast<double>(time.micros) / kMicrosPerSecond);
  if (step != 0) AppendVarintField(event, 2, static_cast<std::uint64_t>(step));
  return event;
}

std::string Shape(std::span<const std::uint64_t> sizes) {
  std::string shape;
  for (std::uint64_t size : sizes) {
    std::string dimension;
    AppendVarintField(dimension, 1, size);
    AppendBytesField(shape, 2, dimension);
  }
  return shape;
}

std::string Metadata(std::string_view plugin, std::string_view content = {}) {
  std::string data;
  AppendBytesField(data, 1, plugin);
  if (!content.empty()) AppendBytesField(data, 2, content);
  std::string metadata;
  AppendBytesField(metadata, 1, data);
  return metadata;
}

std::string StringTensor(std::span<const std::string> texts) {
  std::string tensor;
  AppendVarintField(tensor, 1, kString);
  AppendBytesField(tensor, 2, Shape(std::array{static_cast<std::uint64_t>(texts.size())}));
  for (const std::string& text : texts) AppendBytesField(tensor, 8, text);
  return tensor;
}

// A number that a 32-bit float holds is written as all readers know it; the others as a tensor of
// doubles, which keeps them.
void Put(std::string& value, const Scalar& scalar) {
  bool in_range = std::abs(scalar.value) <= std::numeric_limits<float>::max();
  if (!std::isfinite(scalar.value) ||
      (in_range && static_cast<double>(static_cast<float>(scalar.value)) == scalar.value)) {
    return AppendFloatField(value, 2, static_cast<float>(scalar.value));
  }
  std::string tensor;
  AppendVarintField(tensor, 1, kDoubleType);
  AppendBytesField(tensor, 2, "");
  AppendDoubleField(tensor, 6, scalar.value);
  AppendBytesField(value, 9, Metadata("scalars"));
  AppendBytesField(value, 8, tensor);
}

void Put(std::string& value, const Histogram& histogram) {
  std::string tensor;
  AppendVarintField(tensor, 1, kDoubleType);
  AppendBytesField(tensor, 2, Shape(std::array<std::uint64_t, 2>{histogram.buckets.size(), 3}));
  std::string content;
  for (const HistogramBucket& bucket : histogram.buckets) {
    for (double number : {bucket.left, bucket.right, bucket.count}) {
      AppendFixed64(content, std::bit_cast<std::uint64_t>(number));
    }
  }
  AppendBytesField(tensor, 4, content);
  AppendBytesField(value, 9, Metadata("histograms"));
  AppendBytesField(value, 8, tensor);
}

void Put(std::string& value, const Images& images) {
  std::vector<std::string> texts{std::to_string(images.width), std::to_string(images.height)};
  texts.insert(texts.end(), images.encoded.begin(), images.encoded.end());
  AppendBytesField(value, 9, Metadata("images"));
  AppendBytesField(value, 8, StringTensor(texts));
}

void Put(std::string& value, const Text& text) {
  AppendBytesField(value, 9, Metadata("text"));
  AppendBytesField(value, 8, StringTensor(text.lines));
}

std::string HparamMessage(const HparamValue& value) {
  std::string message;
  if (const auto* number = std::get_if<double>(&value)) AppendDoubleField(message, 2, *number);
  if (const auto* text = std::get_if<std::string>(&value)) AppendBytesField(message, 3, *text);
  if (const auto* truth = std::get_if<bool>(&value)) AppendVarintField(message, 4, *truth ? 1 : 0);
  return message;
}

void Put(std::string& value, const HparamsStart& start) {
  std::string session;
  for (const auto& [name, hparam] : start.values) {
    std::string entry;
    AppendBytesField(entry, 1, name);
    AppendBytesField(entry, 2, HparamMessage(hparam));
    AppendBytesField(session, 1, entry);
  }
  std::string content;
  AppendBytesField(content, 3, session);
  AppendBytesField(value, 9, Metadata("hparams", content));
}

void Put(std::string& value, const HparamsEnd& end) {
  std::string session;
  AppendVarintField(session, 1, static_cast<std::uint64_t>(end.status));
  std::string content;
  AppendBytesField(content, 4, session);
  AppendBytesField(value, 9, Metadata("hparams", content));
}

void Put(std::string&, const Other&) {}

}  // namespace

void AppendFileVersion(std::string& out, Time time) {
  std::string event = Begin(time, 0);
  AppendBytesField(event, 3, "brain.Event:2");
  AppendRecord(out, event);
}

void AppendEvent(std::string& out, const Event& event) {
  std::string message = Begin(event.time, event.step);
  if (event.restarts) {
    std::string session;
    AppendVarintField(session, 1, kSessionStart);
    AppendBytesField(message, 7, session);
    return AppendRecord(out, message);
  }
  std::string summary;
  for (const EventValue& given : event.values) {
    if (std::holds_alternative<Other>(given.data)) continue;
    std::string value;
    AppendBytesField(value, 1, given.tag);
    std::visit([&](const auto& data) { Put(value, data); }, given.data);
    AppendBytesField(summary, 1, value);
  }
  AppendBytesField(message, 5, summary);
  AppendRecord(out, message);
}

}  // namespace yard::track
