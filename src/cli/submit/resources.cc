#include "cli/submit/resources.h"

#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/submit/parse.h"

namespace yard::cli {

Result<double> ParseAmount(std::string_view text) {
  double amount = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
  bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || !std::isfinite(amount) || amount < 0 || amount > 1'000'000)
    return Fail(Code::kInvalid, fmt::format("'{}' is not a number from 0 to 1000000", text));
  return amount;
}

Result<std::int64_t> ParseCount(std::string_view text, std::int64_t least) {
  std::optional<std::int64_t> count = ParseInt(text);
  if (!count || *count < least)
    return Fail(Code::kInvalid, fmt::format("'{}' is not a whole number from {}", text, least));
  return *count;
}

Result<GpuLimit> ParseGpuLimit(std::string_view text) {
  if (Result<double> part = ParseAmount(text); part && *part <= 1) {
    if (*part > 0) return GpuLimit{.portion = *part, .memory = {}};
    return Fail(Code::kInvalid, "a limit of nothing", "write for example 0.8 or 20G");
  }
  YARD_ASSIGN(std::string size, ParseSize(text, "Mi"));
  return GpuLimit{.portion = {}, .memory = size};
}

Status SetGpus(Spec& spec, std::string_view text) {
  YARD_ASSIGN(GpuAmount amount, ParseGpus(text));
  spec.Set("compute.gpuDevicesRequest", amount.devices);
  if (!amount.portion) return {};
  spec.Set("compute.gpuRequestType", "portion");
  spec.Set("compute.gpuPortionRequest", *amount.portion);
  return {};
}

Status SetGpuPart(Spec& spec, std::string_view text) {
  YARD_ASSIGN(double part, ParseAmount(text));
  if (part <= 0 || part > 1)
    return Fail(Code::kInvalid, fmt::format("'{}' is not a part of a GPU", text),
                "write a number above 0 and up to 1, for example 0.5");
  spec.Set("compute.gpuRequestType", "portion");
  spec.Set("compute.gpuPortionRequest", part);
  spec.SetIfAbsent("compute.gpuDevicesRequest", std::int64_t{1});
  return {};
}

Status SetGpuMemory(Spec& spec, std::string_view text) {
  YARD_ASSIGN(std::string size, ParseSize(text, "Mi"));
  spec.Set("compute.gpuRequestType", "memory");
  spec.Set("compute.gpuMemoryRequest", size);
  spec.SetIfAbsent("compute.gpuDevicesRequest", std::int64_t{1});
  return {};
}

// A number up to 1 is a part of the GPU, anything else a size.
Status SetGpuLimit(Spec& spec, std::string_view text) {
  YARD_ASSIGN(GpuLimit limit, ParseGpuLimit(text));
  if (limit.portion) spec.Set("compute.gpuPortionLimit", *limit.portion);
  if (!limit.memory.empty()) spec.Set("compute.gpuMemoryLimit", limit.memory);
  return {};
}

Status SetGpuCompute(Spec& spec, std::string_view text) {
  if (text != "none" && text != "fair" && text != "strict" && text != "interactive")
    return Fail(Code::kInvalid, fmt::format("'{}' is not none, fair, strict or interactive", text));
  spec.Set("compute.gpuCompute", std::string(text));
  return {};
}

Status SetCpus(Spec& spec, std::string_view text) {
  YARD_ASSIGN(double cores, ParseAmount(text));
  spec.Set("compute.cpuCoreRequest", cores);
  return {};
}

Status SetMemory(Spec& spec, std::string_view text) {
  YARD_ASSIGN(std::string size, ParseSize(text, "Mi"));
  spec.Set("compute.cpuMemoryRequest", size);
  return {};
}

namespace {

// Slurm's units: "4G" is 4 GiB.
std::string InSlurmUnits(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  std::size_t at = text.find_first_not_of("0123456789.");
  std::string unit = at == text.npos ? "M" : std::string(text.substr(at));
  for (char& c : unit) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  if (unit.size() == 2 && unit[1] == 'B') unit.pop_back();
  if (unit.size() == 1 && kUnits.contains(unit[0]))
    return fmt::format("{}{}i", text.substr(0, at), unit);
  return std::string(text);
}

}  // namespace

Status SetSlurmMemory(Spec& spec, std::string_view text) {
  return SetMemory(spec, InSlurmUnits(text));
}

Status SetMemoryLimit(Spec& spec, std::string_view text) {
  YARD_ASSIGN(std::string size, ParseSize(InSlurmUnits(text), "Mi"));
  spec.Set("compute.cpuMemoryLimit", size);
  return {};
}

Status SetCpuLimit(Spec& spec, std::string_view text) {
  YARD_ASSIGN(double cores, ParseAmount(text));
  spec.Set("compute.cpuCoreLimit", cores);
  return {};
}

Status LimitToRequest(Spec& spec) {
  for (const auto& [request, limit] :
       {std::pair{"compute.cpuCoreRequest", "compute.cpuCoreLimit"},
        std::pair{"compute.cpuMemoryRequest", "compute.cpuMemoryLimit"}}) {
    if (const Value* asked = spec.Find(request)) spec.SetIfAbsent(limit, Value(*asked));
  }
  if (spec.Has("retry.on") && !spec.Has("retry.limit"))
    return Fail(Code::kInvalid, "--retry-on needs --retry N", "N is how often it is started again");
  return {};
}

Status SetTimeLimit(Spec& spec, std::string_view text) {
  YARD_ASSIGN(Micros span, ParseDuration(text));
  if (span.value <= 0) return Fail(Code::kInvalid, "a time limit of nothing would end it at once");
  spec.Set("timeLimitSeconds", span.value / 1'000'000);
  return {};
}

Status SetPools(Spec& spec, std::string_view text) {
  std::vector<std::string> pools;
  for (std::string_view pool : Split(text, ',')) {
    if (!Trim(pool).empty()) pools.emplace_back(Trim(pool));
  }
  spec.Set("nodePools", std::move(pools));
  return {};
}

Status SetVariable(Spec& spec, std::string_view text) {
  YARD_ASSIGN(auto variable, ParseAssignment(text));
  spec.SetVariable(variable.first, variable.second);
  return {};
}

Status SetRetryOn(Spec& spec, std::string_view text) {
  YARD_ASSIGN(RetryCauses found, ParseRetryOn(text));
  // Preempted work is queued again anyway, and that does not count as a retry.
  std::erase(found.causes, "Preempted");
  if (!found.exit_codes.empty()) spec.Set("retry.exitCodes", found.exit_codes);
  spec.Set("retry.on", found.causes);
  return {};
}

}  // namespace yard::cli
