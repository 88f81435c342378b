#include "cli/cluster/plan.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/cluster/scripts.h"
#include "cli/cluster/settings.h"

namespace yard::cli {
namespace {

constexpr std::int64_t kFirstId = 2000;
constexpr std::int64_t kLastId = 2999;

std::string WordOf(Starter starter) {
  return starter == Starter::kSystemd ? "systemd" : "plain";
}

std::string StarterOf(const HostFacts& host) {
  return WordOf(host.starter);
}

bool IsController(const HostFacts& host, std::span<const HostFacts> hosts) {
  return host.host == hosts.front().host;
}

void AddPhase(Plan& plan, std::string title, std::vector<Step> steps) {
  if (!steps.empty()) plan.push_back({std::move(title), std::move(steps)});
}

// A step on each host that `wants` names.
template <class Wants, class Make>
std::vector<Step> OnEach(std::span<const HostFacts> hosts, Wants wants, Make make) {
  std::vector<Step> steps;
  for (const HostFacts& host : hosts)
    if (wants(host)) steps.push_back(make(host));
  return steps;
}

void PlanPackages(Plan& plan, const ClusterDescription& cluster, std::span<const HostFacts> hosts) {
  auto wanted = [&](const HostFacts& host) {
    std::vector<std::string> packages = {"munge", "slurm-client", "slurmd"};
    if (IsController(host, hosts)) packages.emplace_back("slurmctld");
    return packages;
  };
  auto lacks = [&](const HostFacts& host) {
    return host.stamp.empty() ||
           !std::ranges::all_of(wanted(host), [&](const auto& one) { return host.Has(one); });
  };
  AddPhase(plan, "install packages", OnEach(hosts, lacks, [&](const HostFacts& host) {
             std::vector<std::string> arguments = wanted(host);
             arguments.insert(arguments.begin(), cluster.name);
             return Step{host.host, scripts::kInstall, std::move(arguments)};
           }));
}

// The id that the account has or gets, the same on all hosts.
Result<std::int64_t> AccountId(std::span<const HostFacts> hosts) {
  for (const HostFacts& host : hosts)
    if (host.account) return host.account->uid;
  for (std::int64_t id = kFirstId; id <= kLastId; ++id) {
    auto takes = [id](const HostFacts& host) { return host.taken_ids.contains(id); };
    if (std::ranges::none_of(hosts, takes)) return id;
  }
  return Fail(Code::kUnavailable,
              fmt::format("no user id from {} to {} is free on all hosts", kFirstId, kLastId),
              "make the account yourself, with one id on all hosts");
}

Status PlanAccount(Plan& plan, const ClusterDescription& cluster,
                   std::span<const HostFacts> hosts) {
  YARD_ASSIGN(const std::int64_t id, AccountId(hosts));
  auto lacks = [](const HostFacts& host) { return !host.account; };
  AddPhase(plan, "make the account of jobs", OnEach(hosts, lacks, [&](const HostFacts& host) {
             return Step{host.host, scripts::kMakeAccount, {cluster.account, std::to_string(id)}};
           }));
  if (hosts.front().folder_uid != id)
    AddPhase(plan, "give it the folder",
             {Step{hosts.front().host, scripts::kGiveFolder, {cluster.folder, cluster.account}}});
  return {};
}

// One key for all, made on the controller's host.
void PlanMunge(Plan& plan, std::span<const HostFacts> hosts) {
  const HostFacts& first = hosts.front();
  const bool made = !first.own_key.empty() && first.own_key == first.munge_key;
  if (!made) AddPhase(plan, "make the key of munge", {Step{first.host, scripts::kMakeKey}});
  auto lacks = [&](const HostFacts& host) {
    return !IsController(host, hosts) &&
           (!made || host.munge_key != first.munge_key || host.own_key != first.munge_key);
  };
  AddPhase(plan, "bring the key of munge", OnEach(hosts, lacks, [&](const HostFacts& host) {
             Step step{host.host, scripts::kTakeKey};
             step.source_host = first.host;
             step.source = scripts::kReadKey;
             return step;
           }));
  auto rests = [&](const HostFacts& host) {
    return !made || !host.Runs("munged") || host.running_key != first.munge_key;
  };
  AddPhase(plan, "start munge", OnEach(hosts, rests, [](const HostFacts& host) {
             return Step{host.host, scripts::kStartMunge, {StarterOf(host)}};
           }));
}

void PlanSettings(Plan& plan, const ClusterDescription& cluster, std::span<const HostFacts> hosts) {
  for (const SlurmFile& file : SlurmFiles(cluster, hosts)) {
    auto differs = [&file](const HostFacts& host) {
      const auto theirs = host.files.find(file.name);
      return theirs == host.files.end() || theirs->second != file.text;
    };
    AddPhase(plan, "write " + file.name, OnEach(hosts, differs, [&](const HostFacts& host) {
               return Step{host.host, scripts::kWriteSettings, {file.name}, file.text};
             }));
  }
}

bool AreSettingsThere(const ClusterDescription& cluster, std::span<const HostFacts> hosts,
                      const HostFacts& host) {
  return std::ranges::all_of(SlurmFiles(cluster, hosts), [&host](const SlurmFile& file) {
    const auto theirs = host.files.find(file.name);
    return theirs != host.files.end() && theirs->second == file.text;
  });
}

void PlanDaemons(Plan& plan, const ClusterDescription& cluster, std::span<const HostFacts> hosts) {
  auto rests = [&](const HostFacts& host, std::string_view daemon) {
    return !host.Runs(daemon) || !host.current.contains(std::string(daemon)) ||
           !AreSettingsThere(cluster, hosts, host);
  };
  const HostFacts& first = hosts.front();
  if (rests(first, "slurmctld"))
    AddPhase(plan, "start the controller",
             {Step{first.host, scripts::kStartDaemon, {StarterOf(first), "slurmctld"}}});
  std::vector<Step> steps = OnEach(
      hosts, [&](const HostFacts& host) { return rests(host, "slurmd"); },
      [](const HostFacts& host) {
        return Step{host.host, scripts::kStartDaemon, {StarterOf(host), "slurmd"}};
      });
  const bool any = !steps.empty();
  AddPhase(plan, "start the nodes", std::move(steps));
  if (!any) return;
  Step wait{first.host, scripts::kAwaitNodes};
  for (const HostFacts& host : hosts) wait.arguments.push_back(host.node);
  AddPhase(plan, "wait for the nodes", {std::move(wait)});
}

bool IsAuthorised(const HostFacts& host, const std::string& public_key) {
  return std::ranges::any_of(host.authorised,
                             [&](const std::string& line) { return line.contains(public_key); });
}

std::unexpected<Error> Refuse(std::string message, std::string next = {}) {
  return Fail(Code::kConflict, std::move(message), std::move(next));
}

Status CheckSystem(const HostFacts& host) {
  for (std::string_view word : Split(host.system, ' '))
    if (word == "debian" || word == "ubuntu") return {};
  return Fail(
      Code::kUnsupported, fmt::format("{} runs '{}'", host.host, host.system),
      "Slurm is installed from the packages of Debian and Ubuntu only; set it up by its own "
      "means and use `gpuyard cluster attach`");
}

// A Slurm or munge that we have not put there is somebody's.
Status CheckFree(const ClusterDescription& cluster, const HostFacts& host) {
  if (host.stamp == cluster.name) return {};
  if (!host.stamp.empty())
    return Refuse(fmt::format("{} is part of the cluster '{}'", host.host, host.stamp),
                  "a host is part of one cluster: remove-host or destroy takes it out there");
  for (const char* daemon : {"slurmctld", "slurmd", "munged"})
    if (host.Runs(daemon))
      return Refuse(
          fmt::format("{} runs {} already, which gpuyard has not set up", host.host, daemon),
          "nothing that runs is touched; a Slurm that is there is taken by `gpuyard cluster "
          "attach`");
  if (host.files.contains("slurm.conf"))
    return Refuse(
        fmt::format("{} has an /etc/slurm/slurm.conf that gpuyard has not written", host.host),
        "move it away if it is of no use, or use `gpuyard cluster attach`");
  return {};
}

Status CheckAccount(const ClusterDescription& cluster, const HostFacts& host,
                    const HostFacts*& known) {
  if (!host.account) return {};
  if (host.account->uid == 0)
    return Refuse(fmt::format("'{}' is root on {}", cluster.account, host.host), "--account NAME");
  if (host.serves_gpuyard && host.account->uid == host.server_uid)
    return Refuse(
        fmt::format("'{}' is the account of the server on {}: every job could read its data",
                    cluster.account, host.host),
        "name another one: --account NAME");
  if (known == nullptr) known = &host;
  if (known->account->uid == host.account->uid) return {};
  return Refuse(fmt::format("'{}' has the user id {} on {} and {} on {}", cluster.account,
                            known->account->uid, known->host, host.account->uid, host.host),
                "an account needs one id on all hosts: --account NAME takes another one");
}

// The folder is given to the account, so it must be nobody's yet.
Status CheckFolder(const ClusterDescription& cluster, const HostFacts& host) {
  if (host.folder_id == cluster.id || host.folder_uid < 0) return {};
  const std::string taken = fmt::format("{} on {}", cluster.folder, host.host);
  if (!host.folder_id.empty())
    return Refuse(taken + " belongs to another cluster", "name another one: --folder DIR");
  const bool ours = host.account && host.account->uid == host.folder_uid;
  if (host.folder_uid != 0 && !ours)
    return Refuse(fmt::format("{} belongs to the user id {}", taken, host.folder_uid),
                  "name one that is new, or empty and root's: --folder DIR");
  if (ours || host.folder_names == 0) return {};
  return Refuse(taken + " is not empty", "it would be given to the account of jobs: --folder DIR");
}

// Munge refuses what is older than five minutes.
Status CheckClocks(std::span<const HostFacts> hosts) {
  constexpr std::int64_t kMostSkew = 120;
  for (const HostFacts& host : hosts) {
    const std::int64_t skew = host.unix_time - hosts.front().unix_time;
    if (std::abs(skew) <= kMostSkew) continue;
    return Refuse(
        fmt::format("the clock of {} is {} s off that of {}", host.host, skew, hosts.front().host),
        "let both keep the time (chrony or systemd-timesyncd)");
  }
  return {};
}

}  // namespace

Status CheckFacts(const ClusterDescription& cluster, std::span<const HostFacts> hosts) {
  std::map<std::string, std::string> seen;
  const HostFacts* account = nullptr;
  for (const HostFacts& host : hosts) {
    YARD_TRY(CheckSystem(host));
    YARD_TRY(CheckFree(cluster, host));
    YARD_TRY(CheckAccount(cluster, host, account));
    YARD_TRY(CheckFolder(cluster, host));
    for (const std::string& own : {"the name " + host.node, "the address " + host.address}) {
      const auto [first, fresh] = seen.emplace(own, host.host);
      if (!fresh)
        return Refuse(fmt::format("{} and {} both have {}", first->second, host.host, own),
                      "each host needs its own; the same machine cannot be two");
    }
  }
  return CheckClocks(hosts);
}

std::vector<std::string> Remarks(const ClusterDescription& cluster,
                                 std::span<const HostFacts> hosts) {
  std::vector<std::string> remarks;
  if (GroupsOf(hosts) == ControlGroups::kNone)
    remarks.emplace_back(
        "jobs are not held to their memory, cores and GPUs: not all hosts have control groups that "
        "Slurm can use");
  for (const HostFacts& host : hosts) {
    if (host.starter == Starter::kPlain)
      remarks.push_back(fmt::format(
          "{} has no systemd: daemons are started now, and not when it boots", host.host));
    if (host.serves_gpuyard)
      remarks.push_back(
          fmt::format("{} serves gpuyard: if that server hands out the GPUs of this "
                      "machine itself (engine local), each would be given twice; "
                      "serve with `engine: none` there",
                      host.host));
    if (host.gpus.empty()) remarks.push_back(fmt::format("{} has no GPU", host.host));
  }
  if (hosts.front().folder_id.empty())
    remarks.push_back(
        fmt::format("{} has to be one file system on all hosts; it is made and looked "
                    "at before anything else",
                    cluster.folder));
  return remarks;
}

Plan PlanFolder(const ClusterDescription& cluster, std::span<const HostFacts> hosts) {
  Plan plan;
  auto lacks = [&](const HostFacts& host) { return host.folder_id != cluster.id; };
  std::vector<Step> steps = OnEach(hosts, lacks, [&](const HostFacts& host) {
    return Step{host.host,
                IsController(host, hosts) ? scripts::kMakeFolder : scripts::kSeeFolder,
                {cluster.folder, cluster.id}};
  });
  const bool begins = !steps.empty() && steps.front().host == hosts.front().host;
  if (begins) {
    AddPhase(plan, "make the folder", {steps.front()});
    steps.erase(steps.begin());
  }
  AddPhase(plan, "look whether the folder is shared", std::move(steps));
  return plan;
}

Plan PlanForgetFolder(const ClusterDescription& cluster) {
  return {{"forget the folder",
           {Step{cluster.hosts.front(), scripts::kForgetFolder, {cluster.folder, cluster.id}}}}};
}

Result<Plan> PlanCreate(const ClusterDescription& cluster, std::span<const HostFacts> hosts,
                        const std::string& public_key) {
  Plan plan;
  PlanPackages(plan, cluster, hosts);
  YARD_TRY(PlanAccount(plan, cluster, hosts));
  PlanMunge(plan, hosts);
  PlanSettings(plan, cluster, hosts);
  PlanDaemons(plan, cluster, hosts);
  if (!public_key.empty() && !IsAuthorised(hosts.front(), public_key))
    AddPhase(plan, "let the server sign in",
             {Step{hosts.front().host, scripts::kAuthorise, {cluster.account}, public_key}});
  return plan;
}

Plan PlanRemove(const ClusterDescription& rest, std::span<const HostFacts> hosts,
                const Leaving& leaving) {
  Plan plan;
  const std::string& first = hosts.front().host;
  if (leaving.gone) {
    AddPhase(plan, "give up " + leaving.node, {Step{first, scripts::kGiveUpNode, {leaving.node}}});
  } else {
    AddPhase(plan, "drain " + leaving.node, {Step{first, scripts::kDrain, {leaving.node}}});
    AddPhase(
        plan, "wait for its jobs",
        {Step{first, scripts::kAwaitJobs, {leaving.node, std::to_string(leaving.patience_s)}}});
    if (leaving.has_slurm)
      AddPhase(plan, "take Slurm away",
               {Step{leaving.host, scripts::kTakeAway, {WordOf(leaving.starter)}}});
  }
  PlanSettings(plan, rest, hosts);
  PlanDaemons(plan, rest, hosts);
  return plan;
}

Plan PlanDestroy(const ClusterDescription& cluster, std::span<const HostFacts> hosts,
                 const std::string& public_key) {
  Plan plan;
  const HostFacts& first = hosts.front();
  if (!public_key.empty() && IsAuthorised(first, public_key))
    AddPhase(plan, "forbid the server to sign in",
             {Step{first.host, scripts::kForbid, {cluster.account}, public_key}});
  auto ours = [&](const HostFacts& host) { return host.stamp == cluster.name; };
  // The controller last: what broke off before is found again by its host.
  AddPhase(plan, "take Slurm away", OnEach(hosts.subspan(1), ours, [](const HostFacts& host) {
             return Step{host.host, scripts::kTakeAway, {StarterOf(host)}};
           }));
  if (ours(first))
    AddPhase(plan, "take the controller away",
             {Step{first.host, scripts::kTakeAway, {StarterOf(first)}}});
  if (first.folder_id == cluster.id) plan.push_back(PlanForgetFolder(cluster).front());
  return plan;
}

std::size_t CountSteps(const Plan& plan) {
  std::size_t count = 0;
  for (const Phase& phase : plan) count += phase.steps.size();
  return count;
}

}  // namespace yard::cli
