// How many tasks a second the local engine runs, beside the same programs started bare, which is
// the ceiling; how long a launch takes; what a shim weighs; how fast a log may flow.
//
//   engine_bench [TASKS]
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "base/time.h"
#include "base/uuid.h"
#include "engine/local/local_engine.h"
#include "engine/local/task_folder.h"

namespace yard::engine {
namespace {

using SteadyClock = std::chrono::steady_clock;

double Since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

// Processor time of this process and all that it has reaped: holds also on a busy machine.
double CpuSeconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    sum += static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  }
  return sum;
}

// Counts what the engine says.
class Tally {
 public:
  Listener listener() {
    return {[this](const TaskStatus& status) { Note(status); }, [] {}};
  }
  void WaitEnded(int count) {
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [&] { return ended_ >= count; });
  }
  void WaitRunning(int count) {
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [&] { return static_cast<int>(running_at_.size()) >= count; });
  }
  int ended() const { return ended_; }
  int failed() const { return failed_; }
  Time RunningAt(const TaskKey& key) {
    std::lock_guard hold(mutex_);
    return running_at_[key];
  }

 private:
  void Note(const TaskStatus& status) {
    std::lock_guard hold(mutex_);
    if (status.state == TaskState::kRunning) running_at_[status.key] = SystemClock().Now();
    if (status.state == TaskState::kEnded) {
      ++ended_;
      if (status.end->cause != EndCause::kCompleted) ++failed_;
    }
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<TaskKey, Time> running_at_;
  std::atomic<int> ended_ = 0;
  std::atomic<int> failed_ = 0;
};

struct Yard {
  explicit Yard(const std::string& cgroup, bool sync = false) {
    char path[] = "/tmp/gpuyard-bench-XXXXXX";
    root = ::mkdtemp(path);
    LocalOptions options;
    options.root = root;
    options.shim = YARD_SHIM;
    options.cgroup = cgroup;
    options.sync_ends = sync;
    Result<std::unique_ptr<Engine>> opened = OpenLocalEngine(options, {});
    if (!opened) {
      fmt::print("{}\n", opened.error().message);
      ::exit(1);
    }
    engine = std::move(*opened);
    if (!engine->Adopt(tally.listener())) ::exit(1);
  }
  ~Yard() {
    engine.reset();
    std::filesystem::remove_all(root);
  }
  TaskKey Launch(std::vector<std::string> command) {
    TaskSpec spec;
    spec.key.attempt = AttemptId(MakeUuid(SystemClock().Now(), SystemRandom()));
    spec.command = std::move(command);
    if (!engine->Launch(spec)) ::exit(1);
    return spec.key;
  }

  Tally tally;
  std::string root;
  std::unique_ptr<Engine> engine;
};

void Bare(int tasks) {
  const auto start = SteadyClock::now();
  const double cpu = CpuSeconds();
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([tasks] {
      char name[] = "/bin/true";
      char* argv[] = {name, nullptr};
      for (int k = 0; k < tasks / 2; ++k) {
        pid_t pid = 0;
        if (::posix_spawn(&pid, name, nullptr, nullptr, argv, environ) != 0) return;
        ::waitpid(pid, nullptr, 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  fmt::print("bare posix_spawn + wait, 2 threads:      {:7.0f} tasks/s, {:.2f} ms CPU each\n",
             tasks / Since(start), (CpuSeconds() - cpu) * 1000 / tasks);
}

void Throughput(int tasks, const char* name, const std::string& cgroup, bool sync) {
  Yard yard(cgroup, sync);
  std::atomic<int> next = 0;
  const double cpu = CpuSeconds();
  const auto start = SteadyClock::now();
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      constexpr int kAhead = 32;
      while (next.fetch_add(1) < tasks) {
        const TaskKey key = yard.Launch({"/bin/true"});
        (void)key;
        yard.tally.WaitEnded(std::min(next.load(), tasks) - kAhead);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  yard.tally.WaitEnded(tasks);
  const double took = Since(start);
  fmt::print("{:40} {:7.0f} tasks/s, {:.2f} ms CPU each ({} failed)\n", name, tasks / took,
             (CpuSeconds() - cpu) * 1000 / tasks, yard.tally.failed());
}

void Latency(int tasks) {
  Yard yard("gpuyard-bench");
  std::vector<std::int64_t> micros;
  for (int i = 0; i < tasks; ++i) {
    const Time before = SystemClock().Now();
    const TaskKey key = yard.Launch({"/bin/true"});
    yard.tally.WaitEnded(i + 1);
    micros.push_back((yard.tally.RunningAt(key) - before).value);
  }
  std::ranges::sort(micros);
  fmt::print("launch to running, one at a time:        p50 {:.2f} ms, p99 {:.2f} ms\n",
             static_cast<double>(micros[micros.size() / 2]) / 1000,
             static_cast<double>(micros[micros.size() * 99 / 100]) / 1000);
}

std::int64_t KibOf(int pid, const std::string& name) {
  std::ifstream in(fmt::format("/proc/{}/smaps_rollup", pid));
  std::string word;
  while (in >> word)
    if (word == name) {
      std::int64_t kib = 0;
      in >> kib;
      return kib;
    }
  return -1;
}

void Weight(int tasks) {
  Yard yard("gpuyard-bench");
  std::vector<TaskKey> keys;
  for (int i = 0; i < tasks; ++i) keys.push_back(yard.Launch({"/bin/sleep", "1000"}));
  yard.tally.WaitRunning(tasks);
  std::int64_t rss = 0;
  std::int64_t pss = 0;
  for (const TaskKey& key : keys) {
    const int shim = TaskFolder(yard.root, key).ReadRecord().shim;
    rss += KibOf(shim, "Rss:");
    pss += KibOf(shim, "Pss:");
  }
  fmt::print("a shim among {}: resident {} KiB, proportional {} KiB\n", tasks, rss / tasks,
             pss / tasks);
  for (const TaskKey& key : keys)
    if (!yard.engine->Stop(key, {9, Micros(0)})) return;
  yard.tally.WaitEnded(tasks);
}

void Flood() {
  Yard yard("gpuyard-bench");
  const auto start = SteadyClock::now();
  const TaskKey key = yard.Launch({"/usr/bin/head", "-c", "4000000000", "/dev/zero"});
  yard.tally.WaitEnded(1);
  const double took = Since(start);
  std::uintmax_t kept = 0;
  for (const auto& file : std::filesystem::directory_iterator(TaskFolder(yard.root, key).path()))
    if (file.is_regular_file()) kept += file.file_size();
  fmt::print("a flood of 4 GB to the log:              {:.2f} GB/s, {} MiB kept\n", 4 / took,
             kept >> 20);
}

}  // namespace
}  // namespace yard::engine

int main(int count, char** words) {
  const int tasks = count > 1 ? std::stoi(words[1]) : 4000;
  yard::engine::Bare(tasks);
  yard::engine::Throughput(tasks, "engine, control group per task:", "gpuyard-bench", false);
  yard::engine::Throughput(tasks, "engine, ends flushed to disk:", "gpuyard-bench", true);
  yard::engine::Throughput(tasks, "engine, without control groups:", "", false);
  yard::engine::Latency(500);
  yard::engine::Weight(100);
  yard::engine::Flood();
  return 0;
}
