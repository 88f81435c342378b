#include "app/ftps/cage.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "app/ftps/layout.h"
#include "base/file.h"

namespace yard::app::ftps {
namespace {

constexpr const char* kWell = "+";  // the one word that is no complaint

std::unexpected<Error> Cannot(std::string_view what) {
  return Fail(Code::kUnavailable, fmt::format("FTPS: cannot {}: {}", what, std::strerror(errno)),
              "take ftps-listen away to do without");
}

Status MakeFolder(const std::string& path, mode_t mode = 0755) {
  if (::mkdir(path.c_str(), mode) == 0 && ::chmod(path.c_str(), mode) == 0) return {};
  return Cannot("make " + path);
}

Status WriteText(const std::string& path, std::string_view text) {
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  const auto size = static_cast<ssize_t>(text.size());
  if (file && ::write(file.get(), text.data(), text.size()) == size) return {};
  return Cannot("write " + path);
}

Status Bind(const std::string& from, const std::string& to, unsigned long flags) {
  if (::mount(from.c_str(), to.c_str(), nullptr, MS_BIND, nullptr) == 0 &&
      ::mount(nullptr, to.c_str(), nullptr, MS_BIND | MS_REMOUNT | flags, nullptr) == 0)
    return {};
  return Cannot("show " + from);
}

// Programs and libraries, read-only.
Status ShowSystem(const std::string& view) {
  YARD_TRY(MakeFolder(view + "/usr"));
  YARD_TRY(Bind("/usr", view + "/usr", MS_RDONLY | MS_NOSUID | MS_NODEV));
  for (const char* name : {"bin", "sbin", "lib", "lib64"}) {
    if (::symlink(fmt::format("usr/{}", name).c_str(), fmt::format("{}/{}", view, name).c_str()))
      return Cannot(fmt::format("make /{}", name));
  }
  YARD_TRY(MakeFolder(view + "/dev"));
  for (const char* name : {"null", "urandom", "random"}) {
    const std::string device = fmt::format("/dev/{}", name);
    YARD_TRY(WriteText(view + device, ""));
    YARD_TRY(Bind(device, view + device, MS_NOSUID | MS_NOEXEC));
  }
  YARD_TRY(MakeFolder(view + "/etc"));
  YARD_TRY(WriteText(view + "/etc/ld.so.cache", ReadFileOrEmpty("/etc/ld.so.cache")));
  YARD_TRY(
      WriteText(view + "/etc/passwd",
                fmt::format("root:x:0:0::/:/bin/false\nftps:x:{0}:{0}::/:/bin/false\n", kDaemon)));
  return WriteText(view + "/etc/group", fmt::format("root:x:0:\nftps:x:{}:\n", kDaemon));
}

// The cage's ids own nothing of it, and may not write.
Status ShowUsers(int users, const std::string& to) {
  if (::move_mount(users, "", AT_FDCWD, to.c_str(), MOVE_MOUNT_F_EMPTY_PATH) == 0) return {};
  return Cannot("show who may sign in");
}

Status ShowFolders(const CageSpec& spec, const std::string& view) {
  constexpr unsigned long kTame = MS_NOSUID | MS_NODEV | MS_NOEXEC;
  for (const char* name : {kUsersFolder, kFilesFolder})
    YARD_TRY(MakeFolder(fmt::format("{}/{}", view, name)));
  YARD_TRY(ShowUsers(spec.users, fmt::format("{}/{}", view, kUsersFolder)));
  YARD_TRY(Bind(fmt::format("{}/{}", spec.folder, kFilesFolder),
                fmt::format("{}/{}", view, kFilesFolder), kTame));
  for (const char* name : {"run", "tmp"}) {
    const std::string path = fmt::format("{}/{}", view, name);
    YARD_TRY(MakeFolder(path));
    if (::chown(path.c_str(), kFirstId, kFirstId) != 0) return Cannot("give away " + path);
  }
  return {};
}

// Nothing of the machine can be reached from it any more.
Status EnterView(const CageSpec& spec) {
  const std::string view = fmt::format("{}/{}", spec.folder, kViewFolder);
  if (::unshare(CLONE_NEWNS) != 0 ||
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("gpuyard", view.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=16m") != 0)
    return Cannot("make a view of the file system");
  YARD_TRY(ShowSystem(view));
  YARD_TRY(ShowFolders(spec, view));
  // On top of the old root, which then is taken away.
  if (::chdir(view.c_str()) != 0 || ::syscall(SYS_pivot_root, ".", ".") != 0 ||
      ::umount2(".", MNT_DETACH) != 0 || ::chdir("/") != 0)
    return Cannot("enter the view of the file system");
  return {};
}

Status WriteMap(int processes, pid_t pid, const char* name) {
  const UniqueFd file(
      ::openat(processes, fmt::format("{}/{}", pid, name).c_str(), O_WRONLY | O_CLOEXEC));
  const std::string line = fmt::format("0 {} {}\n", kFirstId, kIds);
  if (file && ::write(file.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()))
    return {};
  return Cannot(fmt::format("write {}", name));
}

// Takes an id for good, and gains nothing by what it starts.
bool Become(std::uint32_t id) {
  return ::setgroups(0, nullptr) == 0 && ::setresgid(id, id, id) == 0 &&
         ::setresuid(id, id, id) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

[[noreturn]] void BeFirst(const CageSpec& spec, UniqueFd go) {
  ::prctl(PR_SET_NAME, "gpuyard-ftps", 0, 0, 0);
  char word = 0;
  // The guard has the same id on the machine, so its death is told.
  if (::read(go.get(), &word, 1) == 1 && Become(0) &&
      ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0) {
    ::close_range(3, ~0U, 0);
    go.Release();
    spec.run();
  }
  std::_Exit(1);
}

struct Ends {
  UniqueFd read;
  UniqueFd write;
};
Result<Ends> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Cannot("make a pipe");
  return Ends{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// The first process of the cage, which waits until its ids are mapped.
Result<pid_t> StartFirst(const CageSpec& spec, int processes) {
  YARD_ASSIGN(Ends go, MakePipe());
  constexpr unsigned long kNew = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
  const long pid = ::syscall(SYS_clone, kNew | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid < 0) return Cannot("make a user namespace");
  if (pid == 0) {
    go.write.Reset();
    BeFirst(spec, std::move(go.read));
  }
  YARD_TRY(WriteMap(processes, static_cast<pid_t>(pid), "uid_map"));
  YARD_TRY(WriteMap(processes, static_cast<pid_t>(pid), "gid_map"));
  if (::write(go.write.get(), kWell, 1) != 1) return Cannot("start the cage");
  return static_cast<pid_t>(pid);
}

Result<pid_t> Build(const CageSpec& spec) {
  const UniqueFd processes(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!processes) return Cannot("open /proc");
  YARD_TRY(EnterView(spec));
  return StartFirst(spec, processes.get());
}

// Of the server's, these alone go along, and its log.
struct Kept {
  UniqueFd answer;
  UniqueFd life;
  UniqueFd users;
};
bool CloseOthers(const Kept& kept) {
  const UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (::dup2(null.get(), 0) != 0 || ::dup2(null.get(), 1) != 1) return false;
  std::array<int, 4> stay = {2, kept.answer.get(), kept.life.get(), kept.users.get()};
  std::ranges::sort(stay);
  for (std::size_t i = 0; i < stay.size(); ++i) {
    const unsigned last = i + 1 < stay.size() ? static_cast<unsigned>(stay[i + 1]) - 1 : ~0U;
    const auto first = static_cast<unsigned>(stay[i]) + 1;
    if (first <= last && ::close_range(first, last, 0) != 0) return false;
  }
  return true;
}

// Until the cage has ended, or no process of the server lives.
void AwaitEnd(pid_t first, const UniqueFd& life) {
  const UniqueFd cage(static_cast<int>(::syscall(SYS_pidfd_open, first, 0)));
  std::array<pollfd, 2> ends = {pollfd{.fd = life.get(), .events = POLLIN, .revents = 0},
                                pollfd{.fd = cage.get(), .events = POLLIN, .revents = 0}};
  while (cage && ::poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR) {
  }
  ::kill(first, SIGKILL);
  ::waitpid(first, nullptr, 0);
}

// Between the server and the cage: ends with the one and ends the other. The server cannot be its
// parent by a signal of the kernel, which asks whether the dying one might send it.
[[noreturn]] void Guard(const CageSpec& spec, Kept kept) {
  ::prctl(PR_SET_NAME, "gpuyard-ftps", 0, 0, 0);
  ::setsid();
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal : {SIGPIPE, SIGHUP, SIGINT, SIGTERM}) ::signal(signal, SIG_DFL);
  ::umask(022);
  const Result<pid_t> first = CloseOthers(kept) ? Build(spec) : Cannot("close descriptors");
  std::string said = first ? kWell : first.error().message;
  if (first && !Become(kFirstId)) said = "FTPS: cannot give up the rights of root";
  if (::write(kept.answer.get(), said.data(), said.size()) < 0 || said != kWell) std::_Exit(1);
  kept.answer.Reset();
  kept.users.Reset();
  AwaitEnd(*first, kept.life);
  std::_Exit(0);
}

}  // namespace

Result<UniqueFd> MakeCage(const CageSpec& spec) {
  YARD_ASSIGN(Ends answer, MakePipe());
  YARD_ASSIGN(Ends life, MakePipe());
  const pid_t pid = ::fork();
  if (pid < 0) return Cannot("start a process");
  if (pid == 0) {
    answer.read.Reset();
    life.write.Reset();
    // The number stays that of the spec.
    Guard(spec, {std::move(answer.write), std::move(life.read), UniqueFd(spec.users)});
  }
  answer.write.Reset();
  std::array<char, 512> said{};
  const ssize_t size = ::read(answer.read.get(), said.data(), said.size());
  const std::string_view word(said.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  if (word == kWell) return std::move(life.write);
  ::waitpid(pid, nullptr, 0);
  return Fail(Code::kUnavailable, word.empty() ? "FTPS: its process ended" : std::string(word),
              "take ftps-listen away to do without");
}

}  // namespace yard::app::ftps
