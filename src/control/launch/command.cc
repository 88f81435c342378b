// The command of a task, and what must happen before it: downloads and steps, as one script.
#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "control/json_fields.h"
#include "control/launch/parts.h"
#include "wire/workload.h"

namespace yard::control {
namespace {

std::string Quoted(std::string_view word) {
  std::string out = "'";
  for (char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// A download's credentials go into variables, so that they stand in no command line.
Status AddGit(const LaunchParts& parts, const json::object& git, std::string& script,
              engine::TaskSpec& task) {
  std::string path = Quoted(TextOrEmpty(git, "path"));
  std::string helper;
  if (std::string_view secret = TextOrEmpty(git, "passwordSecret"); !secret.empty()) {
    YARD_ASSIGN(SecretValues values, parts.secrets.Find(secret));
    task.variables.push_back({"GPUYARD_GIT_USER", values["username"], true});
    task.variables.push_back({"GPUYARD_GIT_PASSWORD", values["password"], true});
    helper =
        "-c credential.helper='!f() { echo username=$GPUYARD_GIT_USER; echo "
        "password=$GPUYARD_GIT_PASSWORD; }; f' ";
  }
  std::string branch;
  if (!TextOrEmpty(git, "branch").empty())
    branch = "--branch " + Quoted(TextOrEmpty(git, "branch")) + " ";
  script += fmt::format("[ -e {0}/.git ] || git {1}clone {2}-- {3} {0}\n", path, helper, branch,
                        Quoted(TextOrEmpty(git, "repository")));
  if (std::string_view revision = TextOrEmpty(git, "revision"); !revision.empty()) {
    script += fmt::format("git -C {} checkout --quiet {}\n", path, Quoted(revision));
  }
  return {};
}

Status AddS3(const LaunchParts& parts, const json::object& s3, std::string& script,
             engine::TaskSpec& task) {
  if (std::string_view secret = TextOrEmpty(s3, "accessKeySecret"); !secret.empty()) {
    YARD_ASSIGN(SecretValues values, parts.secrets.Find(secret));
    task.variables.push_back({"AWS_ACCESS_KEY_ID", values["AccessKeyId"], true});
    task.variables.push_back({"AWS_SECRET_ACCESS_KEY", values["SecretKey"], true});
  }
  std::string endpoint;
  if (!TextOrEmpty(s3, "url").empty())
    endpoint = "--endpoint-url " + Quoted(TextOrEmpty(s3, "url")) + " ";
  script +=
      "command -v aws >/dev/null || { echo 'gpuyard: the S3 download needs the aws "
      "command' >&2; exit 127; }\n";
  script += fmt::format("aws {}s3 sync {} {}\n", endpoint,
                        Quoted(fmt::format("s3://{}", TextOrEmpty(s3, "bucket"))),
                        Quoted(TextOrEmpty(s3, "path")));
  return {};
}

Status AddSteps(const json::array& steps, std::string& script) {
  for (const json::value& item : steps) {
    if (!item.is_object()) continue;
    const json::object& step = item.get_object();
    script += fmt::format("echo {}\n", Quoted(fmt::format("== {}", TextOrEmpty(step, "name"))));
    for (std::string_view field : {"command", "args"}) {
      YARD_ASSIGN(std::vector<std::string> words, wire::ReadWords(step, field));
      for (const std::string& word : words) script += Quoted(word) + " ";
    }
    script += '\n';
  }
  return {};
}

Result<std::string> ScriptBefore(const LaunchParts& parts, engine::TaskSpec& task) {
  std::string script;
  const json::object& storage = ObjectOrEmpty(parts.spec, "storage");
  for (const json::value& item : ListOrEmpty(storage, "git")) {
    if (item.is_object()) YARD_TRY(AddGit(parts, item.get_object(), script, task));
  }
  for (const json::value& item : ListOrEmpty(storage, "s3")) {
    if (item.is_object()) YARD_TRY(AddS3(parts, item.get_object(), script, task));
  }
  YARD_TRY(AddSteps(ListOrEmpty(parts.spec, "steps"), script));
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
  YARD_ASSIGN(task.command, wire::ReadWords(parts.spec, "command"));
  YARD_ASSIGN(task.args, wire::ReadWords(parts.spec, "args"));
  YARD_ASSIGN(std::string script, ScriptBefore(parts, task));
  bool steps = !ListOrEmpty(parts.spec, "steps").empty();
  if (!script.empty() && task.container && task.command.empty() && !steps) {
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
