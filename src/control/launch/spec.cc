#include "control/launch/spec.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "control/launch/parts.h"
#include "engine/texts.h"

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

engine::PullPolicy PullOf(PullPolicy policy) {
  switch (policy) {
    case PullPolicy::kAlways:
      return engine::PullPolicy::kAlways;
    case PullPolicy::kNever:
      return engine::PullPolicy::kNever;
    case PullPolicy::kIfNotPresent:
      break;
  }
  return engine::PullPolicy::kIfNotPresent;
}

engine::GpuTime TimeOf(GpuTimeMode mode) {
  switch (mode) {
    case GpuTimeMode::kFair:
      return engine::GpuTime::kFair;
    case GpuTimeMode::kStrict:
      return engine::GpuTime::kStrict;
    case GpuTimeMode::kInteractive:
      return engine::GpuTime::kInteractive;
    case GpuTimeMode::kFree:
      break;
  }
  return engine::GpuTime::kFree;
}

Mebibytes ShmOf(const LaunchParts& parts) {
  const LimitSpec& limits = *parts.spec.limits;
  if (!limits.large_shm) return kSmallShm;
  if (limits.memory) return *limits.memory;
  Ptr<Node> node = NodeNamed(parts.state, parts.workload.host(), parts.place.node);
  return node ? node->memory : kSmallShm;
}

Status AddRegistry(const LaunchParts& parts, engine::Container& container) {
  SecretValues values;
  for (const std::string& name : parts.spec.setup->pull_secrets) {
    YARD_ASSIGN(values, parts.secrets.ForImage(container.image, name));
  }
  if (values.empty()) {
    YARD_ASSIGN(values, parts.secrets.ForImage(container.image));
  }
  container.registry_user = values["username"];
  container.registry_password = values["password"];
  return {};
}

Result<engine::Container> ContainerOf(const LaunchParts& parts) {
  const SecuritySpec& security = *parts.spec.security;
  engine::Container container{.image = parts.spec.image,
                              .pull = PullOf(parts.spec.pull),
                              .shm = ShmOf(parts),
                              .read_only_root = security.read_only_root,
                              .host_network = security.host_network,
                              .host_ipc = security.host_ipc};
  for (const std::string& capability : security.capabilities) {
    container.add_capabilities.push_back(CapabilityName(capability));
  }
  YARD_TRY(AddRegistry(parts, container));
  return container;
}

