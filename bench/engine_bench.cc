// How many tasks a second the local engine runs, beside the same programs started bare, which is
// the ceiling; how long a launch takes; what a shim weighs; how fast a log may flow.
//
//   engine_bench [--tasks N] [--json PATH] [--only bare]
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
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "base/time.h"
#include "base/uuid.h"
#include "engine/local/local_engine.h"
#include "engine/local/tasks/task_folder.h"

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
    options.root_tasks = RootTasks::kAllowed;
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

// What was measured, for the file that --json names.
class Figures {
 public:
  void Add(std::string_view name, double value) {
    text_ += fmt::format("{}\n  \"{}\": {:.3f}", text_.empty() ? "" : ",", name, value);
  }
  void Write(const std::string& path) const {
    if (!path.empty()) std::ofstream(path) << "{" << text_ << "\n}\n";
  }

 private:
  std::string text_;
};

void Bare(int tasks, Figures& figures) {
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
  const double rate = tasks / Since(start);
  const double cpu_ms = (CpuSeconds() - cpu) * 1000 / tasks;
  fmt::print("bare posix_spawn + wait, 2 threads:      {:7.0f} tasks/s, {:.2f} ms CPU each\n", rate,
             cpu_ms);
  figures.Add("bare_rate", rate);
  figures.Add("bare_cpu_ms", cpu_ms);
}

struct Setup {
  const char* name;
  const char* key;
  const char* cgroup;
  bool sync;
};

void Throughput(int tasks, const Setup& setup, Figures& figures) {
  Yard yard(setup.cgroup, setup.sync);
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
  const double rate = tasks / Since(start);
  const double cpu_ms = (CpuSeconds() - cpu) * 1000 / tasks;
  fmt::print("{:40} {:7.0f} tasks/s, {:.2f} ms CPU each ({} failed)\n", setup.name, rate, cpu_ms,
             yard.tally.failed());
  figures.Add(fmt::format("{}_rate", setup.key), rate);
  figures.Add(fmt::format("{}_cpu_ms", setup.key), cpu_ms);
}

void Latency(int tasks, Figures& figures) {
  Yard yard("gpuyard-bench");
  std::vector<std::int64_t> micros;
  for (int i = 0; i < tasks; ++i) {
    const Time before = SystemClock().Now();
    const TaskKey key = yard.Launch({"/bin/true"});
    yard.tally.WaitEnded(i + 1);
    micros.push_back((yard.tally.RunningAt(key) - before).value);
  }
  std::ranges::sort(micros);
  const double p50 = static_cast<double>(micros[micros.size() / 2]) / 1000;
  const double p99 = static_cast<double>(micros[micros.size() * 99 / 100]) / 1000;
  fmt::print("launch to running, one at a time:        p50 {:.2f} ms, p99 {:.2f} ms\n", p50, p99);
  figures.Add("start_p50_ms", p50);
  figures.Add("start_p99_ms", p99);
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

void Weight(int tasks, Figures& figures) {
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
  figures.Add("shim_rss_kib", static_cast<double>(rss) / tasks);
  figures.Add("shim_pss_kib", static_cast<double>(pss) / tasks);
  for (const TaskKey& key : keys)
    if (!yard.engine->Stop(key, {9, Micros(0)})) return;
  yard.tally.WaitEnded(tasks);
}

void Flood(Figures& figures) {
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
  figures.Add("flood_gb_per_s", 4 / took);
}

constexpr Setup kSetups[] = {
    {"engine, control group per task:", "engine", "gpuyard-bench", false},
    {"engine, ends flushed to disk:", "engine_flushed", "gpuyard-bench", true},
    {"engine, without control groups:", "engine_groupless", "", false},
};

struct BenchOptions {
  int tasks = 4000;
  std::string json;
  bool only_bare = false;
};

BenchOptions ParseOptions(int count, char** words) {
  BenchOptions options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = words[i];
    if (name == "--tasks") options.tasks = std::stoi(words[i + 1]);
    if (name == "--json") options.json = words[i + 1];
    if (name == "--only") options.only_bare = std::string_view(words[i + 1]) == "bare";
  }
  return options;
}

int Main(const BenchOptions& options) {
  Figures figures;
  Bare(options.tasks, figures);
  if (!options.only_bare) {
    for (const Setup& setup : kSetups) Throughput(options.tasks, setup, figures);
    Latency(500, figures);
    Weight(100, figures);
    Flood(figures);
  }
  figures.Write(options.json);
  return 0;
}

}  // namespace
}  // namespace yard::engine

int main(int count, char** words) {
  return yard::engine::Main(yard::engine::ParseOptions(count, words));
}
