#include "shim/contained.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/container_groups.h"
#include "shim/container_processes.h"
#include "shim/format.h"
#include "shim/frames.h"
#include "shim/groups.h"
#include "shim/http.h"
#include "shim/log_writer.h"
#include "shim/mounts.h"
#include "shim/records.h"
#include "shim/terminal.h"
#include "shim/text.h"
#include "shim/tree.h"
#include "shim/upper.h"

namespace yard::shim {
namespace {

constexpr std::int64_t kNever = INT64_MAX;
constexpr int kDefaultGraceMs = 30'000;
constexpr int kTickMs = 20;
constexpr int kResizeMs = 50;
constexpr int kReconnectMs = 500;
constexpr int kKillAgainMs = 5'000;
constexpr int kDrainMs = 5'000;
// How long a daemon may be away after the container's end before its exit code is given up.
constexpr int kAwayMs = 60'000;
constexpr int kSignalCodes = 128;  // exit codes from here on tell of a signal
char buffer[64 << 10];

enum class Wait { kRunning, kEnded, kLost };

class Contained {
 public:
  Contained(const Spec& spec, const Place& place, std::int64_t written)
      : spec_(spec), place_(place), log_(place.folder, spec.log_limit, written) {}

  int Run();

 private:
  bool Prepare();
  bool Start();
  enum class Found { kFresh, kStarted, kReset };
  Found LookAtIt() const;
  void Refuse(const char* words);
  void Note();
  void Loop();
  int WaitMs() const;
  void Reconnect();
  void Attach();
  void ServeSignals();
  void TakeStop(StopOrder order);
  void Signal(int signal);
  void CheckDeadline();
  void CheckDeaf();
  void TakeAnswer();
  void Lose(const char* why);
  bool CopyOutput();
  void Drain();
  void CleanUp();
  End Describe(Line& message) const;
  Answer Order(const char* method, const char* verb) const;
  static void Resize(void* self, TtySize size);

