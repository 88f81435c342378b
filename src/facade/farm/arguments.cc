#include "facade/farm/arguments.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/strings.h"
#include "wire/fields.h"

namespace yard::facade::farm {
namespace {

constexpr std::string_view kUsualSeparator = "=";
constexpr std::size_t kMostArguments = 1000;

// How one name comes onto the command line.
struct Allowed {
  std::string argument = {};
  std::string separator;
  std::optional<std::int64_t> position = {};  // among the task's arguments, instead of a name
  const json::value* usual = nullptr;         // if the task gives none
};

struct Line {
  std::vector<std::string> words;
  std::vector<std::pair<std::int64_t, std::string>> placed;
};

std::unexpected<Error> Wrong(std::string_view name, std::string_view problem) {
  return Fail(Code::kInvalid, fmt::format("allowed_args.{}: {}", name, problem));
}

Result<Allowed> ReadAllowed(std::string_view name, const json::value& value) {
  const json::object* fields = value.if_object();
  if (fields == nullptr) return Wrong(name, "must be an object");
  const json::value* argument = wire::ValueIn(*fields, "arg");
  if (argument == nullptr || (!argument->is_string() && !argument->is_int64()))
    return Wrong(name, "arg must be a text or a position");
  Allowed allowed{.separator = std::string(kUsualSeparator),
                  .usual = wire::ValueIn(*fields, "default")};
  if (argument->is_string()) allowed.argument = std::string_view(argument->get_string());
  allowed.position =
      argument->is_int64() ? std::optional(argument->get_int64()) : ParseInt(allowed.argument);
  if (allowed.position && *allowed.position < 0) allowed.position.reset();
  if (const json::value* separator = wire::ValueIn(*fields, "separator")) {
    if (!separator->is_string()) return Wrong(name, "separator must be a text");
    allowed.separator = std::string_view(separator->get_string());
  }
  return allowed;
}

std::string TextOf(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  return JsonText(value);
}

void Add(const Allowed& allowed, const json::value& value, Line& line) {
  std::string text = TextOf(value);
  if (allowed.position) {
    line.placed.emplace_back(*allowed.position, std::move(text));
  } else if (allowed.separator == " ") {
    line.words.push_back(allowed.argument);
    line.words.push_back(std::move(text));
  } else {
    line.words.push_back(allowed.argument + allowed.separator + text);
  }
}

// In the order of their positions, each pushed in at its own.
void Place(Line& line) {
  std::ranges::stable_sort(line.placed, {}, &std::pair<std::int64_t, std::string>::first);
  for (auto& [position, text] : line.placed) {
    auto at = std::min(static_cast<std::size_t>(position), line.words.size());
    line.words.insert(line.words.begin() + static_cast<std::ptrdiff_t>(at), std::move(text));
  }
}

std::string NamesOf(const json::object& allowed) {
  std::vector<std::string> names;
  for (const auto& pair : allowed) names.emplace_back(pair.key());
  return names.empty() ? "none" : Join(names, ", ");
}

Result<Line> LineOf(const json::object& allowed, const json::object& given) {
  Line line;
  for (const auto& [name, value] : given) {
    const json::value* known = allowed.if_contains(name);
    if (known == nullptr) {
      return Fail(Code::kInvalid,
                  fmt::format("task_args.{}: the job definition allows no such argument",
                              std::string_view(name)),
                  fmt::format("it allows: {}", NamesOf(allowed)));
    }
    YARD_ASSIGN(Allowed how, ReadAllowed(name, *known));
    if (!value.is_null()) Add(how, value, line);
  }
  for (const auto& [name, value] : allowed) {
    const json::value* sent = given.if_contains(name);
    if (sent != nullptr && !sent->is_null()) continue;
    YARD_ASSIGN(Allowed how, ReadAllowed(name, value));
    if (how.usual != nullptr) Add(how, *how.usual, line);
  }
  Place(line);
  return line;
}

}  // namespace

Status CheckAllowedArguments(const json::object& definition) {
  for (const auto& [name, value] : wire::ObjectOrEmpty(definition, "allowed_args")) {
    YARD_TRY(ReadAllowed(name, value));
  }
  return {};
}

Result<std::vector<std::string>> ArgumentsOf(const json::object& definition,
                                             const json::object& task_args) {
  std::vector<std::string> words = wire::TextsOf(definition, "args");
  for (const std::string& folder : wire::TextsOf(definition, "extension_paths")) {
    words.emplace_back("--ext-folder");
    words.push_back(folder);
  }
  YARD_ASSIGN(Line line, LineOf(wire::ObjectOrEmpty(definition, "allowed_args"), task_args));
  std::ranges::move(line.words, std::back_inserter(words));
  if (words.size() > kMostArguments) {
    return Fail(Code::kInvalid, fmt::format("the task has {} arguments", words.size()),
                fmt::format("a task takes at most {}", kMostArguments));
  }
  const bool whole =
      std::ranges::none_of(words, [](const std::string& word) { return word.contains('\0'); });
  if (!whole) return Fail(Code::kInvalid, "task_args: an argument holds the character NUL");
  return words;
}

}  // namespace yard::facade::farm
