#include "engine/local/native/ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/strings.h"

namespace yard::engine {
namespace {

// Below the ports that kernels give to outgoing connections.
constexpr std::uint32_t kFirst = 10'000;
constexpr std::uint32_t kCount = 10'000;
constexpr std::string_view kListening = "0A";

// Sockets of one table of the kernel that listen on the port, by inode. A line reads
// "sl local:PORT remote:PORT STATE tx:rx tr:when retransmits uid timeout INODE …".
void AddListeners(const char* table, std::uint16_t port, std::set<std::string>& inodes) {
  std::ifstream file(table);
  const std::string wanted = fmt::format(":{:04X}", port);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string slot, local, remote, state, queues, timer, retransmits, uid, timeout, inode;
    words >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> uid >> timeout >>
        inode;
    if (state == kListening && local.ends_with(wanted)) inodes.insert(inode);
  }
}

bool HasSocket(int pid, const std::set<std::string>& inodes) {
  std::error_code gone;
  const std::filesystem::path folder = fmt::format("/proc/{}/fd", pid);
  for (std::filesystem::directory_iterator at(folder, gone), end; !gone && at != end;
       at.increment(gone)) {
    std::error_code closed;
    const std::string target = std::filesystem::read_symlink(at->path(), closed).string();
    constexpr std::string_view kSocket = "socket:[";
    if (!target.starts_with(kSocket)) continue;
    if (inodes.contains(target.substr(kSocket.size(), target.size() - kSocket.size() - 1)))
      return true;
  }
  return false;
}

bool IsFree(std::uint16_t port) {
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  return ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
}

}  // namespace

bool ListensOn(std::span<const int> pids, std::uint16_t port) {
  std::set<std::string> inodes;
  AddListeners("/proc/net/tcp", port, inodes);
  AddListeners("/proc/net/tcp6", port, inodes);
  if (inodes.empty()) return false;
  return std::ranges::any_of(pids, [&](int pid) { return HasSocket(pid, inodes); });
}

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
