#include "control/commands/scheduler_settings.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/quantity.h"
#include "base/refuse.h"
#include "base/strings.h"
#include "wire/enums.h"
#include "wire/setting.h"

namespace yard::control {
namespace {

using sched::Backfill;
using sched::Preemption;

constexpr std::string_view kPrefix = "scheduler.";
constexpr std::string_view kFairness = "scheduler.fairness";
constexpr std::string_view kPreemption = "scheduler.preemption";
constexpr std::string_view kBackfill = "scheduler.backfill";
constexpr std::string_view kHalfLife = "scheduler.half-life";
constexpr std::string_view kReclaimAfter = "scheduler.reclaim-min-runtime";
constexpr std::string_view kPreemptAfter = "scheduler.preempt-min-runtime";
constexpr std::string_view kUserGpus = "scheduler.max-gpus-per-user";
constexpr std::string_view kUserInteractive = "scheduler.max-interactive-per-user";
constexpr std::string_view kProjectInteractive = "scheduler.max-interactive-per-project";
constexpr std::string_view kEvictions = "scheduler.max-evictions-per-hour";
constexpr std::string_view kInProject = "scheduler.in-project";
constexpr std::string_view kFirstGpu = "scheduler.first-gpu";
constexpr std::string_view kElastic = "scheduler.elastic";
constexpr std::string_view kGrowAfter = "scheduler.grow-min-runtime";
constexpr std::string_view kMoves = "scheduler.moves";
constexpr std::array<std::string_view, 15> kKeys{
    kFairness,     kPreemption, kBackfill,        kHalfLife,           kReclaimAfter,
    kPreemptAfter, kUserGpus,   kUserInteractive, kProjectInteractive, kEvictions,
    kInProject,    kFirstGpu,   kElastic,         kGrowAfter,          kMoves};

constexpr std::array<std::pair<std::string_view, Backfill>, 3> kBackfills{
    {{"on", Backfill::kHeads}, {"conservative", Backfill::kConservative}, {"off", Backfill::kOff}}};
constexpr std::array<std::pair<std::string_view, sched::People>, 2> kPeople{
    {{"by-person", sched::People::kByUse}, {"first-come", sched::People::kInLine}}};
constexpr std::array<std::pair<std::string_view, sched::FirstGpu>, 2> kFirstGpus{
    {{"wait", sched::FirstGpu::kWaits}, {"preempt", sched::FirstGpu::kPreempts}}};

template <class Value, std::size_t kCount>
bool TakeWord(const std::array<std::pair<std::string_view, Value>, kCount>& words,
              std::string_view text, Value& value) {
  for (const auto& [word, meant] : words) {
    if (word == text) value = meant;
    if (word == text) return true;
  }
  return false;
}

template <class Value, std::size_t kCount>
std::string WordOf(const std::array<std::pair<std::string_view, Value>, kCount>& words,
                   Value value) {
  for (const auto& [word, meant] : words) {
    if (meant == value) return std::string(word);
  }
  return "";
}

constexpr Micros kShortest = Minutes(1);
constexpr Micros kLongest = Days(3650);

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
  if (!count || *count < 0 || *count > kLongest.value / each.value) return std::nullopt;
  return each * *count;
}

constexpr std::int64_t kMostMoves = 64;  // in one plan
constexpr std::string_view kNoCap = "none";
constexpr std::int64_t kMostCap = 1'000'000;

// In thousandths, if it is a whole number of units.
std::optional<std::int64_t> ReadCap(std::string_view text, std::int64_t unit) {
  if (text == kNoCap) return sched::kUnlimited;
  std::optional<std::int64_t> milli = ParseMilli(text);
  bool good = milli && *milli >= 0 && *milli <= kMostCap * 1000 && *milli % unit == 0;
  return good ? std::optional(*milli / unit) : std::nullopt;
}

std::string CapText(std::int64_t cap, std::int64_t unit) {
  return cap == sched::kUnlimited ? std::string(kNoCap) : FormatMilli(cap * unit);
}

std::optional<std::string> TakeCap(std::string_view key, const std::string& text, Caps& caps) {
  bool gpus = key == kUserGpus;
  std::optional<std::int64_t> cap = ReadCap(text, gpus ? 1 : 1000);
  if (!cap) return gpus ? "a number of GPUs, or none" : "a whole number, or none";
  std::int64_t& which = gpus                      ? caps.user_milli_gpu
                        : key == kUserInteractive ? caps.user_interactive
                                                  : caps.project_interactive;
  which = *cap;
  return std::nullopt;
}

std::optional<std::string> TakeChoice(std::string_view key, const std::string& text,
                                      sched::Policy& policy) {
  const auto unless = [](bool taken, const char* expected) {
    return taken ? std::nullopt : std::optional<std::string>(expected);
  };
  if (key == kBackfill) {
    return unless(TakeWord(kBackfills, text, policy.backfill), "on, conservative or off");
  }
  if (key == kInProject) {
    return unless(TakeWord(kPeople, text, policy.people), "by-person or first-come");
  }
  if (key == kFirstGpu) {
    return unless(TakeWord(kFirstGpus, text, policy.first_gpu), "wait or preempt");
  }
  std::optional<bool> on = ReadSwitch(text);
  if (on) policy.preemption = *on ? Preemption::kAllowed : Preemption::kNever;
  return unless(on.has_value(), "on or off");
}

// What may stop running work and start it again in another size or place.
std::optional<std::string> TakeRestarts(std::string_view key, const std::string& text,
                                        SchedulerRules& rules) {
  if (key == kElastic) {
    std::optional<bool> on = ReadSwitch(text);
    if (!on) return "on or off";
    rules.elastic = *on;
    return std::nullopt;
  }
  std::optional<std::int64_t> most = ParseInt(text);
  if (!most || *most < 0 || *most > kMostMoves) return "a whole number from 0 to 64";
  rules.policy.max_moves = static_cast<std::int32_t>(*most);
  return std::nullopt;
}

// Takes one setting into the rules; what it must be if it cannot.
std::optional<std::string> Take(std::string_view key, const std::string& text,
                                SchedulerRules& rules) {
  if (key == kFairness) {
    std::optional<Fairness> known = wire::FromName<Fairness>(text);
    if (!known) return "fair-share, nth-gpu, decayed or fifo";
    rules.policy.fairness = *known;
    return std::nullopt;
  }
  if (key == kHalfLife) {
    std::optional<Micros> span = ReadSpan(text);
    if (!span || *span < kShortest) return "a span from 1m to 3650d, such as 12h or 7d";
    rules.half_life = *span;
    return std::nullopt;
  }
  if (key == kReclaimAfter || key == kPreemptAfter || key == kGrowAfter) {
    std::optional<Micros> span = ReadSpan(text);
    if (!span) return "a span up to 3650d, such as 10m or 2h; 0s for none";
    sched::Policy& policy = rules.policy;
    Micros& guard = key == kReclaimAfter   ? policy.reclaim_min_runtime
                    : key == kPreemptAfter ? policy.preempt_min_runtime
                                           : policy.grow_min_runtime;
    guard = *span;
    return std::nullopt;
  }
  if (key == kElastic || key == kMoves) return TakeRestarts(key, text, rules);
  if (key == kEvictions) {
    std::optional<std::int64_t> most = ReadCap(text, 1000);
    if (!most || *most == 0) return "a whole number from 1, or none";
    rules.policy.most_evictions_per_hour = *most == sched::kUnlimited ? 0 : *most;
    return std::nullopt;
  }
  if (key.starts_with("scheduler.max-")) return TakeCap(key, text, rules.caps);
  return TakeChoice(key, text, rules.policy);
}

std::optional<std::string> ValueOf(const State& state, std::string_view key) {
  Ptr<Setting> setting = state.Find<Setting>(std::string(key));
  if (!setting) return std::nullopt;
  return wire::SettingText(*setting);
}

std::string SpanText(Micros span) {
  if (span.value > 0 && span.value % Days(1).value == 0)
    return fmt::format("{}d", span.value / Days(1).value);
  return fmt::format("{}s", span.value / Seconds(1).value);
}

}  // namespace

