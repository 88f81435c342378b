// The second half of control/policy_engine.h: what does not comply.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "control/policy/engine.h"
#include "control/policy/values.h"

namespace yard::control {
namespace {

// Where a rule applies: the value that was sent, the one after defaults, and the default itself.
struct Place {
  std::string path;
  const json::value* sent = nullptr;
  const json::value* filled = nullptr;
  const json::value* fallback = nullptr;
};

class Checker {
 public:
  std::vector<FieldIssue> issues;

  void Walk(const json::object& rules, const Place& place) {
    for (const auto& [key, value] : rules) {
      const json::object* rule = value.if_object();
      if (rule == nullptr || key == "sourceOfRule") continue;
      Place inner = Step(place, key);
      if (IsItemized(*rule)) {
        CheckItems(*rule, inner);
      } else if (HasNested(*rule)) {
        Walk(*rule, inner);
      } else {
        CheckValue(*rule, inner);
      }
    }
  }

 private:
  static const json::value* Member(const json::value* parent, std::string_view key) {
    const json::object* object = parent == nullptr ? nullptr : parent->if_object();
    return object == nullptr ? nullptr : ValueIn(*object, key);
  }
  static Place Step(const Place& place, std::string_view key) {
    return {place.path.empty() ? std::string(key) : fmt::format("{}.{}", place.path, key),
            Member(place.sent, key), Member(place.filled, key), Member(place.fallback, key)};
  }
  // A group of rules, as opposed to one rule.
  static bool HasNested(const json::object& node) {
    return std::ranges::all_of(node, [](const auto& member) {
      return member.value().is_object() && member.key() != "defaultFrom" &&
             member.key() != "sourceOfRule";
    });
  }

  void Add(const std::string& path, std::string problem) {
    issues.push_back({path, std::move(problem)});
  }

  void CheckValue(const json::object& rule, const Place& at) {
    if (FlagIn(rule, "required") == true && at.filled == nullptr) {
      return Add(at.path, "is required by policy");
    }
    if (FlagIn(rule, "canEdit") == false && at.sent != nullptr) CheckEdit(at);
    if (at.filled == nullptr) return;
    CheckOptions(rule, at);
    CheckBounds(rule, at);
  }

  void CheckEdit(const Place& at) {
    if (at.fallback != nullptr && *at.fallback == *at.sent) return;
    Add(at.path, at.fallback == nullptr
                     ? "may not be set: policy forbids editing it"
                     : fmt::format("must stay {}: policy forbids editing it", Show(*at.fallback)));
  }

  void CheckOptions(const json::object& rule, const Place& at) {
    const json::array* options = ListIn(rule, "options");
    if (options == nullptr || options->empty()) return;
    std::vector<std::string> shown;
    for (const json::value& option : *options) shown.push_back(Show(OptionValue(option)));
    auto allowed = [&](const json::value& value) {
      return std::ranges::any_of(*options, [&](const auto& o) { return OptionValue(o) == value; });
    };
    const json::array* list = at.filled->if_array();
    bool good = list == nullptr ? allowed(*at.filled) : std::ranges::all_of(*list, allowed);
    if (!good) Add(at.path, fmt::format("must be one of {}", fmt::join(shown, ", ")));
  }
  static const json::value& OptionValue(const json::value& option) {
    const json::value* value = Member(&option, "value");
    return value == nullptr ? option : *value;
  }

  void CheckBounds(const json::object& rule, const Place& at) {
    const json::value* min = ValueIn(rule, "min");
    const json::value* max = ValueIn(rule, "max");
    const json::value* step = ValueIn(rule, "step");
    if (min == nullptr && max == nullptr && step == nullptr) return;
    std::optional<double> amount = Amount(*at.filled);
    if (!amount) return Add(at.path, "must be an amount that policy can compare");
    if (min != nullptr && *amount < Amount(*min).value_or(*amount)) {
      return Add(at.path, fmt::format("must be at least {}", Show(*min)));
    }
    if (max != nullptr && *amount > Amount(*max).value_or(*amount)) {
      return Add(at.path, fmt::format("must be at most {}", Show(*max)));
    }
    double start = min == nullptr ? 0 : Amount(*min).value_or(0);
    double width = step == nullptr ? 0 : Amount(*step).value_or(0);
    if (width <= 0) return;
    double steps = (*amount - start) / width;
    if (std::abs(steps - std::round(steps)) > 1e-9) {
      Add(at.path, fmt::format("must be {} plus a multiple of {}", start, Show(*step)));
    }
  }

