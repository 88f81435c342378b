#include "engine/remote/serve_engine.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>

#include "engine/remote/calls.h"
#include "engine/remote/messages.h"

namespace yard::engine {
namespace {

using remote::Begun;
using remote::CallKind;
using remote::EventKind;
using remote::Message;
using remote::ValueReader;
using remote::ValueWriter;

constexpr std::int64_t kLargestChunk = 16 << 20;

// What goes back: bytes, and descriptors that somebody else keeps open until it is sent.
struct Reply {
  std::string bytes;
  std::vector<int> descriptors = {};
  UniqueFd own = {};                      // one of them, if nobody else has it
  std::shared_ptr<Session> session = {};  // keeps its descriptors open
};

template <class T>
Reply Say(const T& value) {
  ValueWriter out;
  out(true, value);
  return {.bytes = out.Take()};
}

Reply Say(const Error& error) {
  ValueWriter out;
  out(false, error);
  return {.bytes = out.Take()};
}

Reply Say(const Status& status) {
  return status ? Say(true) : Say(status.error());
}

template <class T>
Reply Say(const Result<T>& result) {
  return result ? Say(*result) : Say(result.error());
}

// Words that nobody asked for, from any thread.
class Events {
 public:
  explicit Events(UniqueFd socket) : socket_(std::move(socket)) {}
  template <class... T>
  void Tell(EventKind kind, const T&... values) {
    ValueWriter out;
    out(kind, values...);
    std::lock_guard hold(mutex_);
    if (!remote::Send(socket_.get(), out.Take())) return;  // the other side is gone
  }

 private:
  std::mutex mutex_;
  const UniqueFd socket_;
};

class Sessions {
 public:
  Reply Begin(Result<std::unique_ptr<Session>> begun) {
    if (!begun) return Say(begun.error());
    const std::shared_ptr<Session> session = *std::move(begun);
    const int input = session->input();
    Begun words{.takes_input = input >= 0,
                .input_is_output = input == session->output(),
                .has_error = session->error() >= 0};
    std::vector<int> descriptors = {session->output(), session->ended()};
    if (words.takes_input && !words.input_is_output) descriptors.push_back(input);
    if (words.has_error) descriptors.push_back(session->error());
    {
      std::lock_guard hold(mutex_);
      words.session = ++last_;
      sessions_[last_] = session;
    }
    Reply reply = Say(words);
    reply.descriptors = std::move(descriptors);
    reply.session = session;
    return reply;
  }
  std::shared_ptr<Session> Find(std::int64_t number) {
    std::lock_guard hold(mutex_);
    auto found = sessions_.find(number);
    return found == sessions_.end() ? nullptr : found->second;
  }
  void End(std::int64_t number) {
    std::shared_ptr<Session> ended;
    std::lock_guard hold(mutex_);
    auto found = sessions_.find(number);
    if (found == sessions_.end()) return;
    ended = std::move(found->second);
    sessions_.erase(found);
  }
  void Clear() {
    std::map<std::int64_t, std::shared_ptr<Session>> all;
    std::lock_guard hold(mutex_);
    all.swap(sessions_);
  }

 private:
  std::mutex mutex_;
  std::map<std::int64_t, std::shared_ptr<Session>> sessions_;  // guarded by mutex_
  std::int64_t last_ = 0;                                      // guarded by mutex_
};

class Server {
 public:
  explicit Server(ServedEngine served) : served_(std::move(served)) {}

  void Run(const UniqueFd& control);

 private:
  void ServeLine(const UniqueFd& line);
  std::optional<Reply> Answer(Message request, int line);
  std::optional<Reply> AnswerAboutTasks(CallKind kind, ValueReader& in);
  std::optional<Reply> AnswerFromInside(CallKind kind, ValueReader& in);
  std::optional<Reply> AnswerAboutSessions(CallKind kind, ValueReader& in, int line);
  Reply Open(std::vector<UniqueFd> descriptors);
  Reply Adopt();
  Reply Launch(TaskSpec spec);
  Reply WatchLog(const TaskKey& key, std::int64_t number);
  Reply UnwatchLog(std::int64_t number);
  Reply ConnectPort(const TaskKey& key, std::uint16_t port);
  Reply Wait(Session& session, int line);

  // Reads the arguments and hands them on; nothing if they are not whole.
  template <class... Arguments, class Call>
  static std::optional<Reply> With(ValueReader& in, Call call) {
    std::tuple<Arguments...> arguments;
    std::apply([&](Arguments&... each) { in(each...); }, arguments);
    if (!in.whole()) return std::nullopt;
    return std::apply(call, arguments);
  }

