// The driver alone: jobs a second from submission to a durable end, and submission to running.
//
// Without --shim the engine starts and ends tasks at once, so that what is measured is all the work
// around them: scheduling, transactions on a real SQLite database, notices. With --shim each job is
// a real process of this machine. Jobs are submitted by one writer that keeps a number of
// submissions in flight, as a server does.
// Usage: drive_bench [--dir DIR] [--jobs N] [--flight N] [--pause-us N]
//                    [--shim PATH-OF-GPUYARD-SHIM] [--json PATH]
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/check.h"
#include "base/json.h"
#include "base/strings.h"
#include "control/commands/bootstrap.h"
#include "control/commands/infra.h"
#include "control/commands/org.h"
#include "control/commands/workloads.h"
#include "control/runtime/driver.h"
#include "control/service.h"
#include "control/testing/fake_engine.h"
#include "engine/local/local_engine.h"
#include "store/sqlite/sqlite_store.h"
#include "wire/workload.h"

namespace yard::control {
namespace {

struct BenchOptions {
  std::string dir = std::filesystem::temp_directory_path().string();
  int jobs = 10'000;
  int flight = 64;
  int pause_us = 2000;
  std::string shim;
  std::string json;
};

// Processor time of this process and all that it has reaped: holds also on a busy machine.
double CpuSeconds() {
  double sum = 0;
  for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    sum += static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  }
  return sum;
}

struct Figures {
  double rate = 0;
  double cpu_ms = 0;  // per job
  double p50_ms = 0;
  double p99_ms = 0;
};

template <class T>
T Must(Result<T> result) {
  if (!result) fmt::print(stderr, "{}\n", result.error().message);
  YARD_CHECK(result.has_value());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// Counts ends as they become durable, and how long each job took to run.
class Finish {
 public:
  void Take(const Notice& notice) {
    if (!notice.change.after) return;
    const auto* found = std::get_if<Ptr<Workload>>(&*notice.change.after);
    if (found == nullptr) return;
    const Workload& workload = **found;
    if (!IsFinal(workload.life)) return;
    std::lock_guard lock(mutex_);
    ++ended_;
    failed_ += workload.phase() == Phase::kFailed ? 1 : 0;
    changed_.notify_all();
  }
  void WaitFor(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ >= count; });
  }
  int failed() const { return failed_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int ended_ = 0;
  int failed_ = 0;
};

class Flight {
 public:
  explicit Flight(int most) : left_(most) {}
  void Enter() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return left_ > 0; });
    --left_;
  }
  void Leave() {
    std::lock_guard lock(mutex_);
    ++left_;
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int left_;
};

Workload Job(const State& state, ProjectId project, int number) {
  constexpr std::string_view kSpec =
      R"({"command":"true","compute":{"cpuCoreRequest":0.02,"cpuMemoryRequest":"10Mi"}})";
  Workload workload;
  workload.type = WorkloadType::kTraining;
  workload.name = fmt::format("job-{}", number);
  workload.project = project;
  workload.cluster = LocalCluster(state)->id;
  Must(wire::TakeSpecText(workload, kSpec));
  return workload;
}

ProjectId MakeProject(Service& service) {
  ProjectId id;
  Must(Bootstrap(service, {}));
  Must(service.WriteAndWait(SystemPrincipal(), [&](Txn& txn) -> Status {
    OrgUnitDraft draft{.name = "bench", .cluster = LocalCluster(txn.state())->id};
    YARD_ASSIGN(Ptr<Project> project, CreateProject(txn, draft));
    id = project->id;
    return {};
  }));
  return id;
}

// From submission to Running, by the times in the record.
std::vector<double> StartLatencies(const State& state) {
  std::vector<double> all;
  state.Of<Workload>().Each([&](const Workload& workload) {
    Ptr<Attempt> attempt = workload.attempt ? state.Find<Attempt>(*workload.attempt) : nullptr;
    if (!attempt || !attempt->started_at) return;
    Micros took = *attempt->started_at - workload.stamp.created_at;
    all.push_back(static_cast<double>(took.value) / 1000);
  });
  std::ranges::sort(all);
  return all;
}

