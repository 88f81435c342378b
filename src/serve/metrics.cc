#include "serve/metrics.h"

#include <algorithm>

#include <fmt/format.h>

namespace yard::serve {

void Metrics::Count(int status, Micros took) {
  std::size_t status_class = std::clamp(status / 100, 0, 5);
  by_class_[status_class].fetch_add(1, std::memory_order_relaxed);
  auto bound = std::ranges::lower_bound(kBounds, took.value);
  by_duration_[static_cast<std::size_t>(bound - kBounds.begin())].fetch_add(
      1, std::memory_order_relaxed);
  total_micros_.fetch_add(static_cast<std::uint64_t>(std::max<std::int64_t>(took.value, 0)),
                          std::memory_order_relaxed);
}

void Metrics::Write(std::string& out) const {
  out += "# HELP gpuyard_http_requests_total Requests answered, by class of status.\n";
  out += "# TYPE gpuyard_http_requests_total counter\n";
  for (std::size_t c = 1; c < by_class_.size(); ++c) {
    out +=
        fmt::format("gpuyard_http_requests_total{{class=\"{}xx\"}} {}\n", c, by_class_[c].load());
  }
  out += "# HELP gpuyard_http_request_seconds Time from the whole request to its answer.\n";
  out += "# TYPE gpuyard_http_request_seconds histogram\n";
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    sum += by_duration_[i].load();
    out += fmt::format("gpuyard_http_request_seconds_bucket{{le=\"{}\"}} {}\n",
                       static_cast<double>(kBounds[i]) / 1e6, sum);
  }
  sum += by_duration_.back().load();
  out += fmt::format("gpuyard_http_request_seconds_bucket{{le=\"+Inf\"}} {}\n", sum);
  out += fmt::format("gpuyard_http_request_seconds_sum {}\n",
                     static_cast<double>(total_micros_.load()) / 1e6);
  out += fmt::format("gpuyard_http_request_seconds_count {}\n", sum);
}

void WriteMetric(std::string& out, std::string_view name, std::string_view help,
                 std::string_view type, double value) {
  out += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type, value);
}

}  // namespace yard::serve
