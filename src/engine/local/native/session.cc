#include "engine/local/native/session.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "shim/format.h"

namespace yard::engine {
namespace {

std::unexpected<Error> Unavailable(std::string_view what) {
  return Fail(Code::kUnavailable, fmt::format("{}: {}", what, std::strerror(errno)));
}

void NoBlock(int fd) {
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

class ProcessSession final : public Session {
 public:
  struct Streams {
    UniqueFd input, output, error;
    bool tty = false;
  };
  ProcessSession(EventLoop& loop, std::shared_ptr<SessionProcess> process, Streams streams)
      : loop_(loop), process_(std::move(process)), streams_(std::move(streams)) {}

  ~ProcessSession() override {
    if (!process_->reaped()) HangUp();
  }

  int input() const override { return streams_.tty ? streams_.output.get() : streams_.input.get(); }
  int output() const override { return streams_.output.get(); }
  int error() const override { return streams_.error.get(); }

  void CloseInput() override {
    constexpr char kEndOfInput = 4;  // what a person types: ^D
    if (!streams_.tty) return streams_.input.Reset();
    if (::write(streams_.output.get(), &kEndOfInput, 1) < 0) return;
  }

  Status Resize(std::uint16_t rows, std::uint16_t columns) override {
    if (!streams_.tty) return Fail(Code::kPrecondition, "the session has no terminal");
    const winsize size{rows, columns, 0, 0};
    if (::ioctl(streams_.output.get(), TIOCSWINSZ, &size) != 0) return Unavailable("resize");
    return {};
  }

  Result<std::int32_t> Wait() override { return process_->WaitAndReap(); }
  int ended() const override { return process_->pidfd(); }

 private:
  void HangUp() {
    process_->Kill(SIGHUP);
    process_->Kill(SIGCONT);
    // Whoever is left is reaped when it ends; at the latest it is killed with the task.
    EventLoop& loop = loop_;
    const Status watched = loop.Watch(process_->pidfd(), [&loop, process = process_] {
      loop.Unwatch(process->pidfd());
      if (!process->WaitAndReap()) return;
    });
    if (!watched) process_->Kill(SIGKILL);
  }

  EventLoop& loop_;
  const std::shared_ptr<SessionProcess> process_;
  Streams streams_;
};

StartedSession MakeSession(EventLoop& loop, Child child, ProcessSession::Streams streams) {
  auto process = std::make_shared<SessionProcess>(std::move(child));
  return {std::make_unique<ProcessSession>(loop, process, std::move(streams)), process};
}

Result<StartedSession> StartOnTerminal(EventLoop& loop, SessionSpec spec) {
  UniqueFd master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!master || ::unlockpt(master.get()) != 0) return Unavailable("cannot open a terminal");
  UniqueFd slave(::ioctl(master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!slave) return Unavailable("cannot open a terminal");
  const winsize size{spec.rows, spec.columns, 0, 0};
  ::ioctl(master.get(), TIOCSWINSZ, &size);
  spec.spawn.input = spec.spawn.output = spec.spawn.error = slave.get();
  YARD_ASSIGN(Child child, Spawn(spec.spawn));
  NoBlock(master.get());
  return MakeSession(loop, std::move(child), {{}, std::move(master), {}, true});
}

struct Pipe {
  UniqueFd read, write;
};

Result<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Unavailable("cannot make a pipe");
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

class TerminalSession final : public Session {
 public:
  TerminalSession(TaskFolder folder, UniqueFd stream, UniqueFd control, UniqueFd shim)
      : folder_(std::move(folder)),
        stream_(std::move(stream)),
        control_(std::move(control)),
        shim_(std::move(shim)) {}

  int input() const override { return stream_.get(); }
  void CloseInput() override { ::shutdown(stream_.get(), SHUT_WR); }
  int output() const override { return stream_.get(); }
  int error() const override { return -1; }

  Status Resize(std::uint16_t rows, std::uint16_t columns) override {
    const shim::TtySize size{rows, columns};
    if (::send(control_.get(), &size, sizeof(size), MSG_NOSIGNAL) < 0) return Unavailable("resize");
    return {};
  }

  // The output of a task ends shortly before its shim.
  Result<std::int32_t> Wait() override {
    pollfd poll{shim_.get(), POLLIN, 0};
    while (::poll(&poll, 1, -1) < 0 && errno == EINTR) {
    }
    const TaskRecord record = folder_.ReadRecord();
    if (!record.end) return Fail(Code::kUnavailable, "the task's end is not known");
    if (record.end->exit_code) return *record.end->exit_code;
    return 128 + record.end->signal.value_or(0);
  }
  int ended() const override { return shim_.get(); }

 private:
  const TaskFolder folder_;
  const UniqueFd stream_, control_, shim_;
};

// By way of the folder's descriptor, since a socket's path must be short.
Result<UniqueFd> ConnectTty(const TaskFolder& folder, shim::TtyUse use) {
  UniqueFd place(::open(folder.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = fmt::format("/proc/self/fd/{}/{}", place.get(), shim::kTtyName);
  std::memcpy(address.sun_path, path.c_str(), path.size());
  if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 ||
      ::send(fd.get(), &use, sizeof(use), MSG_NOSIGNAL) < 0)
    return Unavailable("cannot attach to the task's terminal");
  NoBlock(fd.get());
  return fd;
}

}  // namespace

void SessionProcess::Kill(int signal) {
  std::lock_guard hold(mutex_);
  if (!reaped_) ::kill(-child_.pid, signal);
}

Result<std::int32_t> SessionProcess::WaitAndReap() {
  // Until it is reaped its number is its own, so that Kill hits nobody else.
  siginfo_t how{};
  while (::waitid(P_PIDFD, static_cast<id_t>(pidfd()), &how, WEXITED | WNOWAIT) != 0)
    if (errno != EINTR) return Unavailable("cannot wait");
  std::lock_guard hold(mutex_);
  reaped_ = true;
  return WaitFor(pidfd());
}

bool SessionProcess::reaped() const {
  std::lock_guard hold(mutex_);
  return reaped_;
}

Result<StartedSession> StartSession(EventLoop& loop, SessionSpec spec) {
  if (spec.tty) return StartOnTerminal(loop, std::move(spec));
  YARD_ASSIGN(Pipe input, MakePipe());
  YARD_ASSIGN(Pipe output, MakePipe());
  YARD_ASSIGN(Pipe error, MakePipe());
  spec.spawn.input = input.read.get();
  spec.spawn.output = output.write.get();
  spec.spawn.error = error.write.get();
  YARD_ASSIGN(Child child, Spawn(spec.spawn));
  for (const UniqueFd* fd : {&input.write, &output.read, &error.read}) NoBlock(fd->get());
  return MakeSession(loop, std::move(child),
                     {std::move(input.write), std::move(output.read), std::move(error.read)});
}

Result<std::unique_ptr<Session>> AttachTerminal(const TaskFolder& folder) {
  UniqueFd shim = OpenPidfd(folder.ReadRecord().shim);
  if (!shim || !folder.HasShim()) return Fail(Code::kPrecondition, "the task does not run");
  YARD_ASSIGN(UniqueFd stream, ConnectTty(folder, shim::TtyUse::kStream));
  YARD_ASSIGN(UniqueFd control, ConnectTty(folder, shim::TtyUse::kControl));
  return std::make_unique<TerminalSession>(folder, std::move(stream), std::move(control),
                                           std::move(shim));
}

}  // namespace yard::engine