void Submit(Service& service, ProjectId project, Flight& flight, int number) {
  flight.Enter();
  service.Write(
      SystemPrincipal(), {},
      [job = Job(*service.Read(), project, number)](Txn& txn) mutable -> Status {
        YARD_ASSIGN(Ptr<Workload> made, CreateWorkload(txn, {.workload = std::move(job)}));
        return {};
      },
      [&flight](Status status) {
        Must(std::move(status));
        flight.Leave();
      });
}

void Report(std::string_view what, Service& service, Figures& figures) {
  std::vector<double> latencies = StartLatencies(*service.Read());
  YARD_CHECK(!latencies.empty());
  figures.p50_ms = latencies[latencies.size() / 2];
  figures.p99_ms = latencies[latencies.size() * 99 / 100];
  fmt::print(
      "{:<28} {:>8.0f} jobs/s, {:.2f} ms CPU each   to running p50 {:.2f} ms, p99 {:.2f} ms\n",
      what, figures.rate, figures.cpu_ms, figures.p50_ms, figures.p99_ms);
}

std::unique_ptr<engine::Engine> MakeEngine(const BenchOptions& options, const std::string& folder) {
  if (!options.shim.empty()) {
    engine::LocalOptions local{.root = folder + "/tasks", .shim = options.shim};
    local.root_tasks = engine::RootTasks::kAllowed;
    return Must(engine::OpenLocalEngine(std::move(local), {}));
  }
  auto fake = std::make_unique<FakeEngine>(SystemClock());
  fake->AddNode("node", 0, MilliCpu(2000));
  fake->Behave(FakeEngine::OnLaunch::kComplete, FakeEngine::OnStop::kEnd);
  return fake;
}

Figures RunOnce(const BenchOptions& options, int jobs, int flight_size, std::string_view what) {
  Figures figures;
  std::string folder = fmt::format("{}/gpuyard-drive-bench.{}", options.dir, getpid());
  std::filesystem::create_directory(folder);
  {
    auto service =
        Must(Service::Start(Must(store::OpenSqlite(folder)), SystemClock(), SystemRandom()));
    ProjectId project = MakeProject(*service);
    std::unique_ptr<engine::Engine> engine = MakeEngine(options, folder);
    auto driver = Must(Driver::Start(*service, *engine, {.pause = Micros(options.pause_us)}));
    Finish finish;
    auto watching = service->Watch([&](const Notice& notice) { finish.Take(notice); });
    Flight flight(flight_size);
    double cpu = CpuSeconds();
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < jobs; ++i) {
      Submit(*service, project, flight, i);
      if (flight_size == 1) finish.WaitFor(i + 1);
    }
    finish.WaitFor(jobs);
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    YARD_CHECK(finish.failed() == 0);
    figures = {.rate = jobs / seconds, .cpu_ms = (CpuSeconds() - cpu) * 1000 / jobs};
    Report(what, *service, figures);
    watching.reset();
  }
  std::filesystem::remove_all(folder);
  return figures;
}

BenchOptions ParseOptions(int argc, char** argv) {
  BenchOptions options;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string_view name = argv[i];
    if (name == "--dir") options.dir = argv[i + 1];
    if (name == "--shim") options.shim = argv[i + 1];
    if (name == "--json") options.json = argv[i + 1];
    if (name == "--jobs") options.jobs = static_cast<int>(ParseInt(argv[i + 1]).value_or(1));
    if (name == "--pause-us")
      options.pause_us = static_cast<int>(ParseInt(argv[i + 1]).value_or(0));
    if (name == "--flight") options.flight = static_cast<int>(ParseInt(argv[i + 1]).value_or(1));
  }
  return options;
}

std::string JsonOf(const Figures& figures) {
  return fmt::format(R"({{"rate":{:.1f},"cpu_ms":{:.3f},"p50_ms":{:.3f},"p99_ms":{:.3f}}})",
                     figures.rate, figures.cpu_ms, figures.p50_ms, figures.p99_ms);
}

int Main(const BenchOptions& options) {
  Figures many = RunOnce(options, options.jobs, options.flight, "many jobs at once");
  Figures single = RunOnce(options, std::min(options.jobs, 500), 1, "one job after the other");
  if (!options.json.empty()) {
    std::ofstream(options.json) << fmt::format("{{\"many\":{},\"single\":{}}}\n", JsonOf(many),
                                               JsonOf(single));
  }
  return 0;
}

}  // namespace
}  // namespace yard::control

int main(int argc, char** argv) {
  using namespace yard::control;
  return Main(ParseOptions(argc, argv));
}
