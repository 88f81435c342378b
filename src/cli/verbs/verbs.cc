#include "cli/verbs.h"

#include <algorithm>
#include <string_view>

#include "cli/cluster/verbs.h"
#include "cli/data/verbs.h"
#include "cli/job/verbs.h"
#include "cli/track/verbs.h"
#include "cli/tune/verbs.h"
#include "cli/verbs/admin.h"
#include "cli/vpn/verbs.h"

namespace yard::cli {

namespace {

// "-g=0.5" of the other command line is "-g 0.5".
void SplitShortFlags(std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string word = words[i];
    bool said = word.size() > 2 && word[0] == '-' && word[1] != '-' && word[2] == '=';
    if (!said) continue;
    words[i] = word.substr(0, 2);
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, word.substr(3));
  }
}

// Words that a verb of the other command line follows.
bool IsNoun(std::string_view word) {
  constexpr std::string_view kNouns[] = {"workspace",  "training", "workload",
                                         "standard",   "pytorch",  "mpi",
                                         "tensorflow", "xgboost",  "submit-dist"};
  return std::ranges::find(kNouns, word) != std::end(kNouns);
}

// "runai -p vision list jobs" is "runai list -p vision jobs", also after a noun.
void MoveProject(std::vector<std::string>& words) {
  auto first = std::ranges::find_if_not(words, IsNoun);
  const auto left = words.end() - first;
  bool flag = left > 2 && (*first == "-p" || *first == "--project");
  bool joined = left > 1 && first->starts_with("--project=");
  if (!flag && !joined) return;
  auto end = first + (flag ? 2 : 1);
  std::vector<std::string> said(first, end);
  words.erase(first, end);
  auto verb = std::ranges::find_if_not(words, IsNoun);
  words.insert(verb == words.end() ? verb : verb + 1, said.begin(), said.end());
}

// Habits of the other command line, in our parser's words.
void PrepareWords(std::vector<std::string>& words) {
  SplitShortFlags(words);
  MoveProject(words);
}

}  // namespace

void AddVerbs(CLI::App& app, Session& session) {
  for (auto* add :
       {AddSubmit,   AddRun,    AddDev,         AddWait,       AddOrders,  AddPs,      AddShow,
        AddLogs,     AddTop,    AddEnter,       AddFiles,      AddCluster, AddHistory, AddReport,
        AddTracking, AddLogin,  AddLogout,      AddWhoami,     AddConfig,  AddGet,     AddApply,
        AddDelete,   AddNotify, AddReservation, AddHostAccess, AddAdmin,   AddCare,    AddHelp,
        AddVersion,  AddTune,   AddData,        AddAudit,      AddQuota,   AddImport,  AddVpn,
        AddFtps,     AddJob,    AddClusters}) {
    add(app, session);
  }
}

bool TakesRunai(std::string_view program, std::vector<std::string>& words) {
  bool second = program != "runai";
  if (second && (words.empty() || words.front() != "runai")) return false;
  if (second) words.erase(words.begin());
  PrepareWords(words);
  return true;
}

void SplitTail(std::vector<std::string>& words, Session& session) {
  constexpr std::string_view kTakers[] = {"submit", "run", "dev",       "job",
                                          "exec",   "ssh", "__complete"};
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
