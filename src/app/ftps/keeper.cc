#include "app/ftps/keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/ftps/layout.h"
#include "app/ftps/users.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/log.h"

namespace yard::app::ftps {
namespace {

constexpr const char* kConfig = "/run/proftpd.conf";
constexpr int kLookMillis = 200;
constexpr int kLooksPerSecond = 5;
// A session that was signing in while its line went is found by a later call.
constexpr int kEndings = 8;
constexpr std::size_t kLongestLine = 2000;

std::string InUsers(std::string_view name) {
  return fmt::format("/{}/{}", kUsersFolder, name);
}

// Descriptors of a program that is started.
struct Streams {
  int error = -1;
};

// Zero: it could not be started.
pid_t Start(std::vector<std::string> words, const Streams& streams) {
  std::vector<char*> raw;
  raw.reserve(words.size() + 1);
  for (std::string& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid != 0) return pid < 0 ? 0 : pid;
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const int error = streams.error < 0 ? null : streams.error;
  const std::array<char*, 1> environment = {nullptr};
  if (::dup2(null, 0) == 0 && ::dup2(null, 1) == 1 && ::dup2(error, 2) == 2)
    ::execve(raw[0], raw.data(), environment.data());
  std::_Exit(127);
}

// The certificate that the server has put there, by the kind of its key.
std::optional<KeyKind> Certificate() {
  auto is_there = [](const char* name) { return ::access(InUsers(name).c_str(), R_OK) == 0; };
  if (is_there(kEcCertificate) && is_there(kEcKey)) return KeyKind::kEc;
  if (is_there(kRsaCertificate) && is_there(kRsaKey)) return KeyKind::kRsa;
  return std::nullopt;
}

bool WriteConfig(const std::string& text) {
  const UniqueFd file(::open(kConfig, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// A folder of a folder that is id 0's, so that nobody can exchange it.
UniqueFd FolderIn(int place, const char* name) {
  if (::mkdirat(place, name, 0755) == 0) {
    if (::fchmodat(place, name, 02755, 0) != 0) return {};
  } else if (errno != EEXIST) {
    return {};
  }
  return UniqueFd(::openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// What a project's members see is id 0's, but for the one folder in it that is theirs: so nothing
// that they upload ever is a file that a library looks for in /etc or /lib.
bool MakeProject(const FtpsUser& user) {
  const UniqueFd files(::open(fmt::format("/{}", kFilesFolder).c_str(),
                              O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!files) return false;
  const UniqueFd root = FolderIn(files.get(), user.folder.c_str());
  const UniqueFd outer = root ? FolderIn(root.get(), kSeenOuter) : UniqueFd();
  const UniqueFd inner = outer ? FolderIn(outer.get(), kSeenInner) : UniqueFd();
  struct stat about{};
  if (!inner || ::fstat(inner.get(), &about) != 0) return false;
  if (about.st_uid == user.id) return true;
  if (about.st_uid != 0) return false;  // another project's
  return ::fchown(inner.get(), user.id, static_cast<gid_t>(-1)) == 0 &&
         ::fchmod(inner.get(), 02750) == 0;
}

class Keeper {
 public:
  explicit Keeper(const Listening& listening) : listening_(listening) {}

  [[noreturn]] void Run() {
    for (int look = 0;; look = (look + 1) % kLooksPerSecond) {
      Reap();
      ReadUsersAgain();
      if (look == 0) EverySecond();
      PassLog();
    }
  }

 private:
  void Reap() {
    for (pid_t pid; (pid = ::waitpid(-1, nullptr, WNOHANG)) > 0;) {
      if (pid != proftpd_) continue;
      proftpd_ = 0;
      log::Error("the FTPS server has ended; it is started again");
    }
  }

  void ReadUsersAgain() {
    struct stat about{};
    if (::stat(InUsers(kUsersFile).c_str(), &about) != 0) return;
    if (about.st_ino == seen_.st_ino && about.st_ctim.tv_sec == seen_.st_ctim.tv_sec &&
        about.st_ctim.tv_nsec == seen_.st_ctim.tv_nsec)
      return;
    Result<std::string> text = ReadFile(InUsers(kUsersFile));
    if (!text) return;
    seen_ = about;
    std::map<std::string, FtpsUser> users = ReadUsers(*text);
    for (const auto& [name, user] : users) {
      if (!MakeProject(user))
        log::Error("FTPS: the folder of a project cannot be made", {{"project", user.folder}});
    }
    for (const std::string& name : Ended(users_, users)) ending_[name] = kEndings;
    users_ = std::move(users);
    if (!ending_.empty()) EndSessions();
  }

  void EverySecond() {
    EndSessions();
    if (proftpd_ == 0 && !users_seen()) return;
    if (proftpd_ == 0) StartProftpd();
  }

  bool users_seen() const { return seen_.st_ino != 0; }

  void StartProftpd() {
    const std::optional<KeyKind> key = Certificate();
    if (!key || !WriteConfig(ConfigOf(listening_, *key))) return;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
    log_.Reset(ends[0]);
    const UniqueFd write(ends[1]);
    ::unlink("/run/pid");
    proftpd_ = Start({"/usr/sbin/proftpd", "-n", "-c", kConfig}, {.error = write.get()});
  }

  void EndSessions() {
    for (auto at = ending_.begin(); at != ending_.end();) {
      Start({"/usr/bin/ftpdctl", "-s", "/run/ctrl", "kick", "user", at->first}, {});
      at = --at->second == 0 ? ending_.erase(at) : std::next(at);
    }
  }

  // Waits for words of proftpd, or a moment. Its lines carry names that strangers have sent; our
  // log escapes them.
  void PassLog() {
    pollfd end{.fd = log_ ? log_.get() : -1, .events = POLLIN, .revents = 0};
    if (::poll(&end, 1, kLookMillis) <= 0) return;
    std::array<char, 4096> piece{};
    const ssize_t got = ::read(log_.get(), piece.data(), piece.size());
    if (got <= 0) {
      if (got == 0) log_.Reset();
      return;
    }
    line_.append(piece.data(), static_cast<std::size_t>(got));
    for (std::size_t end_of; (end_of = line_.find('\n')) != std::string::npos;) {
      log::Info("ftps", {{"line", std::string_view(line_).substr(0, end_of)}});
      line_.erase(0, end_of + 1);
    }
    if (line_.size() > kLongestLine) line_.clear();
  }

  const Listening listening_;
  pid_t proftpd_ = 0;
  UniqueFd log_;
  std::string line_;
  struct stat seen_{};
  std::map<std::string, FtpsUser> users_;
  std::map<std::string, int> ending_;  // names, and how often their sessions are still ended
};

}  // namespace

void KeepServing(const Listening& listening) {
  Keeper(listening).Run();
}

}  // namespace yard::app::ftps
