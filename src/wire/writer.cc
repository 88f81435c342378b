#include "wire/writer.h"

#include <cmath>

#include <fmt/format.h>

#include "model/spec/spec.h"

namespace yard::wire {

void Writer::Value(double value) {
  if (!std::isfinite(value)) {
    Null();
  } else if (value == std::floor(value) && std::abs(value) < 1e15) {
    Value(static_cast<std::int64_t>(value));
  } else {
    out_ += fmt::format("{}", value);
  }
}

void Writer::Value(const SpecRef& spec) {
  out_ += spec->document.json;
}

}  // namespace yard::wire
