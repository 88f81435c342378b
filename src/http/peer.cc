#include "http/peer.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/file.h"

// Newer than the headers of Debian 12.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

namespace yard::http {
namespace {

enum class Namespace { kOurs, kAnother, kUnseen };

// For a server without privileges, which may not look at other accounts' namespaces. Everybody may
// read which ids a process has; only root can make a namespace with all of ours.
Namespace NamespaceByMap(pid_t pid) {
  const std::string ours = ReadFileOrEmpty("/proc/self/uid_map");
  const std::string theirs = ReadFileOrEmpty(fmt::format("/proc/{}/uid_map", pid));
  if (ours.empty() || theirs.empty()) return Namespace::kUnseen;
  return ours == theirs ? Namespace::kOurs : Namespace::kAnother;
}

Namespace NamespaceOf(pid_t pid) {
  struct stat ours{};
  struct stat theirs{};
  if (pid <= 0 || ::stat("/proc/self/ns/user", &ours) != 0) return Namespace::kUnseen;
  if (::stat(fmt::format("/proc/{}/ns/user", pid).c_str(), &theirs) != 0)
    return NamespaceByMap(pid);
  const bool same = ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
  return same ? Namespace::kOurs : Namespace::kAnother;
}

// Whether the process that connected is still there, so that its number is nobody else's. Kernels
// before 6.5 cannot tell.
bool HasGone(int socket) {
  int process = -1;
  socklen_t length = sizeof process;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &process, &length) != 0) {
    return errno != ENOPROTOOPT;
  }
  UniqueFd held(process);
  // A process that has ended has no number any more.
  std::string about = fmt::format("/proc/self/fdinfo/{}", held.get());
  std::FILE* file = std::fopen(about.c_str(), "re");
  if (file == nullptr) return true;
  bool gone = false;
  char line[128];
  while (std::fgets(line, sizeof line, file) != nullptr) {
    gone = gone || std::string_view(line).starts_with("Pid:\t-1");
  }
  std::fclose(file);
  return gone;
}

}  // namespace

std::optional<PeerCredentials> ReadCredentials(int socket) {
  ucred peer{};
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return std::nullopt;
  const PeerCredentials credentials{peer.uid, peer.gid, peer.pid};
  Namespace where = NamespaceOf(peer.pid);
  // Asked after its namespace was read: until then the number was its own.
  if (HasGone(socket)) where = Namespace::kUnseen;
  const bool powerful = peer.uid == 0 || peer.uid == ::geteuid();
  if (where == Namespace::kOurs || (where == Namespace::kUnseen && !powerful)) return credentials;
  return std::nullopt;
}

}  // namespace yard::http
