#include <cmath>
#include <limits>

#include "tune/space.h"

namespace yard::tune {

Configuration::Configuration(std::size_t size)
    : values_(size, std::numeric_limits<double>::quiet_NaN()) {}

std::optional<double> Configuration::At(std::size_t parameter) const {
  if (std::isnan(values_[parameter])) return std::nullopt;
  return values_[parameter];
}

void Configuration::Clear(std::size_t parameter) {
  values_[parameter] = std::numeric_limits<double>::quiet_NaN();
}

bool Configuration::operator==(const Configuration& other) const {
  if (size() != other.size()) return false;
  for (std::size_t i = 0; i < size(); ++i) {
    if (At(i) != other.At(i)) return false;
  }
  return true;
}

}  // namespace yard::tune
