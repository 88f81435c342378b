#include "cli/runai/submit.h"

#include <cmath>

#include <fmt/format.h>

#include "base/quantity.h"
#include "base/strings.h"
#include "cli/submit/resources.h"
#include "cli/submit/words.h"

namespace yard::cli::runai {
namespace {

// "name=quantity"
Status AddExtended(Spec& spec, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    YARD_ASSIGN(auto pair, ParseAssignment(text));
    spec.Append("compute.extendedResources",
                {{{"resource", pair.first}, {"quantity", pair.second}}});
  }
  return {};
}

Status SetMaster(RunaiSubmit& said) {
  Submission& work = said.work;
  YARD_TRY(AddExtended(work.master, said.master_extended));
  if (said.master_no_pvcs) work.master_lacks.emplace_back("storage.pvc");
  bool differs = !work.master.empty() || !work.master_lacks.empty();
  if (said.no_master && differs)
    return Fail(Code::kInvalid, "--no-master leaves no master for the other --master options");
  work.has_master = !said.no_master;
  return {};
}

void SetTopology(Spec& spec, const RunaiSubmit& said) {
  bool required = !said.required_topology.empty();
  const std::string& key = required ? said.required_topology : said.preferred_topology;
  if (key.empty()) return;
  spec.Set("podAffinity.type", required ? "Required" : "Preferred");
  spec.Set("podAffinity.key", key);
}

Status CheckSpans(const RunaiSubmit& said) {
  for (const std::string& text : {said.wait_for_submit, said.wait_for_pods}) {
    if (!text.empty()) YARD_TRY(ParseDuration(text));
  }
  if (said.wait_for_pods.empty() || said.attach) return {};
  return Fail(Code::kInvalid, "--pod-running-timeout is for --attach",
              "submit does not wait for the work to run; `gpuyard wait NAME` does");
}

// What both grammars share.
Status Finish(RunaiSubmit& said, const LocalAccount& account) {
  YARD_TRY(CheckSpans(said));
  Submission& work = said.work;
  work.name = said.name.empty() ? said.name_flag : said.name;
  if (!said.name_prefix.empty()) work.name = said.name_prefix;
  bool prefix = !said.name_prefix.empty() || work.name.empty();
  work.naming = prefix ? Naming::kPrefix : Naming::kExact;
  if (work.name.empty()) work.name = "job";
  // With --command the words replace the entry point, without it they are its arguments.
  (said.replaces_command ? work.command : work.args) = said.words;
  if (IsShellLine(work.command)) work.command = ShellCommand(work.command[0]);
  if (!said.args.empty() && work.args.empty()) {
    YARD_ASSIGN(work.args, SplitWords(said.args));
  }
  if (said.attach) {
    work.spec.Set("stdin", true);
    work.spec.Set("tty", true);
  }
  if (said.run_as_user) {
    work.spec.Set("security.uidGidSource", "custom");
    work.spec.Set("security.runAsUid", account.uid);
    work.spec.Set("security.runAsGid", account.gid);
  }
  // As that program does; what was built on this machine has no registry to ask.
  std::string image = work.spec.Text("image");
  if (!image.empty() && !image.starts_with("localhost/"))
    work.spec.SetIfAbsent("imagePullPolicy", "Always");
  SetTopology(work.spec, said);
  YARD_TRY(SetMaster(said));
  return AddExtended(work.spec, said.extended);
}

// "SRC:PATH[:ro][:nfs-host]"
Status AddVolume(Spec& spec, const std::string& text, const std::string& default_server) {
  std::vector<std::string_view> parts = Split(text, ':');
  bool read_only = parts.size() > 2 && parts[2] == "ro";
  std::size_t host_at = read_only ? 3 : 2;
  std::string server = parts.size() > host_at ? std::string(parts[host_at]) : default_server;
  if (parts.size() < 2 || !parts[1].starts_with('/') || parts.size() > host_at + 1)
    return Fail(Code::kInvalid, fmt::format("'{}' is not SRC:PATH[:ro][:nfs-host]", text));
  Item item{{{"path", std::string(parts[0])},
             {"mountPath", std::string(parts[1])},
             {"readOnly", read_only}}};
  if (!server.empty()) item.Set("server", server);
  spec.Append(server.empty() ? "storage.hostPath" : "storage.nfs", std::move(item));
  return {};
}

// "8888", "8888:80" or "container=8888,external=80".
Result<Item> OldPort(std::string_view text, const std::string& service) {
  std::string_view container = text;
  std::string_view external;
  if (text.contains('=')) {
    for (std::string_view part : Split(text, ',')) {
      if (part.starts_with("container=")) container = part.substr(10);
      if (part.starts_with("external=")) external = part.substr(9);
    }
  } else if (std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    external = text.substr(0, colon);
    container = text.substr(colon + 1);
  }
  YARD_ASSIGN(std::int64_t port, ParseCount(container, 1));
  Item item{{{"container", port}}};
  bool node_port = EqualsIgnoreCase(service, "nodeport");
  bool balancer = EqualsIgnoreCase(service, "loadbalancer");
  item.Set("serviceType", node_port ? "NodePort" : balancer ? "LoadBalancer" : "ClusterIP");
  if (!external.empty()) {
    YARD_ASSIGN(std::int64_t outside, ParseCount(external, 1));
    item.Set("external", outside);
  }
  return item;
}

Status AddOldPorts(OldSubmit& said) {
  Spec& spec = said.work.spec;
  // The CSV form: "-s type=nodeport,port=8888".
  std::string service = said.service_type;
  if (service.contains('=')) {
    service.clear();
    for (const auto& [key, value] : ParseCsv(said.service_type)) {
      if (key == "type") service = value;
      if (key == "port" || key == "container") said.ports.push_back(value);
    }
  }
  bool url = service == "external-url" || service == "ingress" || !said.custom_url.empty();
  for (const std::string& text : said.ports) {
    YARD_ASSIGN(Item item, OldPort(text, service));
    if (url && !said.custom_url.empty()) item.Set("url", said.custom_url);
    if (url) std::erase_if(item.fields, [](const auto& f) { return f.first == "serviceType"; });
    if (url) std::erase_if(item.fields, [](const auto& f) { return f.first == "external"; });
    spec.Append(url ? "exposedUrls" : "ports", std::move(item));
  }
  return {};
}

Status SetOldGpus(OldSubmit& said) {
  constexpr std::int64_t kLeastMib = 95;  // 100 MB
  Spec& spec = said.work.spec;
  int ways = (said.gpu.empty() ? 0 : 1) + (said.gpu_memory.empty() ? 0 : 1) +
             (spec.Has("compute.migProfile") ? 1 : 0);
  if (ways > 1)
    return Fail(Code::kInvalid, "--gpu, --gpu-memory and --mig-profile exclude each other");
  if (!said.gpu.empty()) return SetGpus(spec, said.gpu);
  if (spec.Has("compute.migProfile")) {
    spec.Set("compute.gpuRequestType", "migProfile");
    spec.Set("compute.gpuDevicesRequest", std::int64_t{1});
    return {};
  }
  if (said.gpu_memory.empty()) return {};
  YARD_ASSIGN(std::string size, ParseSize(said.gpu_memory, "M"));
  if (ParseMebibytes(size)->value < kLeastMib)
    return Fail(Code::kInvalid, fmt::format("{} of GPU memory is too little", said.gpu_memory),
                "at least 100M");
  spec.Set("compute.gpuRequestType", "memory");
  spec.Set("compute.gpuMemoryRequest", size);
  spec.Set("compute.gpuDevicesRequest", std::int64_t{1});
  return {};
}

// All runs of one job start together here and all must succeed.
Status CheckRuns(const Spec& spec) {
  const Value* runs = spec.Find("completions");
  const Value* at_once = spec.Find("parallelism");
  if (runs == nullptr && at_once == nullptr) return {};
  if (runs != nullptr && at_once != nullptr && *runs == *at_once) return {};
  return Fail(Code::kInvalid,
              "--completions and --parallelism must be the same number: all runs start together",
              "`gpuyard submit --array 1-N%M` runs N of them, M at once");
}

Status RefuseUndone(const OldSubmit& said) {
  if (said.elastic)
    return Fail(Code::kInvalid, "--elastic is not for a job of one task",
                "`runai pytorch submit --min-replicas N --max-replicas M` grows and shrinks");
  if (said.mps)
    return Fail(Code::kInvalid, "--mps is not here",
                "parts of a GPU are shared and limited without it: -g 0.5");
  if (said.propagate_mounts)
    return Fail(Code::kInvalid, "--mount-propagation is not here",
                "work sees the mounts that were there when it started");
  if (!said.other_user.empty())
    return Fail(Code::kInvalid, "--user: work belongs to who submits it",
                "sign in as the other person; --run-as-user sets the user id of its processes");
  return {};
}

Status SetOldKind(OldSubmit& said) {
  Spec& spec = said.work.spec;
  bool runs = spec.Has("completions") || spec.Has("parallelism");
  if (said.jupyter) {
    spec.SetIfAbsent("image", "jupyter/scipy-notebook");
    said.interactive = true;
    if (said.ports.empty()) said.ports.push_back("8888");
    if (said.service_type.empty()) said.service_type = "external-url";
    if (said.words.empty()) {
      said.replaces_command = true;
      said.words = {"jupyter",
                    "lab",
                    "--ip=0.0.0.0",
                    "--port=8888",
                    "--no-browser",
                    "--allow-root",
                    "--ServerApp.base_url=/${RUNAI_PROJECT}/${RUNAI_JOB_NAME}"};
    }
  }
  if (said.interactive && runs)
    return Fail(Code::kInvalid, "--completions and --parallelism are not for --interactive");
  YARD_TRY(CheckRuns(spec));
  if (said.interactive) {
    said.work.kind = WorkKind::kWorkspace;
    spec.Set("backoffLimit", std::int64_t{0});
    if (said.preemptible) spec.Set("priorityClass", "interactive-preemptible");
  }
  if (said.inference) said.work.kind = WorkKind::kInference;
  if (said.workers > 0) {
    said.work.kind = WorkKind::kDistributed;
    spec.Set("numWorkers", said.workers);
  }
  return {};
}

}  // namespace

