#include "app/server_account.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "app/accounts.h"
#include "base/check.h"
#include "base/fd.h"
#include "base/log.h"

namespace yard::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualName = "gpuyard";
// Without an account of that name: an id that no account has, right below those of containers.
constexpr ServerAccount kNameless{0x6fff'ffff, 0x6fff'ffff};

// Settings that name files which are read after the privileges are gone.
constexpr std::array kFiles = {"tls-cert",       "tls-key",
                               "oidc-ca-file",   "oidc-client-secret-file",
                               "notify-ca-file", "notify-smtp-password-file"};

// The rights of an account for as long as it lives. One thread.
class RightsOf {
 public:
  explicit RightsOf(const ServerAccount& account) {
    groups_.resize(static_cast<std::size_t>(std::max(0, getgroups(0, nullptr))));
    YARD_CHECK(getgroups(static_cast<int>(groups_.size()), groups_.data()) >= 0);
    YARD_CHECK(setgroups(0, nullptr) == 0 && setegid(account.gid) == 0 &&
               seteuid(account.uid) == 0);
  }
  ~RightsOf() {
    YARD_CHECK(seteuid(0) == 0 && setegid(getgid()) == 0 &&
               setgroups(groups_.size(), groups_.data()) == 0);
  }
  RightsOf(const RightsOf&) = delete;
  RightsOf& operator=(const RightsOf&) = delete;

 private:
  std::vector<gid_t> groups_;
};

bool Can(const std::string& path, int how) {
  return faccessat(AT_FDCWD, path.c_str(), how, AT_EACCESS) == 0;
}

fs::path Absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal();
}

// The folder around the data directory; made if it is not there, since it may be the first start.
Status MakeParent(const fs::path& data) {
  std::error_code error;
  fs::create_directories(data.parent_path(), error);
  if (!error) return {};
  return Fail(Code::kUnavailable,
              fmt::format("cannot make the data directory {}: {}", data.string(), error.message()));
}

// Whether it is new or was a server's. Anything else in a folder may be somebody's.
bool IsOurs(const fs::path& data) {
  std::error_code error;
  return !fs::exists(data, error) || fs::is_empty(data, error) ||
         fs::exists(data / "gpuyard.lock", error) || fs::exists(data / "gpuyard.db", error);
}

// What the account would miss; empty: nothing.
std::string Missing(const Settings& settings, const ServerAccount& account) {
  const fs::path data = Absolute(settings.Text("data-dir"));
  if (!IsOurs(data)) return fmt::format("the data directory {} holds other things", data.string());
  const RightsOf rights(account);
  for (const char* name : kFiles)
    if (const std::string& path = settings.Text(name); !path.empty() && !Can(path, R_OK))
      return fmt::format("it cannot read {} ({})", path, name);
  const std::string& socket = settings.Text("socket");
  if (!socket.empty() && !Absolute(socket).string().starts_with(data.string() + "/") &&
      !Can(Absolute(socket).parent_path().string(), W_OK | X_OK))
    return fmt::format("it cannot make the socket {}", socket);
  return {};
}

Result<ServerAccount> AccountNamed(const std::string& name) {
  Result<engine::Account> found = FindAccount(name);
  if (found && found->uid != 0 && found->gid != 0) return ServerAccount{found->uid, found->gid};
  return Fail(Code::kInvalid,
              fmt::format("server-account: '{}' is {}", name,
                          found ? "root" : "no account of this machine"),
              "name an account of its own for the server, auto, or root to stay root");
}

std::unexpected<Error> CannotGive(const fs::path& path, std::string_view why) {
  return Fail(Code::kUnavailable,
              fmt::format("cannot give {} to the server's account: {}", path.string(), why),
              "correct its owner, or set server-account");
}

// Gives a data directory to the server's account. The account's own processes may change what lies
// in it meanwhile, so everything is done by descriptors, which no exchanged name leads elsewhere.
class Giver {
 public:
  explicit Giver(const ServerAccount& account) : account_(account) {}

