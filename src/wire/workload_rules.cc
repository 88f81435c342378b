#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "wire/enums.h"
#include "wire/fields.h"
#include "wire/signals.h"
#include "wire/workload.h"

namespace yard::wire {
namespace {

std::optional<std::int64_t> Whole(const json::object& object, std::string_view name) {
  const json::value* value = ValueIn(object, name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<std::int64_t>();
}

std::unexpected<Error> Refuse(std::string_view field, std::string problem) {
  Error error{Code::kInvalid, fmt::format("spec.{}: {}", field, problem)};
  error.fields.push_back({fmt::format("spec.{}", field), std::move(problem)});
  return Fail(std::move(error));
}

Result<std::int64_t> ReadSignal(std::string_view field, std::string_view text) {
  if (std::optional<std::int64_t> signal = SignalOf(text)) return *signal;
  return Refuse(field, fmt::format("there is no signal '{}'", text));
}

RetryRule ReadRetry(const json::object& spec) {
  constexpr std::array kByBackoff = {EndCause::kExit, EndCause::kSignal, EndCause::kOutOfMemory,
                                     EndCause::kNodeLost};
  RetryRule rule{.limit = Whole(spec, "backoffLimit").value_or(0)};
  rule.on.assign(kByBackoff.begin(), kByBackoff.end());
  const json::value* retry = ValueIn(spec, "retry");
  if (retry == nullptr || !retry->is_object()) return rule;
  const json::object& own = retry->get_object();
  rule.limit = Whole(own, "limit").value_or(rule.limit);
  if (const json::value* on = ValueIn(own, "on"); on && on->is_array()) {
    rule.on.clear();
    for (const json::value& name : on->get_array()) {
      auto cause = name.is_string() ? FromName<EndCause>(name.get_string()) : std::nullopt;
      if (cause) rule.on.push_back(*cause);
    }
  }
  if (const json::value* codes = ValueIn(own, "exitCodes"); codes && codes->is_array()) {
    for (const json::value& code : codes->get_array()) {
      if (code.is_number()) rule.exit_codes.push_back(code.to_number<std::int64_t>());
    }
  }
  return rule;
}

std::vector<Dependency> ReadDependencies(const json::object& spec) {
  std::vector<Dependency> all;
  const json::value* list = ValueIn(spec, "dependsOn");
  if (list == nullptr || !list->is_array()) return all;
  for (const json::value& item : list->get_array()) {
    if (!item.is_object()) continue;
    Dependency& one = all.emplace_back();
    one.named = TextOrEmpty(item.get_object(), "workload");
    one.condition = FromName<AfterCondition>(TextOrEmpty(item.get_object(), "condition"))
                        .value_or(AfterCondition::kOk);
  }
  return all;
}

std::optional<ArrayItem> ReadArray(const json::object& spec) {
  const json::value* value = ValueIn(spec, "array");
  if (value == nullptr || !value->is_object()) return std::nullopt;
  const json::object& array = value->get_object();
  return ArrayItem{.id = std::string(TextOrEmpty(array, "id")),
                   .index = Whole(array, "index").value_or(0),
                   .size = Whole(array, "size").value_or(0),
                   .throttle = Whole(array, "throttle").value_or(0)};
}

}  // namespace

Result<RunRules> ReadRules(const json::object& spec) {
  RunRules rules;
  if (auto seconds = Whole(spec, "timeLimitSeconds")) rules.time_limit = Seconds(*seconds);
  if (ValueIn(spec, "stopAt")) rules.stop_at = ParseRfc3339(TextOrEmpty(spec, "stopAt"));
  rules.retry = ReadRetry(spec);
  if (rules.retry.limit == 0) rules.retry = {};
  rules.after = ReadDependencies(spec);
  rules.hold = FlagOrFalse(spec, "hold");
  rules.ends_when_preempted = FlagOrFalse(spec, "terminateAfterPreemption");
  if (auto seconds = Whole(spec, "terminationGracePeriodSeconds")) {
    rules.grace = Seconds(*seconds);
  }
  if (ValueIn(spec, "preemptSignal")) {
    YARD_ASSIGN(rules.preempt_signal,
                ReadSignal("preemptSignal", TextOrEmpty(spec, "preemptSignal")));
  }
  if (const json::object& warning = ObjectOrEmpty(spec, "signalBeforeEnd"); !warning.empty()) {
    YARD_TRY(ReadSignal("signalBeforeEnd.signal", TextOrEmpty(warning, "signal")));
  }
  rules.array = ReadArray(spec);
  return rules;
}

}  // namespace yard::wire
