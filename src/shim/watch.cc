#include "shim/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/command.h"
#include "shim/contained.h"
#include "shim/format.h"
#include "shim/groups.h"
#include "shim/log_writer.h"
#include "shim/mounts.h"
#include "shim/records.h"
#include "shim/spec.h"
#include "shim/terminal.h"
#include "shim/text.h"
#include "shim/tree.h"

namespace yard::shim {
namespace {

constexpr std::int64_t kNever = INT64_MAX;
constexpr int kDefaultGraceMs = 30'000;
constexpr int kTellAgainMs = 20;
char buffer[64 << 10];

class Watch {
 public:
  Watch(const Spec& spec, int folder, int state)
      : spec_(spec), folder_(folder), state_(state), log_(folder, spec.log_limit) {}

  int Run();

 private:
  Failure Start();
  Failure OpenStreams(Streams* streams);
  void Loop();
  int WaitMs() const;
  void ServeSignals();
  void TakeStop(StopOrder order);
  void Reap();
  void CheckDeadline();
  bool CopyOutput();
  void DrainOutput();
  void CleanUp();
  End Describe(Line& message) const;

  const Spec& spec_;
  const int folder_;
  const int state_;
  LogWriter log_;
  Terminal terminal_;
  int signals_ = -1;
  int output_ = -1;
  bool grown_ = false;  // the pipe
  pid_t pid_ = -1;
  std::int64_t started_ = -1;
  bool ended_ = false;
  siginfo_t how_{};
  Heard heard_ = Heard::kYes;
  std::int64_t kill_at_ = kNever;  // monotonic
  StopOrder stop_{0, 0};
  bool killed_ = false;
  std::int64_t oom_kills_ = 0;
};

Failure Watch::OpenStreams(Streams* streams) {
  if (spec_.tty) {
    int slave = -1;
    const Failure failure = terminal_.Open(&slave);
    if (failure.step != nullptr) return failure;
    output_ = terminal_.master();
    streams->input = streams->output = streams->terminal = slave;
  } else {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return {"cannot make a pipe", "", errno};
    output_ = ends[0];
    streams->input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    streams->output = ends[1];
  }
  fcntl(output_, F_SETFL, O_NONBLOCK);
  return {};
}

Failure Watch::Start() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  sigset_t heard;
  sigemptyset(&heard);
  sigaddset(&heard, SIGCHLD);
  sigaddset(&heard, SIGTERM);
  sigaddset(&heard, SIGRTMIN + kStopOffset);
  signals_ = signalfd(-1, &heard, SFD_NONBLOCK | SFD_CLOEXEC);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  Failure failure = MakeGroups(spec_);
  Streams streams;
  if (failure.step == nullptr) failure = MakeMounts(spec_, folder_, &streams.mounts);
  if (failure.step == nullptr) failure = OpenStreams(&streams);
  if (failure.step != nullptr) return failure;
  const Started started = StartCommand(spec_, streams);
  close(streams.output);
  if (streams.mounts >= 0) close(streams.mounts);
  if (streams.input != streams.output) close(streams.input);
  pid_ = started.pid;
  return started.failure;
}

int Watch::WaitMs() const {
  std::int64_t wait = heard_ == Heard::kTryAgain ? kTellAgainMs : -1;
  if (kill_at_ != kNever) {
    const std::int64_t left = kill_at_ - MonotonicMillis();
    const std::int64_t until_kill = left < 0 ? 0 : left > 60'000 ? 60'000 : left;
    if (wait < 0 || until_kill < wait) wait = until_kill;
  }
  return static_cast<int>(wait);
}

void Watch::Loop() {
  while (!ended_) {
    pollfd polls[2 + Terminal::kPolls] = {{signals_, POLLIN, 0}, {output_, POLLIN, 0}};
    if (spec_.tty) terminal_.Prepare(polls + 2);
    poll(polls, spec_.tty ? 2 + Terminal::kPolls : 2, WaitMs());
    if (heard_ == Heard::kTryAgain) heard_ = TellStarted(spec_, pid_, started_);
    if (polls[0].revents != 0) ServeSignals();
    if (polls[1].revents != 0 && !CopyOutput()) output_ = -1;
    if (spec_.tty) terminal_.Serve(polls + 2);
    CheckDeadline();
  }
}

// What SIGTERM stands for: the order in the folder if there is one.
StopOrder OrderOnRecord() {
  StopOrder order{SIGTERM, kDefaultGraceMs};
  char text[128];
  if (ReadFile(kStopName, text, sizeof(text)) <= 0) return order;
  char* rest = nullptr;
  for (char* line = strtok_r(text, "\n", &rest); line != nullptr;
       line = strtok_r(nullptr, "\n", &rest)) {
    if (const char* value = ValueOf(line, "signal"))
      order.signal = static_cast<int>(ParseNumber(value));
    if (const char* value = ValueOf(line, "grace")) order.grace_ms = ParseNumber(value);
  }
  return order;
}

void Watch::ServeSignals() {
  signalfd_siginfo got{};
  while (read(signals_, &got, sizeof(got)) == sizeof(got)) {
    if (got.ssi_signo == SIGCHLD) Reap();
    if (got.ssi_signo == SIGTERM) TakeStop(OrderOnRecord());
    if (static_cast<int>(got.ssi_signo) == SIGRTMIN + kStopOffset)
      TakeStop(UnpackStop(got.ssi_ptr));
  }
}

void Watch::TakeStop(StopOrder order) {
  const std::int64_t at = MonotonicMillis() + order.grace_ms;
  if (at < kill_at_) kill_at_ = at;
  stop_ = order;
  if (ended_ || order.grace_ms <= 0) return;
  kill(-pid_, order.signal);
  kill(-pid_, SIGCONT);  // one that is stopped could not obey
}

void Watch::Reap() {
  for (;;) {
    siginfo_t child{};
    if (waitid(P_ALL, 0, &child, WEXITED | WNOHANG) != 0 || child.si_pid == 0) return;
    if (child.si_pid != pid_) continue;
    ended_ = true;
    how_ = child;
  }
}

void Watch::CheckDeadline() {
  if (ended_ || kill_at_ == kNever || MonotonicMillis() < kill_at_) return;
  killed_ = true;
  // The command first and by itself, so that its own end is the one on record.
  kill(pid_, SIGKILL);
  siginfo_t child{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &child, WEXITED) == 0) how_ = child;
  ended_ = true;
}

