#include "cli/cluster/server.h"

#include <pwd.h>
#include <unistd.h>

#include <filesystem>
#include <ostream>

#include <fmt/format.h>

#include "cli/cluster/settings.h"

namespace yard::cli {
namespace {

constexpr std::int64_t kSshPort = 22;
constexpr const char* kServerAccount = "gpuyard";  // the one that the package makes

}  // namespace

std::string AbsolutePath(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

ServerFiles ServerFilesOf(const Session& session, const std::string& server_folder,
                          const std::string& server_account) {
  ServerFiles files{.folder = server_folder.empty() ? ClusterPlace(session) : server_folder,
                    .is_the_servers = !server_folder.empty(),
                    .account = server_account};
  const bool may_give = files.is_the_servers && ::geteuid() == 0;
  if (files.account.empty() && may_give && ::getpwnam(kServerAccount) != nullptr)
    files.account = kServerAccount;
  return files;
}

ClusterEntry EntryOf(const ClusterDescription& cluster, const std::vector<HostFacts>& hosts,
                     const ServerFiles& files) {
  const HostFacts& login = hosts.front();
  ClusterEntry entry{cluster.name, {}};
  entry.options["ssh"] = fmt::format("{}@{}", cluster.account, login.address);
  if (login.ssh_port != kSshPort) entry.options["ssh-port"] = std::to_string(login.ssh_port);
  entry.options["ssh-key"] = files.KeyFile(cluster.name);
  entry.options["ssh-known-hosts"] = files.KnownHostsFile(cluster.name);
  entry.options["folder"] = cluster.folder;
  entry.options["gpu-memory"] = GpuMemoryOf(hosts);
  return entry;
}

Status WriteOrPrint(Session& session, const ServerFiles& files, const ClusterEntry& entry) {
  if (!files.is_the_servers) {
    session.console().out << EntryText(entry);
    session.Note(
        "this section belongs into the server's configuration file (/etc/gpuyard/server.yaml), and "
        "the "
        "files that it names onto the server's machine, readable for its account alone; then "
        "restart "
        "the server");
    return {};
  }
  YARD_ASSIGN(const Written written, WriteSection(files, entry));
  session.Note(written == Written::kUnchanged
                   ? fmt::format("{} has the cluster already", files.ConfigFile())
                   : fmt::format("{} names the cluster now: restart the server (systemctl restart "
                                 "gpuyard); work that runs outlives that",
                                 files.ConfigFile()));
  return {};
}

Status TellServer(Session& session, const ServerFiles& files, const ClusterEntry& entry,
                  const HostFacts& login) {
  YARD_TRY(WriteKnownHosts(files, entry.name, login));
  const Status written = WriteOrPrint(session, files, entry);
  if (written || written.error().code != Code::kConflict) return written;
  // A host with other GPUs changes the section; what a person may have added to it is theirs.
  session.console().out << EntryText(entry);
  session.Note(
      fmt::format("{} has another section '{}': put this one in its place, and restart the server",
                  files.ConfigFile(), entry.name));
  return {};
}

}  // namespace yard::cli
