#include <string>
#include <utility>

#include "track/decode.h"
#include "track/proto.h"

namespace yard::track {
namespace {

std::optional<HparamValue> ReadHparamValue(std::string_view message) {
  FieldReader fields(message);
  while (auto field = fields.Next()) {
    if (field->IsDouble(2)) return field->AsDouble();
    if (field->IsBytes(3)) return std::string(field->bytes);
    if (field->IsVarint(4)) return field->integer != 0;
  }
  return std::nullopt;
}

HparamsStart ReadHparamsStart(std::string_view message) {
  HparamsStart start;
  FieldReader fields(message);
  while (auto field = fields.Next()) {
    if (!field->IsBytes(1)) continue;
    std::string name;
    std::optional<HparamValue> value;
    FieldReader entry(field->bytes);
    while (auto part = entry.Next()) {
      if (part->IsBytes(1)) name = part->bytes;
      if (part->IsBytes(2)) value = ReadHparamValue(part->bytes);
    }
    if (value) start.values[name] = std::move(*value);
  }
  return start;
}

HparamsEnd ReadHparamsEnd(std::string_view message) {
  HparamsEnd end;
  FieldReader fields(message);
  while (auto field = fields.Next()) {
    if (field->IsVarint(1) && field->integer <= 3) {
      end.status = static_cast<HparamsStatus>(field->integer);
    }
  }
  return end;
}

}  // namespace

std::optional<EventData> DecodeHparams(std::string_view content) {
  FieldReader fields(content);
  while (auto field = fields.Next()) {
    if (field->IsBytes(3)) return ReadHparamsStart(field->bytes);
    if (field->IsBytes(4)) return ReadHparamsEnd(field->bytes);
  }
  return std::nullopt;
}

}  // namespace yard::track
