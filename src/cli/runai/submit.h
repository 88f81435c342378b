// Run:ai's two ways to submit, both ending in one Submission.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/submit/submission.h"
#include "cli/verb.h"

namespace yard::cli::runai {

// Who the submitter is on this machine, for --run-as-user.
struct LocalAccount {
  std::int64_t uid = 0;
  std::int64_t gid = 0;
};

// What both grammars say beside the tables of flags.
struct RunaiSubmit {
  Submission work;
  std::string name;                // positional
  std::string name_flag;           // --name
  std::string name_prefix;         // --job-name-prefix, --name-prefix
  bool replaces_command = false;   // --command
  std::vector<std::string> words;  // after "--"
  std::string args;                // --args, deprecated
  bool attach = false;
  bool preemptible = false;
  bool run_as_user = false;
  bool dry_run = false;
  std::string preferred_topology;
  std::string required_topology;
  std::vector<std::string> extended;         // "name=quantity"
  std::vector<std::string> master_extended;  // the same of the master
  bool no_master = false;
  bool master_no_pvcs = false;
  std::string wait_for_submit;  // a span; the answer comes when the work is recorded
  std::string wait_for_pods;    // a span, for --attach
};

struct OldSubmit : RunaiSubmit {
  std::string gpu;
  std::string gpu_memory;
  bool interactive = false;
  bool inference = false;
  bool jupyter = false;
  bool always_pull = false;
  bool local_image = false;
  bool no_escalation = false;
  // Known and not done here: refused with the reason.
  bool elastic = false;
  bool mps = false;
  bool propagate_mounts = false;
  std::string other_user;
  std::vector<std::string> pvcs;
  std::vector<std::string> volumes;
  std::string nfs_server;
  std::string service_type;
  std::vector<std::string> ports;
  std::string custom_url;
  std::int64_t workers = 0;
};

// Fills the submission from everything that was said. Pure.
Status FinishOld(OldSubmit& said, const LocalAccount& account);
Status FinishNew(RunaiSubmit& said, const LocalAccount& account);

void AddOldSubmit(const Verb& root);
// Adds `submit` below a v2 noun of this kind; `framework` is empty unless it is distributed.
struct NounKind {
  WorkKind kind = WorkKind::kWorkspace;
  std::string framework;
  std::string words;  // "training pytorch": how the noun is spelled
};
void AddNewSubmit(Verb& noun, const NounKind& kind);

}  // namespace yard::cli::runai