  void CheckItems(const json::object& rule, const Place& at) {
    const json::object* instances = ObjectIn(rule, "instances");
    if (instances != nullptr) CheckInstances(*instances, at);
    const json::object* attributes = ObjectIn(rule, "attributes");
    const json::array* items = at.filled == nullptr ? nullptr : at.filled->if_array();
    if (attributes == nullptr || items == nullptr) return;
    const json::value* fallback = Member(at.fallback, "attributes");
    const json::array* sent = at.sent == nullptr ? nullptr : at.sent->if_array();
    for (std::size_t i = 0; i < items->size(); ++i) {
      const json::value& item = (*items)[i];
      const json::object* own = sent == nullptr ? nullptr : FindItem(*sent, ItemName(item));
      json::value as_sent = own == nullptr ? json::value() : json::value(*own);
      Walk(*attributes, {fmt::format("{}[{}]", at.path, i), &as_sent, &item, fallback});
    }
  }

  void CheckInstances(const json::object& rule, const Place& at) {
    const json::array* sent = at.sent == nullptr ? nullptr : at.sent->if_array();
    if (sent == nullptr) return;
    const json::value* fallback = Member(at.fallback, "instances");
    const json::array* given = fallback == nullptr ? nullptr : fallback->if_array();
    const json::array* locked = ListIn(rule, "locked");
    for (const json::value& item : *sent) {
      std::string name(ItemName(item));
      std::string path = fmt::format("{}[{}]", at.path, name);
      const json::object* own = given == nullptr ? nullptr : FindItem(*given, name);
      bool is_locked =
          locked != nullptr && std::ranges::find(*locked, json::value(name)) != locked->end();
      if (own == nullptr && FlagIn(rule, "canAdd") == false) {
        Add(path, "may not be added: policy allows only its own items");
      }
      if (own != nullptr && is_locked && item != json::value(*own)) {
        Add(path, "is locked by policy and may be neither changed nor excluded");
      }
    }
  }
};

}  // namespace

std::vector<FieldIssue> Check(const json::object& spec, const json::object& policy) {
  const json::object* rules = ObjectIn(policy, "rules");
  if (rules == nullptr) return {};
  json::value sent(spec);
  json::value filled(ApplyDefaults(spec, policy));
  Checker checker;
  checker.Walk(*rules, {"", &sent, &filled, ValueIn(policy, "defaults")});
  return std::move(checker.issues);
}

namespace {

// What a word of a rule must be; empty if the word is no part of a rule.
std::string_view Expected(std::string_view word, const json::value& value) {
  if (value.is_null()) return "";
  if (word == "min" || word == "max" || word == "step") {
    std::optional<double> amount = Amount(value);
    return amount && *amount >= 0 ? "" : "an amount that is not negative";
  }
  if (word == "required" || word == "canEdit" || word == "canAdd") {
    return value.is_bool() ? "" : "true or false";
  }
  if (word == "options" || word == "locked") return value.is_array() ? "" : "a list";
  return "";
}

void CheckRules(const json::object& rules, const std::string& path,
                std::vector<FieldIssue>& issues) {
  for (const auto& [key, value] : rules) {
    std::string inner = fmt::format("{}.{}", path, std::string_view(key));
    std::string_view expected = Expected(key, value);
    if (!expected.empty()) issues.push_back({inner, fmt::format("must be {}", expected)});
    if (value.is_object()) CheckRules(value.get_object(), inner, issues);
  }
  const json::value* min = ValueIn(rules, "min");
  const json::value* max = ValueIn(rules, "max");
  if (min == nullptr || max == nullptr || !Amount(*min) || !Amount(*max)) return;
  if (*Amount(*min) > *Amount(*max)) {
    issues.push_back({path, fmt::format("min {} is above max {}", Show(*min), Show(*max))});
  }
}

}  // namespace

std::vector<FieldIssue> CheckPolicy(const json::object& policy) {
  std::vector<FieldIssue> issues;
  if (const json::object* rules = ObjectIn(policy, "rules")) {
    CheckRules(*rules, "policy.rules", issues);
    // A submission that sets nothing must be able to comply, except for what it must set itself.
    for (FieldIssue& issue : Check({}, policy)) {
      if (issue.problem == "is required by policy") continue;
      issues.push_back({"policy.defaults." + issue.field, issue.problem});
    }
  }
  return issues;
}

}  // namespace yard::control
