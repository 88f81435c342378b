// A tensor of an event file, as numbers or texts.
//
// Every way of writing one is read: raw bytes, lists of one type, one value for all elements. Types
// that no chart shows leave it empty. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace yard::track {

struct Tensor {
  std::vector<std::int64_t> shape;  // empty for a scalar
  std::vector<double> numbers;
  std::vector<std::string> texts;
};

Tensor ReadTensor(std::string_view message);

}  // namespace yard::track