sched::Policy UsualPolicy() {
  sched::Policy policy;
  policy.backfill = Backfill::kHeads;
  policy.people = sched::People::kByUse;
  policy.growth = sched::Growth::kByRestart;
  policy.grow_min_runtime = Minutes(30);
  return policy;
}

bool IsSchedulerSetting(std::string_view key) {
  return key.starts_with(kPrefix);
}

Status CheckSetting(std::string_view key, const std::string& value) {
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
  std::optional<std::string> expected = Take(key, value, ignored);
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
  SchedulerRules rules = RulesOf(state, UsualPolicy());
  const std::int64_t most = rules.policy.most_evictions_per_hour;
  return {{kFairness, std::string(wire::ToName(rules.policy.fairness))},
          {kPreemption, rules.policy.preemption == Preemption::kAllowed ? "on" : "off"},
          {kBackfill, WordOf(kBackfills, rules.policy.backfill)},
          {kInProject, WordOf(kPeople, rules.policy.people)},
          {kFirstGpu, WordOf(kFirstGpus, rules.policy.first_gpu)},
          {kHalfLife, SpanText(rules.half_life)},
          {kReclaimAfter, SpanText(rules.policy.reclaim_min_runtime)},
          {kPreemptAfter, SpanText(rules.policy.preempt_min_runtime)},
          {kUserGpus, CapText(rules.caps.user_milli_gpu, 1)},
          {kUserInteractive, CapText(rules.caps.user_interactive, 1000)},
          {kProjectInteractive, CapText(rules.caps.project_interactive, 1000)},
          {kElastic, rules.elastic ? "on" : "off"},
          {kGrowAfter, SpanText(rules.policy.grow_min_runtime)},
          {kMoves, std::to_string(rules.policy.max_moves)},
          {kEvictions, most == 0 ? std::string(kNoCap) : std::to_string(most)}};
}

}  // namespace yard::control
