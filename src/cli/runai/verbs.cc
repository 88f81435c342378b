#include "cli/runai/verbs.h"

#include <string>

#include "cli/runai/submit.h"
#include "cli/runai/work.h"
#include "cli/verb.h"
#include "cli/verbs.h"

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

// Accepted everywhere and without effect: files and loudness of another program.
void AddGlobals(Verb root) {
  static std::string text;
  static bool flag = false;
  root.Everywhere()
      .HiddenText("--loglevel,--config-file,--config-path", text)
      .HiddenFlag("-d,--debug,-q,--quiet,--verbose", flag);
}

}  // namespace

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