// In a container: what the spec asks for; nothing: the image's own.
Result<std::optional<engine::Account>> ImageAccount(const SecuritySpec& security) {
  if (!security.uid && !security.gid) return std::optional<engine::Account>();
  if (!security.uid) return Fail(Code::kInvalid, "runAsGid is given without runAsUid", "give both");
  engine::Account account{.uid = static_cast<std::uint32_t>(*security.uid),
                          .gid = static_cast<std::uint32_t>(security.gid.value_or(*security.uid))};
  for (std::int64_t group : security.groups) {
    account.groups.push_back(static_cast<std::uint32_t>(group));
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
Status RequireAccount(const LaunchParts& parts, const engine::Account& asked) {
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
  return control::RequireIds(parts.question(),
                             {.uid = asked.uid,
                              .gid = asked.gid,
                              .groups = {asked.groups.begin(), asked.groups.end()},
                              .own_users = std::move(users),
                              .own_groups = std::move(groups)});
}

engine::TaskLimits LimitsOf(const LimitSpec& limits) {
  engine::TaskLimits task{.cpu = limits.cpu.value_or(MilliCpu(0)),
                          .memory = limits.memory.value_or(Mebibytes(0)),
                          .pids = kMostProcesses};
  if (limits.log) task.log = *limits.log;
  return task;
}

// The size to which a part of a GPU of this size may grow; zero: no further.
Mebibytes LimitOf(const LimitSpec& limits, Mebibytes gpu) {
  if (limits.gpu_portion) return Mebibytes(gpu.value * limits.gpu_portion->value / kWholeGpu);
  return limits.gpu_memory ? std::min(*limits.gpu_memory, gpu) : Mebibytes(0);
}

Mebibytes MemoryOf(const Ptr<Node>& node, const std::string& uuid) {
  if (!node) return Mebibytes(0);
  auto gpu = std::ranges::find(node->gpus, uuid, &NodeGpu::uuid);
  bool known = gpu != node->gpus.end() && gpu->memory.value > 0;
  return known ? gpu->memory : node->gpu_memory;
}

// Where it was asked for by size it is that size: the scheduler's part is rounded up to a
// thousandth of the GPU.
Mebibytes PartOf(std::optional<Mebibytes> size, MilliGpu each, Mebibytes gpu) {
  const Mebibytes part(gpu.value * each.value / kWholeGpu);
  return size && each.value < kWholeGpu ? std::min(*size, part) : part;
}

// A whole GPU is nobody else's: nothing is to be divided.
std::vector<engine::GpuGrant> GpusOf(const LaunchParts& parts) {
  std::vector<engine::GpuGrant> grants;
  if (parts.place.gpus.empty()) return grants;
  Ptr<Node> node = NodeNamed(parts.state, parts.workload.host(), parts.place.node);
  const LimitSpec& limits = *parts.spec.limits;
  const MilliGpu each = parts.place.each;
  const ResourceRequest& request = parts.workload.request;
  const bool as_master = parts.rank == 0 && request.master;
  const std::optional<Mebibytes> asked =
      as_master ? request.master->gpu_memory : request.gpu_memory;
  for (const std::string& uuid : parts.place.gpus) {
    Mebibytes memory = MemoryOf(node, uuid);
    engine::GpuGrant grant{.uuid = uuid, .part = each, .memory = PartOf(asked, each, memory)};
    if (each.value < kWholeGpu) {
      grant.limit = LimitOf(limits, memory);
      grant.time = TimeOf(limits.gpu_time);
    }
    if (grant.time != engine::GpuTime::kFree) {
      grant.weight = static_cast<std::int32_t>(std::max<std::int64_t>(1, each.value / 10));
    }
    grants.push_back(std::move(grant));
  }
  return grants;
}

// The ranks of the attempt on the same node.
std::vector<std::int32_t> TogetherWith(const LaunchParts& parts) {
  std::vector<std::int32_t> ranks;
  const std::vector<TaskPlace>& places = parts.attempt.places;
  for (std::size_t rank = 0; places.size() > 1 && rank < places.size(); ++rank) {
    if (places[rank].node == parts.place.node) ranks.push_back(static_cast<std::int32_t>(rank));
  }
  return ranks;
}

Result<engine::TaskSpec> Assemble(const LaunchParts& parts, const LaunchContext& context) {
  // Lists change, and work may have waited since it was submitted.
  YARD_TRY(RequireHostAccess(parts.question(), parts.spec));
  engine::TaskSpec task{.key = {parts.attempt.id, parts.rank},
                        .node = parts.place.node,
                        .title = fmt::format("{}/{}", parts.project, parts.workload.name),
                        .working_dir = parts.spec.working_dir,
                        .gpus = GpusOf(parts),
                        .limits = LimitsOf(*parts.spec.limits),
                        .ports = parts.spec.reach->ports,
                        .together = TogetherWith(parts),
                        .tty = parts.spec.tty};
  if (parts.spec.image.empty()) {
    YARD_ASSIGN(task.account, NativeAccount(parts, context));
  } else {
    YARD_ASSIGN(task.container, ContainerOf(parts));
    YARD_ASSIGN(task.account, ImageAccount(*parts.spec.security));
    if (task.account) YARD_TRY(RequireAccount(parts, *task.account));
  }
  YARD_TRY(AddVariables(parts, task));
  YARD_TRY(AddMounts(parts, task));
  YARD_TRY(AddCommand(parts, task));
  // The store may hold what an older version took.
  YARD_TRY(engine::CheckTexts(task));
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
  LaunchParts parts{.state = state,
                    .workload = *workload,
                    .attempt = attempt,
                    .rank = rank,
                    .place = attempt.places[static_cast<std::size_t>(rank)],
                    .spec = is_master ? *workload->master_spec : *workload->spec,
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
  auto uses = [](const WorkloadSpec& spec) {
    return spec.image.empty() || spec.security->uid.value_or(0) != 0;
  };
  return uses(*workload.spec) || (workload.request.master && uses(*workload.master_spec));
}

}  // namespace yard::control
