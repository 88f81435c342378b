#include "cli/verbs.h"

#include <algorithm>
#include <string_view>

#include <CLI/CLI.hpp>

namespace yard::cli {

void AddVerbs(CLI::App& app, Session& session) {
  for (auto* add :
       {AddSubmit,  AddRun,    AddDev,    AddPs,      AddShow,   AddLogs, AddWait,  AddOrders,
        AddCluster, AddEnter,  AddFiles,  AddTop,     AddReport, AddCare, AddHelp,  AddHistory,
        AddLogin,   AddLogout, AddWhoami, AddVersion, AddConfig, AddGet,  AddApply, AddDelete}) {
    add(app, session);
  }
}

bool TakesRunai(std::string_view program, std::vector<std::string>& words) {
  if (program == "runai") return true;
  if (words.empty() || words.front() != "runai") return false;
  words.erase(words.begin());
  return true;
}

void SplitTail(std::vector<std::string>& words, Session& session) {
  constexpr std::string_view kTakers[] = {"submit", "run", "dev", "exec", "ssh", "__complete"};
  auto verb = std::ranges::find_if(words, [](const std::string& w) { return !w.starts_with('-'); });
  bool ours = session.around().program != "runai";
  bool taker = verb != words.end() && std::ranges::find(kTakers, *verb) != std::end(kTakers);
  if (ours && !taker) return;
  auto dashes = std::ranges::find(words, "--");
  if (dashes == words.end()) return;
  session.has_tail = true;
  session.tail.assign(dashes + 1, words.end());
  words.erase(dashes, words.end());
}

void AddFormatOption(CLI::App& verb, Session& session) {
  verb.add_option_function<std::string>(
          "-o,--output",
          [&session](const std::string& text) {
            std::optional<Format> format = ParseFormat(text);
            if (!format) {
              throw CLI::ValidationError("-o",
                                         "'" + text + "' is not one of " + std::string(kFormats));
            }
            session.SetFormat(*format);
          },
          "output format [table]")
      ->type_name(std::string(kFormats));
}

}  // namespace yard::cli
