#include "engine/local/containers/gang.h"

#include <arpa/inet.h>

#include <array>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/uuid.h"

namespace yard::engine::containers {
namespace {

// The first address of a subnet is the machine's.
constexpr std::uint32_t kFirstOfRanks = 2;

std::string NetworkName(const TaskSpec& spec) {
  return fmt::format("gpuyard-{}", FormatUuid(spec.key.attempt.value));
}

// The address `offset` places into the subnet; none: it has no such place.
std::optional<std::string> AddressIn(const std::string& subnet, std::uint32_t offset) {
  const std::size_t slash = subnet.find('/');
  in_addr base{};
  if (slash == std::string::npos ||
      ::inet_pton(AF_INET, subnet.substr(0, slash).c_str(), &base) != 1)
    return std::nullopt;
  const std::int64_t bits = ParseInt(subnet.substr(slash + 1)).value_or(32);
  if (bits < 1 || bits > 30 || offset + 1 >= (1U << (32 - bits))) return std::nullopt;
  in_addr address{.s_addr = htonl(ntohl(base.s_addr) + offset)};
  std::array<char, INET_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET, &address, text.data(), text.size());
  return std::string(text.data());
}

}  // namespace

bool HasGang(const TaskSpec& spec) {
  return spec.container && !spec.container->host_network && spec.together.size() > 1;
}

Result<GangNetwork> PlaceInGang(const TaskSpec& spec, DaemonKind daemon,
                                const std::string& subnet) {
  GangNetwork network{.name = NetworkName(spec)};
  if (daemon == DaemonKind::kDocker) return network;
  for (std::uint32_t i = 0; i < spec.together.size(); ++i) {
    std::optional<std::string> address = AddressIn(subnet, kFirstOfRanks + i);
    if (!address)
      return Fail(Code::kInvalid,
                  fmt::format("{} tasks do not fit into the network {} on one machine",
                              spec.together.size(), subnet));
    const std::int32_t rank = spec.together[i];
    if (rank == spec.key.rank)
      network.address = *std::move(address);
    else
      network.hosts.push_back(fmt::format("{}:{}", engine::HostName(spec.title, rank), *address));
  }
  return network;
}

Result<std::optional<GangNetwork>> JoinGang(const Daemon& daemon, const TaskSpec& spec,
                                            const Surroundings& around) {
  if (!HasGang(spec)) return std::nullopt;
  YARD_ASSIGN(std::string subnet, daemon.MakeNetwork(NetworkName(spec), around.root));
  YARD_ASSIGN(GangNetwork network, PlaceInGang(spec, around.daemon, subnet));
  return network;
}

bool LacksNetwork(const Error& error, const TaskSpec& spec) {
  return HasGang(spec) && error.message.contains(NetworkName(spec));
}

void LeaveGang(const Daemon& daemon, const TaskSpec& spec) {
  // The daemon refuses while another rank is in it; that one removes it.
  if (HasGang(spec)) (void)daemon.RemoveNetwork(NetworkName(spec));
}

}  // namespace yard::engine::containers
