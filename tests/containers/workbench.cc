#include "tests/containers/workbench.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/uuid.h"
#include "engine/local/containers/container_runner.h"
#include "engine/local/containers/create.h"
#include "tests/containers/lab.h"

namespace yard::lab {
namespace {

namespace fs = std::filesystem;
using engine::TaskEnd;
using engine::TaskKey;
using engine::TaskSpec;
using engine::TaskState;
using engine::TaskStatus;

constexpr std::chrono::seconds kPatience{120};

}  // namespace

Place::Place(const Adjust& adjust) {
  static int count = 0;
  const std::string name = fmt::format("gy-{}-{}", ::getpid(), ++count);
  options_.root = fs::temp_directory_path() / name;
  options_.shim = Variable("YARD_SHIM");
  options_.cgroup = name;
  options_.declared = {.count = 2, .model = "A100", .memory = Mebibytes(40960)};
  if (adjust) adjust(options_);
}

Place::~Place() {
  std::error_code ignored;
  fs::remove_all(options_.root, ignored);
}

std::unique_ptr<engine::Engine> Place::Open() const {
  engine::ContainerSupport support;
  auto runner = engine::containers::MakeContainerRunner(options_, Socket());
  EXPECT_TRUE(runner) << runner.error().message;
  if (!runner) return nullptr;
  support.runner = std::move(*runner);
  auto engine = engine::OpenLocalEngine(options_, std::move(support));
  EXPECT_TRUE(engine) << engine.error().message;
  return engine ? std::move(*engine) : nullptr;
}

std::vector<std::string> Place::Leftovers() const {
  std::vector<std::string> left;
  auto containers =
      engine::containers::Daemon(Socket()).List(engine::containers::kRootLabel, options_.root);
  EXPECT_TRUE(containers);
  if (containers)
    for (const auto& container : *containers) left.push_back("container " + container.name);
  for (const auto& hierarchy : fs::directory_iterator("/sys/fs/cgroup"))
    if (const fs::path group = hierarchy.path() / options_.cgroup; fs::exists(group))
      left.push_back("group " + group.string());
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);)
    if (line.contains(options_.root)) left.push_back("mount " + line);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(options_.root + "/tasks", ignored))
    left.push_back("folder " + entry.path().string());
  return left;
}

Workbench::Workbench(const Place::Adjust& adjust) : place_(adjust) {
  Open();
}

Workbench::~Workbench() {
  std::vector<TaskKey> keys;
  {
    std::lock_guard hold(mutex_);
    for (const auto& [key, changes] : changes_) keys.push_back(key);
  }
  for (const TaskKey& key : keys) {
    if (engine_->StatusOf({{key}}).front().state == TaskState::kUnknown) continue;
    (void)engine_->Stop(key, {.signal = 9, .grace = Micros(0)});
    AwaitEnd(key);
    engine_->Forget(key);
  }
  engine_.reset();
  EXPECT_THAT(place_.Leftovers(), ::testing::IsEmpty());
}

void Workbench::Open() {
  engine_ = place_.Open();
  ASSERT_TRUE(engine_);
  engine::Listener listener;
  listener.on_task = [this](const TaskStatus& status) {
    std::lock_guard hold(mutex_);
    changes_[status.key].push_back(status);
    changed_.notify_all();
  };
  auto adopted = engine_->Adopt(std::move(listener));
  ASSERT_TRUE(adopted) << adopted.error().message;
  std::lock_guard hold(mutex_);
  for (const TaskStatus& status : *adopted) changes_[status.key].push_back(status);
}

void Workbench::Restart() {
  engine_.reset();
  {
    std::lock_guard hold(mutex_);
    changes_.clear();
  }
  Open();
}

TaskKey Workbench::NewKey() {
  return {AttemptId(MakeUuid(SystemClock().Now(), SystemRandom())), 0};
}

TaskSpec Workbench::Shell(const std::string& script) {
  TaskSpec spec;
  spec.key = NewKey();
  spec.title = "lab/test";
  spec.container = engine::Container{.image = TestImage()};
  spec.command = {"sh", "-c", script};
  return spec;
}

TaskKey Workbench::Launch(TaskSpec spec) {
  TaskKey key = spec.key;
  {
    std::lock_guard hold(mutex_);
    changes_[key];
  }
  Status launched = engine_->Launch(std::move(spec));
  EXPECT_TRUE(launched) << launched.error().message;
  return key;
}

