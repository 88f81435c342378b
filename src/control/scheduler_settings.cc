#include "control/scheduler_settings.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/refuse.h"
#include "base/strings.h"

namespace yard::control {
namespace {

using sched::Backfill;
using sched::Fairness;
using sched::Preemption;

constexpr std::string_view kPrefix = "scheduler.";
constexpr std::string_view kFairness = "scheduler.fairness";
constexpr std::string_view kPreemption = "scheduler.preemption";
constexpr std::string_view kBackfill = "scheduler.backfill";
constexpr std::string_view kHalfLife = "scheduler.half-life";
constexpr std::array<std::string_view, 4> kKeys{kFairness, kPreemption, kBackfill, kHalfLife};

constexpr Micros kShortest = Minutes(1);
constexpr Micros kLongest = Days(3650);

struct FairnessName {
  std::string_view name;
  Fairness fairness;
};
constexpr std::array<FairnessName, 4> kFairnessNames{{{"fair-share", Fairness::kFairShare},
                                                      {"nth-gpu", Fairness::kNthGpu},
                                                      {"decayed", Fairness::kDecayedShare},
                                                      {"fifo", Fairness::kFifo}}};

std::string TextOf(const json::value& value) {
  if (value.is_bool()) return value.get_bool() ? "on" : "off";
  if (value.is_string()) return std::string(std::string_view(value.get_string()));
  if (value.is_int64()) return std::to_string(value.get_int64());
  return "";
}

std::optional<bool> ReadSwitch(std::string_view text) {
  if (text == "on") return true;
  return text == "off" ? std::optional(false) : std::nullopt;
}

std::optional<Micros> UnitOf(char unit) {
  switch (unit) {
    case 's':
      return Seconds(1);
    case 'm':
      return Minutes(1);
    case 'h':
      return Hours(1);
    case 'd':
      return Days(1);
    default:
      return std::nullopt;
  }
}

// "7d", "36h", "90m", "600s" or seconds alone.
std::optional<Micros> ReadSpan(std::string_view text) {
  std::optional<Micros> unit = text.empty() ? std::nullopt : UnitOf(text.back());
  if (unit) text.remove_suffix(1);
  std::optional<std::int64_t> count = ParseInt(text);
  Micros each = unit.value_or(Seconds(1));
  if (!count || *count < 1 || *count > kLongest.value / each.value) return std::nullopt;
  Micros span = each * *count;
  return span < kShortest ? std::nullopt : std::optional(span);
}

// Takes one setting into the rules; what it must be if it cannot.
std::optional<std::string> Take(std::string_view key, const std::string& text,
                                SchedulerRules& rules) {
  if (key == kFairness) {
    auto known = std::ranges::find(kFairnessNames, text, &FairnessName::name);
    if (known == kFairnessNames.end()) return "fair-share, nth-gpu, decayed or fifo";
    rules.policy.fairness = known->fairness;
    return std::nullopt;
  }
  if (key == kHalfLife) {
    std::optional<Micros> span = ReadSpan(text);
    if (!span) return "a span from 1m to 3650d, such as 12h or 7d";
    rules.half_life = *span;
    return std::nullopt;
  }
  std::optional<bool> on = ReadSwitch(text);
  if (!on) return "on or off";
  if (key == kPreemption) {
    rules.policy.preemption = *on ? Preemption::kAllowed : Preemption::kNever;
  } else {
    rules.policy.backfill = *on ? Backfill::kConservative : Backfill::kOff;
  }
  return std::nullopt;
}

std::optional<std::string> ValueOf(const State& state, std::string_view key) {
  Ptr<Setting> setting = state.Find<Setting>(std::string(key));
  if (!setting) return std::nullopt;
  Result<json::value> document = ParseJson(setting->value.json);
  if (!document || !document->is_object()) return std::nullopt;
  const json::value* value = document->get_object().if_contains("value");
  return value == nullptr ? std::nullopt : std::optional(TextOf(*value));
}

std::string SpanText(Micros span) {
  if (span.value % Days(1).value == 0) return fmt::format("{}d", span.value / Days(1).value);
  return fmt::format("{}s", span.value / Seconds(1).value);
}

}  // namespace

bool IsSchedulerSetting(std::string_view key) {
  return key.starts_with(kPrefix);
}

Status CheckSetting(std::string_view key, const json::value& value) {
  if (!IsSchedulerSetting(key)) return {};
  if (std::ranges::find(kKeys, key) == kKeys.end()) {
    std::optional<std::string_view> near = Nearest(key, kKeys);
    Error error{Code::kInvalid, fmt::format("key: there is no setting '{}'", key),
                near ? fmt::format("did you mean '{}'?", *near)
                     : fmt::format("known are {}", fmt::join(kKeys, ", "))};
    error.fields.push_back({"key", "is not a setting of the scheduler"});
    return Fail(std::move(error));
  }
  SchedulerRules ignored;
  std::optional<std::string> expected = Take(key, TextOf(value), ignored);
  if (!expected) return {};
  return RefuseFields({{"value", fmt::format("of {} must be {}", key, *expected)}});
}

SchedulerRules RulesOf(const State& state, const sched::Policy& usual) {
  SchedulerRules rules{.policy = usual};
  for (std::string_view key : kKeys) {
    if (std::optional<std::string> text = ValueOf(state, key)) (void)Take(key, *text, rules);
  }
  return rules;
}

std::vector<ShownSetting> SchedulerSettings(const State& state) {
  SchedulerRules rules = RulesOf(state, {});
  auto fairness = std::ranges::find(kFairnessNames, rules.policy.fairness, &FairnessName::fairness);
  return {{kFairness, std::string(fairness->name)},
          {kPreemption, rules.policy.preemption == Preemption::kAllowed ? "on" : "off"},
          {kBackfill, rules.policy.backfill == Backfill::kOff ? "off" : "on"},
          {kHalfLife, SpanText(rules.half_life)}};
}

}  // namespace yard::control
