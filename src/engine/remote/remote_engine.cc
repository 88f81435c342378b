#include "engine/remote/remote_engine.h"

#include <sys/socket.h>

#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "engine/remote/lines.h"

namespace yard::engine {
namespace {

using remote::Answered;
using remote::Begun;
using remote::CallKind;
using remote::EventKind;
using remote::Lines;

class RemoteSession final : public Session {
 public:
  RemoteSession(Lines& lines, Answered<Begun> begun)
      : lines_(lines), begun_(begun.value), fds_(std::move(begun.descriptors)) {}
  ~RemoteSession() override {
    if (!lines_.Tell(CallKind::kEndSession, begun_.session)) return;  // it went with its process
  }

  static bool Fits(const Answered<Begun>& begun) {
    const bool own_input = begun.value.takes_input && !begun.value.input_is_output;
    return begun.descriptors.size() == 2U + own_input + begun.value.has_error;
  }

  int output() const override { return fds_[0].get(); }
  int ended() const override { return fds_[1].get(); }
  int input() const override {
    if (!begun_.takes_input) return -1;
    return begun_.input_is_output ? output() : fds_[2].get();
  }
  int error() const override { return begun_.has_error ? fds_.back().get() : -1; }
  void CloseInput() override {
    if (begun_.takes_input && !begun_.input_is_output) fds_[2].Reset();
    if (!lines_.Tell(CallKind::kCloseInput, begun_.session)) return;
  }
  Status Resize(std::uint16_t rows, std::uint16_t columns) override {
    return lines_.Tell(CallKind::kResize, begun_.session, rows, columns);
  }
  Result<std::int32_t> Wait() override {
    return lines_.Ask<std::int32_t>(CallKind::kWait, begun_.session);
  }

 private:
  Lines& lines_;
  const Begun begun_;
  std::vector<UniqueFd> fds_;
};

// Who wants to hear that a log has grown.
struct Watcher {
  std::function<void()> grown;
  std::recursive_mutex mutex;  // held while `grown` runs
  bool gone = false;           // guarded by mutex

  void Call() {
    std::lock_guard hold(mutex);
    if (!gone) grown();
  }
};

class Client final : public RemoteEngine {
 public:
  explicit Client(UniqueFd control) : lines_(std::move(control)) {}
  ~Client() override;

  Status Begin(std::function<void()> lost);
  const std::vector<std::string>& closed_folders() const override { return opened_.closed; }
  Result<std::string> ResolvePath(const std::string& path) override {
    return lines_.Ask<std::string>(CallKind::kResolvePath, path);
  }

  Capabilities capabilities() const override { return opened_.can; }
  Result<std::vector<NodeState>> Nodes() override {
    return lines_.Ask<std::vector<NodeState>>(CallKind::kNodes);
  }
  Result<std::vector<TaskStatus>> Adopt(Listener listener) override;
  Status Launch(TaskSpec spec) override { return lines_.Tell(CallKind::kLaunch, spec); }
  Status Stop(const TaskKey& key, const StopOptions& options) override {
    return lines_.Tell(CallKind::kStop, key, options);
  }
  Status SetGpuLimits(const TaskKey& key, std::span<const GpuGrant> gpus) override {
    return lines_.Tell(CallKind::kSetGpuLimits, key,
                       std::vector<GpuGrant>(gpus.begin(), gpus.end()));
  }
  Status Park(const TaskKey& key) override { return lines_.Tell(CallKind::kPark, key); }
  Status Unpark(const TaskKey& key) override { return lines_.Tell(CallKind::kUnpark, key); }
  std::vector<TaskStatus> StatusOf(std::span<const TaskKey> keys) override;
  std::vector<TaskUsage> UsageOf(std::span<const TaskKey> keys) override;
  void Forget(const TaskKey& key) override {
    if (!lines_.Tell(CallKind::kForget, key)) return;  // the next life forgets it
  }
  Result<std::unique_ptr<Session>> Exec(const TaskKey& key, const ExecSpec& spec) override {
    return BeginSession(CallKind::kExec, key, spec);
  }
  Result<std::unique_ptr<Session>> Attach(const TaskKey& key) override {
    return BeginSession(CallKind::kAttach, key);
  }
  Result<LogChunk> ReadLog(const TaskKey& key, std::int64_t offset, std::size_t limit) override {
    return lines_.Ask<LogChunk>(CallKind::kReadLog, key, offset, limit);
  }
  Result<std::int64_t> LogOffsetAt(const TaskKey& key, Time at) override {
    return lines_.Ask<std::int64_t>(CallKind::kLogOffsetAt, key, at);
  }
  Result<std::unique_ptr<LogWatch>> WatchLog(const TaskKey& key,
                                             std::function<void()> grown) override;
  Result<UniqueFd> ConnectPort(const TaskKey& key, std::uint16_t port) override;
  Result<std::unique_ptr<Session>> ReadFiles(const TaskKey& key, const std::string& path) override {
    return BeginSession(CallKind::kReadFiles, key, path);
  }
  Result<std::unique_ptr<Session>> WriteFiles(const TaskKey& key,
                                              const std::string& path) override {
    return BeginSession(CallKind::kWriteFiles, key, path);
  }
  Result<std::unique_ptr<Session>> ListOutput(const TaskKey& key,
                                              const std::string& path) override {
    return BeginSession(CallKind::kListOutput, key, path);
  }

 private:
  class Watch;

  template <class... Arguments>
  Result<std::unique_ptr<Session>> BeginSession(CallKind kind, const Arguments&... arguments) {
    YARD_ASSIGN(Answered<Begun> begun, lines_.AskWith<Begun>({}, kind, arguments...));
    if (!RemoteSession::Fits(begun))
      return Fail(Code::kUnavailable, "the session came without its streams");
    return std::make_unique<RemoteSession>(lines_, std::move(begun));
  }
  void Hear(const std::stop_token& stop, const std::function<void()>& lost);
  void Take(const remote::Message& event);
  void CallWatcher(std::int64_t watch);

