#include "cli/submit/slurm.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/submit/resources.h"
#include "cli/submit/words.h"

namespace yard::cli {
namespace {

enum class Takes { kValue, kNothing };

struct SlurmOption {
  char letter;  // 0: none
  std::string_view name;
  Takes takes = Takes::kValue;
};

constexpr SlurmOption kOptions[] = {
    {'J', "job-name"},
    {'t', "time"},
    {'G', "gpus"},
    {0, "gpus-per-node"},
    {0, "gres"},
    {'c', "cpus-per-task"},
    {0, "mem"},
    {'b', "begin"},
    {'x', "exclude"},
    {'w', "nodelist"},
    {'W', "wait", Takes::kNothing},
    {'a', "array"},
    {'d', "dependency"},
    {'p', "partition"},
    {'A', "account"},
    {'D', "chdir"},
    {0, "export"},
    {'H', "hold", Takes::kNothing},
    {0, "requeue", Takes::kNothing},
    {0, "no-requeue", Takes::kNothing},
    {0, "signal"},
    {'N', "nodes"},
    {'n', "ntasks"},
    {0, "ntasks-per-node"},
    {'o', "output"},
    {'e', "error"},
    {0, "open-mode"},
    {0, "mail-type"},
    {0, "mail-user"},
    {0, "comment"},
};

const SlurmOption* FindLong(std::string_view name) {
  const auto* found = std::ranges::find(kOptions, name, &SlurmOption::name);
  return found == std::end(kOptions) ? nullptr : found;
}

const SlurmOption* FindLetter(char letter) {
  const auto* found = std::ranges::find(kOptions, letter, &SlurmOption::letter);
  return found == std::end(kOptions) ? nullptr : found;
}

Result<std::string> TakeOne(std::string_view name, const std::string& value) {
  if (ParseInt(value) == 1) return "";
  return Fail(Code::kInvalid, fmt::format("--{}={} asks for more than one task", name, value),
              "for work on several nodes use --workers N, see `gpuyard submit --help`");
}

// "gpu:2" or "gpu:a100:2".
Status TakeGres(Submission& submission, const std::string& value) {
  std::vector<std::string_view> parts = Split(value, ':');
  if (parts[0] != "gpu" || parts.size() > 3)
    return Fail(Code::kInvalid, fmt::format("--gres={} is not about GPUs", value), "write gpu:N");
  if (parts.size() == 3)
    return Fail(Code::kInvalid, fmt::format("--gres={} names a type of GPU", value),
                "choose GPUs by their pool: --partition NAME");
  return SetGpus(submission.spec, parts.size() == 1 ? "1" : parts[1]);
}

// "ALL", "NONE", "A=1,B=2", "ALL,A=1".
Result<std::string> TakeExport(Submission& submission, const std::string& value) {
  std::string note;
  for (std::string_view part : Split(value, ',')) {
    if (part == "ALL") note = "--export=ALL is not used: name variables, or give --env-all";
    if (part == "ALL" || part == "NONE") continue;
    YARD_ASSIGN(auto variable, ParseAssignment(part));
    submission.spec.SetVariable(variable.first, variable.second);
  }
  return note;
}

// "B:USR1@120": the signal and how many seconds before the end it is sent.
Status TakeSignal(Submission& submission, std::string value) {
  if (std::size_t colon = value.rfind(':'); colon != std::string::npos) value.erase(0, colon + 1);
  std::size_t at = value.find('@');
  std::string name = value.substr(0, at);
  if (!name.starts_with("SIG") && !ParseInt(name)) name.insert(0, "SIG");
  submission.spec.Set("signalBeforeEnd.signal", name);
  if (at == std::string::npos) return {};
  std::optional<std::int64_t> seconds = ParseInt(std::string_view(value).substr(at + 1));
  if (!seconds || *seconds < 0)
    return Fail(Code::kInvalid, fmt::format("'{}' is not SIGNAL@SECONDS", value));
  submission.spec.Set("signalBeforeEnd.seconds", *seconds);
  return {};
}

// "a,b": names of nodes.
void TakeNodes(Spec& spec, const char* field, std::string_view value) {
  std::vector<std::string> names;
  for (std::string_view name : Split(value, ',')) {
    if (!Trim(name).empty()) names.emplace_back(Trim(name));
  }
  spec.Set(field, std::move(names));
}

// "--requeue": again when its node is lost; preempted work is queued again anyway.
void TakeRequeue(Spec& spec, std::string_view name) {
  spec.Set("retry.limit", std::int64_t{name == "requeue" ? 100 : 0});
  spec.Set("retry.on", std::vector<std::string>{"NodeLost"});
  if (name == "no-requeue") spec.Set("terminateAfterPreemption", true);
}

Status TakeResource(Submission& submission, std::string_view name, const std::string& value) {
  Spec& spec = submission.spec;
  if (name == "time") return SetTimeLimit(spec, value);
  if (name == "gpus" || name == "gpus-per-node") return SetGpus(spec, value);
  if (name == "gres") return TakeGres(submission, value);
  if (name == "cpus-per-task") return SetCpus(spec, value);
  return SetSlurmMemory(spec, value);
}

// One directive line, split into words already, applied from left to right.
Status TakeWords(Script& script, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (word.starts_with('#')) return {};
    std::size_t equals = word.find('=');
    bool is_long = word.starts_with("--");
    const SlurmOption* option = nullptr;
    if (is_long) option = FindLong(word.substr(2, equals == word.npos ? word.npos : equals - 2));
    if (!is_long && word.starts_with('-') && word.size() > 1) option = FindLetter(word[1]);
    if (option == nullptr)
      return Fail(Code::kInvalid, fmt::format("'{}' is not an option that is known", word),
                  "remove it, or say it with an option of `gpuyard submit --help`");
    std::string value;
    if (option->takes == Takes::kValue) {
      bool inside = is_long ? equals != word.npos : word.size() > 2;
      if (!inside && i + 1 >= words.size())
        return Fail(Code::kInvalid, fmt::format("'{}' needs a value", word));
      value = inside ? std::string(word.substr(is_long ? equals + 1 : 2)) : words[++i];
    }
    YARD_ASSIGN(std::string note, TakeSlurmOption(script.submission, option->name, value));
    if (!note.empty()) script.notes.push_back(note);
  }
  return {};
}

// The program that a "#!" line names and its arguments, without "env".
std::vector<std::string> InterpreterOf(std::string_view text) {
  std::vector<std::string> words;
  if (!text.starts_with("#!")) return words;
  std::string line(Trim(text.substr(2, text.find('\n') - 2)));
  std::ranges::replace(line, '\t', ' ');
  for (std::string_view word : Split(line, ' ')) {
    bool ends_flags = word == "-" || word == "--";
    if (!word.empty() && !ends_flags) words.emplace_back(word);
  }
  bool by_env = words.size() > 1 && words[0].ends_with("/env");
  if (by_env) words.erase(words.begin(), words.begin() + (words[1] == "-S" ? 2 : 1));
  return words;
}

// "-e", "-euo", "-x": letters only, none of which says where the script comes from.
bool IsPlainFlag(std::string_view word) {
  bool dashed = word.size() > 1 && (word[0] == '-' || word[0] == '+');
  return dashed && word.find_first_of("cs-", 1) == word.npos;
}

// The names that "-o" and "-O" take stand alone between the flags: "-eo pipefail".
bool TakesName(std::string_view flag) {
  return flag.contains('o') || flag.contains('O');
}

// Whether the script's text can be handed to its interpreter instead of its path: it is a shell,
// whose flags may stand before "-c".
bool TravelsAsText(const std::vector<std::string>& interpreter) {
  constexpr std::string_view kShells[] = {"sh", "bash", "dash", "zsh", "ksh"};
  if (interpreter.empty()) return false;
  std::string_view program = interpreter[0];
  if (std::ranges::find(kShells, program.substr(program.rfind('/') + 1)) == std::end(kShells))
    return false;
  for (std::size_t i = 1; i < interpreter.size(); ++i) {
    bool name = i > 1 && IsPlainFlag(interpreter[i - 1]) && TakesName(interpreter[i - 1]);
    bool login = interpreter[i] == "--login" || interpreter[i] == "--noprofile";
    if (!name && !login && !IsPlainFlag(interpreter[i])) return false;
  }
  return true;
}

}  // namespace