// False when nobody can write any more.
bool Watch::CopyOutput() {
  const ssize_t got = read(output_, buffer, sizeof(buffer));
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0) return false;
  log_.Write(buffer, static_cast<std::size_t>(got), NowMicros());
  if (spec_.tty) terminal_.Show(buffer, static_cast<std::size_t>(got));
  if (got == sizeof(buffer) && !grown_ && !spec_.tty) {
    grown_ = true;
    fcntl(output_, F_SETPIPE_SZ, 1 << 20);
  }
  return true;
}

// Every writer is gone, so what is not there now never comes.
void Watch::DrainOutput() {
  while (output_ >= 0) {
    pollfd ready{output_, POLLIN, 0};
    if (poll(&ready, 1, 0) <= 0 || !CopyOutput()) return;
  }
}

void Watch::CleanUp() {
  oom_kills_ = CountOomKills(spec_);
  EndGroups(spec_, pid_);
  DrainOutput();
  RemoveMountPoints();
  if (spec_.tty) terminal_.Close();
  EmptyFolder(folder_, kTmpName);
  RemoveTree(folder_, kFilesName);
}

// All of the task's processes have been waited for, by their parents or by us.
void CountUse(End& end) {
  constexpr std::int64_t kMicros = 1'000'000;
  constexpr std::int64_t kBlock = 512;
  rusage use{};
  if (getrusage(RUSAGE_CHILDREN, &use) != 0) return;
  end.cpu = (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * kMicros + use.ru_utime.tv_usec +
            use.ru_stime.tv_usec;
  end.memory = use.ru_maxrss;
  end.read = use.ru_inblock * kBlock;
  end.write = use.ru_oublock * kBlock;
}

End Watch::Describe(Line& message) const {
  End end;
  CountUse(end);
  end.started = started_;
  end.log = log_.written();
  const bool exited = how_.si_code == CLD_EXITED;
  (exited ? end.code : end.signal) = how_.si_status;
  if (exited && how_.si_status == 0) {
    end.cause = "Completed";
    message << "the command ended well";
  } else if (oom_kills_ > 0) {
    end.cause = "OutOfMemory";
    message << "the kernel killed it: it used more memory than its limit";
  } else if (exited) {
    end.cause = "Exit";
    message << "the command exited with code " << how_.si_status;
  } else {
    end.cause = "Signal";
    message << "the command was ended by signal " << how_.si_status << " ("
            << SignalName(how_.si_status) << ")";
  }
  if (killed_ && stop_.grace_ms > 0)
    message << "; it had not ended within " << stop_.grace_ms / 1000 << " s of signal "
            << stop_.signal;
  end.message = message.text();
  return end;
}

End DescribeFailure(const Failure& failure, Line& message) {
  message << failure.step << " " << failure.thing;
  if (failure.error != 0) message << ": " << strerrordesc_np(failure.error);
  End end;
  end.cause = "LaunchFailed";
  end.message = message.text();
  return end;
}

// As a shell would put it: a batch system shows the shim's own code to people.
int ShellCode(const End& end) {
  constexpr int kNotRun = 127;
  if (end.code >= 0) return static_cast<int>(end.code);
  return end.signal > 0 ? 128 + static_cast<int>(end.signal) : kNotRun;
}

int Watch::Run() {
  Line message;
  const Failure failure = Start();
  if (failure.step == nullptr) {
    started_ = NowMicros();
    heard_ = NoteStarted(spec_, state_, pid_, started_);
    Loop();
  }
  CleanUp();
  const End end = failure.step == nullptr ? Describe(message) : DescribeFailure(failure, message);
  if (!WriteEnd(spec_, state_, end)) return 1;
  return spec_.mark == nullptr ? 0 : ShellCode(end);
}

}  // namespace

int WatchTask() {
  // What the server gave us to hold over its restarts is not for the command.
  fcntl(kKeptFd, F_SETFD, FD_CLOEXEC);
  const int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int file = open(kSpecName, O_RDONLY | O_CLOEXEC);
  if (folder < 0 || file < 0) return 0;
  // Some network file systems have no locks; there the exclusive `state` keeps a second one out.
  if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return 0;
  static Spec spec;
  int state = -1;
  if (!ReadSpec(file, &spec)) return 0;
  if (spec.container != nullptr) {
    const Taken taken = TakeAgain(&state);
    return taken == Taken::kNo ? 0 : WatchContainer(spec, {folder, state, taken == Taken::kAgain});
  }
  if (!TakeTask(&state)) return 0;
  static Watch watch(spec, folder, state);
  return watch.Run();
}

}  // namespace yard::shim
