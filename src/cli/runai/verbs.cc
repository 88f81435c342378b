#include "cli/runai/verbs.h"

#include <algorithm>
#include <iterator>
#include <ostream>
#include <streambuf>
#include <string>

#include <fmt/format.h>

#include "cli/runai/submit.h"
#include "cli/runai/work.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "client/trace.h"

namespace yard::cli::runai {
namespace {

// What a noun of the second grammar can do.
void AddNoun(Verb noun, const NounKind& kind, const Scope& scope) {
  noun.NeedsVerb();
  AddNewSubmit(noun, kind);
  AddList(noun, scope);
  AddDescribe(noun);
  AddLogs(noun);
  AddBash(noun);
  AddExec(noun);
  AddAttach(noun);
  AddPortForward(noun);
  AddOrders(noun);
}

struct Framework {
  const char* word;
  const char* name;
};
constexpr Framework kFrameworks[] = {
    {"pytorch", "PyTorch"}, {"mpi", "MPI"}, {"tensorflow", "TF"}, {"xgboost", "XGBoost"}};

// `training submit`, `training standard submit`, `training pytorch submit`, `pytorch submit`.
void AddTraining(const Verb& root) {
  Verb training = root.Add("training", "Training");
  AddNoun(training, {WorkKind::kTraining, "", "training"}, {"Training", ""});
  AddNoun(training.Add("standard", "Training on one node"), {WorkKind::kTraining, "", "training"},
          {"Training", ""});
  for (const Framework& framework : kFrameworks) {
    std::string words = std::string("training ") + framework.word;
    AddNoun(training.Add(framework.word, std::string(framework.name) + " training"),
            {WorkKind::kDistributed, framework.name, words}, {"Distributed", framework.name});
    AddNoun(root.Add(framework.word, std::string(framework.name) + " training"),
            {WorkKind::kDistributed, framework.name, framework.word},
            {"Distributed", framework.name});
  }
}

// With a buffer that keeps nothing, only what goes to standard error is seen.
void Silence(Session& session) {
  struct Nothing : std::streambuf {
    int overflow(int c) override { return traits_type::not_eof(c); }
  };
  static Nothing nothing;
  session.console().out.rdbuf(&nothing);
}

Status SetLoudness(Session& session, const std::string& level) {
  constexpr std::string_view kLevels[] = {"debug", "info", "warn", "error"};
  if (std::ranges::find(kLevels, level) == std::end(kLevels))
    return Fail(Code::kInvalid, fmt::format("'{}' is no level", level),
                "debug, info, warn or error");
  if (level == "debug") client::TraceRequests(session.console().err);
  return {};
}

// How loud it is, everywhere on the line.
void AddGlobals(Verb root) {
  Session& session = root.session();
  auto trace = [&session](bool on) {
    if (on) client::TraceRequests(session.console().err);
  };
  auto quiet = [&session](bool on) {
    if (on) Silence(session);
  };
  root.Everywhere()
      .TakeFlag("-d,--debug,--verbose", trace, "show each request to the server")
      .TakeFlag("-q,--quiet", quiet, "print nothing but errors and remarks")
      .Take(
          "--loglevel",
          [&session](const std::string& level) { return SetLoudness(session, level); },
          "debug shows each request", "LEVEL");
}

// The value of the flag at `at`, whose words are taken away; nothing: another flag stands there.
std::optional<std::string> TakeValue(std::vector<std::string>& words, std::size_t at,
                                     const std::string& flag) {
  std::optional<std::string> value;
  std::size_t taken = 1;
  if (words[at].starts_with(flag + "=")) {
    value = words[at].substr(flag.size() + 1);
  } else if (words[at] == flag && at + 1 < words.size()) {
    value = words[at + 1];
    taken = 2;
  } else {
    return std::nullopt;
  }
  auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
  words.erase(first, first + static_cast<std::ptrdiff_t>(taken));
  return value;
}

}  // namespace

std::optional<std::string> TakeProfilePath(std::vector<std::string>& words) {
  std::optional<std::string> path;
  for (std::size_t at = 0; at < words.size() && words[at] != "--";) {
    std::optional<std::string> file = TakeValue(words, at, "--config-file");
    if (file) path = *file;
    std::optional<std::string> folder;
    if (!file) folder = TakeValue(words, at, "--config-path");
    if (folder) path = *folder + "/config.yaml";
    if (!file && !folder) ++at;
  }
  return path;
}

void AddRunai(CLI::App& app, Session& session) {
  Verb root(app, session);
  AddGlobals(root);
  AddOldSubmit(root);
  AddOldViews(root);
  AddLogs(root);
  AddBash(root);
  AddExec(root);
  AddAttach(root);
  AddPortForward(root);
  AddOrders(root);
  AddNoun(root.Add("workspace", "Workspaces"), {WorkKind::kWorkspace, "", "workspace"},
          {"Workspace", ""});
  AddTraining(root);
  Verb workload = root.Add("workload", "Work of every kind");
  workload.NeedsVerb();
  AddList(workload, {});
  AddDescribe(workload);
  AddLogs(workload);
  AddExec(workload);
  AddAttach(workload);
  AddPortForward(workload);
  AddOrganisation(root);
  AddRunaiLogin(root);
  AddLogout(app, session);
  AddWhoami(app, session);
  AddVersion(app, session);
  AddHelp(app, session);
}

}  // namespace yard::cli::runai