Result<std::string> TakeSlurmOption(Submission& submission, std::string_view name,
                                    const std::string& value) {
  constexpr std::string_view kResources = " time gpus gpus-per-node gres cpus-per-task mem ";
  if (FindLong(name) == nullptr)
    return Fail(Code::kInvalid, fmt::format("slurm: '{}' is not an option that is known", name),
                "use the long names of sbatch without the dashes");
  Spec& spec = submission.spec;
  if (kResources.contains(fmt::format(" {} ", name))) {
    YARD_TRY(TakeResource(submission, name, value));
  } else if (name == "job-name") {
    submission.name = value;
  } else if (name == "array") {
    YARD_ASSIGN(submission.array, ParseIndices(value));
  } else if (name == "dependency") {
    YARD_ASSIGN(std::vector<Item> items, ParseDependency(value));
    for (Item& item : items) spec.Append("dependsOn", std::move(item));
  } else if (name == "partition") {
    YARD_TRY(SetPools(spec, value));
  } else if (name == "account") {
    submission.project = value;
  } else if (name == "chdir") {
    spec.Set("workingDir", value);
  } else if (name == "hold") {
    spec.Set("hold", true);
  } else if (name == "requeue" || name == "no-requeue") {
    TakeRequeue(spec, name);
  } else if (name == "begin") {
    spec.Set("beginAt", value);  // read by whoever knows the time
  } else if (name == "exclude" || name == "nodelist") {
    TakeNodes(spec, name == "exclude" ? "excludeNodes" : "nodes", value);
  } else if (name == "wait") {
    return "--wait is not used here: give it on the command line of `gpuyard submit`";
  } else if (name == "signal") {
    YARD_TRY(TakeSignal(submission, value));
  } else if (name == "export") {
    return TakeExport(submission, value);
  } else if (name == "nodes" || name == "ntasks" || name == "ntasks-per-node") {
    return TakeOne(name, value);
  } else if (name == "output" || name == "error" || name == "open-mode") {
    return fmt::format("--{} is not used: logs are kept, see `gpuyard logs`", name);
  } else if (name == "mail-type" || name == "mail-user") {
    return fmt::format("--{} is not used: no mail is sent", name);
  }
  return "";
}

