#include "app/ftps/start.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/ftps/cage.h"
#include "app/ftps/config.h"
#include "app/ftps/keeper.h"
#include "app/ftps/layout.h"
#include "base/strings.h"

namespace yard::app::ftps {
namespace {

constexpr std::uint16_t kFirstOpenPort = 1024;
constexpr std::uint16_t kUsualPassivePorts = 100;
constexpr const char* kUsersSize = "16m";
constexpr int kPortTries = 60;
constexpr int kPortPauseMs = 50;

std::unexpected<Error> Refuse(std::string message, std::string next) {
  return Fail(Code::kInvalid, std::move(message), std::move(next));
}

Result<Listening> ListeningOf(const Settings& settings) {
  const std::string& said = settings.Text("ftps-listen");
  YARD_ASSIGN(Address address, ParseAddress(said));
  if (address.host == "localhost") address.host = "127.0.0.1";
  if (address.host.empty()) address.host = "0.0.0.0";
  in_addr number{};
  if (::inet_pton(AF_INET, address.host.c_str(), &number) != 1)
    return Refuse(fmt::format("ftps-listen: '{}' has no IPv4 address", said),
                  "for example 192.0.2.7:2121, or :2121 for every address");
  if (address.port < kFirstOpenPort)
    return Refuse(fmt::format("ftps-listen: port {} is below {}", address.port, kFirstOpenPort),
                  "take 2121, and let the machine's firewall lead port 21 there");
  Listening listening{.host = address.host, .port = address.port};
  const std::string& range = settings.Text("ftps-passive-ports");
  if (range.empty()) {
    listening.passive_first = static_cast<std::uint16_t>(address.port + 1);
    listening.passive_last = static_cast<std::uint16_t>(address.port + kUsualPassivePorts);
  } else {
    const std::vector<std::string_view> ends = Split(range, '-');
    const auto first = ends.size() == 2 ? ParseInt(ends[0]) : std::nullopt;
    const auto last = ends.size() == 2 ? ParseInt(ends[1]) : std::nullopt;
    if (!first || !last || *first < kFirstOpenPort || *last > UINT16_MAX || *first > *last)
      return Refuse(fmt::format("ftps-passive-ports: '{}' is not FIRST-LAST", range),
                    "for example 50000-50099");
    listening.passive_first = static_cast<std::uint16_t>(*first);
    listening.passive_last = static_cast<std::uint16_t>(*last);
  }
  if (listening.passive_last > listening.passive_first) return listening;
  return Refuse(fmt::format("ftps-listen: no ports follow {}", address.port),
                "set ftps-passive-ports");
}

// That nobody else has the port, while there is somebody to tell.
Status TryPort(const Listening& listening) {
  const UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(listening.port);
  ::inet_pton(AF_INET, listening.host.c_str(), &address.sin_addr);
  if (socket && ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
      ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::listen(socket.get(), 1) == 0)
    return {};
  return Fail(Code::kUnavailable,
              fmt::format("ftps-listen: cannot listen on {}:{}: {}", listening.host, listening.port,
                          std::strerror(errno)));
}

// A server that was killed leaves its cage for a moment.
Status TryPortPatiently(const Listening& listening) {
  Status tried = TryPort(listening);
  for (int i = 0; i < kPortTries && !tried; ++i) {
    ::poll(nullptr, 0, kPortPauseMs);
    tried = TryPort(listening);
  }
  return tried;
}

std::unexpected<Error> CannotMake(const std::string& path) {
  return Fail(Code::kUnavailable,
              fmt::format("cannot make the FTPS folder {}: {}", path, std::strerror(errno)),
              "set ftps-dir to a place of root's own");
}

struct Owner {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  mode_t mode = 0;
};
// By descriptor: nothing that lies there already leads elsewhere.
Result<UniqueFd> MakeOwned(int place, const std::string& path, const Owner& owner) {
  if (::mkdirat(place, path.c_str(), 0700) != 0 && errno != EEXIST) return CannotMake(path);
  UniqueFd folder(::openat(place, path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder || ::fchown(folder.get(), owner.uid, owner.gid) != 0 ||
      ::fchmod(folder.get(), owner.mode) != 0)
    return CannotMake(path);
  return folder;
}

Result<UniqueFd> Prepare(const std::string& path) {
  struct stat about{};
  if (::lstat(path.c_str(), &about) == 0 && (!S_ISDIR(about.st_mode) || about.st_uid != 0))
    return Refuse(fmt::format("ftps-dir: {} is no folder of root's", path),
                  "set it to a place of root's own");
  const std::uint32_t reader = kFirstId + kReader;
  YARD_ASSIGN(UniqueFd folder, MakeOwned(AT_FDCWD, path, {0, reader, 0750}));
  YARD_ASSIGN(UniqueFd files,
              MakeOwned(folder.get(), kFilesFolder, {kFirstId, kFirstId + kReader, 02755}));
  YARD_ASSIGN(UniqueFd view, MakeOwned(folder.get(), kViewFolder, {0, 0, 0700}));
  return folder;
}

struct Users {
  UniqueFd mounted;  // for the cage
  UniqueFd folder;   // for the server
};
// In memory and seen by nobody else. What the server writes there belongs to the group of the
// cage's id 0, which reads it.
Result<Users> MakeUsers(const std::optional<ServerAccount>& account) {
  const UniqueFd system(::fsopen("tmpfs", FSOPEN_CLOEXEC));
  auto set = [&system](const char* name, const std::string& value) {
    return ::fsconfig(system.get(), FSCONFIG_SET_STRING, name, value.c_str(), 0) == 0;
  };
  if (system && set("size", kUsersSize) && set("mode", "2750") &&
      set("uid", fmt::format("{}", account ? account->uid : 0)) &&
      set("gid", fmt::format("{}", kFirstId)) &&
      ::fsconfig(system.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) == 0) {
    constexpr unsigned kTame = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
    Users users;
    users.mounted.Reset(::fsmount(system.get(), FSMOUNT_CLOEXEC, kTame));
    users.folder.Reset(::openat(users.mounted.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (users.folder) return users;
  }
  return Fail(Code::kUnavailable,
              fmt::format("FTPS: cannot make a file system in memory: {}", std::strerror(errno)));
}

std::string FolderOf(const Settings& settings) {
  const std::string& said = settings.Text("ftps-dir");
  const std::string usual = settings.Text("data-dir") + "-ftps";
  return std::filesystem::absolute(said.empty() ? usual : said).lexically_normal().string();
}

}  // namespace

Result<std::optional<FtpsPlace>> StartFtps(const Settings& settings,
                                           const std::optional<ServerAccount>& account) {
  if (settings.Text("ftps-listen").empty()) return std::nullopt;
  if (::geteuid() != 0)
    return Refuse("ftps-listen: only a server that is started as root can serve FTPS",
                  "start it as root, or use `gpuyard data push`");
  if (::access("/usr/sbin/proftpd", X_OK) != 0 || ::access("/usr/bin/ftpdctl", X_OK) != 0)
    return Refuse("ftps-listen: proftpd is not installed",
                  "apt install --no-install-recommends proftpd-core proftpd-mod-crypto");
  YARD_ASSIGN(Listening listening, ListeningOf(settings));
  YARD_TRY(TryPortPatiently(listening));
  const std::string path = FolderOf(settings);
  YARD_ASSIGN(UniqueFd folder, Prepare(path));
  YARD_ASSIGN(Users users, MakeUsers(account));
  YARD_ASSIGN(UniqueFd life,
              MakeCage({.folder = path, .users = users.mounted.get(), .run = [&listening] {
                          KeepServing(listening);
                        }}));
  return FtpsPlace{.folder = std::move(folder),
                   .users = std::move(users.folder),
                   .life = std::move(life),
                   .reader = kFirstId + kReader,
                   .host = listening.host,
                   .port = listening.port};
}

}  // namespace yard::app::ftps
