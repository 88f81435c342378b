// The command of a task, and what must happen before it: downloads and steps, as one script.
#include <fmt/format.h>

#include "control/launch/expand.h"
#include "control/launch/parts.h"

namespace yard::control {
namespace {

// A download's credentials go into variables, so that they stand in no command line.
Status AddGit(const LaunchParts& parts, const GitSource& git, std::string& script,
              engine::TaskSpec& task) {
  std::string path = QuoteWord(git.path);
  std::string helper;
  if (!git.credential.empty()) {
    YARD_ASSIGN(SecretValues values, parts.secrets.Find(git.credential));
    task.variables.push_back({"GPUYARD_GIT_USER", values["username"], true});
    task.variables.push_back({"GPUYARD_GIT_PASSWORD", values["password"], true});
    helper =
        "-c credential.helper='!f() { echo username=$GPUYARD_GIT_USER; echo "
        "password=$GPUYARD_GIT_PASSWORD; }; f' ";
  }
  std::string branch;
  if (!git.branch.empty()) branch = "--branch " + QuoteWord(git.branch) + " ";
  script += fmt::format("[ -e {0}/.git ] || git {1}clone {2}-- {3} {0}\n", path, helper, branch,
                        QuoteWord(git.repository));
  if (!git.revision.empty()) {
    script += fmt::format("git -C {} checkout --quiet {}\n", path, QuoteWord(git.revision));
  }
  return {};
}

Status AddS3(const LaunchParts& parts, const S3Source& s3, std::string& script,
             engine::TaskSpec& task) {
  if (!s3.credential.empty()) {
    YARD_ASSIGN(SecretValues values, parts.secrets.Find(s3.credential));
    task.variables.push_back({"AWS_ACCESS_KEY_ID", values["AccessKeyId"], true});
    task.variables.push_back({"AWS_SECRET_ACCESS_KEY", values["SecretKey"], true});
  }
  std::string endpoint;
  if (!s3.url.empty()) endpoint = "--endpoint-url " + QuoteWord(s3.url) + " ";
  script +=
      "command -v aws >/dev/null || { echo 'gpuyard: the S3 download needs the aws "
      "command' >&2; exit 127; }\n";
  script += fmt::format("aws {}s3 sync {} {}\n", endpoint, QuoteWord("s3://" + s3.bucket),
                        QuoteWord(s3.path));
  return {};
}

void AddStep(const StepSpec& step, std::string& script) {
  script += fmt::format("echo {}\n", QuoteWord("== " + step.name));
  for (const Words* words : {&step.command, &step.args}) {
    for (const std::string& word : words->List()) script += QuoteWord(word) + " ";
  }
  script += '\n';
}

Result<std::string> ScriptBefore(const LaunchParts& parts, engine::TaskSpec& task) {
  std::string script;
  const StorageSpec& storage = *parts.spec.storage;
  for (const GitSource& git : storage.git) YARD_TRY(AddGit(parts, git, script, task));
  for (const S3Source& s3 : storage.s3) YARD_TRY(AddS3(parts, s3, script, task));
  for (const StepSpec& step : parts.spec.setup->steps) AddStep(step, script);
  return script;
}

void Wrap(const std::string& script, engine::TaskSpec& task) {
  std::vector<std::string> words = std::move(task.command);
  words.insert(words.end(), task.args.begin(), task.args.end());
  std::string last = words.empty() ? "" : "exec \"$@\"\n";
  task.command = {"/bin/sh", "-c", "set -e\n" + script + last, "gpuyard"};
  task.args = std::move(words);
}

}  // namespace

Status AddCommand(const LaunchParts& parts, engine::TaskSpec& task) {
  std::vector<std::string> words = parts.spec.command.List();
  const auto own = static_cast<std::ptrdiff_t>(words.size());
  for (std::string& word : parts.spec.args.List()) words.push_back(std::move(word));
  ExpandWords(words, task);
  task.command.assign(words.begin(), words.begin() + own);
  task.args.assign(words.begin() + own, words.end());
  YARD_ASSIGN(std::string script, ScriptBefore(parts, task));
  if (!script.empty() && task.container && task.command.empty() &&
      parts.spec.setup->steps.empty()) {
    return Fail(Code::kInvalid, "a download before the start needs a command to run after it",
                "set the workload's command, since the image's own is not known here");
  }
  if (!script.empty()) Wrap(script, task);
  if (!task.container && task.command.empty()) std::swap(task.command, task.args);
  if (task.container || !task.command.empty()) return {};
  return Fail(Code::kInvalid, "there is neither an image nor a command to run",
              "name an image or a command");
}

}  // namespace yard::control