  Lines lines_;
  remote::Opened opened_;
  std::mutex mutex_;
  Listener listener_;                                         // guarded by mutex_
  std::map<std::int64_t, std::shared_ptr<Watcher>> watches_;  // guarded by mutex_
  std::int64_t last_watch_ = 0;                               // guarded by mutex_
  UniqueFd events_;
  std::jthread hearing_;
};

class Client::Watch final : public LogWatch {
 public:
  Watch(Client& client, std::int64_t number, std::shared_ptr<Watcher> watcher)
      : client_(client), number_(number), watcher_(std::move(watcher)) {}
  ~Watch() override {
    {
      std::lock_guard hold(client_.mutex_);
      client_.watches_.erase(number_);
    }
    {
      std::lock_guard hold(watcher_->mutex);
      watcher_->gone = true;
    }
    if (!client_.lines_.Tell(CallKind::kUnwatchLog, number_)) return;
  }

 private:
  Client& client_;
  const std::int64_t number_;
  const std::shared_ptr<Watcher> watcher_;
};

Client::~Client() {
  hearing_.request_stop();
  if (events_) ::shutdown(events_.get(), SHUT_RDWR);
}

Status Client::Begin(std::function<void()> lost) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Fail(Code::kUnavailable, "cannot make a socket for the engine's words");
  events_ = UniqueFd(ends[0]);
  const UniqueFd theirs(ends[1]);
  const int given = theirs.get();
  YARD_ASSIGN(Answered<remote::Opened> opened,
              lines_.AskWith<remote::Opened>(std::span(&given, 1), CallKind::kOpen));
  opened_ = std::move(opened.value);
  hearing_ = std::jthread(
      [this, lost = std::move(lost)](const std::stop_token& stop) { Hear(stop, lost); });
  return {};
}

void Client::Hear(const std::stop_token& stop, const std::function<void()>& lost) {
  while (std::optional<remote::Message> event = remote::Receive(events_.get())) Take(*event);
  if (!stop.stop_requested() && lost) lost();
}

void Client::Take(const remote::Message& event) {
  remote::ValueReader in(event.bytes);
  EventKind kind{};
  in(kind);
  auto tell = [&]<class T>(const std::function<void(const T&)> Listener::* word, T value) {
    in(value);
    std::function<void(const T&)> told;
    {
      std::lock_guard hold(mutex_);
      told = listener_.*word;
    }
    if (in.whole() && told) told(value);
  };
  switch (kind) {
    case EventKind::kTask:
      return tell(&Listener::on_task, TaskStatus());
    case EventKind::kNote:
      return tell(&Listener::on_note, TaskNote());
    case EventKind::kNodes:
      return tell(&Listener::on_nodes, std::vector<NodeState>());
    case EventKind::kLost:
      return tell(&Listener::on_lost, Error());
    case EventKind::kLogGrown: {
      std::int64_t watch = 0;
      in(watch);
      return CallWatcher(watch);
    }
  }
}

void Client::CallWatcher(std::int64_t watch) {
  std::shared_ptr<Watcher> watcher;
  {
    std::lock_guard hold(mutex_);
    if (auto found = watches_.find(watch); found != watches_.end()) watcher = found->second;
  }
  if (watcher) watcher->Call();
}

Result<std::vector<TaskStatus>> Client::Adopt(Listener listener) {
  {
    std::lock_guard hold(mutex_);
    listener_ = std::move(listener);
  }
  return lines_.Ask<std::vector<TaskStatus>>(CallKind::kAdopt);
}

// Without an answer nothing can be said of any of them.
std::vector<TaskStatus> Client::StatusOf(std::span<const TaskKey> keys) {
  auto told = lines_.Ask<std::vector<TaskStatus>>(CallKind::kStatusOf,
                                                  std::vector<TaskKey>(keys.begin(), keys.end()));
  if (told && told->size() == keys.size()) return *std::move(told);
  return {};
}

std::vector<TaskUsage> Client::UsageOf(std::span<const TaskKey> keys) {
  return lines_
      .Ask<std::vector<TaskUsage>>(CallKind::kUsageOf,
                                   std::vector<TaskKey>(keys.begin(), keys.end()))
      .value_or(std::vector<TaskUsage>());
}

Result<std::unique_ptr<LogWatch>> Client::WatchLog(const TaskKey& key,
                                                   std::function<void()> grown) {
  auto watcher = std::make_shared<Watcher>();
  watcher->grown = std::move(grown);
  std::int64_t number = 0;
  {
    std::lock_guard hold(mutex_);
    number = ++last_watch_;
    watches_[number] = watcher;
  }
  auto watch = std::make_unique<Watch>(*this, number, watcher);
  YARD_TRY(lines_.Tell(CallKind::kWatchLog, key, number));
  return watch;
}

Result<UniqueFd> Client::ConnectPort(const TaskKey& key, std::uint16_t port) {
  YARD_ASSIGN(Answered<bool> answered, lines_.AskWith<bool>({}, CallKind::kConnectPort, key, port));
  if (answered.descriptors.size() != 1)
    return Fail(Code::kUnavailable, "the connection came without its stream");
  return std::move(answered.descriptors.front());
}

}  // namespace

Result<std::unique_ptr<RemoteEngine>> RemoteEngine::Open(UniqueFd control,
                                                         std::function<void()> lost) {
  auto client = std::make_unique<Client>(std::move(control));
  YARD_TRY(client->Begin(std::move(lost)));
  return client;
}

}  // namespace yard::engine
