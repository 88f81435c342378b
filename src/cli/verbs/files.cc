// cp, ssh, ssh-proxy: files and editors.
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/enter/child.h"
#include "cli/enter/copy.h"
#include "cli/enter/enter.h"
#include "cli/enter/ssh.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/find.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

struct CopyArguments {
  std::string source;
  std::string target;
};

Outcome<void> Copy(Session& session, const CopyArguments& arguments) {
  CopyEnd from = ParseCopyEnd(arguments.source);
  CopyEnd to = ParseCopyEnd(arguments.target);
  if (from.workload.empty() == to.workload.empty())
    return std::unexpected(Failure({Code::kInvalid, "one side must be NAME:PATH, the other not",
                                    "for example `gpuyard cp train:/out/model.pt .`"}));
  if (from.workload.empty()) YARD_TRY(CheckSource(from.path));
  const std::string& name = from.workload.empty() ? to.workload : from.workload;
  YARD_ASSIGN(json::value workload, FindWorkload(session, name, Existing::kLive));
  std::string id = TextAt(workload, "id");
  if (to.workload.empty()) return CopyOut(session, id, from.path, to.path);
  return CopyIn(session, id, from.path, to.path);
}

struct SshArguments {
  std::string name;
  std::vector<std::string> command;
  bool config = false;
};

std::string KeyFolder(Session& session) {
  return (std::filesystem::path(session.around().profile_path).parent_path() / "ssh").string();
}

Outcome<SshPlace> PlaceOf(Session& session, const std::string& name) {
  YARD_ASSIGN(json::value workload, FindWorkload(session, name, Existing::kLive));
  std::string id = TextAt(workload, "id");
  YARD_ASSIGN(SshKey key, EnsureKey(KeyFolder(session)));
  YARD_ASSIGN(std::string user, ExecForText(session, id, {"id", "-un"}));
  std::error_code error;
  std::string program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  if (error) program = "gpuyard";
  return SshPlace{program, id, TextAt(workload, "name"), std::string(Trim(user)), key};
}

Outcome<void> Ssh(Session& session, const SshArguments& arguments) {
  YARD_ASSIGN(SshPlace place, PlaceOf(session, arguments.name));
  if (arguments.config) {
    session.console().out << SshConfig(place);
    return {};
  }
  std::vector<std::string> words = SshWords(place);
  words.insert(words.end(), arguments.command.begin(), arguments.command.end());
  YARD_ASSIGN(int code, RunProgram(words));
  session.exit_code = static_cast<ExitCode>(code);
  return {};
}

Outcome<void> Proxy(Session& session, const std::string& name) {
  YARD_ASSIGN(json::value workload, FindWorkload(session, name, Existing::kLive));
  YARD_ASSIGN(SshKey key, EnsureKey(KeyFolder(session)));
  YARD_ASSIGN(int code, Exec(session, TextAt(workload, "id"),
                             {.command = {"/bin/sh", "-c", SshdScript(key.public_text)}}));
  session.exit_code = static_cast<ExitCode>(code);
  return {};
}

}  // namespace

void AddFiles(CLI::App& app, Session& session) {
  Verb root(app, session);
  auto copy = std::make_shared<CopyArguments>();
  Verb verb = root.Add("cp", "Copy files to and from work that runs");
  verb.NeedsWord("SRC", copy->source, "PATH here, or NAME:PATH in a task")
      .NeedsWord("DST", copy->target, "the other one")
      .Examples(
          "gpuyard cp train:/out/model.pt .\ngpuyard cp data.csv train:/tmp/\n"
          "gpuyard cp ./config train:/work/config");
  verb.Run([copy, &session] { return Copy(session, *copy); });
  auto ssh = std::make_shared<SshArguments>();
  verb = root.Add("ssh", "Enter work with ssh; editors can, too");
  verb.NeedsWord("NAME", ssh->name, "the workload")
      .Flag("--config", ssh->config, "print an entry for ~/.ssh/config instead")
      .Command(ssh->command)
      .Examples(
          "gpuyard ssh notebook\ngpuyard ssh notebook -- nvidia-smi\n"
          "gpuyard ssh notebook --config >> ~/.ssh/config");
  verb.Run([ssh, &session] { return Ssh(session, *ssh); });
  auto proxy = std::make_shared<std::string>();
  verb = root.Add("ssh-proxy", "The ProxyCommand of ssh: sshd inside the task");
  verb.NeedsWord("NAME", *proxy, "the workload").Examples("gpuyard ssh-proxy notebook");
  verb.Run([proxy, &session] { return Proxy(session, *proxy); });
}

}  // namespace yard::cli