Status FinishOld(OldSubmit& said, const LocalAccount& account) {
  Spec& spec = said.work.spec;
  if (said.always_pull) spec.Set("imagePullPolicy", "Always");
  if (said.local_image) spec.Set("imagePullPolicy", "Never");
  if (said.no_escalation) spec.Set("security.allowPrivilegeEscalation", false);
  YARD_TRY(RefuseUndone(said));
  YARD_TRY(SetOldKind(said));
  YARD_TRY(SetOldGpus(said));
  for (const std::string& text : said.pvcs) {
    YARD_ASSIGN(Item item, ParsePvc(text));
    spec.Append("storage.pvc", std::move(item));
  }
  for (const std::string& text : said.volumes) YARD_TRY(AddVolume(spec, text, said.nfs_server));
  YARD_TRY(AddOldPorts(said));
  if (!NamesImage(spec))
    return Fail(Code::kInvalid, "--image is required", "name the image with -i, or a --template");
  return Finish(said, account);
}

Status FinishNew(RunaiSubmit& said, const LocalAccount& account) {
  Spec& spec = said.work.spec;
  bool portion = spec.Has("compute.gpuPortionRequest");
  bool memory = spec.Has("compute.gpuMemoryRequest");
  if (portion && memory && !spec.Has("compute.gpuRequestType"))
    return Fail(Code::kInvalid, "a part of a GPU and its memory exclude each other",
                "say which one counts with --gpu-request-type");
  if (portion || memory) {
    spec.SetIfAbsent("compute.gpuRequestType", portion ? "portion" : "memory");
    spec.SetIfAbsent("compute.gpuDevicesRequest", std::int64_t{1});
  }
  YARD_TRY(CheckRuns(spec));
  if (said.preemptible && said.work.kind == WorkKind::kWorkspace)
    spec.Set("priorityClass", "interactive-preemptible");
  bool by_uid = spec.Has("security.runAsUid") || spec.Has("security.runAsGid");
  if (by_uid) spec.SetIfAbsent("security.uidGidSource", "custom");
  if (spec.Text("image").empty())
    return Fail(Code::kInvalid, "--image is required", "name the image with -i");
  return Finish(said, account);
}

}  // namespace yard::cli::runai
