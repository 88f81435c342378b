// cp, outputs, ssh, ssh-proxy: files and editors.
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/data/chunk_server.h"
#include "cli/enter/child.h"
#include "cli/enter/copy.h"
#include "cli/enter/enter.h"
#include "cli/enter/ssh.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/find.h"
#include "cli/work/view.h"

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

struct OutputsArguments {
  std::string name;
  std::string path;
  std::int64_t attempt = 0;
  std::int64_t rank = 0;
};

Table OutputTable(const std::vector<json::value>& files) {
  Table table{.header = {"PATH", "TYPE", "SIZE", "MODIFIED"}, .rows = {}};
  for (const json::value& one : files) {
    const bool is_file = TextAt(one, "type") == "file";
    const auto bytes = ParseInt(TextAt(one, "bytes")).value_or(0);
    table.rows.push_back({TextAt(one, "path"), TextAt(one, "type"),
                          is_file ? BytesText(static_cast<std::uint64_t>(bytes)) : "-",
                          TextAt(one, "modifiedAt")});
  }
  return table;
}

Outcome<void> Outputs(Session& session, const OutputsArguments& arguments) {
  YARD_ASSIGN(json::value workload, FindWorkload(session, arguments.name, Existing::kLive));
  YARD_ASSIGN(client::Client * server, session.Server());
  std::vector<std::pair<std::string, std::string>> query = {
      {"path", arguments.path}, {"rank", std::to_string(arguments.rank)}};
  if (arguments.attempt > 0) query.emplace_back("attempt", std::to_string(arguments.attempt));
  YARD_ASSIGN(json::value answer, server->Get(PathOf(workload, "/outputs"), query));
  std::vector<json::value> files;
  const json::value& list = At(answer, "files");
  if (list.is_array()) files.assign(list.as_array().begin(), list.as_array().end());
  YARD_TRY(PrintTable(session, files, OutputTable(files)));
  if (TextAt(answer, "truncated") == "true")
    session.Hint("there is more; name a folder to see what is in it");
  session.Hint(fmt::format("`gpuyard cp {}:PATH .` brings one here", arguments.name));
  return {};
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

// The proxy that ssh starts signs in as we do; our own environment holds no token any more.
std::vector<std::string> ForProxy(const Session& session) {
  std::vector<std::string> variables;
  if (session.around().token) variables.push_back("GPUYARD_TOKEN=" + *session.around().token);
  return variables;
}

Outcome<void> Ssh(Session& session, const SshArguments& arguments) {
  YARD_ASSIGN(SshPlace place, PlaceOf(session, arguments.name));
  if (arguments.config) {
    session.console().out << SshConfig(place);
    return {};
  }
  std::vector<std::string> words = SshWords(place);
  words.insert(words.end(), arguments.command.begin(), arguments.command.end());
  YARD_ASSIGN(int code, RunProgram(words, ForProxy(session)));
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
  Verb verb = root.Add("cp", "Copy files to and from work; what it has left also after its end");
  verb.NeedsWord("SRC", copy->source, "PATH here, or NAME:PATH in a task")
      .NeedsWord("DST", copy->target, "the other one")
      .Examples(
          "gpuyard cp train:/out/model.pt .\ngpuyard cp data.csv train:/tmp/\n"
          "gpuyard cp ./config train:/work/config");
  verb.Run([copy, &session] { return Copy(session, *copy); });
  auto outputs = std::make_shared<OutputsArguments>();
  verb = root.Add("outputs", "What work has left in $GPUYARD_OUTPUT, also after its end");
  verb.NeedsWord("NAME", outputs->name, "the workload")
      .Word("PATH", outputs->path, "a folder there, or a path that was saved")
      .Number("--attempt", outputs->attempt, "of this attempt; default: the newest")
      .Number("--rank", outputs->rank, "of this task of distributed work [0]")
      .Format()
      .Examples(
          "gpuyard outputs train\ngpuyard outputs train checkpoints\n"
          "gpuyard outputs train --attempt 1");
  verb.Run([outputs, &session] { return Outputs(session, *outputs); });
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
