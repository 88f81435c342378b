#include "cli/work/gpus.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/output.h"
#include "cli/work/story.h"

namespace yard::cli {
namespace {

constexpr std::string_view kFree = "free";

bool IsPositive(const std::string& number) {
  return !number.empty() && number.find_first_of("123456789") != std::string::npos;
}

// "declared", a fault, "45 %", or nothing is known.
std::string StateOf(const json::value& gpu) {
  if (std::string fault = TextAt(gpu, "fault"); !fault.empty()) return fault;
  if (TextAt(gpu, "declared") == "true") return "declared";
  std::string busy = TextAt(gpu, "busyPercent");
  return busy.empty() ? "-" : busy + " %";
}

std::string UsersOf(const json::value& gpu) {
  std::vector<std::string> users;
  if (const json::value& list = At(gpu, "workloads"); list.is_array()) {
    for (const json::value& one : list.get_array()) {
      const std::string memory = TextAt(one, "gpuMemory");
      users.push_back(fmt::format("{} ({}, {}{})", TextAt(one, "name"), TextAt(one, "part"),
                                  TextAt(one, "isolation"),
                                  memory.empty() ? "" : ", " + RenderMemory(memory)));
    }
  }
  if (std::string part = TextAt(gpu, "heldByOthers"); IsPositive(part))
    users.push_back(fmt::format("another project ({})", part));
  if (std::string foreign = TextAt(gpu, "foreign"); IsPositive(foreign))
    users.push_back("others: " + foreign);
  if (!users.empty()) return Join(users, ", ");
  const std::string why_not = TextAt(gpu, "outOfService");
  return why_not.empty() ? std::string(kFree) : why_not;
}

// "61 °C"
std::string WithUnit(const json::value& gpu, std::string_view path, std::string_view unit) {
  std::string text = TextAt(gpu, path);
  return text.empty() ? "-" : fmt::format("{} {}", text, unit);
}

// "312.5/700 W"; of one that is not told, a dash.
std::string OutOf(const json::value& gpu, std::string_view now, std::string_view most,
                  std::string_view unit) {
  const std::string first = TextAt(gpu, now), second = TextAt(gpu, most);
  if (first.empty() && second.empty()) return "-";
  return fmt::format("{}/{}{}", OrDash(first), OrDash(second),
                     unit.empty() ? "" : fmt::format(" {}", unit));
}

// "7 by nvlink", "1 by nvlink, 6 by system"
std::string NearOf(const json::value& gpu) {
  const json::value& links = At(gpu, "links");
  if (!links.is_array()) return "-";
  std::vector<std::pair<std::string, int>> counts;
  for (const json::value& link : links.get_array()) {
    std::string how = TextAt(link, "closeness");
    if (how.empty()) continue;
    auto found = std::ranges::find(counts, how, &std::pair<std::string, int>::first);
    if (found == counts.end()) found = counts.insert(counts.end(), {how, 0});
    ++found->second;
  }
  std::vector<std::string> words;
  for (const auto& [how, count] : counts) words.push_back(fmt::format("{} by {}", count, how));
  return OrDash(Join(words, ", "));
}

// "XID 79: …", or how many there were; a dash where the GPU does not tell.
std::string XidOf(const json::value& gpu) {
  if (std::string last = TextAt(gpu, "health.lastXid"); !last.empty()) return last;
  return TextAt(gpu, "health.xids").empty() ? "-" : "none";
}

void AddHealth(const json::value& gpu, std::vector<std::string>& row) {
  const std::string used = TextAt(gpu, "used");
  row.push_back(used == "0Mi" ? "0 MiB" : OrDash(RenderMemory(used)));
  row.push_back(WithUnit(gpu, "health.temperatureCelsius", "°C"));
  row.push_back(OutOf(gpu, "health.powerWatts", "health.powerLimitWatts", "W"));
  row.push_back(OutOf(gpu, "health.smClockMhz", "health.smClockMaxMhz", "MHz"));
  row.push_back(OrDash(TextAt(gpu, "health.slowedBy")));
  row.push_back(OutOf(gpu, "health.eccCorrected", "health.eccUncorrected", ""));
  row.push_back(XidOf(gpu));
  row.push_back(NearOf(gpu));
}

}  // namespace

bool IsFree(const json::value& gpu) {
  return UsersOf(gpu) == kFree;
}

Table GpuTable(std::span<const json::value> gpus, Columns columns) {
  Table table{.header = {"NODE", "GPU", "MODEL", "MEMORY", "PARTS", "STATE", "USED BY"},
              .rows = {}};
  if (columns == Columns::kAll)
    for (const char* more : {"IN USE", "TEMPERATURE", "POWER", "CLOCK", "SLOWED BY",
                             "ECC (CORRECTED/NOT)", "XID", "NEAR"})
      table.header.emplace_back(more);
  for (const json::value& gpu : gpus) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{
        TextAt(gpu, "node"), TextAt(gpu, "uuid"), TextAt(gpu, "model"),
        RenderMemory(TextAt(gpu, "memory")), TextAt(gpu, "isolation"), StateOf(gpu), UsersOf(gpu)});
    if (columns == Columns::kAll) AddHealth(gpu, row);
  }
  return table;
}

}  // namespace yard::cli
