// What both grammars do with work that exists; each verb is declared once and added where a
// grammar has it: `runai logs NAME`, `runai workspace logs NAME`.
#pragma once

#include <string>

#include "base/json.h"
#include "cli/verb.h"
#include "client/client.h"

namespace yard::cli::runai {

// Which type a noun stands for: "Workspace", "Training", "Distributed"; empty: any.
struct Scope {
  std::string type;
  std::string framework;
};

// The workload of that name, in `project` if it is not empty.
client::Outcome<json::value> FindJob(Session& session, const std::string& name,
                                     const std::string& project);

void AddLogs(const Verb& parent);
void AddBash(const Verb& parent);
void AddExec(const Verb& parent);
void AddAttach(const Verb& parent);
void AddPortForward(const Verb& parent);
// delete, suspend, resume.
void AddOrders(const Verb& parent);
void AddList(const Verb& parent, const Scope& scope);
void AddDescribe(const Verb& parent);

// list, describe, top of the first grammar.
void AddOldViews(const Verb& root);
// login, also as `login user` and `login application`.
void AddRunaiLogin(const Verb& root);
// project, cluster, node, nodepool, config, report …
void AddOrganisation(const Verb& root);

}  // namespace yard::cli::runai
