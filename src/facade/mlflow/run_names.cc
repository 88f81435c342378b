#include "facade/mlflow/run_names.h"

#include <array>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace yard::facade::mlflow {

std::string RandomRunName(Random& random) {
  constexpr std::array<std::string_view, 16> kFirst{
      "brave", "calm",  "clear", "dusty", "early", "fresh", "gentle", "green",
      "happy", "light", "lucky", "quick", "quiet", "round", "sunny",  "warm"};
  constexpr std::array<std::string_view, 16> kSecond{
      "anchor", "bridge", "canyon", "cedar", "comet", "delta", "falcon", "garden",
      "harbor", "island", "meadow", "otter", "pine",  "ridge", "river",  "valley"};
  std::array<std::uint8_t, 4> bytes{};
  random.Fill(bytes);
  unsigned number = (bytes[2] * 256U + bytes[3]) % 1000U;
  return fmt::format("{}-{}-{}", kFirst[bytes[0] % kFirst.size()],
                     kSecond[bytes[1] % kSecond.size()], number);
}

}  // namespace yard::facade::mlflow
