#include "cli/work/efficiency.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/quantity.h"
#include "cli/output.h"
#include "cli/submit/parse.h"
#include "cli/work/story.h"

namespace yard::cli {
namespace {

std::optional<double> Number(const json::value& usage, std::string_view path) {
  const json::value& value = At(usage, path);
  if (!value.is_number()) return std::nullopt;
  return value.to_number<double>();
}

std::string Shown(std::optional<double> number, const char* unit = "") {
  if (!number) return "-";
  std::string text = fmt::format("{:.2f}", *number);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text + unit;
}

std::string Memory(const json::value& usage, std::string_view path) {
  std::string text = RenderMemory(TextAt(usage, path));
  return text.empty() ? "-" : text;
}

std::string Percent(double part) {
  return fmt::format("{:.0f} %", part * 100);
}

std::optional<double> MebibytesAt(const json::value& usage, std::string_view path) {
  std::optional<Mebibytes> amount = ParseMebibytes(TextAt(usage, path));
  return amount && amount->value > 0 ? std::optional(static_cast<double>(amount->value))
                                     : std::nullopt;
}

}  // namespace

Micros RunTimeOf(const json::array& attempts, Time now) {
  Micros ran{0};
  for (const json::value& attempt : attempts) {
    std::optional<Time> start = ParseRfc3339(TextAt(attempt, "startedAt"));
    std::optional<Time> end = ParseRfc3339(TextAt(attempt, "endedAt"));
    if (start) ran = ran + (end.value_or(now) - *start);
  }
  return ran;
}

Efficiency EfficiencyOf(const json::value& usage, Micros ran) {
  Efficiency out{
      .table = {.header = {"RESOURCE", "ASKED", "USED", "OF IT", "SUGGESTED"}, .rows = {}},
      .verdict = {}};
  const double seconds = static_cast<double>(ran.value) / 1'000'000;
  auto add = [&](const char* name, std::string asked, std::string used, std::optional<double> part,
                 std::string suggested) {
    out.table.rows.push_back({name, std::move(asked), std::move(used), part ? Percent(*part) : "-",
                              std::move(suggested)});
  };
  std::optional<double> cpu = Number(usage, "used.cpuSeconds");
  std::optional<double> cores = Number(usage, "asked.cpu");
  std::optional<double> busy = cpu && seconds > 0 ? std::optional(*cpu / seconds) : std::nullopt;
  bool known = busy && cores && *cores > 0;
  add("CPU cores", Shown(cores), Shown(busy), known ? std::optional(*busy / *cores) : std::nullopt,
      Shown(Number(usage, "suggested.cpu")));
  std::optional<double> peak = MebibytesAt(usage, "used.memoryPeak");
  std::optional<double> memory = MebibytesAt(usage, "asked.memory");
  add("memory, peak", Memory(usage, "asked.memory"), Memory(usage, "used.memoryPeak"),
      peak && memory ? std::optional(*peak / *memory) : std::nullopt,
      Memory(usage, "suggested.memory"));
  std::optional<double> held = Number(usage, "used.gpuHoursHeld");
  std::optional<double> used = Number(usage, "used.gpuHoursUsed");
  bool gpus = held && *held > 0;
  std::optional<double> gpu_part = gpus && used ? std::optional(*used / *held) : std::nullopt;
  if (gpus)
    add("GPU hours", Shown(held), Shown(used), gpu_part, Shown(Number(usage, "suggested.gpu")));
  out.table.rows.push_back({"time", "-", FormatDuration(ran), "-", "-"});
  if (gpu_part)
    out.verdict = *gpu_part < 0.3 ? "Its GPUs were mostly idle." : "Its GPUs were at work.";
  if (gpus && !used) out.verdict = "Nobody measured its GPUs.";
  if (memory && peak && *peak < *memory / 4)
    out.verdict += (out.verdict.empty() ? "" : " ") +
                   std::string("It asked for far more memory than it used.");
  return out;
}

}  // namespace yard::cli