bool Workbench::Await(const std::function<bool()>& condition) {
  std::unique_lock hold(mutex_);
  return changed_.wait_for(hold, kPatience, condition);
}

void Workbench::AwaitRunning(const TaskKey& key) {
  EXPECT_TRUE(Await([&] {
    return !changes_[key].empty() && (changes_[key].back().state == TaskState::kRunning ||
                                      changes_[key].back().state == TaskState::kEnded);
  }));
  EXPECT_EQ(engine_->StatusOf({{key}}).front().state, TaskState::kRunning);
}

void Workbench::AwaitState(const TaskKey& key, TaskState state) {
  EXPECT_TRUE(Await([&] {
    return std::ranges::any_of(changes_[key],
                               [&](const TaskStatus& change) { return change.state == state; });
  }));
}

TaskEnd Workbench::AwaitEnd(const TaskKey& key) {
  EXPECT_TRUE(Await([&] {
    return !changes_[key].empty() && changes_[key].back().state == TaskState::kEnded;
  })) << "the task does not end";
  TaskStatus status = engine_->StatusOf({{key}}).front();
  return status.end.value_or(TaskEnd{});
}

std::string Workbench::LogOf(const TaskKey& key) {
  std::string all;
  for (std::int64_t offset = 0;;) {
    auto chunk = engine_->logs()->ReadLog(key, offset, 1 << 20);
    if (!chunk || chunk->bytes.empty()) return all;
    all += chunk->bytes;
    offset = chunk->next;
  }
}

void Workbench::AwaitLog(const TaskKey& key, const std::string& text) {
  std::mutex mutex;
  std::condition_variable grown;
  bool has = false;
  auto watch = engine_->logs()->WatchLog(key, [&] {
    std::lock_guard hold(mutex);
    has = true;
    grown.notify_all();
  });
  ASSERT_TRUE(watch) << watch.error().message;
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!LogOf(key).contains(text)) {
    std::unique_lock hold(mutex);
    if (!grown.wait_until(hold, deadline, [&] { return std::exchange(has, false); })) {
      ADD_FAILURE() << "'" << text << "' never came; the log is: " << LogOf(key);
      return;
    }
  }
}

std::vector<std::string> Workbench::DetailsOf(const TaskKey& key) {
  std::lock_guard hold(mutex_);
  std::vector<std::string> details;
  for (const TaskStatus& change : changes_[key])
    if (!change.detail.empty()) details.push_back(change.detail);
  return details;
}

int Workbench::ChangesOf(const TaskKey& key, TaskState state) {
  std::lock_guard hold(mutex_);
  int count = 0;
  for (const TaskStatus& change : changes_[key])
    if (change.state == state) ++count;
  return count;
}

// The engine is open: its own folder of groups may be there, but nothing in it.
std::vector<std::string> Workbench::Leftovers() {
  std::vector<std::string> left;
  for (const std::string& one : place_.Leftovers()) {
    if (one.starts_with("folder ")) continue;
    if (!one.starts_with("group ")) left.push_back(one);
    if (!one.starts_with("group ")) continue;
    for (const auto& entry : fs::directory_iterator(one.substr(6)))
      if (entry.is_directory()) left.push_back("group " + entry.path().string());
  }
  return left;
}

std::string ReadUntilEnd(int fd) {
  std::string all;
  char buffer[4096];
  for (;;) {
    pollfd ready{fd, POLLIN, 0};
    if (::poll(&ready, 1, 60'000) <= 0) return all + "[no end]";
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return all;
    if (got > 0) all.append(buffer, static_cast<std::size_t>(got));
  }
}

Said Listen(engine::Session& session, const std::string& input) {
  Said said;
  if (session.input() >= 0) {
    EXPECT_EQ(::write(session.input(), input.data(), input.size()),
              static_cast<ssize_t>(input.size()));
    session.CloseInput();
  }
  said.output = ReadUntilEnd(session.output());
  if (session.error() >= 0) said.error = ReadUntilEnd(session.error());
  auto code = session.Wait();
  EXPECT_TRUE(code) << code.error().message;
  said.code = code.value_or(-1);
  return said;
}

}  // namespace yard::lab
