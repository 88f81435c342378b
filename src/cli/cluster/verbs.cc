#include "cli/cluster/verbs.h"

#include <memory>
#include <string>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/cluster/orders.h"
#include "cli/verb.h"

namespace yard::cli {
namespace {

using client::Outcome;
using Arguments = std::shared_ptr<ClusterArguments>;

void AddName(Verb& verb, const Arguments& arguments, const std::string& otherwise) {
  verb.Text("--name", arguments->name, "the cluster's name; default: " + otherwise, "NAME");
}

void AddEngine(Verb& verb, const Arguments& arguments) {
  verb.Take(
      "--engine",
      [arguments](const std::string& engine) -> Status {
        if (engine == "slurm") return {};
        return Fail(Code::kInvalid, fmt::format("engine '{}' cannot be set up; slurm can", engine));
      },
      "slurm", "ENGINE");
}

void AddSsh(Verb& verb, const Arguments& arguments) {
  verb.Number("--ssh-port", arguments->ssh_port, "port of ssh; default: ssh's own")
      .Text("--ssh-key", arguments->ssh_key, "private key; default: ssh's own", "FILE")
      .Text("--ssh-known-hosts", arguments->ssh_known_hosts, "keys of hosts; default: ssh's own",
            "FILE");
}

void AddServer(Verb& verb, const Arguments& arguments) {
  verb.Text("--server-folder", arguments->server_folder,
            "where the server's server.yaml lies; without it the section is printed", "DIR")
      .Text("--server-account", arguments->server_account,
            "whose files they are there; default: gpuyard, if there is one", "NAME")
      .Flag("--dry-run", arguments->dry_run, "show each command, and change nothing");
}

Verb::Reader HostsInto(const Arguments& arguments) {
  return [arguments](const std::string& text) -> Status {
    for (std::string_view host : Split(text, ',')) arguments->hosts.emplace_back(Trim(host));
    return {};
  };
}

void AddMaking(const Verb& cluster, Session& session) {
  auto create = std::make_shared<ClusterArguments>();
  Verb verb = cluster.Add("create", "Make a Slurm cluster of bare Debian or Ubuntu hosts");
  AddName(verb, create, "slurm");
  AddEngine(verb, create);
  verb.Take("--hosts", HostsInto(create),
            "names by which ssh reaches them; the first has the controller", "HOST,…")
      .Text("--ssh-user", create->ssh_user, "root, or who may use sudo [root]", "NAME");
  AddSsh(verb, create);
  verb.Text("--folder", create->folder, "on a file system that all hosts share [/shared/gpuyard]",
            "DIR")
      .Text("--account", create->account, "as whom all jobs run [gpuyard-jobs]", "NAME");
  AddServer(verb, create);
  verb.Examples(
      "gpuyard cluster create --engine slurm --hosts gpu1,gpu2,gpu3 --server-folder /etc/gpuyard\n"
      "gpuyard cluster create --hosts gpu1,gpu2 --folder /nfs/gpuyard --dry-run");
  verb.Run([create, &session] { return CreateCluster(session, *create); });
  auto add = std::make_shared<ClusterArguments>();
  verb = cluster.Add("add-host", "Take more hosts into a cluster; its work goes on");
  verb.NeedsWords("HOST", add->hosts, "names by which ssh reaches them");
  AddName(verb, add, "the only one");
  verb.Flag("--dry-run", add->dry_run, "show each command, and change nothing")
      .Examples("gpuyard cluster add-host gpu4");
  verb.Run([add, &session] { return AddHosts(session, *add); });
}

void AddTaking(const Verb& cluster, Session& session) {
  auto remove = std::make_shared<ClusterArguments>();
  remove->hosts.emplace_back();
  Verb verb = cluster.Add("remove-host", "Let the work of a host end, and take it out");
  verb.NeedsWord("HOST", remove->hosts.front(), "one of the cluster");
  AddName(verb, remove, "the only one");
  verb.Number("--timeout", remove->timeout_s, "seconds to wait for its work [3600]")
      .Flag("--gone", remove->gone, "it cannot be reached any more: its work is given up")
      .Flag("--dry-run", remove->dry_run, "show each command, and change nothing")
      .Examples("gpuyard cluster remove-host gpu3\ngpuyard cluster remove-host gpu3 --gone");
  verb.Run([remove, &session] { return RemoveHost(session, *remove); });
  auto destroy = std::make_shared<ClusterArguments>();
  verb = cluster.Add("destroy", "Take Slurm's daemons, settings and key away from all hosts");
  AddName(verb, destroy, "the only one");
  verb.Flag("--force", destroy->force, "end the jobs that there are")
      .Flag("-y,--yes", destroy->yes, "do not ask")
      .Flag("--dry-run", destroy->dry_run, "show each command, and change nothing")
      .Examples("gpuyard cluster destroy\ngpuyard cluster destroy --name lab --yes");
  verb.Run([destroy, &session] { return DestroyCluster(session, *destroy); });
}

void AddLooking(const Verb& cluster, Session& session) {
  auto doctor = std::make_shared<ClusterArguments>();
  Verb verb = cluster.Add("doctor", "Say what is wrong with a cluster and its hosts");
  AddName(verb, doctor, "the only one");
  verb.Format().Examples("gpuyard cluster doctor");
  verb.Run([doctor, &session] { return DoctorCluster(session, *doctor); });
  auto attach = std::make_shared<ClusterArguments>();
  attach->name = "slurm";
  verb = cluster.Add("attach", "Tell the server about a Slurm that is there");
  AddName(verb, attach, "slurm");
  AddEngine(verb, attach);
  verb.Text("--ssh", attach->ssh, "the login node, and the account that jobs run as", "USER@HOST");
  AddSsh(verb, attach);
  verb.Text("--folder", attach->folder, "on the file system that login node and nodes share", "DIR")
      .Text("--partition", attach->partition, "what every job is submitted with", "NAME")
      .Text("--slurm-account", attach->slurm_account, "the same: Slurm's account", "NAME")
      .Text("--qos", attach->qos, "the same: quality of service", "NAME")
      .Text("--gpu-memory", attach->gpu_memory, "memory of a GPU by type", "a100=40Gi,…");
  AddServer(verb, attach);
  verb.Examples(
      "gpuyard cluster attach --name institute --engine slurm --ssh ada@login.example.org "
      "--folder /shared/ada/gpuyard");
  verb.Run([attach, &session] { return AttachCluster(session, *attach); });
}

}  // namespace

void AddClusters(CLI::App& app, Session& session) {
  Verb cluster =
      Verb(app, session).Add("cluster", "Make a cluster of several hosts, look after it");
  cluster.NeedsVerb();
  AddMaking(cluster, session);
  AddTaking(cluster, session);
  AddLooking(cluster, session);
}

}  // namespace yard::cli
