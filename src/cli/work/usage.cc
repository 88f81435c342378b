#include "cli/work/usage.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/output.h"

namespace yard::cli {
namespace {

constexpr std::int64_t kMicrosPerHour = 3'600'000'000;

std::string GpuHoursAt(const json::value& row, std::string_view part) {
  std::string path = fmt::format("gpuTime.{}", part);
  return GpuHours(ParseInt(TextAt(row, path)).value_or(0));
}

std::string HoursAt(const json::value& row, std::string_view field) {
  const json::value& value = At(row, field);
  return value.is_number() ? fmt::format("{:.2f}", value.to_number<double>()) : "-";
}

// Without a measurement nothing is known about use, which is not the same as no use.
std::vector<std::string> RowOf(const json::value& row) {
  bool measured = TextAt(row, "gpuTime.used") != "0" || TextAt(row, "gpuTime.idle") != "0";
  return {TextAt(row, "name"),
          TextAt(row, "workloads"),
          TextAt(row, "attempts"),
          HoursAt(row, "hours"),
          HoursAt(row, "cpuHours"),
          GpuHoursAt(row, "held"),
          measured ? GpuHoursAt(row, "used") : "-",
          measured ? GpuHoursAt(row, "idle") : "-",
          GpuHoursAt(row, "notMeasured")};
}

}  // namespace

std::string GpuHours(std::int64_t gpu_time) {
  std::int64_t hundredths = gpu_time / (kMicrosPerHour * 10);
  return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

std::vector<json::value> RowsOf(const json::value& report) {
  std::vector<json::value> rows;
  const json::value& listed = At(report, "rows");
  if (listed.is_array()) rows.assign(listed.get_array().begin(), listed.get_array().end());
  rows.push_back(At(report, "total"));
  return rows;
}

Table ReportTable(const std::string& title, const json::value& report) {
  Table table{.header = {title, "WORKLOADS", "ATTEMPTS", "HOURS", "CPU HOURS", "GPU HOURS", "USED",
                         "IDLE", "NOT MEASURED"},
              .rows = {}};
  for (const json::value& row : RowsOf(report)) table.rows.push_back(RowOf(row));
  return table;
}

}  // namespace yard::cli