  const Spec& spec_;
  const Place place_;
  LogWriter log_;
  FrameReader frames_;
  Terminal terminal_;
  ContainerProcesses processes_;
  OomWatch oom_;
  Question waiting_;
  int signals_ = -1;
  int stream_ = -1;
  pid_t pid_ = 0;
  std::int64_t started_ = -1;
  Heard heard_ = Heard::kYes;
  Wait wait_ = Wait::kRunning;
  std::int64_t code_ = -1;
  const char* lost_ = "";
  char layer_[2048] = {};  // the container's own
  LeftFiles left_;
  std::int64_t away_since_ = kNever;
  std::int64_t reconnect_at_ = kNever;
  std::int64_t kill_at_ = kNever;
  StopOrder stop_{0, 0};
  bool killed_ = false;
  int stood_for_ = 0;  // the signal that SIGKILL was sent for
  bool out_of_memory_ = false;
};

Answer Contained::Order(const char* method, const char* verb) const {
  Line target;
  target << "/containers/" << spec_.container << verb;
  return Ask(spec_.daemon, method, target.text());
}

void Contained::Resize(void* self, TtySize size) {
  Line verb;
  verb << "/resize?h=" << size.rows << "&w=" << size.columns;
  static_cast<Contained*>(self)->Order("POST", verb.text());
  // Podman answers a moment before the size is set, and what is typed next counts on it.
  poll(nullptr, 0, kResizeMs);
}

void Contained::Refuse(const char* words) {
  const int fd = open("refusal.tmp", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return;
  if (write(fd, words, strlen(words)) >= 0) rename("refusal.tmp", kRefusalName);
  close(fd);
}

bool Contained::Prepare() {
  sigset_t heard;
  sigfillset(&heard);
  sigprocmask(SIG_SETMASK, &heard, nullptr);
  sigemptyset(&heard);
  sigaddset(&heard, SIGTERM);
  sigaddset(&heard, SIGRTMIN + kStopOffset);
  signals_ = signalfd(-1, &heard, SFD_NONBLOCK | SFD_CLOEXEC);
  Failure failure = MakeGroups(spec_);
  if (failure.step == nullptr && spec_.tty) failure = terminal_.OpenOn(-1, &Resize, this);
  if (failure.step == nullptr) {
    oom_.Open(spec_);
    return true;
  }
  Line line;
  line << failure.step << " " << failure.thing;
  if (failure.error != 0) line << ": " << strerrordesc_np(failure.error);
  Refuse(line.text());
  return false;
}

// What to do about a container that another shim had: one that ran must not be started again.
Contained::Found Contained::LookAtIt() const {
  if (!place_.again) return Found::kFresh;
  char noted[4096];
  const bool ran = ReadFile(kStateName, noted, sizeof(noted)) > 0 && strstr(noted, "\nstarted=");
  const Answer about = Order("GET", "/json");
  char state[32];
  FindText(about.body, "Status", state, sizeof(state));
  const bool fresh = strcmp(state, "created") == 0 || strcmp(state, "configured") == 0 ||
                     strcmp(state, "initialized") == 0;
  if (!fresh) return Found::kStarted;
  return ran ? Found::kReset : Found::kFresh;
}

void Contained::Attach() {
  Line target;
  target << "/containers/" << spec_.container << "/attach?stream=true&stdout=true&stderr=true";
  if (spec_.tty) target << "&stdin=true";
  Answer refusal;
  frames_ = FrameReader();
  stream_ = OpenStream(spec_.daemon, target.text(), &refusal);
  if (stream_ >= 0) fcntl(stream_, F_SETFL, O_NONBLOCK);
  terminal_.SetStream(stream_);
}

bool Contained::Start() {
  const Found found = LookAtIt();
  // A daemon takes the containers of before a restart of the machine for new ones.
  if (found == Found::kReset) Lose("the machine went down; the exit code is not known");
  if (found == Found::kReset) return true;
  Attach();
  if (found == Found::kStarted) return true;
  const Answer answer = Order("POST", "/start");
  if (answer.status >= 400 || answer.status == 0) {
    static char words[4096];
    FindText(answer.body, "message", words, sizeof(words));
    Refuse(answer.status == 0 ? "the container daemon went away" : words);
    return false;
  }
  started_ = NowMicros();
  if (spec_.tty) Resize(this, {24, 80});
  return true;
}

void Contained::Note() {
  const Answer about = Order("GET", "/json");
  const std::int64_t pid = FindNumber(about.body, "Pid");
  pid_ = pid > 0 ? static_cast<pid_t>(pid) : 0;
  processes_.Open(pid_);
  if (started_ >= 0) heard_ = NoteStarted(spec_, place_.state, pid_, started_);
}

int Contained::WaitMs() const {
  const std::int64_t now = MonotonicMillis();
  std::int64_t until = kNever;
  if (heard_ == Heard::kTryAgain || processes_.IsDeaf()) until = now + kTickMs;
  if (kill_at_ < until) until = kill_at_;
  if (reconnect_at_ < until) until = reconnect_at_;
  if (until == kNever) return -1;
  return until <= now ? 0 : until - now > 60'000 ? 60'000 : static_cast<int>(until - now);
}

void Contained::Loop() {
  if (wait_ == Wait::kRunning) Reconnect();
  while (wait_ == Wait::kRunning) {
    pollfd polls[3 + Terminal::kPolls] = {
        {signals_, POLLIN, 0}, {stream_, POLLIN, 0}, {waiting_.fd(), POLLIN, 0}};
    if (spec_.tty) terminal_.Prepare(polls + 3);
    poll(polls, spec_.tty ? 3 + Terminal::kPolls : 3, WaitMs());
    if (heard_ == Heard::kTryAgain) heard_ = TellStarted(spec_, pid_, started_);
    if (polls[0].revents != 0) ServeSignals();
    if (polls[1].revents != 0 && !CopyOutput()) {
      close(stream_);
      stream_ = -1;
      terminal_.SetStream(-1);  // its number may soon be somebody else's
      reconnect_at_ = MonotonicMillis() + kReconnectMs;
    }
    if (polls[2].revents != 0) TakeAnswer();
    if (spec_.tty) terminal_.Serve(polls + 3);
    if (MonotonicMillis() >= reconnect_at_) Reconnect();
    CheckDeaf();
    CheckDeadline();
  }
}

// The daemon may have been restarted, and the container may go on without it.
void Contained::Reconnect() {
  reconnect_at_ = kNever;
  if (stream_ < 0 && processes_.IsAlive()) Attach();
  if (waiting_.fd() < 0) {
    Line target;
    target << "/containers/" << spec_.container << "/wait";
    if (waiting_.Send(spec_.daemon, "POST", target.text())) {
      away_since_ = kNever;
    } else {
      const std::int64_t now = MonotonicMillis();
      if (away_since_ == kNever || processes_.IsAlive()) away_since_ = now;
      if (now - away_since_ > kAwayMs)
        Lose("the container daemon went away before it told how the task ended");
    }
  }
  const bool whole = waiting_.fd() >= 0 && (stream_ >= 0 || !processes_.IsAlive());
  if (!whole) reconnect_at_ = MonotonicMillis() + kReconnectMs;
}

void Contained::Lose(const char* why) {
  wait_ = Wait::kLost;
  lost_ = why;
}

void Contained::TakeAnswer() {
  Answer answer;
  if (!waiting_.Receive(&answer)) return;
  code_ = FindNumber(answer.body, "StatusCode");
  if (answer.status == 200 && code_ >= 0)
    wait_ = Wait::kEnded;
  else if (answer.status == 200 || answer.status == 404)
    Lose("somebody removed the container");
  else
    reconnect_at_ = MonotonicMillis() + kReconnectMs;
}

void Contained::ServeSignals() {
  signalfd_siginfo got{};
  while (read(signals_, &got, sizeof(got)) == sizeof(got)) {
    if (got.ssi_signo == SIGTERM) TakeStop({SIGTERM, kDefaultGraceMs});
    if (static_cast<int>(got.ssi_signo) == SIGRTMIN + kStopOffset)
      TakeStop(UnpackStop(got.ssi_ptr));
  }
}

void Contained::TakeStop(StopOrder order) {
  const std::int64_t at = MonotonicMillis() + order.grace_ms;
  if (at < kill_at_) kill_at_ = at;
  stop_ = order;
  if (order.grace_ms > 0) Signal(order.signal);
}

void Contained::Signal(int signal) {
  if (processes_.Signal(signal)) return;
  Line verb;
  verb << "/kill?signal=" << signal;
  Order("POST", verb.text());
}

void Contained::CheckDeadline() {
  if (kill_at_ == kNever || MonotonicMillis() < kill_at_) return;
  killed_ = true;
  kill_at_ = MonotonicMillis() + kKillAgainMs;
  if (!processes_.Kill()) Order("POST", "/kill?signal=9");
}

void Contained::CheckDeaf() {
  if (!processes_.IsDeaf() || stood_for_ != 0 || !processes_.IsAlone()) return;
  if (processes_.Kill()) stood_for_ = stop_.signal;
}

// False when the stream has ended.
bool Contained::CopyOutput() {
  const ssize_t got = read(stream_, buffer, sizeof(buffer));
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0) return false;
  const char* at = buffer;
  const char* end = buffer + got;
  if (spec_.tty) {
    log_.Write(at, static_cast<std::size_t>(got), NowMicros());
    terminal_.Show(at, static_cast<std::size_t>(got));
    return true;
  }
  for (auto piece = frames_.Next(&at, end); piece.size > 0; piece = frames_.Next(&at, end))
    log_.Write(piece.bytes, piece.size, NowMicros());
  return true;
}

// The daemon closes the stream soon after the end.
void Contained::Drain() {
  const std::int64_t until = MonotonicMillis() + kDrainMs;
  while (stream_ >= 0) {
    pollfd ready{stream_, POLLIN, 0};
    const std::int64_t left = until - MonotonicMillis();
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) <= 0 || !CopyOutput()) return;
  }
}

