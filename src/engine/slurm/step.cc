#include "engine/slurm/step.h"

namespace yard::engine::slurm {
namespace {

// srun mixes its own complaints into the step's standard error; they go elsewhere, since exit codes
// are told by the session. It opens the path itself, which leads back to our pipe.
constexpr const char* kQuietly = R"(exec srun --error=/proc/self/fd/3 "$@" 3>&2 2>/dev/null)";

std::string Names(const std::vector<Variable>& variables) {
  std::string names;
  for (const Variable& variable : variables) names += (names.empty() ? "" : ",") + variable.name;
  return names.empty() ? "NONE" : names;
}

}  // namespace

ExecSpec StepBeside(const Layout& layout, const TaskKey& key, JobId job, const ExecSpec& spec) {
  ExecSpec step = spec;
  if (spec.tty) step.variables.push_back({"TERM", "xterm-256color"});
  step.command.clear();
  if (spec.tty)
    step.command = {"srun", "--pty"};
  else
    step.command = {"sh", "-c", kQuietly, "gpuyard"};
  // Values of variables do not stand on the command line, which everybody can read.
  for (std::string word :
       {std::string("--overlap"), std::string("--quiet"), std::string("--nodes=1"),
        std::string("--ntasks=1"), "--jobid=" + std::to_string(job.value),
        "--export=" + Names(step.variables), layout.Shim(), std::string("exec"),
        layout.TaskFolder(key)})
    step.command.push_back(std::move(word));
  step.command.insert(step.command.end(), spec.command.begin(), spec.command.end());
  return step;
}

std::vector<std::string> PackCommand(const Layout& layout, const std::string& path) {
  return {layout.Shim(), "pack", path};
}

}  // namespace yard::engine::slurm
