#include "cli/verbs.h"

#include <algorithm>
#include <string_view>

#include "cli/tune/verbs.h"

namespace yard::cli {

void AddVerbs(CLI::App& app, Session& session) {
  for (auto* add :
       {AddSubmit, AddRun,         AddDev,        AddWait,   AddOrders,  AddPs,      AddShow,
        AddLogs,   AddTop,         AddEnter,      AddFiles,  AddCluster, AddHistory, AddReport,
        AddLogin,  AddLogout,      AddWhoami,     AddConfig, AddGet,     AddApply,   AddDelete,
        AddNotify, AddReservation, AddHostAccess, AddCare,   AddHelp,    AddVersion, AddTune}) {
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

}  // namespace yard::cli
