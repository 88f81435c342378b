// What MLflow allows in names and values; longer ones are refused by name.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "model/tracking.h"

namespace yard::facade::mlflow {

inline constexpr std::size_t kMostKeyBytes = 250;
inline constexpr std::size_t kMostParamBytes = 6000;
inline constexpr std::size_t kMostTagBytes = 8000;
inline constexpr std::size_t kMostNameBytes = 500;

// `what` names it in the refusal: "metric", "tag".
Status CheckKey(std::string_view what, std::string_view key);
Status CheckParam(std::string_view key, std::string_view value);
Status CheckTags(const Tags& tags);
Status CheckTag(std::string_view key, std::string_view value);
Status CheckName(std::string_view what, std::string_view name);

}  // namespace yard::facade::mlflow
