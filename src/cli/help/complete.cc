#include "cli/help/complete.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "model/workload_priority.h"

namespace yard::cli {
namespace {

// Verbs whose NAME is not a workload.
constexpr std::string_view kOtherNames[] = {
    "config", "delete", "man",         "completion", "report", "get", "user",
    "token",  "node",   "reservation", "data",       "quota",  "ftps"};

// Flags whose values are names of objects.
constexpr std::pair<std::string_view, std::string_view> kNamed[] = {{"-p", "projects"},
                                                                    {"--project", "projects"},
                                                                    {"-A", "projects"},
                                                                    {"--account", "projects"},
                                                                    {"--department", "departments"},
                                                                    {"--pool", "node-pools"},
                                                                    {"--partition", "node-pools"},
                                                                    {"--node-pools", "node-pools"},
                                                                    {"--exclude", "nodes"},
                                                                    {"--nodelist", "nodes"},
                                                                    {"--role", "roles"}};

bool IsShown(const CLI::App& verb) {
  return !verb.get_group().empty();
}

const CLI::App* VerbNamed(const CLI::App& app, const std::string& word) {
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->check_name(word)) return verb;
  }
  return nullptr;
}

// The verb the line has come to, and how many plain words follow it.
struct Place {
  const CLI::App* verb;
  std::size_t plain = 0;
};
Place PlaceOf(const CLI::App& app, const std::vector<std::string>& words) {
  Place place{&app};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i].starts_with('-')) continue;
    const CLI::App* next = VerbNamed(*place.verb, words[i]);
    if (next != nullptr && place.plain == 0) {
      place.verb = next;
    } else {
      ++place.plain;
    }
  }
  return place;
}

void AddFlags(const CLI::App& verb, std::string_view begun, std::vector<std::string>& out) {
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) {
      std::string flag = "--" + name;
      if (flag.starts_with(begun)) out.push_back(flag);
    }
  }
}

bool TakesWorkload(const CLI::App& verb) {
  const CLI::App* top = &verb;
  while (top->get_parent() != nullptr && top->get_parent()->get_parent() != nullptr)
    top = top->get_parent();
  if (std::ranges::find(kOtherNames, top->get_name()) != std::end(kOtherNames)) return false;
  return std::ranges::any_of(verb.get_options(), [](const CLI::Option* option) {
    return option->get_positional() && option->get_name(true) == "NAME";
  });
}

// The values of a flag that the line ends after; false: it ends after none of these.
bool CompleteValue(const std::string& flag, std::string_view begun, Completion& completion) {
  for (const auto& [name, kind] : kNamed) {
    if (flag == name) completion.names_of = kind;
  }
  if (flag == "--priority") {
    for (const PriorityClass& one : PriorityClasses()) {
      if (one.name.starts_with(begun)) completion.words.emplace_back(one.name);
    }
  }
  if (flag == "--after") {
    completion.wants_workload = true;
    std::size_t colon = begun.find(':');
    completion.before = colon == begun.npos ? "ok:" : std::string(begun.substr(0, colon + 1));
  }
  return !completion.names_of.empty() || !completion.words.empty() || completion.wants_workload;
}

}  // namespace

Completion Complete(const CLI::App& app, const std::vector<std::string>& words) {
  Completion completion;
  std::string begun = words.empty() ? "" : words.back();
  Place place = PlaceOf(app, words);
  std::string last = words.size() > 1 ? words[words.size() - 2] : "";
  if (CompleteValue(last, begun, completion)) return completion;
  if (begun.starts_with('-')) {
    AddFlags(*place.verb, begun, completion.words);
    return completion;
  }
  for (const CLI::App* verb : place.verb->get_subcommands({})) {
    if (IsShown(*verb) && verb->get_name().starts_with(begun))
      completion.words.push_back(verb->get_name());
  }
  if (!completion.words.empty() || place.verb == &app) return completion;
  completion.wants_workload = TakesWorkload(*place.verb);
  std::string name = place.verb->get_name();
  bool by_kind = name == "get" || name == "delete";
  completion.wants_kind = by_kind && place.plain == 0;
  if (by_kind && place.plain > 0) completion.names_of = last;
  if (name == "cp" && !begun.contains('/')) {
    completion.wants_workload = true;
    completion.after = ":";
  }
  return completion;
}

std::string CompletionScript(std::string_view shell, std::string_view program) {
  if (shell == "bash") {
    return fmt::format(R"SH(_{0}_complete() {{
  local IFS=$'\n'
  COMPREPLY=($({0} __complete -- "${{COMP_WORDS[@]:1:COMP_CWORD}}" 2>/dev/null))
}}
complete -o default -F _{0}_complete {0}
)SH",
                       program);
  }
  if (shell == "zsh") {
    return fmt::format(R"SH(#compdef {0}
_{0}() {{
  local -a found
  found=(${{(f)"$({0} __complete -- "${{(@)words[2,CURRENT]}}" 2>/dev/null)"}})
  if (( ${{#found}} )); then compadd -- $found; else _files; fi
}}
compdef _{0} {0}
)SH",
                       program);
  }
  if (shell == "fish") {
    return fmt::format(R"SH(function __{0}_complete
  set -l words (commandline -opc) (commandline -ct)
  {0} __complete -- $words[2..-1] 2>/dev/null
end
complete -c {0} -a '(__{0}_complete)'
)SH",
                       program);
  }
  return {};
}

}  // namespace yard::cli
