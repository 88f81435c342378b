#include "facade/mlflow/rules.h"

#include <fmt/format.h>

namespace yard::facade::mlflow {
namespace {

Status CheckLength(std::string_view what, std::string_view text, std::size_t most) {
  if (text.size() <= most) return {};
  return Fail(Code::kInvalid,
              fmt::format("{} has {} bytes; {} are allowed", what, text.size(), most));
}

}  // namespace

Status CheckKey(std::string_view what, std::string_view key) {
  if (key.empty()) return Fail(Code::kInvalid, fmt::format("a {} has no name", what));
  return CheckLength(fmt::format("the name of {} '{}…'", what, key.substr(0, 40)), key,
                     kMostKeyBytes);
}

Status CheckParam(std::string_view key, std::string_view value) {
  YARD_TRY(CheckKey("parameter", key));
  return CheckLength(fmt::format("parameter '{}'", key), value, kMostParamBytes);
}

Status CheckTag(std::string_view key, std::string_view value) {
  YARD_TRY(CheckKey("tag", key));
  return CheckLength(fmt::format("tag '{}'", key), value, kMostTagBytes);
}

Status CheckTags(const Tags& tags) {
  for (const auto& [key, value] : tags) YARD_TRY(CheckTag(key, value));
  return {};
}

Status CheckName(std::string_view what, std::string_view name) {
  if (name.empty()) return Fail(Code::kInvalid, fmt::format("the {} has no name", what));
  return CheckLength(fmt::format("the name of the {}", what), name, kMostNameBytes);
}

}  // namespace yard::facade::mlflow
