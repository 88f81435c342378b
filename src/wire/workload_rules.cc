#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "wire/enums.h"
#include "wire/workload.h"

namespace yard::wire {
namespace {

constexpr std::array<std::pair<std::string_view, std::int64_t>, 9> kSignals{{{"HUP", 1},
                                                                             {"INT", 2},
                                                                             {"QUIT", 3},
                                                                             {"KILL", 9},
                                                                             {"USR1", 10},
                                                                             {"USR2", 12},
                                                                             {"TERM", 15},
                                                                             {"CONT", 18},
                                                                             {"STOP", 19}}};
constexpr std::int64_t kLastSignal = 64;

const json::value* Find(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string_view Text(const json::object& object, std::string_view name) {
  const json::value* value = Find(object, name);
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string_view{} : std::string_view(text->data(), text->size());
}

std::optional<std::int64_t> Whole(const json::object& object, std::string_view name) {
  const json::value* value = Find(object, name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<std::int64_t>();
}

bool Flag(const json::object& object, std::string_view name) {
  const json::value* value = Find(object, name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

std::unexpected<Error> Refuse(std::string_view field, std::string problem) {
  Error error{Code::kInvalid, fmt::format("spec.{}: {}", field, problem)};
  error.fields.push_back({fmt::format("spec.{}", field), std::move(problem)});
  return Fail(std::move(error));
}

// "SIGUSR1", "USR1" or "10".
Result<std::int64_t> ReadSignal(std::string_view text) {
  if (std::optional<std::int64_t> number = ParseInt(text)) {
    if (*number >= 1 && *number <= kLastSignal) return *number;
  }
  std::string_view name = text.starts_with("SIG") ? text.substr(3) : text;
  for (const auto& [known, number] : kSignals) {
    if (known == name) return number;
  }
  return Refuse("preemptSignal", fmt::format("there is no signal '{}'", text));
}

RetryRule ReadRetry(const json::object& spec) {
  constexpr std::array kByBackoff = {EndCause::kExit, EndCause::kSignal, EndCause::kOutOfMemory,
                                     EndCause::kNodeLost};
  RetryRule rule{.limit = Whole(spec, "backoffLimit").value_or(0)};
  rule.on.assign(kByBackoff.begin(), kByBackoff.end());
  const json::value* retry = Find(spec, "retry");
  if (retry == nullptr || !retry->is_object()) return rule;
  const json::object& own = retry->get_object();
  rule.limit = Whole(own, "limit").value_or(rule.limit);
  if (const json::value* on = Find(own, "on"); on && on->is_array()) {
    rule.on.clear();
    for (const json::value& name : on->get_array()) {
      auto cause = name.is_string() ? FromName<EndCause>(name.get_string()) : std::nullopt;
      if (cause) rule.on.push_back(*cause);
    }
  }
  if (const json::value* codes = Find(own, "exitCodes"); codes && codes->is_array()) {
    for (const json::value& code : codes->get_array()) {
      if (code.is_number()) rule.exit_codes.push_back(code.to_number<std::int64_t>());
    }
  }
  return rule;
}

std::vector<Dependency> ReadDependencies(const json::object& spec) {
  std::vector<Dependency> all;
  const json::value* list = Find(spec, "dependsOn");
  if (list == nullptr || !list->is_array()) return all;
  for (const json::value& item : list->get_array()) {
    if (!item.is_object()) continue;
    Dependency& one = all.emplace_back();
    one.named = Text(item.get_object(), "workload");
    one.condition = FromName<AfterCondition>(Text(item.get_object(), "condition"))
                        .value_or(AfterCondition::kOk);
  }
  return all;
}

std::optional<ArrayItem> ReadArray(const json::object& spec) {
  const json::value* value = Find(spec, "array");
  if (value == nullptr || !value->is_object()) return std::nullopt;
  const json::object& array = value->get_object();
  return ArrayItem{.id = std::string(Text(array, "id")),
                   .index = Whole(array, "index").value_or(0),
                   .size = Whole(array, "size").value_or(0),
                   .throttle = Whole(array, "throttle").value_or(0)};
}

// Splits one text into words: quotes group, a backslash takes the next character as it is.
class WordSplitter {
 public:
  explicit WordSplitter(std::string_view text) : rest_(text) {}

  Result<std::vector<std::string>> Split() {
    while (!rest_.empty()) {
      char c = Take();
      if (c == ' ' || c == '\t' || c == '\n') {
        EndWord();
      } else if (c == '\'' || c == '"') {
        if (!TakeQuoted(c)) return Fail(Code::kInvalid, "a quote is not closed");
      } else {
        Put(c == '\\' && !rest_.empty() ? Take() : c);
      }
    }
    EndWord();
    return std::move(words_);
  }

 private:
  char Take() {
    char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  void Put(char c) {
    word_ += c;
    inside_ = true;
  }
  void EndWord() {
    if (inside_) words_.push_back(std::exchange(word_, {}));
    inside_ = false;
  }
  bool TakeQuoted(char quote) {
    inside_ = true;
    while (!rest_.empty()) {
      char c = Take();
      if (c == quote) return true;
      bool escaped = quote == '"' && c == '\\' && !rest_.empty() &&
                     std::string_view("\"\\$`").contains(rest_.front());
      Put(escaped ? Take() : c);
    }
    return false;
  }

  std::string_view rest_;
  std::string word_;
  bool inside_ = false;
  std::vector<std::string> words_;
};

}  // namespace

Result<std::vector<std::string>> ReadWords(const json::object& spec, std::string_view field) {
  const json::value* value = Find(spec, field);
  if (value == nullptr) return std::vector<std::string>{};
  if (value->is_string()) {
    auto words = WordSplitter(value->get_string()).Split();
    if (!words) return Refuse(field, words.error().message);
    return words;
  }
  if (!value->is_array()) return Refuse(field, "must be a text or a list of texts");
  std::vector<std::string> words;
  for (const json::value& word : value->get_array()) {
    if (!word.is_string()) return Refuse(field, "must be a text or a list of texts");
    words.emplace_back(std::string_view(word.get_string()));
  }
  return words;
}

Result<RunRules> ReadRules(const json::object& spec) {
  RunRules rules;
  for (std::string_view field : {"command", "args"}) YARD_TRY(ReadWords(spec, field));
  if (auto seconds = Whole(spec, "timeLimitSeconds")) rules.time_limit = Seconds(*seconds);
  if (Find(spec, "stopAt")) rules.stop_at = ParseRfc3339(Text(spec, "stopAt"));
  rules.retry = ReadRetry(spec);
  if (rules.retry.limit == 0) rules.retry = {};
  rules.after = ReadDependencies(spec);
  rules.hold = Flag(spec, "hold");
  rules.ends_when_preempted = Flag(spec, "terminateAfterPreemption");
  if (auto seconds = Whole(spec, "terminationGracePeriodSeconds")) {
    rules.grace = Seconds(*seconds);
  }
  if (Find(spec, "preemptSignal")) {
    YARD_ASSIGN(rules.preempt_signal, ReadSignal(Text(spec, "preemptSignal")));
  }
  rules.array = ReadArray(spec);
  return rules;
}

}  // namespace yard::wire