  const ServedEngine served_;
  std::mutex opening_;
  std::unique_ptr<Events> events_;          // outlives the engine, which uses it
  std::unique_ptr<CompleteEngine> engine_;  // set once, by kOpen
  std::atomic<bool> is_open_ = false;       // then the two above do not change any more
  Sessions sessions_;
  std::mutex mutex_;
  std::map<std::int64_t, std::unique_ptr<LogWatch>> watches_;  // guarded by mutex_
};

void Server::Run(const UniqueFd& control) {
  struct Line {
    UniqueFd socket;
    std::atomic<bool> ended = false;
    std::jthread thread;
  };
  std::list<Line> lines;
  while (std::optional<Message> request = remote::Receive(control.get())) {
    std::erase_if(lines, [](const Line& line) { return line.ended.load(); });
    for (UniqueFd& given : request->descriptors) {
      Line& line = lines.emplace_back();
      line.socket = std::move(given);
      line.thread = std::jthread([this, &line] {
        ServeLine(line.socket);
        ::shutdown(line.socket.get(), SHUT_RDWR);  // closed when the list is looked through
        line.ended = true;
      });
    }
  }
  for (const Line& line : lines) ::shutdown(line.socket.get(), SHUT_RDWR);
  lines.clear();
  sessions_.Clear();
  std::lock_guard hold(mutex_);
  watches_.clear();
}

void Server::ServeLine(const UniqueFd& line) {
  while (std::optional<Message> request = remote::Receive(line.get())) {
    const std::optional<Reply> reply = Answer(*std::move(request), line.get());
    if (!reply || !remote::Send(line.get(), reply->bytes, reply->descriptors)) return;
  }
}

std::optional<Reply> Server::Answer(Message request, int line) {
  ValueReader in(request.bytes);
  CallKind kind{};
  in(kind);
  if (!in.good()) return std::nullopt;
  if (kind == CallKind::kOpen) return Open(std::move(request.descriptors));
  if (!is_open_) return std::nullopt;
  if (kind >= CallKind::kCloseInput) return AnswerAboutSessions(kind, in, line);
  return kind >= CallKind::kExec ? AnswerFromInside(kind, in) : AnswerAboutTasks(kind, in);
}

std::optional<Reply> Server::AnswerAboutTasks(CallKind kind, ValueReader& in) {
  CompleteEngine& engine = *engine_;
  switch (kind) {
    case CallKind::kNodes:
      return With<>(in, [&] { return Say(engine.Nodes()); });
    case CallKind::kAdopt:
      return With<>(in, [&] { return Adopt(); });
    case CallKind::kLaunch:
      return With<TaskSpec>(in, [&](TaskSpec& spec) { return Launch(std::move(spec)); });
    case CallKind::kStop:
      return With<TaskKey, StopOptions>(
          in, [&](auto& key, auto& options) { return Say(engine.Stop(key, options)); });
    case CallKind::kSetGpuLimits:
      return With<TaskKey, std::vector<GpuGrant>>(
          in, [&](auto& key, auto& gpus) { return Say(engine.SetGpuLimits(key, gpus)); });
    case CallKind::kPark:
      return With<TaskKey>(in, [&](auto& key) { return Say(engine.Park(key)); });
    case CallKind::kUnpark:
      return With<TaskKey>(in, [&](auto& key) { return Say(engine.Unpark(key)); });
    case CallKind::kStatusOf:
      return With<std::vector<TaskKey>>(in, [&](auto& keys) { return Say(engine.StatusOf(keys)); });
    case CallKind::kUsageOf:
      return With<std::vector<TaskKey>>(in, [&](auto& keys) { return Say(engine.UsageOf(keys)); });
    case CallKind::kForget:
      return With<TaskKey>(in, [&](auto& key) {
        engine.Forget(key);
        return Say(true);
      });
    default:
      return std::nullopt;
  }
}

std::optional<Reply> Server::AnswerFromInside(CallKind kind, ValueReader& in) {
  CompleteEngine& engine = *engine_;
  switch (kind) {
    case CallKind::kExec:
      return With<TaskKey, ExecSpec>(
          in, [&](auto& key, auto& spec) { return sessions_.Begin(engine.Exec(key, spec)); });
    case CallKind::kAttach:
      return With<TaskKey>(in, [&](auto& key) { return sessions_.Begin(engine.Attach(key)); });
    case CallKind::kReadFiles:
      return With<TaskKey, std::string>(
          in, [&](auto& key, auto& path) { return sessions_.Begin(engine.ReadFiles(key, path)); });
    case CallKind::kWriteFiles:
      return With<TaskKey, std::string>(
          in, [&](auto& key, auto& path) { return sessions_.Begin(engine.WriteFiles(key, path)); });
    case CallKind::kListOutput:
      return With<TaskKey, std::string>(
          in, [&](auto& key, auto& path) { return sessions_.Begin(engine.ListOutput(key, path)); });
    case CallKind::kReadLog:
      return With<TaskKey, std::int64_t, std::int64_t>(
          in, [&](auto& key, std::int64_t offset, std::int64_t limit) {
            const std::int64_t bounded = std::clamp<std::int64_t>(limit, 0, kLargestChunk);
            return Say(engine.ReadLog(key, offset, static_cast<std::size_t>(bounded)));
          });
    case CallKind::kLogOffsetAt:
      return With<TaskKey, Time>(
          in, [&](auto& key, Time at) { return Say(engine.LogOffsetAt(key, at)); });
    case CallKind::kWatchLog:
      return With<TaskKey, std::int64_t>(
          in, [&](auto& key, std::int64_t number) { return WatchLog(key, number); });
    case CallKind::kUnwatchLog:
      return With<std::int64_t>(in, [&](std::int64_t number) { return UnwatchLog(number); });
    case CallKind::kConnectPort:
      return With<TaskKey, std::uint16_t>(
          in, [&](auto& key, std::uint16_t port) { return ConnectPort(key, port); });
    default:
      return std::nullopt;
  }
}

std::optional<Reply> Server::AnswerAboutSessions(CallKind kind, ValueReader& in, int line) {
  if (kind == CallKind::kResolvePath)
    return With<std::string>(in, [&](auto& path) { return Say(served_.resolve_path(path)); });
  std::int64_t number = 0;
  in(number);
  if (!in.good()) return std::nullopt;
  if (kind == CallKind::kEndSession) {
    sessions_.End(number);
    return Say(true);
  }
  const std::shared_ptr<Session> session = sessions_.Find(number);
  if (!session) return Say(Error{Code::kNotFound, "there is no such session"});
  if (kind == CallKind::kWait) return Wait(*session, line);
  if (kind == CallKind::kResize)
    return With<std::uint16_t, std::uint16_t>(in, [&](std::uint16_t rows, std::uint16_t columns) {
      return Say(session->Resize(rows, columns));
    });
  session->CloseInput();
  return Say(true);
}

Reply Server::Open(std::vector<UniqueFd> descriptors) {
  std::lock_guard hold(opening_);
  if (is_open_ || descriptors.size() != 1)
    return Say(Error{Code::kConflict, "the engine is open already"});
  events_ = std::make_unique<Events>(std::move(descriptors.front()));
  Result<std::unique_ptr<Engine>> opened = served_.open();
  if (opened && !*opened)
    opened = Fail(Code::kUnavailable, "the settings leave nothing that could run work");
  if (!opened) return Say(opened.error());
  // Both sides know all calls, so there is nothing to tell of what is offered.
  auto* complete = dynamic_cast<CompleteEngine*>(opened->get());
  if (complete == nullptr)
    return Say(Error{Code::kUnsupported, "this engine cannot run in a process of its own"});
  engine_.reset(complete);
  [[maybe_unused]] const Engine* same = opened->release();
  is_open_ = true;
  return Say(remote::Opened{engine_->capabilities(), served_.closed});
}

Reply Server::Adopt() {
  Events& events = *events_;
  return Say(engine_->Adopt(
      {.on_task = [&events](const TaskStatus& task) { events.Tell(EventKind::kTask, task); },
       .on_nodes =
           [&events](const std::vector<NodeState>& nodes) {
             events.Tell(EventKind::kNodes, nodes);
           },
       .on_note = [&events](const TaskNote& note) { events.Tell(EventKind::kNote, note); },
       .on_lost = [&events](const Error& error) { events.Tell(EventKind::kLost, error); }}));
}

Reply Server::Launch(TaskSpec spec) {
  if (Status allowed = remote::CheckTask(spec, served_.rules); !allowed) return Say(allowed);
  return Say(engine_->Launch(std::move(spec)));
}

Reply Server::WatchLog(const TaskKey& key, std::int64_t number) {
  Events& events = *events_;
  auto watch =
      engine_->WatchLog(key, [&events, number] { events.Tell(EventKind::kLogGrown, number); });
  if (!watch) return Say(watch.error());
  std::lock_guard hold(mutex_);
  watches_[number] = *std::move(watch);
  return Say(true);
}

Reply Server::UnwatchLog(std::int64_t number) {
  std::unique_ptr<LogWatch> gone;
  std::lock_guard hold(mutex_);
  if (auto found = watches_.find(number); found != watches_.end()) {
    gone = std::move(found->second);
    watches_.erase(found);
  }
  return Say(true);
}

Reply Server::ConnectPort(const TaskKey& key, std::uint16_t port) {
  Result<UniqueFd> stream = engine_->ConnectPort(key, port);
  if (!stream) return Say(stream.error());
  Reply reply = Say(true);
  reply.own = *std::move(stream);
  reply.descriptors = {reply.own.get()};
  return reply;
}

// As long as somebody is there to hear the answer.
Reply Server::Wait(Session& session, int line) {
  for (;;) {
    pollfd either[] = {{session.ended(), POLLIN, 0}, {line, POLLRDHUP, 0}};
    if (::poll(either, 2, -1) < 0) continue;
    if (either[0].revents != 0) return Say(session.Wait());
    if (either[1].revents != 0) return Say(Error{Code::kUnavailable, "nobody waits any more"});
  }
}

}  // namespace

void ServeEngine(UniqueFd control, ServedEngine served) {
  Server(std::move(served)).Run(control);
}

}  // namespace yard::engine
