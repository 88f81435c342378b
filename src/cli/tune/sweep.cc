#include "cli/tune/sweep.h"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/json/object.hpp>

#include "base/strings.h"
#include "cli/enter/carried_python.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

json::object Code() {
  json::object code;
  for (const SweepCode& file : kSweepCode) {
    std::string_view name = file.name;
    code[name == "__init__" ? "gpuyard_isaac" : fmt::format("gpuyard_isaac.{}", name)] = file.text;
  }
  return code;
}

// This program, wherever it was started from.
std::string OwnPath(const Session& session) {
  std::error_code error;
  std::string path = std::filesystem::read_symlink("/proc/self/exe", error).string();
  return error ? session.around().program : path;
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
  std::vector<std::string> python;
  for (std::string_view word : Split(flags.python, ' ')) {
    if (!word.empty()) python.emplace_back(word);
  }
  if (python.empty()) {
    return std::unexpected(Failure({Code::kInvalid, "--python names no program"}));
  }
  std::vector<std::string> arguments{file, fmt::format("--program={}", OwnPath(session)),
                                     fmt::format("--python={}", flags.python)};
  arguments.insert(arguments.end(), flags.words.begin(), flags.words.end());
  arguments.insert(arguments.end(), words.begin(), words.end());
  json::object variables;
  if (session.around().token) variables["GPUYARD_TOKEN"] = *session.around().token;
  const json::object code = Code();
  YARD_ASSIGN(const int ended,
              RunCarried({python, code, "gpuyard_isaac.command"}, arguments, variables));
  session.exit_code = static_cast<ExitCode>(ended);
  return {};
}

}  // namespace yard::cli
