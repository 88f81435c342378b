// The units of the product. Integers only, so that 0.1 + 0.2 equals 0.3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/strong.h"

namespace yard {

using MilliGpu = Quantity<struct MilliGpuTag>;
using MilliCpu = Quantity<struct MilliCpuTag>;
using Mebibytes = Quantity<struct MebibytesTag>;

// Kubernetes-style byte quantities: "20M", "1.5Gi", "100". Rounded up to whole MiB.
// Nothing if the text is not a quantity, is negative or does not fit.
std::optional<Mebibytes> ParseMebibytes(std::string_view text);

// A number with at most three decimals, as thousandths: "0.5" is 500. Nothing otherwise.
std::optional<std::int64_t> ParseMilli(std::string_view text);

// 1500 -> "1.5"; 2000 -> "2".
std::string FormatMilli(std::int64_t milli);

}  // namespace yard
