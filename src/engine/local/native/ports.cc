#include "engine/local/native/ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/strings.h"

namespace yard::engine {
namespace {

// Below the ports that kernels give to outgoing connections.
constexpr std::uint32_t kFirst = 10'000;
constexpr std::uint32_t kCount = 10'000;

bool IsFree(std::uint16_t port) {
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  return ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
}

}  // namespace

std::optional<std::uint16_t> GivenPort(std::span<const int> pids) {
  const std::string start = fmt::format("{}=", kPortVariable);
  for (const int pid : pids) {
    std::ifstream file(fmt::format("/proc/{}/environ", pid));
    std::string variable;
    while (std::getline(file, variable, '\0')) {
      if (!variable.starts_with(start)) continue;
      const std::optional<std::int64_t> port = ParseInt(variable.substr(start.size()));
      if (port && *port > 0 && *port <= 65'535) return static_cast<std::uint16_t>(*port);
    }
  }
  return std::nullopt;
}

bool PortPool::IsGiven(std::uint16_t port) const {
  return std::ranges::any_of(given_, [port](const auto& one) { return one.second == port; });
}

std::optional<std::uint16_t> PortPool::Take(const TaskKey& key) {
  std::lock_guard hold(mutex_);
  if (auto found = given_.find(key); found != given_.end()) return found->second;
  const auto start = static_cast<std::uint32_t>(std::hash<AttemptId>{}(key.attempt) % kCount);
  for (std::uint32_t step = 0; step < kCount; ++step) {
    const auto port = static_cast<std::uint16_t>(kFirst + (start + step) % kCount);
    if (IsGiven(port) || !IsFree(port)) continue;
    given_[key] = port;
    return port;
  }
  return std::nullopt;
}

void PortPool::GiveBack(const TaskKey& key) {
  std::lock_guard hold(mutex_);
  given_.erase(key);
}

}  // namespace yard::engine
