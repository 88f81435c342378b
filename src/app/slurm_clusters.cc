#include "app/slurm_clusters.h"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.h"
#include "base/strings.h"
#include "engine/slurm/slurm_engine.h"

namespace yard::app {
namespace {

namespace slurm = engine::slurm;

// A socket's path has at most 107 bytes, and ssh adds 17 to it while it makes the socket.
constexpr std::size_t kLongestControlPath = 107 - 17;
constexpr std::string_view kControlFolder = "/ssh";
constexpr std::int64_t kMostPorts = 65535;
constexpr std::int64_t kMostMinutes = 60L * 24 * 366;

std::unexpected<Error> Refuse(const ClusterSettings& cluster, std::string_view option,
                              std::string_view next) {
  return Fail(Code::kInvalid,
              fmt::format("{}: clusters: {}: {}: '{}' is not valid", cluster.origin, cluster.name,
                          option, cluster.Text(option)),
              std::string(next));
}

// None if it is not set.
Result<std::optional<std::int64_t>> WholeOf(const ClusterSettings& cluster, std::string_view option,
                                            std::int64_t most) {
  const std::string& text = cluster.Text(option);
  if (text.empty()) return std::nullopt;
  const std::optional<std::int64_t> number = ParseInt(text);
  if (!number || *number < 1 || *number > most)
    return Refuse(cluster, option, fmt::format("say a whole number from 1 to {}", most));
  return number;
}

Result<std::map<std::string, Mebibytes>> GpuMemoryOf(const ClusterSettings& cluster) {
  std::map<std::string, Mebibytes> memory;
  for (std::string_view part : Split(cluster.Text("gpu-memory"), ',')) {
    if (Trim(part).empty()) continue;
    const std::size_t equals = part.find('=');
    std::optional<Mebibytes> size;
    if (equals != std::string_view::npos) size = ParseMebibytes(Trim(part.substr(equals + 1)));
    if (!size) return Refuse(cluster, "gpu-memory", "for example a100=40Gi,h100=80Gi");
    memory[std::string(Trim(part.substr(0, equals)))] = *size;
  }
  return memory;
}

slurm::Variables VariablesOf(const ClusterSettings& cluster) {
  slurm::Variables variables = {
      {"PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}, {"LC_ALL", "C"}, {"TZ", "UTC"}};
  const std::string& conf = cluster.Text("slurm-conf");
  if (!conf.empty()) variables["SLURM_CONF"] = conf;
  return variables;
}

// A new name each time: ssh would share a connection that an earlier server made to another host.
std::string SocketName() {
  std::array<std::uint8_t, 6> bytes;
  SystemRandom().Fill(bytes);
  return fmt::format("/{:02x}", fmt::join(bytes, ""));
}

Result<std::string> ControlPath(const std::string& data_dir) {
  const std::string data = std::filesystem::absolute(data_dir).lexically_normal().string();
  const std::string folder = data + std::string(kControlFolder);
  std::string path = folder + SocketName();
  if (path.size() > kLongestControlPath)
    return Fail(Code::kInvalid,
                fmt::format("{} is too long for the sockets of ssh connections", data),
                fmt::format("choose a data-dir of at most {} bytes",
                            kLongestControlPath - (path.size() - data.size())));
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return Fail(Code::kUnavailable,
                fmt::format("cannot make {}: {}", folder, std::strerror(errno)));
  return path;
}

Result<std::unique_ptr<slurm::Site>> SiteOf(const ClusterSettings& cluster,
                                            const std::string& data_dir) {
  const std::string& target = cluster.Text("ssh");
  if (target.empty()) return slurm::MakeLocalSite(VariablesOf(cluster));
  const std::size_t at = target.rfind('@');
  slurm::SshOptions options;
  options.host = at == std::string::npos ? target : target.substr(at + 1);
  if (at != std::string::npos) options.user = target.substr(0, at);
  if (options.host.empty() || options.host.starts_with('-'))
    return Refuse(cluster, "ssh", "for example gpuyard@login.example.org");
  YARD_ASSIGN(std::optional<std::int64_t> port, WholeOf(cluster, "ssh-port", kMostPorts));
  options.port = static_cast<std::uint16_t>(port.value_or(options.port));
  options.key_file = cluster.Text("ssh-key");
  options.known_hosts_file = cluster.Text("ssh-known-hosts");
  YARD_ASSIGN(options.control_path, ControlPath(data_dir));
  options.variables = VariablesOf(cluster);
  return slurm::MakeSshSite(std::move(options));
}

}  // namespace

Result<std::unique_ptr<engine::Engine>> OpenSlurm(const ClusterSettings& cluster,
                                                  const std::string& data_dir,
                                                  const std::string& shim,
                                                  const std::string& data_sets) {
  slurm::SlurmOptions options{.root = cluster.Text("folder"), .shim = shim};
  options.data_sets = data_sets;
  options.submit.partition = cluster.Text("partition");
  options.submit.account = cluster.Text("account");
  options.submit.qos = cluster.Text("qos");
  options.submit.reservation = cluster.Text("reservation");
  options.submit.constraint = cluster.Text("constraint");
  YARD_ASSIGN(std::optional<std::int64_t> minutes,
              WholeOf(cluster, "time-limit-minutes", kMostMinutes));
  if (minutes) options.submit.time_limit = Minutes(*minutes);
  YARD_ASSIGN(options.gpu_memory, GpuMemoryOf(cluster));
  YARD_ASSIGN(std::unique_ptr<slurm::Site> site, SiteOf(cluster, data_dir));
  return slurm::OpenSlurmEngine(std::move(options), std::move(site));
}

}  // namespace yard::app
