#include "engine/testing/conformance.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "base/random.h"
#include "base/time.h"
#include "base/uuid.h"

namespace yard::engine::testing {
namespace {

constexpr std::chrono::seconds kPatience{120};
constexpr int kPatienceMs = 120'000;

}  // namespace

Listener Recorder::listener() {
  Listener listener;
  listener.on_task = [this](const TaskStatus& status) { Note({status}); };
  return listener;
}

void Recorder::Note(const std::vector<TaskStatus>& statuses) {
  {
    std::lock_guard hold(mutex_);
    for (const TaskStatus& status : statuses) statuses_[status.key].push_back(status);
  }
  heard_.notify_all();
}

TaskStatus Recorder::WaitFor(const TaskKey& key, TaskState state) {
  std::unique_lock hold(mutex_);
  const TaskStatus* found = nullptr;
  heard_.wait_for(hold, kPatience, [&] {
    for (const TaskStatus& status : statuses_[key])
      if (status.state == state) found = &status;
    return found != nullptr;
  });
  if (found != nullptr) return *found;
  ADD_FAILURE() << "the task did not reach the state in time";
  return {};
}

std::vector<TaskState> Recorder::Heard(const TaskKey& key) const {
  std::lock_guard hold(mutex_);
  std::vector<TaskState> states;
  auto found = statuses_.find(key);
  if (found == statuses_.end()) return states;
  for (const TaskStatus& status : found->second) {
    if (states.empty() || states.back() != status.state) states.push_back(status.state);
  }
  return states;
}

void Conformance::SetUp() {
  host_ = GetParam().make();
  Open();
}

std::vector<TaskStatus> Conformance::Open() {
  recorder_ = std::make_unique<Recorder>();
  engine_ = host_->Open();
  Result<std::vector<TaskStatus>> adopted = engine_->Adopt(recorder_->listener());
  EXPECT_TRUE(adopted) << adopted.error().message;
  if (!adopted) return {};
  recorder_->Note(*adopted);
  return *adopted;
}

void Conformance::Close() {
  engine_.reset();
}

std::vector<TaskStatus> Conformance::Restart() {
  Close();
  return Open();
}

void LimitConformance::SetUp() {
  Conformance::SetUp();
  if (std::string missing = host().LimitsMissing(); !missing.empty()) GTEST_SKIP() << missing;
}

void Conformance::TearDown() {
  for (const TaskKey& key : launched_) {
    if (StatusOf(key).state == TaskState::kUnknown) continue;
    EXPECT_TRUE(engine_->Stop(key, {9, Micros(0)}));
    if (StatusOf(key).state != TaskState::kEnded) WaitEnd(key);
    engine_->Forget(key);
    EXPECT_EQ(StatusOf(key).state, TaskState::kUnknown);
  }
  Close();
  EXPECT_EQ(host_->Leftovers(), std::vector<std::string>());
}

TaskKey Conformance::NewKey() {
  const TaskKey key{AttemptId(MakeUuid(SystemClock().Now(), SystemRandom())), 0};
  launched_.insert(key);
  return key;
}

TaskKey Conformance::Launch(TaskSpec spec) {
  spec.key = NewKey();
  const TaskKey key = spec.key;
  Status launched = engine_->Launch(std::move(spec));
  EXPECT_TRUE(launched) << launched.error().message;
  return key;
}

TaskEnd Conformance::WaitEnd(const TaskKey& key) {
  return recorder_->WaitFor(key, TaskState::kEnded).end.value_or(TaskEnd{});
}

TaskStatus Conformance::StatusOf(const TaskKey& key) {
  return engine_->StatusOf({&key, 1}).front();
}

std::string Conformance::WholeLog(const TaskKey& key) {
  std::string text;
  for (std::int64_t at = 0;;) {
    Result<LogChunk> chunk = engine_->logs()->ReadLog(key, at, 4096);
    EXPECT_TRUE(chunk) << chunk.error().message;
    if (!chunk || chunk->bytes.empty()) return text;
    text += chunk->bytes;
    at = chunk->next;
  }
}

std::string Conformance::WaitLog(const TaskKey& key, const std::string& text) {
  std::mutex mutex;
  std::condition_variable changed;
  int changes = 0;
  Result<std::unique_ptr<LogWatch>> watch = engine_->logs()->WatchLog(key, [&] {
    std::lock_guard hold(mutex);
    ++changes;
    changed.notify_all();
  });
  EXPECT_TRUE(watch) << watch.error().message;
  std::unique_lock hold(mutex);
  for (int seen = 0;; seen = changes) {
    hold.unlock();
    std::string log = WholeLog(key);
    hold.lock();
    if (log.contains(text)) return log;
    if (!changed.wait_for(hold, kPatience, [&] { return changes > seen; })) {
      ADD_FAILURE() << "the log never held '" << text << "' but: " << log;
      return log;
    }
  }
}

namespace {

// Reads what is there; false at the end.
bool ReadSome(int fd, std::string& into) {
  char bytes[4096];
  const ssize_t got = ::read(fd, bytes, sizeof(bytes));
  if (got > 0) into.append(bytes, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

// Both streams until both ended, or until `enough` says so.
std::string Pump(Session& session, std::string* error,
                 const std::function<bool(const std::string&)>& enough) {
  std::string output;
  std::string ignored;
  pollfd polls[2] = {{session.output(), POLLIN, 0}, {session.error(), POLLIN, 0}};
  while ((polls[0].fd >= 0 || polls[1].fd >= 0) && !enough(output)) {
    if (::poll(polls, 2, kPatienceMs) <= 0) {
      ADD_FAILURE() << "the session fell silent after: " << output;
      return output;
    }
    std::string* into[2] = {&output, error == nullptr ? &ignored : error};
    for (int i = 0; i < 2; ++i)
      if (polls[i].revents != 0 && !ReadSome(polls[i].fd, *into[i])) polls[i].fd = -1;
  }
  return output;
}

}  // namespace

std::string ReadAll(Session& session, std::string* error) {
  return Pump(session, error, [](const std::string&) { return false; });
}

std::string ReadUntil(Session& session, const std::string& text) {
  return Pump(session, nullptr, [&](const std::string& output) { return output.contains(text); });
}

void WriteAll(Session& session, std::string_view bytes) {
  while (!bytes.empty()) {
    pollfd poll{session.input(), POLLOUT, 0};
    ASSERT_GT(::poll(&poll, 1, kPatienceMs), 0) << "the session takes no input";
    const ssize_t put = ::write(session.input(), bytes.data(), bytes.size());
    ASSERT_TRUE(put > 0 || errno == EAGAIN);
    if (put > 0) bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

}  // namespace yard::engine::testing