void Contained::CleanUp() {
  waiting_.Close();
  if (wait_ == Wait::kEnded) {
    const Answer about = Order("GET", "/json");
    out_of_memory_ = FindTrue(about.body, "OOMKilled");
    // Podman may answer a wait before it knows the code.
    if (const auto code = FindNumber(about.body, "ExitCode"); code_ == 0 && code > 0) code_ = code;
    // Podman answers code 0 for one that went away under its hands.
    if (about.status == 404) Lose("somebody removed the container");
    FindTextIn(about.body, {"GraphDriver", "UpperDir"}, layer_, sizeof(layer_));
    Drain();
  }
  out_of_memory_ = oom_.Happened(spec_) || out_of_memory_;
  left_ = FilesIn(layer_);
  Order("DELETE", "?force=true&v=true");
  if (spec_.tty) terminal_.Close();
  RemoveParentGroups(spec_);
  RemoveSharedMounts(spec_);
  rmdir(kMountsName);
  EmptyFolder(place_.folder, kTmpName);
  RemoveTree(place_.folder, kFilesName);
}

// People who wrote their results into the container learn it from the end of the work.
void AddLeft(const LeftFiles& left, Line& message) {
  if (left.files == 0) return;
  const bool small = left.bytes < 10 << 10;
  message << "; " << (left.is_all ? "" : "more than ") << left.files
          << (left.files == 1 ? " file" : " files") << " that it wrote into its container ("
          << (small ? left.bytes : left.bytes >> 10) << (small ? " bytes, " : " KiB, ")
          << left.first << ") went with it: keep files in a volume or below $GPUYARD_OUTPUT";
}

