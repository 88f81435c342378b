// Names of pods: "train-0-2" is the third pod of the first attempt of "train". Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace yard::cli::runai {

struct PodName {
  std::string job;
  std::int64_t attempt = 1;
  std::int64_t rank = 0;
};

std::optional<PodName> ParsePodName(std::string_view name);

}  // namespace yard::cli::runai
