#include "app/engines.h"

#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/native_tasks.h"
#include "app/slurm_clusters.h"
#include "base/log.h"
#include "base/strings.h"
#include "engine/local/containers/container_runner.h"
#include "engine/local/gpu/over_limit.h"
#include "engine/local/local_engine.h"
#include "engine/sim/sim_engine.h"
#include "engine/sim/sim_world.h"

namespace yard::app {
namespace {

constexpr int kMostGpus = 64;
constexpr std::size_t kLongestRoot = 80;  // see engine/local/options.h

std::string FolderOfProgram() {
  std::array<char, 4096> path{};
  ssize_t size = readlink("/proc/self/exe", path.data(), path.size() - 1);
  std::string program(path.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return program.substr(0, program.rfind('/'));
}

// Several servers may share a machine, and each removes its own groups only.
std::string GroupNameOf(std::string_view root) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a: the same name in every life
  for (char c : root) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("gpuyard-{:016x}", hash);
}

Result<std::optional<GpuStatement>> StatedGpus(const Settings& settings) {
  const std::string& text = settings.Text("declared-gpus");
  if (text.empty()) return std::nullopt;
  YARD_ASSIGN(GpuStatement stated, ParseGpuStatement(text));
  return std::optional(std::move(stated));
}

// Containers are a gift: without a daemon the machine still runs plain processes.
engine::ContainerSupport FindContainers(const engine::LocalOptions& options,
                                        const std::string& named) {
  namespace containers = engine::containers;
  std::optional<std::string> socket =
      containers::FindDaemon(named.empty() ? containers::UsualSockets() : std::span(&named, 1));
  if (!socket) {
    return {
        .missing = fmt::format(
            "no container daemon answers at {}; start `podman system service -t 0` or docker, "
            "then the server again",
            fmt::join(named.empty() ? containers::UsualSockets() : std::span(&named, 1), ", "))};
  }
  auto runner = containers::MakeContainerRunner(options, *socket);
  if (!runner) return {.missing = runner.error().message};
  if (auto lack = containers::MissingNamespaces(*socket)) {
    log::Warning("the container daemon gives little", {{"socket", *socket}, {"reason", *lack}});
  }
  return {.runner = *std::move(runner), .daemon = containers::DescribeDaemon(*socket)};
}

// See OpenDataSets.
std::string DataSetFolderOf(const Settings& settings) {
  return std::filesystem::absolute(settings.Text("data-dir")).lexically_normal().string() +
         "/data/views";
}

Result<std::unique_ptr<engine::Engine>> OpenLocal(const Settings& settings) {
  engine::LocalOptions options{.root = TaskFolderOf(settings),
                               .data_sets = DataSetFolderOf(settings),
                               .shim = FolderOfProgram() + "/gpuyard-shim",
                               .root_tasks = RootTasksOf(settings)};
  if (settings.Text("gpu-slices") == "on") options.slice_library = FolderOfProgram() + "/slice";
  YARD_ASSIGN(options.gpu_over_limit, engine::ParseOverLimit(settings.Text("gpu-over-limit")));
  if (options.root.size() > kLongestRoot) {
    log::Warning("the data directory's path is too long to run work in; nothing runs work here",
                 {{"path", options.root}});
    return nullptr;
  }
  options.cgroup = GroupNameOf(std::filesystem::absolute(options.root).string());
  YARD_ASSIGN(std::optional<GpuStatement> stated, StatedGpus(settings));
  if (stated) {
    options.declared = {.count = stated->count, .model = stated->model, .memory = stated->memory};
  }
  engine::ContainerSupport containers = FindContainers(options, settings.Text("container-socket"));
  return engine::OpenLocalEngine(std::move(options), std::move(containers));
}

// Machines in memory; `prefix` keeps the names of their GPUs apart.
std::unique_ptr<engine::Engine> MakeSim(const GpuStatement& gpus, const std::string& prefix) {
  std::vector<engine::GpuState> devices;
  for (int i = 0; i < gpus.count; ++i) {
    devices.push_back({.uuid = fmt::format("GPU-{}-{}", prefix, i),
                       .model = gpus.model,
                       .memory = gpus.memory,
                       .declared = true});
  }
  std::vector<engine::NodeState> nodes = {
      engine::SimNode("sim-1", MilliCpu(64'000), Mebibytes(512 * 1024), devices)};
  auto world = std::make_shared<engine::SimWorld>(std::move(nodes), SystemClock());
  world->StartThread();
  return engine::MakeSimEngine(std::move(world));
}

const GpuStatement kSimGpus{8, "A100", Mebibytes(40 * 1024)};

Result<std::unique_ptr<engine::Engine>> OpenSim(const Settings& settings) {
  YARD_ASSIGN(std::optional<GpuStatement> stated, StatedGpus(settings));
  return MakeSim(stated.value_or(kSimGpus), "sim");
}

}  // namespace

Result<GpuStatement> ParseGpuStatement(std::string_view text) {
  std::size_t times = text.find('x');
  std::size_t colon = text.rfind(':');
  auto refuse = [&] {
    return Fail(Code::kInvalid, fmt::format("declared-gpus: '{}' is not COUNTxMODEL:MEMORY", text),
                "for example 8xA100:40Gi; at most 64, all of one model");
  };
  if (times == std::string_view::npos || colon == std::string_view::npos || colon <= times + 1 ||
      text.contains(',')) {
    return refuse();
  }
  std::optional<std::int64_t> count = ParseInt(text.substr(0, times));
  std::optional<Mebibytes> memory = ParseMebibytes(text.substr(colon + 1));
  if (!count || *count < 1 || *count > kMostGpus || !memory || memory->value == 0) return refuse();
  return GpuStatement{static_cast<int>(*count),
                      std::string(text.substr(times + 1, colon - times - 1)), *memory};
}

Result<std::unique_ptr<engine::Engine>> OpenEngine(const Settings& settings) {
  const std::string& kind = settings.Text("engine");
  if (kind == "local") return OpenLocal(settings);
  if (kind == "sim") return OpenSim(settings);
  return nullptr;
}

Result<std::unique_ptr<engine::Engine>> OpenClusterEngine(const Settings& settings,
                                                          const ClusterSettings& cluster) {
  if (cluster.Text("engine") == "slurm") {
    return OpenSlurm(cluster, settings.Text("data-dir"), FolderOfProgram() + "/gpuyard-shim",
                     DataSetFolderOf(settings));
  }
  const std::string& stated = cluster.Text("gpus");
  GpuStatement gpus = kSimGpus;
  if (!stated.empty()) {
    YARD_ASSIGN(gpus, ParseGpuStatement(stated));
  }
  return MakeSim(gpus, cluster.name);
}

std::vector<std::string> DaemonFolders(const Settings& settings) {
  const std::string& named = settings.Text("container-socket");
  std::span<const std::string> sockets =
      named.empty() ? engine::containers::UsualSockets() : std::span(&named, 1);
  std::vector<std::string> folders(sockets.begin(), sockets.end());
  folders.push_back(FolderOfProgram());
  if (settings.Text("engine") != "local") return folders;
  for (const std::string& socket : sockets) {
    if (auto storage = engine::containers::StorageFolder(socket)) folders.push_back(*storage);
  }
  return folders;
}

std::string SocketPath(const Settings& settings) {
  if (!settings.Text("socket").empty()) return settings.Text("socket");
  std::string path = settings.Text("data-dir") + "/gpuyard.sock";
  return path.size() < sizeof(sockaddr_un::sun_path) ? path : std::string();
}

std::vector<std::string> OwnFolders(const Settings& settings, std::vector<std::string> daemon) {
  std::error_code ignored;
  for (const std::string& own : {settings.Text("data-dir"), SocketPath(settings)}) {
    if (own.empty()) continue;
    std::filesystem::path absolute = std::filesystem::absolute(own, ignored);
    daemon.push_back(absolute.lexically_normal().string());
    daemon.push_back(std::filesystem::weakly_canonical(absolute, ignored).string());
  }
  std::ranges::sort(daemon);
  daemon.erase(std::ranges::unique(daemon).begin(), daemon.end());
  return daemon;
}

Result<std::string> ResolvePath(const std::string& path) {
  std::error_code error;
  // A path that leads nowhere is left as it is: the engine looks with the owner's rights, and its
  // answer does not tell what a closed folder holds.
  std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
  if (!error) return real.string();
  return Fail(Code::kNotFound, fmt::format("cannot mount '{}': {}", path, error.message()),
              "correct the path, or make the folder");
}

control::LaunchContext LaunchContextOf(const Settings& settings, const control::Vault& vault,
                                       control::MachineAccounts accounts) {
  control::LaunchContext context{.vault = &vault,
                                 .native = NativeTasksOf(settings),
                                 .accounts = std::move(accounts),
                                 .resolve_path = ResolvePath};
  const std::string& name = settings.Text("operator-account");
  if (Result<engine::Account> found = context.accounts.find(name); !name.empty() && found)
    context.operator_account = *found;
  return context;
}

}  // namespace yard::app