End Contained::Describe(Line& message) const {
  End end;
  end.started = started_;
  end.log = log_.written();
  end.message = message.text();
  if (wait_ == Wait::kLost) {
    end.cause = "NodeLost";
    message << lost_;
    return end;
  }
  const bool by_signal = code_ > kSignalCodes && code_ <= kSignalCodes + 64;
  end.signal = by_signal ? stood_for_ != 0 ? stood_for_ : code_ - kSignalCodes : -1;
  end.code = by_signal ? -1 : code_;
  if (out_of_memory_) {
    end.cause = "OutOfMemory";
    message << "the kernel killed it: it used more memory than its limit";
    // Podman tells code 0 for a container whose end it missed meanwhile: success is not certain.
    if (code_ == 0) message << " (it lost a process, and the daemon told code 0)";
  } else if (code_ == 0) {
    end.cause = "Completed";
    message << "the command ended well";
  } else if (!by_signal) {
    end.cause = "Exit";
    message << "the command exited with code " << code_;
  } else {
    end.cause = "Signal";
    message << "the command was ended by signal " << end.signal << " ("
            << SignalName(static_cast<int>(end.signal)) << ")";
  }
  if (killed_ && stop_.grace_ms > 0)
    message << "; it had not ended within " << stop_.grace_ms / 1000 << " s of signal "
            << stop_.signal;
  AddLeft(left_, message);
  return end;
}

int Contained::Run() {
  if (!Prepare() || !Start()) {
    CleanUp();
    return 0;
  }
  Note();
  Loop();
  CleanUp();
  Line message;
  return WriteEnd(spec_, place_.state, Describe(message)) ? 0 : 1;
}

// Where the log of an earlier shim ended.
std::int64_t LogEnd(const Spec& spec, int folder) {
  std::int64_t end = 0;
  DIR* entries = fdopendir(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (entries == nullptr) return 0;
  while (const dirent* entry = readdir(entries)) {
    if (strncmp(entry->d_name, kLogPrefix, strlen(kLogPrefix)) != 0) continue;
    const std::int64_t index = ParseNumber(entry->d_name + strlen(kLogPrefix));
    struct stat about{};
    if (index < 0 || fstatat(folder, entry->d_name, &about, 0) != 0) continue;
    const std::int64_t here = index * LogPiece(spec.log_limit) + about.st_size;
    if (here > end) end = here;
  }
  closedir(entries);
  return end;
}

}  // namespace

int WatchContainer(const Spec& spec, const Place& place) {
  static Contained contained(spec, place, place.again ? LogEnd(spec, place.folder) : 0);
  return contained.Run();
}

}  // namespace yard::shim
