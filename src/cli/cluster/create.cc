// create and add-host: from hosts to a cluster that the server can be told.
#include <algorithm>
#include <ostream>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/uuid.h"
#include "cli/cluster/names.h"
#include "cli/cluster/orders.h"
#include "cli/cluster/plan.h"
#include "cli/cluster/run.h"
#include "cli/cluster/server.h"

namespace yard::cli {
namespace {

using client::Outcome;

constexpr const char* kDefaultName = "slurm";

void TakeGiven(const std::string& given, std::string& target) {
  if (!given.empty()) target = given;
}

ClusterDescription WithGiven(ClusterDescription cluster, const ClusterArguments& arguments) {
  TakeGiven(arguments.ssh_user, cluster.way.user);
  TakeGiven(AbsolutePath(arguments.ssh_key), cluster.way.key);
  TakeGiven(AbsolutePath(arguments.ssh_known_hosts), cluster.way.known_hosts);
  if (arguments.ssh_port != 0) cluster.way.port = arguments.ssh_port;
  TakeGiven(arguments.account, cluster.account);
  TakeGiven(arguments.folder, cluster.folder);
  TakeGiven(AbsolutePath(arguments.server_folder), cluster.server_folder);
  if (!arguments.hosts.empty()) cluster.hosts = arguments.hosts;
  return cluster;
}

// What stands is changed by orders of its own only.
Status CheckSame(const ClusterDescription& there, const ClusterDescription& wanted) {
  if (there.hosts != wanted.hosts)
    return Fail(
        Code::kConflict,
        fmt::format("the cluster '{}' has the hosts {}", there.name, Join(there.hosts, ",")),
        "`gpuyard cluster add-host` and `remove-host` change that");
  if (there.account == wanted.account && there.folder == wanted.folder) return {};
  return Fail(Code::kConflict,
              fmt::format("the cluster '{}' has the account {} and the folder {}", there.name,
                          there.account, there.folder),
              "destroy it first to have others");
}

bool IsPart(const ClusterDescription& cluster, std::span<const HostFacts> hosts) {
  return std::ranges::any_of(hosts,
                             [&](const HostFacts& host) { return host.stamp == cluster.name; });
}

std::string NewId(const Session& session) {
  return FormatUuid(MakeUuid(session.around().clock.Now(), session.around().random));
}

// The folder comes first: while it is not seen to be shared, nothing else is touched.
Status CarryOutAll(Session& session, Hosts& hosts, const ClusterDescription& cluster,
                   const Plan& folder, const Plan& rest) {
  auto tell = [&session](std::string_view line) { session.Note(line); };
  if (Status shared = CarryOut(hosts, folder, tell); !shared) {
    const bool made = folder.front().steps.front().host == cluster.hosts.front();
    // What failed is told; that it could not be taken back either is no news.
    if (made) (void)CarryOut(hosts, PlanForgetFolder(cluster), tell);
    return shared;
  }
  return CarryOut(hosts, rest, tell);
}

void ShowAll(Session& session, const ClusterDescription& cluster, const ClusterEntry& entry,
             const Plan& folder, const Plan& rest) {
  std::ostream& out = session.console().out;
  ShowPlan(out, cluster.way, folder);
  ShowPlan(out, cluster.way, rest);
  out << "# the server's configuration file\n" << EntryText(entry);
  session.Note(fmt::format("{} step(s) would be done; nothing was changed",
                           CountSteps(folder) + CountSteps(rest)));
}

struct Work {
  ClusterDescription cluster;
  std::vector<HostFacts> facts;
};

Outcome<void> Complete(Session& session, Hosts& hosts, const Work& work,
                       const ClusterArguments& arguments) {
  const ClusterDescription& cluster = work.cluster;
  YARD_TRY(CheckFacts(cluster, work.facts));
  for (const std::string& remark : Remarks(cluster, work.facts)) session.Note("note: " + remark);
  const ServerFiles files = ServerFilesOf(session, cluster.server_folder, arguments.server_account);
  const ClusterEntry entry = EntryOf(cluster, work.facts, files);
  YARD_ASSIGN(const std::string key, arguments.dry_run ? FindPublicKey(files, cluster.name)
                                                       : EnsurePublicKey(files, cluster.name));
  const Plan folder = PlanFolder(cluster, work.facts);
  YARD_ASSIGN(const Plan rest, PlanCreate(cluster, work.facts, key));
  if (arguments.dry_run) {
    ShowAll(session, cluster, entry, folder, rest);
    return {};
  }
  YARD_TRY(ClusterFolder(ClusterPlace(session)).Save(cluster));
  if (!folder.empty() || !rest.empty())
    YARD_TRY(CarryOutAll(session, hosts, cluster, folder, rest));
  session.Note(fmt::format("the cluster '{}' has {} host(s); {} step(s) were missing", cluster.name,
                           cluster.hosts.size(), CountSteps(folder) + CountSteps(rest)));
  YARD_TRY(TellServer(session, files, entry, work.facts.front()));
  return {};
}

// The description that is there, or one that has only a name.
Result<ClusterDescription> Known(const ClusterFolder& folder, const std::string& name) {
  const std::vector<std::string> names = folder.Names();
  if (std::ranges::find(names, name) != names.end()) return folder.Find(name);
  return ClusterDescription{.name = name, .hosts = {}, .way = {}};
}

}  // namespace

std::string ClusterPlace(const Session& session) {
  const std::string& profile = session.around().profile_path;
  return profile.substr(0, profile.rfind('/')) + "/clusters";
}

Outcome<void> CreateCluster(Session& session, const ClusterArguments& arguments) {
  const std::string name = arguments.name.empty() ? kDefaultName : arguments.name;
  YARD_TRY(CheckClusterName(name));
  YARD_ASSIGN(const ClusterDescription there, Known(ClusterFolder(ClusterPlace(session)), name));
  Work work{WithGiven(there, arguments), {}};
  if (work.cluster.id.empty()) work.cluster.id = NewId(session);
  YARD_TRY(CheckDescription(work.cluster));
  HostsBySsh hosts(work.cluster.way, Rights::kRoot);
  YARD_ASSIGN(work.facts, AskAll(hosts, work.cluster));
  const bool stands = IsPart(work.cluster, work.facts);
  if (stands && !there.id.empty()) YARD_TRY(CheckSame(there, work.cluster));
  // Made from elsewhere: the folder says which it is.
  if (stands && there.id.empty() && !work.facts.front().folder_id.empty())
    work.cluster.id = work.facts.front().folder_id;
  return Complete(session, hosts, work, arguments);
}

Outcome<void> AddHosts(Session& session, const ClusterArguments& arguments) {
  YARD_ASSIGN(ClusterDescription cluster,
              ClusterFolder(ClusterPlace(session)).Find(arguments.name));
  for (const std::string& host : arguments.hosts)
    if (std::ranges::find(cluster.hosts, host) == cluster.hosts.end())
      cluster.hosts.push_back(host);
  YARD_TRY(CheckDescription(cluster));
  HostsBySsh hosts(cluster.way, Rights::kRoot);
  YARD_ASSIGN(std::vector<HostFacts> facts, AskAll(hosts, cluster));
  return Complete(session, hosts, Work{std::move(cluster), std::move(facts)}, arguments);
}

}  // namespace yard::cli
