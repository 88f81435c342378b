// The third part of control/policy_engine.h: misspelt names.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "control/policy/engine.h"
#include "control/policy/values.h"
#include "wire/schema.h"

namespace yard::control {
namespace {

constexpr std::array<std::string_view, 12> kRuleWords{
    "required",    "canEdit",      "options",    "min",       "max",    "step",
    "defaultFrom", "sourceOfRule", "attributes", "instances", "canAdd", "locked"};
constexpr std::array<std::string_view, 2> kReplicas{"worker", "master"};

bool IsRuleWord(std::string_view word) {
  return std::ranges::find(kRuleWords, word) != kRuleWords.end();
}

std::string NoSuchField(std::string_view name, std::span<const std::string_view> known) {
  std::optional<std::string_view> near = Nearest(name, known);
  return near ? fmt::format("is not a known field; did you mean '{}'?", *near)
              : std::string("is not a known field");
}

class Speller {
 public:
  std::vector<FieldIssue> issues;

  void Defaults(const json::object& defaults, const wire::Schema& schema, const std::string& path) {
    for (const auto& [key, value] : defaults) {
      std::string inner = fmt::format("{}.{}", path, std::string_view(key));
      const wire::SchemaField* field = FieldOf(schema, key, inner);
      if (const wire::Schema* group = GroupOf(field, value)) {
        Defaults(value.get_object(), *group, inner);
      }
    }
  }

  void Rules(const json::object& rules, const wire::Schema& schema, const std::string& path) {
    for (const auto& [key, value] : rules) {
      // A rule may also stand on a whole group.
      if (IsRuleWord(key)) continue;
      std::string inner = fmt::format("{}.{}", path, std::string_view(key));
      const wire::SchemaField* field = FieldOf(schema, key, inner);
      if (const wire::Schema* group = GroupOf(field, value)) {
        Rules(value.get_object(), *group, inner);
      } else if (field != nullptr && value.is_object()) {
        Words(value.get_object(), inner);
      }
    }
  }

  // Calls `check` for each kind of pod.
  template <class Check>
  void PerReplica(const json::object& both, const std::string& path, Check check) {
    for (const auto& [key, value] : both) {
      std::string inner = fmt::format("{}.{}", path, std::string_view(key));
      if (std::ranges::find(kReplicas, std::string_view(key)) == kReplicas.end()) {
        issues.push_back({inner, NoSuchField(key, kReplicas) + "; use worker and master"});
      } else if (value.is_object()) {
        check(value.get_object(), inner);
      }
    }
  }

 private:
  const wire::SchemaField* FieldOf(const wire::Schema& schema, std::string_view name,
                                   const std::string& path) {
    const wire::SchemaField* field = schema.Find(name);
    if (field != nullptr) return field;
    std::vector<std::string_view> known;
    for (const wire::SchemaField* candidate : schema.all) known.push_back(candidate->name);
    issues.push_back({path, NoSuchField(name, known)});
    return nullptr;
  }
  static const wire::Schema* GroupOf(const wire::SchemaField* field, const json::value& value) {
    return field != nullptr && value.is_object() ? field->type.target : nullptr;
  }
  void Words(const json::object& rule, const std::string& path) {
    for (const auto& [word, value] : rule) {
      if (IsRuleWord(word)) continue;
      issues.push_back(
          {fmt::format("{}.{}", path, std::string_view(word)), NoSuchField(word, kRuleWords)});
    }
  }
};

}  // namespace

std::vector<FieldIssue> UnknownFields(const json::object& policy, PolicyParts parts) {
  const wire::Schema& spec = *wire::SchemaSet::Api().Find("PolicySpec");
  Speller speller;
  auto defaults = [&](const json::object& part, const std::string& path) {
    speller.Defaults(part, spec, path);
  };
  auto rules = [&](const json::object& part, const std::string& path) {
    speller.Rules(part, spec, path);
  };
  auto walk = [&](std::string_view name, auto check) {
    const json::object* part = ObjectIn(policy, name);
    std::string path = fmt::format("policy.{}", name);
    if (part == nullptr) return;
    if (parts == PolicyParts::kPerReplica) {
      speller.PerReplica(*part, path, check);
    } else {
      check(*part, path);
    }
  };
  walk("defaults", defaults);
  walk("rules", rules);
  return std::move(speller.issues);
}

}  // namespace yard::control
