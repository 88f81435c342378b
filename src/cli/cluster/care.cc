// remove-host, doctor and destroy: a cluster that stands.
#include <algorithm>
#include <iostream>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/cluster/doctor.h"
#include "cli/cluster/orders.h"
#include "cli/cluster/plan.h"
#include "cli/cluster/run.h"
#include "cli/cluster/scripts.h"
#include "cli/cluster/server.h"
#include "cli/output.h"
#include "cli/print.h"

namespace yard::cli {
namespace {

using client::Outcome;

struct Rest {
  ClusterDescription cluster;
  std::vector<HostFacts> facts;
  Leaving leaving;
};

Status CheckLeaves(const ClusterDescription& cluster, const std::string& host) {
  const auto found = std::ranges::find(cluster.hosts, host);
  if (found == cluster.hosts.end())
    return Fail(Code::kNotFound, fmt::format("'{}' is no host of '{}'", host, cluster.name),
                "its hosts: " + Join(cluster.hosts, ", "));
  if (found == cluster.hosts.begin())
    return Fail(Code::kConflict, fmt::format("{} has the controller of the cluster", host),
                "destroy the cluster, and create it with other hosts");
  return {};
}

// Of a host that is gone only the controller's settings still know what it called itself.
Result<std::string> NameOfGone(const std::vector<HostFacts>& rest) {
  const auto file = rest.front().files.find("slurm.conf");
  constexpr std::string_view kBegin = "NodeName=";
  std::vector<std::string> unknown;
  if (file != rest.front().files.end())
    for (std::string_view line : Split(file->second, '\n')) {
      if (!line.starts_with(kBegin)) continue;
      const std::string node(line.substr(kBegin.size(), line.find(' ') - kBegin.size()));
      if (std::ranges::find(rest, node, &HostFacts::node) == rest.end()) unknown.push_back(node);
    }
  if (unknown.size() == 1) return unknown.front();
  return Fail(Code::kConflict,
              fmt::format("{} nodes are of hosts that were not asked", unknown.size()),
              "remove those first that can be reached");
}

Result<Rest> AskRest(Hosts& hosts, const ClusterDescription& cluster,
                     const ClusterArguments& arguments) {
  const std::string& host = arguments.hosts.front();
  Rest rest{cluster, {}, {.host = host, .node = {}, .gone = arguments.gone}};
  rest.leaving.patience_s = arguments.timeout_s;
  if (arguments.gone) std::erase(rest.cluster.hosts, host);
  YARD_ASSIGN(rest.facts, AskAll(hosts, rest.cluster));
  if (arguments.gone) {
    YARD_ASSIGN(rest.leaving.node, NameOfGone(rest.facts));
    return rest;
  }
  const auto own = std::ranges::find(rest.facts, host, &HostFacts::host);
  rest.leaving.node = own->node;
  rest.leaving.starter = own->starter;
  rest.leaving.has_slurm = own->stamp == cluster.name;
  rest.facts.erase(own);
  std::erase(rest.cluster.hosts, host);
  return rest;
}

std::string_view WordOf(Health health) {
  switch (health) {
    case Health::kOk:
      return "ok";
    case Health::kWarn:
      return "warn";
    case Health::kFail:
      return "fail";
  }
  return "fail";
}

// What the server says about it, where one is known.
void AskServer(Session& session, const std::string& name, std::vector<ClusterFinding>& findings) {
  Outcome<client::Client*> server = session.Server();
  Outcome<json::value> clusters = server ? (*server)->Get("/api/v1/clusters")
                                         : Outcome<json::value>(std::unexpected(server.error()));
  ClusterFinding finding{"-", "server", Health::kWarn, {}};
  if (!clusters || !clusters->is_array()) {
    finding.detail =
        "not asked: " + (clusters ? "no list of clusters" : clusters.error().error.message);
    findings.push_back(std::move(finding));
    return;
  }
  finding.detail =
      "does not know the cluster: its configuration file must name it, and it must be "
      "restarted then";
  for (const json::value& one : clusters->get_array()) {
    if (TextAt(one, "name") != name) continue;
    const std::string state = TextAt(one, "status.state");
    finding.health = state == "Connected" ? Health::kOk : Health::kFail;
    finding.detail = state;
  }
  findings.push_back(std::move(finding));
}

bool IsSure(Session& session, const ClusterDescription& cluster) {
  Console& console = session.console();
  console.err << fmt::format("take Slurm away from {}? [y/N] ", Join(cluster.hosts, ", "))
              << std::flush;
  std::string answer;
  std::getline(console.in, answer);
  return EqualsIgnoreCase(Trim(answer), "y") || EqualsIgnoreCase(Trim(answer), "yes");
}

Status CheckConfirmed(Session& session, const ClusterDescription& cluster,
                      const ClusterArguments& arguments) {
  if (arguments.yes || arguments.dry_run) return {};
  if (!session.console().interactive)
    return Fail(Code::kInvalid, "nobody is there to confirm", "say --yes");
  if (IsSure(session, cluster)) return {};
  return Fail(Code::kConflict, "nothing was changed");
}

Plan WithJobsEnded(const std::vector<HostFacts>& facts, const ClusterArguments& arguments,
                   Plan plan) {
  if (facts.front().Runs("slurmctld"))
    plan.insert(
        plan.begin(),
        {"look at jobs",
         {Step{facts.front().host, scripts::kRefuseJobs, {arguments.force ? "cancel" : "keep"}}}});
  return plan;
}

}  // namespace

Outcome<void> RemoveHost(Session& session, const ClusterArguments& arguments) {
  const ClusterFolder folder(ClusterPlace(session));
  YARD_ASSIGN(const ClusterDescription cluster, folder.Find(arguments.name));
  YARD_TRY(CheckLeaves(cluster, arguments.hosts.front()));
  HostsBySsh hosts(cluster.way, Rights::kRoot);
  YARD_ASSIGN(const Rest rest, AskRest(hosts, cluster, arguments));
  const Plan plan = PlanRemove(rest.cluster, rest.facts, rest.leaving);
  if (arguments.dry_run) {
    ShowPlan(session.console().out, cluster.way, plan);
    session.Note(fmt::format("{} step(s) would be done; nothing was changed", CountSteps(plan)));
    return {};
  }
  YARD_TRY(CarryOut(hosts, plan, [&session](std::string_view line) { session.Note(line); }));
  YARD_TRY(folder.Save(rest.cluster));
  session.Note(fmt::format("{} has left '{}'; its packages and the account stay", rest.leaving.host,
                           cluster.name));
  return {};
}

Outcome<void> DoctorCluster(Session& session, const ClusterArguments& arguments) {
  YARD_ASSIGN(const ClusterDescription cluster,
              ClusterFolder(ClusterPlace(session)).Find(arguments.name));
  HostsBySsh hosts(cluster.way, Rights::kRoot);
  std::vector<ClusterFinding> findings = ExamineCluster(hosts, cluster);
  AskServer(session, cluster.name, findings);
  Table table{.header = {"HOST", "CHECK", "STATE", "DETAIL"}, .rows = {}};
  std::vector<json::value> objects;
  for (const ClusterFinding& finding : findings) {
    const std::string state(WordOf(finding.health));
    table.rows.push_back({finding.host, finding.check, state, finding.detail});
    objects.push_back({{"host", finding.host},
                       {"check", finding.check},
                       {"state", state},
                       {"detail", finding.detail}});
    if (finding.health == Health::kFail) session.exit_code = ExitCode::kError;
  }
  return PrintTable(session, objects, table);
}

Outcome<void> DestroyCluster(Session& session, const ClusterArguments& arguments) {
  const ClusterFolder folder(ClusterPlace(session));
  YARD_ASSIGN(const ClusterDescription cluster, folder.Find(arguments.name));
  HostsBySsh hosts(cluster.way, Rights::kRoot);
  YARD_ASSIGN(const std::vector<HostFacts> facts, AskAll(hosts, cluster));
  const ServerFiles files = ServerFilesOf(session, cluster.server_folder, arguments.server_account);
  YARD_ASSIGN(const std::string key, FindPublicKey(files, cluster.name));
  const Plan plan = WithJobsEnded(facts, arguments, PlanDestroy(cluster, facts, key));
  if (arguments.dry_run) {
    ShowPlan(session.console().out, cluster.way, plan);
    return {};
  }
  YARD_TRY(CheckConfirmed(session, cluster, arguments));
  YARD_TRY(CarryOut(hosts, plan, [&session](std::string_view line) { session.Note(line); }));
  YARD_TRY(folder.Remove(cluster.name));
  session.Note(fmt::format(
      "the cluster '{0}' is gone; packages, the account {1} and what jobs left in {2} stay. "
      "Take the section '{0}' out of the server's configuration file and restart it",
      cluster.name, cluster.account, cluster.folder));
  return {};
}

}  // namespace yard::cli
