#include "cli/cluster/doctor.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/cluster/run.h"
#include "cli/cluster/scripts.h"
#include "cli/cluster/settings.h"

namespace yard::cli {
namespace {

// $1: a credential of the controller's is its input.
constexpr const char* kDecode = "unmunge\n";
constexpr const char* kEncode = "munge -n\n";
constexpr const char* kStates = "scontrol ping >&2\nsinfo -h -N -o '%N|%T|%E'\n";

class Examination {
 public:
  Examination(const ClusterDescription& cluster, const std::vector<HostFacts>& hosts)
      : cluster_(cluster), hosts_(hosts) {}

  std::vector<ClusterFinding> Run() {
    for (const HostFacts& host : hosts_) {
      host_ = &host;
      if (host.stamp != cluster_.name) {
        Say("part", Health::kFail,
            "is no part of the cluster: `gpuyard cluster create` makes it one");
        continue;
      }
      LookAtDaemons();
      LookAtSettings();
      LookAtFolder();
      LookAtGpus();
      LookAtLimits();
    }
    return std::move(findings_);
  }

 private:
  void Say(std::string check, Health health, std::string detail) {
    findings_.push_back({host_->host, std::move(check), health, std::move(detail)});
  }

  bool IsController() const { return host_->host == cluster_.hosts.front(); }
  bool AllAnswered() const { return hosts_.size() == cluster_.hosts.size(); }

  void LookAtDaemons() {
    std::vector<std::string> wanted = {"munged", "slurmd"};
    if (IsController()) wanted.emplace_back("slurmctld");
    std::erase_if(wanted, [this](const std::string& one) { return host_->Runs(one); });
    if (!wanted.empty()) return Say("daemons", Health::kFail, Join(wanted, ", ") + " does not run");
    if (host_->starter == Starter::kPlain)
      return Say("daemons", Health::kWarn, "run, and would not after a boot: there is no systemd");
    Say("daemons", Health::kOk, "run");
  }

  void LookAtSettings() {
    if (!AllAnswered())
      return Say("settings", Health::kWarn, "not looked at: a host does not answer");
    std::string other;
    for (const SlurmFile& file : SlurmFiles(cluster_, hosts_)) {
      const auto theirs = host_->files.find(file.name);
      if (theirs == host_->files.end() || theirs->second != file.text)
        other += (other.empty() ? "" : ", ") + file.name;
    }
    if (!other.empty())
      return Say("settings", Health::kFail, other + " is not what the hosts would have now");
    const bool stale = !host_->current.contains("slurmd") ||
                       (IsController() && !host_->current.contains("slurmctld"));
    if (stale) return Say("settings", Health::kFail, "were written after the daemons had started");
    Say("settings", Health::kOk,
        host_->packages.contains("slurmd") ? host_->packages.at("slurmd") : "");
  }

  void LookAtFolder() {
    const bool shared = host_->folder_id == cluster_.id;
    Say("folder", shared ? Health::kOk : Health::kFail,
        shared ? cluster_.folder : cluster_.folder + " is not the one of the cluster");
  }

  void LookAtGpus() {
    Say("gpus", host_->gpus.empty() ? Health::kWarn : Health::kOk,
        host_->gpus.empty() ? "none" : GresOf(*host_));
  }

  void LookAtLimits() {
    const ControlGroups groups = GroupsOf(hosts_);
    Say("limits", groups == ControlGroups::kNone ? Health::kWarn : Health::kOk,
        groups == ControlGroups::kNone ? "jobs are not held to memory, cores and GPUs"
                                       : "by control groups");
  }

  const ClusterDescription& cluster_;
  const std::vector<HostFacts>& hosts_;
  const HostFacts* host_ = nullptr;
  std::vector<ClusterFinding> findings_;
};

Health HealthOf(std::string_view state) {
  for (std::string_view good : {"idle", "mixed", "allocated", "completing", "reserved"})
    if (state == good) return Health::kOk;
  return state.starts_with("drain") ? Health::kWarn : Health::kFail;
}

std::string FirstLineOf(const Result<Answer>& answer) {
  return answer ? LastWords(*answer) : answer.error().message;
}

void ExamineMunge(Hosts& hosts, const std::vector<HostFacts>& facts,
                  std::vector<ClusterFinding>& findings) {
  for (const HostFacts& host : facts) {
    const Result<Answer> word = hosts.Run(facts.front().host, kEncode, {}, {});
    const bool said = word && word->code == 0;
    const Result<Answer> read =
        said ? hosts.Run(host.host, kDecode, {}, word->out) : Result<Answer>(word);
    const bool good = said && read && read->code == 0;
    findings.push_back({host.host, "munge", good ? Health::kOk : Health::kFail,
                        good ? "reads what the controller writes" : FirstLineOf(read)});
  }
}

void ExamineController(Hosts& hosts, const std::vector<HostFacts>& facts,
                       std::vector<ClusterFinding>& findings) {
  const std::string& first = facts.front().host;
  const Result<Answer> states = hosts.Run(first, scripts::WithFunctions(kStates), {}, {});
  if (!states || states->code != 0) {
    findings.push_back({first, "controller", Health::kFail, FirstLineOf(states)});
    return;
  }
  findings.push_back({first, "controller", Health::kOk, "answers"});
  std::ranges::move(ExamineNodes(facts, states->out), std::back_inserter(findings));
}

}  // namespace

std::vector<ClusterFinding> Examine(const ClusterDescription& cluster,
                                    const std::vector<HostFacts>& hosts) {
  return Examination(cluster, hosts).Run();
}

std::vector<ClusterFinding> ExamineNodes(const std::vector<HostFacts>& hosts,
                                         std::string_view answer) {
  std::map<std::string_view, std::pair<std::string_view, std::string_view>> states;
  for (std::string_view line : Split(answer, '\n')) {
    const std::vector<std::string_view> words = Split(line, '|');
    if (words.size() == 3) states[words[0]] = {words[1], words[2]};
  }
  std::vector<ClusterFinding> findings;
  for (const HostFacts& host : hosts) {
    const auto found = states.find(host.node);
    if (found == states.end()) {
      findings.push_back({host.host, "node", Health::kFail, "Slurm does not know " + host.node});
      continue;
    }
    const auto& [state, reason] = found->second;
    const bool said = !reason.empty() && reason != "none";
    findings.push_back({host.host, "node", HealthOf(state),
                        fmt::format("{}{}{}", state, said ? ": " : "", said ? reason : "")});
  }
  return findings;
}

std::vector<ClusterFinding> ExamineCluster(Hosts& hosts, const ClusterDescription& cluster) {
  std::vector<ClusterFinding> findings;
  std::vector<HostFacts> answered;
  for (Result<HostFacts>& one : AskEach(hosts, cluster)) {
    const std::string& host = cluster.hosts.at(answered.size() + findings.size());
    if (one)
      answered.push_back(std::move(*one));
    else
      findings.push_back({host, "ssh", Health::kFail, one.error().message});
  }
  std::ranges::move(Examine(cluster, answered), std::back_inserter(findings));
  if (answered.empty() || answered.front().host != cluster.hosts.front()) return findings;
  ExamineMunge(hosts, answered, findings);
  ExamineController(hosts, answered, findings);
  return findings;
}

}  // namespace yard::cli