  // The thing that the name stands for, which is not followed if it is a link.
  Status Give(int folder, const std::string& name, const fs::path& path, int depth) {
    const UniqueFd thing(::openat(folder, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat about{};
    if (!thing || ::fstat(thing.get(), &about) != 0) return {};  // gone meanwhile
    YARD_TRY(Give(thing.get(), about, path));
    return S_ISDIR(about.st_mode) ? GiveInside(thing.get(), path, depth) : Status();
  }

 private:
  Status Give(int thing, const struct stat& about, const fs::path& path) const {
    if (about.st_uid == account_.uid) return {};
    if (about.st_uid != 0) return CannotGive(path, "it is somebody else's");
    // The other name may be one of the system's.
    if (!S_ISDIR(about.st_mode) && about.st_nlink > 1) return CannotGive(path, "it has two names");
    if (::fchownat(thing, "", account_.uid, account_.gid, AT_EMPTY_PATH) == 0) return {};
    return CannotGive(path, std::strerror(errno));
  }

  Status GiveInside(int folder, const fs::path& path, int depth) {
    if (depth > kDeepest) return CannotGive(path, "it lies too deep");
    const int opened = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* const stream = opened < 0 ? nullptr : ::fdopendir(opened);
    if (stream == nullptr) return CannotGive(path, std::strerror(errno));
    const std::unique_ptr<DIR, int (*)(DIR*)> list(stream, ::closedir);
    while (const dirent* item = ::readdir(list.get())) {
      const std::string name = item->d_name;
      if (name != "." && name != "..") YARD_TRY(Give(opened, name, path / name, depth + 1));
    }
    return {};
  }

  static constexpr int kDeepest = 256;  // folders of data sets and artifacts are less deep
  const ServerAccount& account_;
};

}  // namespace

Result<std::optional<ServerAccount>> ServerAccountOf(const Settings& settings) {
  const std::string& said = settings.Text("server-account");
  if (geteuid() != 0 || said == "root" || settings.Text("native-tasks") == "root")
    return std::nullopt;
  const bool is_auto = said == "auto";
  Result<ServerAccount> account = AccountNamed(is_auto ? kUsualName : said);
  if (!account && is_auto) account = kNameless;
  if (!account) return Fail(account.error());
  YARD_TRY(MakeParent(Absolute(settings.Text("data-dir"))));
  const std::string missing = Missing(settings, *account);
  if (missing.empty()) return *account;
  if (is_auto) {
    log::Warning("the server keeps the rights of root: an account of its own would not do",
                 {{"why", missing}});
    return std::nullopt;
  }
  return Fail(Code::kInvalid, fmt::format("server-account: {} cannot serve: {}", said, missing),
              "open it to that account, or choose another place");
}

std::optional<std::string> ClosedOnTheWay(const std::string& folder, const ServerAccount& account) {
  const RightsOf rights(account);
  fs::path at;
  for (const fs::path& part : Absolute(folder).parent_path()) {
    at /= part;
    if (!Can(at.string(), X_OK)) return at.string();
  }
  return std::nullopt;
}

Status GiveDataDirectory(const std::string& folder, const ServerAccount& account) {
  const fs::path data = Absolute(folder);
  std::error_code error;
  if (!fs::exists(data, error) && ::mkdir(data.c_str(), 0700) != 0)
    return Fail(Code::kUnavailable, fmt::format("cannot make the data directory {}: {}",
                                                data.string(), std::strerror(errno)));
  // Whoever opens it says what is wrong with it.
  if (!IsOurs(data) || !fs::is_directory(data, error)) return {};
  // It may lie behind a link of the operator's; nothing in it is followed.
  const fs::path real = fs::canonical(data, error);
  return Giver(account).Give(AT_FDCWD, real.string(), data, 0);
}

}  // namespace yard::app