Result<Script> ReadDirectives(std::string_view text) {
  Script script;
  int number = 0;
  for (std::string_view line : Split(text, '\n')) {
    ++number;
    std::string_view trimmed = Trim(line);
    // Directives end where the commands begin.
    if (!trimmed.empty() && !trimmed.starts_with('#')) break;
    if (!trimmed.starts_with("#SBATCH")) continue;
    Result<std::vector<std::string>> words = SplitWords(trimmed.substr(7));
    Status taken = words ? TakeWords(script, *words) : Status(Fail(words.error()));
    if (!taken) {
      Error error = std::move(taken).error();
      error.message = fmt::format("line {}: {}", number, error.message);
      return Fail(std::move(error));
    }
  }
  return script;
}

std::optional<std::string> ReadScript(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  std::string script = std::move(text).str();
  if (!script.starts_with("#!")) return std::nullopt;
  return script;
}

std::vector<std::string> CommandForScript(std::string_view path, std::string_view text,
                                          const std::vector<std::string>& arguments) {
  constexpr std::size_t kMostText = 100'000;  // one argument of a program holds 128 KiB
  std::vector<std::string> command = InterpreterOf(text);
  if (TravelsAsText(command) && text.size() <= kMostText) {
    command.insert(command.end(), {"-c", std::string(text), std::string(path)});
  } else {
    command = {std::string(path)};
  }
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

}  // namespace yard::cli
