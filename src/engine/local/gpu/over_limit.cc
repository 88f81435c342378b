#include "engine/local/gpu/over_limit.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::engine {
namespace {

std::optional<GpuOverLimit> AnswerNamed(std::string_view name) {
  if (name == "warn") return GpuOverLimit::kWarn;
  if (name == "refuse") return GpuOverLimit::kRefuse;
  if (name == "freeze") return GpuOverLimit::kFreeze;
  if (name == "kill") return GpuOverLimit::kKill;
  return std::nullopt;
}

}  // namespace

Result<GpuOverLimitRules> ParseOverLimit(std::string_view text) {
  GpuOverLimitRules rules;
  for (std::string_view part : Split(text, ',')) {
    part = Trim(part);
    const std::size_t equals = part.find('=');
    const bool usual = equals == std::string_view::npos;
    const std::optional<GpuOverLimit> answer =
        AnswerNamed(Trim(usual ? part : part.substr(equals + 1)));
    if (!answer)
      return Fail(Code::kInvalid, fmt::format("'{}' in gpu-over-limit is no answer", part),
                  "say warn, refuse, freeze or kill, or PROJECT=kill");
    if (usual)
      rules.usual = *answer;
    else
      rules.of_project[std::string(Trim(part.substr(0, equals)))] = *answer;
  }
  return rules;
}

}  // namespace yard::engine
