#include "cli/tune/sweep.h"

#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "base/strings.h"
#include "cli/enter/child.h"
#include "cli/enter/terminal.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

// Makes a package out of the first argument and runs its command with the rest. Variables for the
// program that it starts come by standard input: ours holds no token any more, and a command line
// is seen by everybody.
constexpr std::string_view kStart = R"(
import importlib, importlib.abc, importlib.util, json, sys
code = json.loads(sys.argv.pop(1))
class Carried(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    def find_spec(self, name, path=None, target=None):
        if name in code:
            return importlib.util.spec_from_loader(name, self, is_package="." not in name)
    def get_source(self, name):
        return code[name]
    def is_package(self, name):
        return "." not in name
sys.meta_path.insert(0, Carried())
variables = json.loads(sys.stdin.readline())
sys.exit(importlib.import_module("gpuyard_isaac.command").main(sys.argv[1:], variables))
)";

std::string CodeAsJson() {
  json::object code;
  for (const SweepCode& file : kSweepCode) {
    std::string_view name = file.name;
    code[name == "__init__" ? "gpuyard_isaac" : fmt::format("gpuyard_isaac.{}", name)] = file.text;
  }
  return json::serialize(code);
}

// This program, wherever it was started from.
std::string OwnPath(const Session& session) {
  std::error_code error;
  std::string path = std::filesystem::read_symlink("/proc/self/exe", error).string();
  return error ? session.around().program : path;
}

// One line; it fits into the pipe.
void WriteVariables(const Session& session, int pipe) {
  json::object variables;
  if (session.around().token) variables["GPUYARD_TOKEN"] = *session.around().token;
  const std::string line = json::serialize(variables) + "\n";
  if (write(pipe, line.data(), line.size()) < 0) return;  // it has ended; its exit code tells
}

// The flag as it was typed; the last one counts, as everywhere.
void Add(Verb& verb, SweepFlags& flags, const std::string& names, const std::string& help,
         const std::string& value) {
  const std::string name = names.substr(0, names.find(','));
  auto take = [&flags, name](const std::string& text) -> Status {
    flags.words.push_back(fmt::format("{}={}", name, text));
    return {};
  };
  verb.Take(names, take, help, value);
}

}  // namespace

bool IsSweep(const std::string& file) {
  return file.ends_with(".py");
}

void AddSweepFlags(Verb& verb, SweepFlags& flags) {
  struct Flag {
    const char* names;
    const char* help;
    const char* value;
  };
  constexpr std::array<Flag, 18> kFlags{{
      {"--class,--cfg_class", "the class in the file", "NAME"},
      {"--run_mode", "local: isaaclab.sh here, remote: in /workspace/isaaclab [remote]", "MODE"},
      {"--workflow", "the training script [rl_games' train.py]", "PATH"},
      {"--metric", "a scalar that the trainer logs [rewards/time]", "NAME"},
      {"--mode", "max or min [max]", "MODE"},
      {"--num_samples", "trials in all, repeats included [100]", "N"},
      {"--repeat_run_count", "runs of each configuration [3]", "N"},
      {"--num_workers_per_node", "trials that share a GPU [1]", "N"},
      {"--process_response_timeout", "end a trainer that logs nothing for so long [200]",
       "SECONDS"},
      {"--max_lines_to_search_experiment_logs", "lines that name the experiment [1000]", "N"},
      {"--max_log_extraction_errors", "pause when more trials in a row fail [10]", "N"},
      {"--progress_reporter", "a ProgressReporter of the file", "CLASS"},
      {"--stopper", "a Stopper of the file", "CLASS"},
      {"--trial_python", "what loads it in trials [as --python]", "PROGRAM"},
      {"--image", "container image of the trials", "IMAGE"},
      {"--gpu", "GPUs of a trial, or a part of one [1]", "N"},
      {"--cpu", "CPU cores of a trial", "N"},
      {"--memory", "memory of a trial", "SIZE"},
  }};
  verb.Heading("Sweeps of Isaac Lab (FILE.py), with the flags of its tuner.py");
  for (const Flag& flag : kFlags) Add(verb, flags, flag.names, flag.help, flag.value);
  verb.Text("--python", flags.python, "what loads the file here [python3]", "PROGRAM");
  for (const char* unused : {"--ray_address", "--mlflow_uri"})
    Add(verb, flags, unused, "not used", "TEXT");
}

Outcome<void> TuneSweep(Session& session, const std::string& file, const SweepFlags& flags,
                        const std::vector<std::string>& words) {
  std::vector<std::string> line;
  for (std::string_view word : Split(flags.python, ' ')) {
    if (!word.empty()) line.emplace_back(word);
  }
  if (line.empty()) {
    return std::unexpected(Failure({Code::kInvalid, "--python names no program"}));
  }
  line.insert(line.end(), {"-c", std::string(kStart), CodeAsJson(), file,
                           fmt::format("--program={}", OwnPath(session)),
                           fmt::format("--python={}", flags.python)});
  line.insert(line.end(), flags.words.begin(), flags.words.end());
  line.insert(line.end(), words.begin(), words.end());
  IgnoreBrokenPipes();
  YARD_ASSIGN(Child child, Child::Start(line, ChildPipe::kItsInput));
  WriteVariables(session, child.pipe());
  child.ClosePipe();
  session.exit_code = static_cast<ExitCode>(child.Wait());
  return {};
}

}  // namespace yard::cli
