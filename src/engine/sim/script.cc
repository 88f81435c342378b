#include "engine/sim/script.h"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/quantity.h"
#include "base/strings.h"

namespace yard::engine {
namespace {

constexpr std::int64_t kMostRounds = 10'000;

std::string_view Unquoted(std::string_view text) {
  const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
                      text.front() == text.back();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::optional<Action> ReadStatement(std::string_view statement) {
  const std::size_t space = statement.find(' ');
  const std::string_view word = statement.substr(0, space);
  const std::string_view rest =
      space == std::string_view::npos ? std::string_view() : Trim(statement.substr(space));
  Action action;
  if (word == "sleep") {
    action = {ActionKind::kSleep, Micros(ParseMilli(rest).value_or(0) * 1000), {}, 0};
  } else if (word == "echo") {
    action = {ActionKind::kEcho, {}, fmt::format("{}\n", Unquoted(rest)), 0};
  } else if (word == "exit") {
    action.number = static_cast<std::int32_t>(ParseInt(rest).value_or(0));
  } else if (word == "kill" && rest.starts_with('-')) {
    action.kind = ActionKind::kKill;
    action.number =
        static_cast<std::int32_t>(ParseInt(rest.substr(1, rest.find(' ') - 1)).value_or(15));
  } else if (statement == "trap '' TERM") {
    action.kind = ActionKind::kIgnoreTerm;
  } else if (word == "oom") {
    action.kind = ActionKind::kOutOfMemory;
  } else if (word == "false") {
    action.number = 1;
  } else if (word != "true") {
    return std::nullopt;
  }
  return action;
}

bool IsShell(const std::string& word) {
  return word == "sh" || word == "/bin/sh" || word == "bash" || word == "/bin/bash";
}

std::vector<std::string_view> StatementsOf(std::string_view script) {
  std::vector<std::string_view> statements;
  for (std::string_view line : Split(script, '\n')) {
    for (std::string_view statement : Split(line, ';')) {
      statement = Trim(statement);
      if (!statement.empty() && statement != "true") statements.push_back(statement);
    }
  }
  return statements;
}

void AddStatement(std::string_view statement, std::vector<Action>& actions) {
  std::optional<Action> action = ReadStatement(statement);
  if (!action) {
    actions.push_back({ActionKind::kEcho, {}, fmt::format("{}: not found\n", statement), 0});
    action = Action{ActionKind::kExit, {}, {}, 127};
  }
  actions.push_back(std::move(*action));
}

// A loop's body, once for each round, with $i as the number of the round.
void AddRounds(std::span<const std::string_view> body, std::int64_t rounds,
               std::vector<Action>& actions) {
  for (std::int64_t round = 1; round <= rounds; ++round) {
    for (std::string_view statement : body) {
      std::string text(statement);
      if (std::size_t at = text.find("$i"); at != std::string::npos)
        text.replace(at, 2, std::to_string(round));
      AddStatement(text, actions);
    }
  }
}

void AddStatements(std::string_view script, std::vector<Action>& actions) {
  const std::vector<std::string_view> all = StatementsOf(script);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].starts_with("repeat ")) {
      AddStatement(all[i], actions);
      continue;
    }
    const auto rounds =
        std::clamp<std::int64_t>(ParseInt(Trim(all[i].substr(7))).value_or(0), 0, kMostRounds);
    const auto first = static_cast<std::ptrdiff_t>(i) + 1;
    const auto done = std::find(all.begin() + first, all.end(), "done");
    AddRounds({all.begin() + first, done}, rounds, actions);
    i = static_cast<std::size_t>(done - all.begin());
  }
}

bool KnowsAll(std::string_view script) {
  const std::vector<std::string_view> all = StatementsOf(script);
  return !all.empty() && std::ranges::all_of(all, [](std::string_view statement) {
    return statement.starts_with("repeat ") || statement == "done" || ReadStatement(statement);
  });
}

// A program that only seems to run; its log says so.
std::vector<Action> Pretended(const std::vector<std::string>& words) {
  std::vector<Action> actions;
  if (words.empty()) {
    AddStatements("echo [simulated node] the image's own program seems to run until it is stopped",
                  actions);
    actions.push_back({ActionKind::kSleep, Days(365), {}, 0});
    return actions;
  }
  actions.push_back(
      {ActionKind::kEcho,
       {},
       fmt::format("[simulated node] nothing is really run here: {}\n", Join(words, " ")),
       0});
  AddStatements(
      "repeat 12; sleep 10; echo [simulated node] step $i of 12; done; "
      "echo [simulated node] ends as if all went well",
      actions);
  return actions;
}

Result<std::vector<Action>> ReadPretended(const TaskSpec& spec,
                                          const std::vector<std::string>& words) {
  std::vector<Action> actions;
  auto own = std::ranges::find(spec.variables, kScriptVariable, &Variable::name);
  if (own != spec.variables.end()) {
    const std::string_view script = Trim(std::string_view(own->value));
    if (script.starts_with("refuse ")) return Fail(Code::kInvalid, std::string(script.substr(7)));
    AddStatements(script, actions);
    return actions;
  }
  const bool is_script = words.size() > 2 && IsShell(words[0]) && words[1] == "-c";
  const std::string script = is_script ? words[2] : Join(words, " ");
  if (!KnowsAll(script)) return Pretended(words);
  AddStatements(script, actions);
  return actions;
}

}  // namespace

Result<std::vector<Action>> ReadScript(const TaskSpec& spec, Pretence pretence) {
  std::vector<std::string> words = spec.command;
  words.insert(words.end(), spec.args.begin(), spec.args.end());
  if (pretence == Pretence::kAnyProgram) return ReadPretended(spec, words);
  if (words.empty()) return Fail(Code::kInvalid, "there is no command to run");
  std::vector<Action> actions;
  if (IsShell(words[0]) && words.size() > 2 && words[1] == "-c") {
    AddStatements(words[2], actions);
    return actions;
  }
  std::optional<Action> action = ReadStatement(Join(words, " "));
  if (!action)
    return Fail(Code::kInvalid, fmt::format("cannot run: no such program: {}", words[0]),
                "the simulated engine knows only a few words of shell");
  actions.push_back(std::move(*action));
  return actions;
}

Micros LengthOf(const std::vector<Action>& script) {
  Micros length{0};
  for (const Action& action : script) length = length + action.pause;
  return length;
}

}  // namespace yard::engine
