#include "slice/test/harness.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>

#include "slice/fake/truth.h"

extern const char kSliceBuild[];  // see yard_paths

namespace yard::slice {
namespace {

std::vector<char*> Pointers(const std::vector<std::string>& words) {
  std::vector<char*> pointers(words.size() + 1);
  std::ranges::transform(words, pointers.begin(),
                         [](const std::string& word) { return const_cast<char*>(word.c_str()); });
  return pointers;
}

}  // namespace

Client::Client(const std::vector<std::string>& command, const Environment& environment) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) std::abort();
  const auto words = Pointers(command), settings = Pointers(environment);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(to[0], 0);
    dup2(from[1], 1);
    execve(words[0], words.data(), settings.data());
    _exit(126);
  }
  close(to[0]);
  close(from[1]);
  in_ = to[1];
  out_ = from[0];
}

Client::~Client() {
  if (pid_ > 0) Kill();
  close(out_);
}

void Client::Send(const std::string& line) {
  const std::string text = line + "\n";
  [[maybe_unused]] const auto written = write(in_, text.data(), text.size());
}

std::string Client::Receive() {
  for (;;) {
    if (const auto end = rest_.find('\n'); end != std::string::npos) {
      const std::string line = rest_.substr(0, end);
      rest_.erase(0, end + 1);
      return line;
    }
    char text[512];
    const ssize_t got = read(out_, text, sizeof(text));
    if (got <= 0) return {};
    rest_.append(text, static_cast<std::size_t>(got));
  }
}

std::string Client::Ask(const std::string& line) {
  Send(line);
  return Receive();
}

std::vector<std::int64_t> Client::Numbers(const std::string& line) {
  std::istringstream words(Ask(line));
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = 0; words >> number;) numbers.push_back(number);
  return numbers;
}

int Client::Finish() {
  if (in_ >= 0) close(std::exchange(in_, -1));
  int status = 0;
  waitpid(std::exchange(pid_, -1), &status, 0);
  return status;
}

void Client::Kill() {
  kill(pid_, SIGKILL);
  Finish();
}

Node::Node() {
  signal(SIGPIPE, SIG_IGN);
  std::string pattern = "/tmp/gys-test-XXXXXX";
  root = mkdtemp(pattern.data());
  std::filesystem::permissions(root, std::filesystem::perms(0755));
  // One truth for the whole test program: the file is mapped once and emptied here.
  static const std::string truth = "/tmp/gys-truth-" + std::to_string(getpid());
  setenv("YARD_FAKE_GPU", truth.c_str(), 1);
  fake::Shared();
  chmod(truth.c_str(), 0666);
  atexit([] { unlink(getenv("YARD_FAKE_GPU")); });
  StartKeeper();
}

Node::~Node() {
  keeper_.reset();
  std::filesystem::remove_all(root);
}

void Node::StartKeeper(const std::string& library) {
  keeper_ =
      std::make_unique<Keeper>(KeeperOptions{root,
                                             library.empty() ? BuildPath("../../slice") : library,
                                             BuildPath("test/fake/libcuda.so.1"),
                                             BuildPath("test/fake/libnvidia-ml.so.1"),
                                             {},
                                             0,
                                             root + "/sizes",
                                             [this](const std::string& slice) {
                                               std::lock_guard hold(mutex_);
                                               return claims_[slice];
                                             }},
                               [this](const Event& event) {
                                 std::lock_guard hold(mutex_);
                                 events_.push_back(event);
                               });
}

bool Node::AwaitEvent(EventKind kind, const std::string& slice) {
  using namespace std::chrono_literals;
  for (int i = 0; i < 5000; ++i) {
    {
      std::lock_guard hold(mutex_);
      for (const Event& event : events_)
        if (event.kind == kind && event.slice == slice) return true;
    }
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

void Node::Claim(const std::string& slice, pid_t pid) {
  std::lock_guard hold(mutex_);
  claims_[slice].push_back(pid);
}

std::string Node::TextOf(EventKind kind, const std::string& slice) {
  std::lock_guard hold(mutex_);
  std::string text;
  for (const Event& event : events_)
    if (event.kind == kind && event.slice == slice) text = event.text;
  return text;
}

std::string Node::AddUnlearned(const std::string& name, std::uint64_t hard) {
  GpuLimit gpu;
  gpu.uuid = *ParseUuid(fake::kUuidText);
  gpu.hard = gpu.soft = hard;
  const auto folder = keeper_->Add({name, next_++, {gpu}, ShareMode::kNone});
  if (!folder) ADD_FAILURE() << folder.error().message;
  return folder.value_or("");
}

std::string Node::AddGrowing(const std::string& name, std::uint64_t request, std::uint64_t limit) {
  GpuLimit gpu;
  gpu.uuid = *ParseUuid(fake::kUuidText);
  gpu.physical = fake::kTotal - fake::kReserved;
  gpu.soft = request;
  gpu.hard = limit;
  gpu.context_bytes = fake::kContextBytes;
  const auto folder = keeper_->Add({name, next_++, {gpu}, ShareMode::kNone});
  if (!folder) ADD_FAILURE() << folder.error().message;
  return folder.value_or("");
}

std::string Node::Add(const std::string& name, std::uint64_t hard, std::uint32_t share,
                      ShareMode mode) {
  GpuLimit gpu;
  gpu.uuid = *ParseUuid(fake::kUuidText);
  gpu.hard = gpu.soft = hard;
  gpu.context_bytes = fake::kContextBytes;
  gpu.share_milli = share;
  const auto folder = keeper_->Add({name, next_++, {gpu}, mode});
  if (!folder) ADD_FAILURE() << folder.error().message;
  return folder.value_or("");
}

GpuState Node::State(const std::string& name) {
  return keeper_->State(name)->gpus[0];
}

int Node::Processes(const std::string& name) {
  return keeper_->State(name)->processes;
}

bool Node::Await(const std::string& name, int processes) {
  using namespace std::chrono_literals;
  for (int i = 0; i < 5000; ++i) {
    if (Processes(name) == processes) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

Environment Node::Base() const {
  return {"PATH=/usr/bin:/bin", "YARD_FAKE_GPU=" + std::string(getenv("YARD_FAKE_GPU"))};
}

Environment Node::Inside(const std::string& folder) const {
  Environment environment = Base();
  environment.push_back("LD_LIBRARY_PATH=" + folder + "/lib");
  environment.push_back("LD_PRELOAD=" + folder + "/lib/libcuda.so.1");
  return environment;
}

std::unique_ptr<Client> Node::Start(const std::string& folder) {
  return std::make_unique<Client>(
      std::vector<std::string>{BuildPath("gpuyard-slice-client"), "libcuda.so.1"}, Inside(folder));
}

Holder::Holder(int fd) : pid_(fork()) {
  if (pid_ != 0) return;
  fcntl(fd, F_SETFD, 0);
  for (;;) pause();
}

Holder::~Holder() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::uint64_t TrueBytes(pid_t pid) {
  for (const auto& entry : fake::Shared().entries)
    if (entry.pid == static_cast<std::uint64_t>(pid)) return entry.bytes;
  return 0;
}

void HoldByCheckpoint(pid_t pid) {
  for (fake::TruthEntry& entry : fake::Shared().entries)
    if (entry.pid == static_cast<std::uint64_t>(pid)) entry.locked = 1;
}

std::uint64_t TrueBytes() {
  return fake::UsedByAll();
}

std::string BuildPath(const std::string& file) {
  return std::string(kSliceBuild) + "/" + file;
}

}  // namespace yard::slice
