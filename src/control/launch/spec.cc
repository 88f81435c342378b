#include "control/launch/spec.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "control/json_fields.h"
#include "control/launch/parts.h"
#include "wire/workload.h"

namespace yard::control {
namespace {

constexpr std::int64_t kMostProcesses = 8192;
constexpr Mebibytes kSmallShm{64};
constexpr std::int64_t kWholeGpu = 1000;

Ptr<Node> NodeNamed(const State& state, ClusterId cluster, const std::string& name) {
  Ptr<Node> found;
  state.Of<Node>().Each([&](const Node& node) {
    if (node.cluster != cluster || node.name != name) return true;
    found = state.Find<Node>(node.id);
    return false;
  });
  return found;
}

engine::PullPolicy PullOf(const json::object& spec) {
  std::string_view policy = TextOrEmpty(spec, "imagePullPolicy");
  if (policy == "Always") return engine::PullPolicy::kAlways;
  if (policy == "Never") return engine::PullPolicy::kNever;
  return engine::PullPolicy::kIfNotPresent;
}

Mebibytes ShmOf(const LaunchParts& parts) {
  const json::object& compute = ObjectOrEmpty(parts.spec, "compute");
  if (!FlagOrFalse(compute, "largeShmRequest")) return kSmallShm;
  if (auto limit = ParseMebibytes(TextOrEmpty(compute, "cpuMemoryLimit"))) return *limit;
  Ptr<Node> node = NodeNamed(parts.state, parts.workload.cluster, parts.place.node);
  return node ? node->memory : kSmallShm;
}

Status AddRegistry(const LaunchParts& parts, engine::Container& container) {
  SecretValues values;
  for (const json::value& item : ListOrEmpty(parts.spec, "imagePullSecrets")) {
    if (!item.is_object()) continue;
    YARD_ASSIGN(values,
                parts.secrets.ForImage(container.image, TextOrEmpty(item.get_object(), "name")));
  }
  if (values.empty()) {
    YARD_ASSIGN(values, parts.secrets.ForImage(container.image));
  }
  container.registry_user = values["username"];
  container.registry_password = values["password"];
  return {};
}

Result<engine::Container> ContainerOf(const LaunchParts& parts) {
  const json::object& security = ObjectOrEmpty(parts.spec, "security");
  engine::Container container{.image = std::string(TextOrEmpty(parts.spec, "image")),
                              .pull = PullOf(parts.spec),
                              .shm = ShmOf(parts),
                              .read_only_root = FlagOrFalse(security, "readOnlyRootFilesystem"),
                              .host_network = FlagOrFalse(security, "hostNetwork"),
                              .host_ipc = FlagOrFalse(security, "hostIpc")};
  for (const json::value& capability : ListOrEmpty(security, "capabilities")) {
    if (capability.is_string()) {
      container.add_capabilities.push_back(
          CapabilityName(std::string_view(capability.get_string())));
    }
  }
  YARD_TRY(AddRegistry(parts, container));
  return container;
}

// In a container: what the spec asks for; nothing: the image's own.
Result<std::optional<engine::Account>> ImageAccount(const json::object& spec) {
  const json::object& security = ObjectOrEmpty(spec, "security");
  std::optional<std::int64_t> uid = WholeOf(security, "runAsUid");
  std::optional<std::int64_t> gid = WholeOf(security, "runAsGid");
  if (!uid && !gid) return std::optional<engine::Account>();
  if (!uid) return Fail(Code::kInvalid, "runAsGid is given without runAsUid", "give both");
  engine::Account account{.uid = static_cast<std::uint32_t>(*uid),
                          .gid = static_cast<std::uint32_t>(gid.value_or(*uid))};
  std::string groups(TextOrEmpty(security, "supplementalGroups"));
  std::ranges::replace(groups, ';', ',');
  for (std::string_view group : Split(groups, ',')) {
    if (auto number = ParseInt(Trim(group))) {
      account.groups.push_back(static_cast<std::uint32_t>(*number));
    }
  }
  return std::optional(std::move(account));
}

// The account of the workload's owner. It is asked for again at every launch: since the name was
// stored, the machine or another user's assignment may have changed.
Result<std::optional<engine::Account>> NativeAccount(const LaunchParts& parts,
                                                     const LaunchContext& context) {
  if (context.native == NativeTasks::kSelf) return std::optional<engine::Account>();
  if (context.native == NativeTasks::kOff) {
    return Fail(Code::kPrecondition, "this server runs no work without an image",
                "name an image, or ask an administrator to set native-tasks");
  }
  if (context.native == NativeTasks::kSelfAlone) return LoneAccount(parts);
  const std::string& owner = parts.workload.stamp.created_by;
  Ptr<User> user = parts.state.UserByEmail(owner);
  bool is_given = user && user->unix_name;
  if (context.native == NativeTasks::kIsolated && !is_given) return IsolatedAccount(parts, context);
  std::optional<std::string> name = user ? AccountNameOf(*user) : std::nullopt;
  if (!name) {
    return Fail(Code::kPrecondition, fmt::format("{} has no account on the machine", owner),
                "ask a System administrator to set your unixName, or name an image");
  }
  if (Ptr<User> other = HolderOfAccount(parts.state, *name, user->id)) {
    return Fail(Code::kPrecondition,
                fmt::format("the account '{}' of {} is {}'s too", *name, owner, other->email),
                "ask a System administrator to set both users' unixName");
  }
  Result<engine::Account> account = UsableAccount(context.accounts, *name);
  if (account) return std::optional(*std::move(account));
  if (account.error().code == Code::kForbidden) {
    return Fail(Code::kPrecondition, account.error().message, account.error().details);
  }
  return Fail(Code::kPrecondition,
              fmt::format("the machine has no account '{}' to run the work of {} as", *name, owner),
              "ask an administrator for an account, or name an image");
}

// Ids of a container are its owner's own, or listed by an administrator.
Status RequireIds(const LaunchParts& parts, const engine::Account& asked) {
  LaunchContext as_owner = parts.context;
  as_owner.native = NativeTasks::kOwner;
  std::vector<std::int64_t> users;
  std::vector<std::int64_t> groups;
  auto own = NativeAccount(parts, as_owner);
  if (own && *own) {
    users.push_back((*own)->uid);
    groups.push_back((*own)->gid);
    groups.insert(groups.end(), (*own)->groups.begin(), (*own)->groups.end());
  }
  HostQuestion question = parts.question();
  YARD_TRY(RequireId(question, {"security.runAsUid", asked.uid, users}));
  YARD_TRY(RequireId(question, {"security.runAsGid", asked.gid, groups}));
  for (std::uint32_t group : asked.groups) {
    YARD_TRY(RequireId(question, {"security.supplementalGroups", group, groups}));
  }
  return {};
}

engine::TaskLimits LimitsOf(const json::object& spec) {
  const json::object& compute = ObjectOrEmpty(spec, "compute");
  engine::TaskLimits limits{.pids = kMostProcesses};
  limits.cpu =
      MilliCpu(static_cast<std::int64_t>(NumberOf(compute, "cpuCoreLimit").value_or(0) * 1000));
  limits.memory = ParseMebibytes(TextOrEmpty(compute, "cpuMemoryLimit")).value_or(Mebibytes(0));
  return limits;
}

engine::GpuTime TimeOf(const json::object& compute) {
  std::string_view mode = TextOrEmpty(compute, "gpuCompute");
  if (mode == "strict") return engine::GpuTime::kStrict;
  if (mode == "interactive") return engine::GpuTime::kInteractive;
  return mode == "fair" ? engine::GpuTime::kFair : engine::GpuTime::kFree;
}

// What a part of a GPU of this size may grow to; zero: no further.
Mebibytes LimitOf(const json::object& compute, Mebibytes gpu) {
  if (std::optional<double> part = NumberOf(compute, "gpuPortionLimit")) {
    return Mebibytes(static_cast<std::int64_t>(static_cast<double>(gpu.value) * *part));
  }
  std::optional<Mebibytes> size = ParseMebibytes(TextOrEmpty(compute, "gpuMemoryLimit"));
  return size ? std::min(*size, gpu) : Mebibytes(0);
}

Mebibytes MemoryOf(const Ptr<Node>& node, const std::string& uuid) {
  if (!node) return Mebibytes(0);
  auto gpu = std::ranges::find(node->gpus, uuid, &NodeGpu::uuid);
  bool known = gpu != node->gpus.end() && gpu->memory.value > 0;
  return known ? gpu->memory : node->gpu_memory;
}

// Where it was asked for by size it is that size: the scheduler's part is rounded up to a
// thousandth of the GPU.
Mebibytes PartOf(const json::object& compute, MilliGpu each, Mebibytes gpu) {
  const Mebibytes part(gpu.value * each.value / kWholeGpu);
  std::optional<Mebibytes> size = ParseMebibytes(TextOrEmpty(compute, "gpuMemoryRequest"));
  return size && each.value < kWholeGpu ? std::min(*size, part) : part;
}

// A whole GPU is nobody else's: nothing is to be divided.
std::vector<engine::GpuGrant> GpusOf(const LaunchParts& parts) {
  std::vector<engine::GpuGrant> grants;
  if (parts.place.gpus.empty()) return grants;
  Ptr<Node> node = NodeNamed(parts.state, parts.workload.cluster, parts.place.node);
  const json::object& compute = ObjectOrEmpty(parts.spec, "compute");
  const MilliGpu each = parts.place.each;
  for (const std::string& uuid : parts.place.gpus) {
    Mebibytes memory = MemoryOf(node, uuid);
    engine::GpuGrant grant{.uuid = uuid, .part = each, .memory = PartOf(compute, each, memory)};
    if (each.value < kWholeGpu) {
      grant.limit = LimitOf(compute, memory);
      grant.time = TimeOf(compute);
    }
    if (grant.time != engine::GpuTime::kFree) {
      grant.weight = static_cast<std::int32_t>(std::max<std::int64_t>(1, each.value / 10));
    }
    grants.push_back(std::move(grant));
  }
  return grants;
}

std::vector<std::uint16_t> PortsOf(const json::object& spec) {
  std::vector<std::uint16_t> ports;
  auto add = [&](const json::object& from) {
    if (auto port = WholeOf(from, "container")) ports.push_back(static_cast<std::uint16_t>(*port));
  };
  for (std::string_view list : {"ports", "exposedUrls"}) {
    for (const json::value& item : ListOrEmpty(spec, list)) {
      if (item.is_object()) add(item.get_object());
    }
  }
  add(ObjectOrEmpty(spec, "servingPort"));
  std::ranges::sort(ports);
  ports.erase(std::ranges::unique(ports).begin(), ports.end());
  return ports;
}

Result<engine::TaskSpec> Assemble(const LaunchParts& parts, const LaunchContext& context) {
  // Lists change, and work may have waited since it was submitted.
  YARD_TRY(RequireHostAccess(parts.question(), parts.spec));
  engine::TaskSpec task{.key = {parts.attempt.id, parts.rank},
                        .node = parts.place.node,
                        .title = fmt::format("{}/{}", parts.project, parts.workload.name),
                        .working_dir = std::string(TextOrEmpty(parts.spec, "workingDir")),
                        .gpus = GpusOf(parts),
                        .limits = LimitsOf(parts.spec),
                        .ports = PortsOf(parts.spec),
                        .tty = FlagOrFalse(parts.spec, "tty")};
  if (TextOrEmpty(parts.spec, "image").empty()) {
    YARD_ASSIGN(task.account, NativeAccount(parts, context));
  } else {
    YARD_ASSIGN(task.container, ContainerOf(parts));
    YARD_ASSIGN(task.account, ImageAccount(parts.spec));
    if (task.account) YARD_TRY(RequireIds(parts, *task.account));
  }
  YARD_TRY(AddVariables(parts, task));
  YARD_TRY(AddMounts(parts, task));
  YARD_TRY(AddCommand(parts, task));
  return task;
}

// Calls `use` with what one task is made of.
template <class Use>
auto WithParts(const State& state, const Attempt& attempt, std::int32_t rank,
               const LaunchContext& context, Use use)
    -> decltype(use(std::declval<const LaunchParts&>())) {
  Ptr<Workload> workload = state.Find<Workload>(attempt.workload);
  if (!workload) return Fail(Code::kNotFound, "its workload is gone");
  Ptr<Project> project = state.Find<Project>(workload->project);
  bool is_master = rank == 0 && workload->request.master && !workload->master_as_worker;
  YARD_ASSIGN(json::value spec,
              ParseJson(is_master ? workload->master_spec.json : workload->spec.json));
  if (!spec.is_object()) return Fail(Code::kInternal, "its spec is damaged");
  LaunchParts parts{.state = state,
                    .workload = *workload,
                    .attempt = attempt,
                    .rank = rank,
                    .place = attempt.places[static_cast<std::size_t>(rank)],
                    .spec = spec.get_object(),
                    .project = project ? project->name : "",
                    .secrets = SecretSource(state, context.vault, *workload),
                    .access = HostAccessAt(state, state.PathOf(*workload)),
                    .context = context};
  return use(parts);
}

}  // namespace

Result<engine::TaskSpec> BuildTask(const State& state, const Attempt& attempt, std::int32_t rank,
                                   const LaunchContext& context) {
  return WithParts(state, attempt, rank, context,
                   [&](const LaunchParts& parts) { return Assemble(parts, context); });
}

Result<std::vector<engine::GpuGrant>> BuildGrants(const State& state, const Attempt& attempt,
                                                  std::int32_t rank) {
  return WithParts(state, attempt, rank, LaunchContext{},
                   [](const LaunchParts& parts) -> Result<std::vector<engine::GpuGrant>> {
                     return GpusOf(parts);
                   });
}

bool UsesAccount(const Workload& workload) {
  auto uses = [](const Document& document) {
    Result<json::value> spec = ParseJson(document.json);
    if (!spec || !spec->is_object()) return false;
    const json::object& security = ObjectOrEmpty(spec->get_object(), "security");
    return TextOrEmpty(spec->get_object(), "image").empty() ||
           WholeOf(security, "runAsUid").value_or(0) != 0;
  };
  return uses(workload.spec) || (workload.request.master && uses(workload.master_spec));
}

}  // namespace yard::control
