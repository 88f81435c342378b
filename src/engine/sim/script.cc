#include "engine/sim/script.h"

#include <optional>

#include <fmt/format.h>

#include "base/quantity.h"
#include "base/strings.h"

namespace yard::engine {
namespace {

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

void AddStatements(std::string_view script, std::vector<Action>& actions) {
  for (std::string_view line : Split(script, '\n')) {
    for (std::string_view statement : Split(line, ';')) {
      statement = Trim(statement);
      if (statement.empty() || statement == "true") continue;
      std::optional<Action> action = ReadStatement(statement);
      if (!action) {
        actions.push_back({ActionKind::kEcho, {}, fmt::format("{}: not found\n", statement), 0});
        action = Action{ActionKind::kExit, {}, {}, 127};
      }
      actions.push_back(std::move(*action));
    }
  }
}

}  // namespace

Result<std::vector<Action>> ReadScript(const TaskSpec& spec) {
  std::vector<std::string> words = spec.command;
  words.insert(words.end(), spec.args.begin(), spec.args.end());
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

}  // namespace yard::engine
