// attach: a Slurm that others look after. It is looked at through ssh, and the server is told.
#include <fmt/format.h>

#include "base/strings.h"
#include "cli/cluster/far.h"
#include "cli/cluster/names.h"
#include "cli/cluster/orders.h"
#include "cli/cluster/run.h"
#include "cli/cluster/server.h"
#include "cli/submit/words.h"

namespace yard::cli {
namespace {

using client::Outcome;

// $1: the folder. As the account that jobs are to run as; nothing but the folder is made.
constexpr const char* kLook = R"SH(set -eu
PATH=$PATH:/usr/local/bin:/usr/bin:/bin
[ "$(id -u)" != 0 ] || { echo "root is not taken: jobs run as this account" >&2; exit 1; }
for program in sbatch squeue scancel scontrol srun tar; do
  command -v $program >/dev/null || { echo "$program is not installed" >&2; exit 1; }
done
mkdir -p "$1" && [ -w "$1" ] || { echo "$1 cannot be written" >&2; exit 1; }
state=$(scontrol ping)
case $state in *'is UP'*) ;; *) echo "$state" >&2; exit 1 ;; esac
sinfo --version
)SH";

Status CheckWords(const ClusterArguments& arguments) {
  for (const std::string* value :
       {&arguments.partition, &arguments.slurm_account, &arguments.qos, &arguments.gpu_memory,
        &arguments.ssh_key, &arguments.ssh_known_hosts, &arguments.server_folder})
    if (!value->empty() && !IsPlainPath(*value))
      return Fail(Code::kInvalid, fmt::format("'{}' is not a value", *value));
  if (!IsSharedFolder(arguments.folder))
    return Fail(Code::kInvalid, fmt::format("'{}' is not a folder", arguments.folder),
                "--folder DIR: an absolute path on the file system that all nodes share");
  return {};
}

struct Login {
  SshWay way;
  std::string host;
};

Result<Login> LoginOf(const ClusterArguments& arguments) {
  const std::size_t at = arguments.ssh.rfind('@');
  Login login{{.user = arguments.ssh.substr(0, at),
               .port = arguments.ssh_port,
               .key = AbsolutePath(arguments.ssh_key),
               .known_hosts = AbsolutePath(arguments.ssh_known_hosts)},
              at == std::string::npos ? std::string() : arguments.ssh.substr(at + 1)};
  if (!IsAccountName(login.way.user))
    return Fail(Code::kInvalid,
                fmt::format("'{}' is not an account that jobs can run as", login.way.user),
                "--ssh USER@HOST");
  YARD_TRY(CheckHostName(login.host));
  return login;
}

ClusterEntry EntryOf(const ClusterArguments& arguments, const Login& login) {
  return {arguments.name,
          {{"ssh", arguments.ssh},
           {"ssh-port", login.way.port > 0 ? std::to_string(login.way.port) : std::string()},
           {"ssh-key", login.way.key},
           {"ssh-known-hosts", login.way.known_hosts},
           {"folder", arguments.folder},
           {"partition", arguments.partition},
           {"account", arguments.slurm_account},
           {"qos", arguments.qos},
           {"gpu-memory", arguments.gpu_memory}}};
}

}  // namespace

Outcome<void> AttachCluster(Session& session, const ClusterArguments& arguments) {
  YARD_TRY(CheckClusterName(arguments.name));
  YARD_TRY(CheckWords(arguments));
  YARD_ASSIGN(const Login login, LoginOf(arguments));
  const ClusterEntry entry = EntryOf(arguments, login);
  if (arguments.dry_run) {
    std::vector<std::string> words = SshTo(login.way, login.host);
    words.push_back(FarCommand(login.way, Rights::kOwn, kLook, std::vector{arguments.folder}));
    session.console().out << JoinWords(words) << '\n' << EntryText(entry);
    return {};
  }
  HostsBySsh hosts(login.way, Rights::kOwn);
  YARD_ASSIGN(const Answer answer, hosts.Run(login.host, kLook, std::vector{arguments.folder}, {}));
  if (answer.code != 0)
    return std::unexpected(client::Failure(
        {Code::kPrecondition, fmt::format("{}: {}", arguments.ssh, LastWords(answer)), {}}));
  session.Note(fmt::format("{} has {}", login.host, Trim(answer.out)));
  YARD_TRY(WriteOrPrint(
      session,
      ServerFilesOf(session, AbsolutePath(arguments.server_folder), arguments.server_account),
      entry));
  return {};
}

}  // namespace yard::cli
