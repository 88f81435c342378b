// Our own flags of `submit`, `run` and `dev`, Slurm's and Run:ai's spellings among them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/submit/submission.h"
#include "cli/verb.h"

namespace yard::cli {

struct SubmitArguments {
  Submission submission;             // what the flags say
  std::vector<std::string> command;  // the rest of the line
  bool keep_entry_point = false;     // the command is arguments for the image's entry point
  bool env_all = false;
  bool no_venv = false;
  bool wait = false;                   // submit only
  std::vector<std::string> inherited;  // variables of the caller, by name
  bool dry_run = false;
  std::int64_t workers = 0;
  std::int64_t min_workers = 0;  // 0: as many as asked for, or none
  std::string framework = "PyTorch";
};

void AddSubmitOptions(Verb& verb, SubmitArguments& arguments);

// Everything together: the script's directives, the flags over them, the command, the folder and
// the variables around the program. Reads the script's file; asks no server.
Result<Submission> Assemble(Session& session, const SubmitArguments& arguments);

}  // namespace yard::cli
