#include "app/simulate_backup.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "app/backup.h"
#include "base/json.h"
#include "base/quantity.h"
#include "base/random.h"
#include "base/time.h"
#include "base/uuid.h"
#include "control/commands/infra.h"
#include "control/sched/view.h"
#include "control/service.h"
#include "sim/snapshot_json.h"
#include "store/sqlite/sqlite_store.h"
#include "wire/enums.h"

namespace yard::app {
namespace {

namespace fs = std::filesystem;
using control::State;

// The server's state as it was, restored into a folder that goes with it.
class Past {
 public:
  static Result<std::unique_ptr<Past>> Open(const std::string& backup) {
    auto past = std::make_unique<Past>();
    std::string name = (fs::temp_directory_path() / "gpuyard-simulate-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      return Fail(Code::kUnavailable, "cannot make a temporary folder");
    past->folder_ = std::move(name);
    YARD_TRY(Restore(backup, {past->folder_}, RestoredQueue::kRuns));
    YARD_ASSIGN(auto store, store::OpenSqlite(past->folder_));
    YARD_ASSIGN(past->service_,
                control::Service::Start(std::move(store), SystemClock(), SystemRandom()));
    return past;
  }
  ~Past() {
    service_.reset();
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  Past() = default;
  Past(const Past&) = delete;
  Past& operator=(const Past&) = delete;

  control::Snapshot state() const { return service_->Read(); }

 private:
  std::string folder_;
  std::unique_ptr<control::Service> service_;
};

// The newest thing that happened to work: when the backup was made, as far as it can tell.
Time NewestIn(const State& state) {
  Time newest;
  state.Of<Workload>().Each([&](const Workload& workload) {
    newest = std::max({newest, workload.stamp.updated_at, workload.phase_since});
  });
  for (const ArchivedWorkload& past : state.archive().Newest(1)) {
    newest = std::max(newest, past.workload->stamp.updated_at);
  }
  return newest;
}

// What the scheduler saw and by which rules.
Result<sim::Capture> SeenIn(const State& state) {
  Ptr<Cluster> cluster = control::LocalCluster(state);
  if (!cluster) return Fail(Code::kPrecondition, "the backup has no cluster");
  control::RunTimes run_times;
  run_times.AddAll(state);
  const control::Promises none{};
  control::SchedView view(cluster->id, {}, run_times, none);
  YARD_TRY(view.Rebuild(state, NewestIn(state)));
  return sim::Capture{view.scheduler().snapshot(), view.scheduler().policy()};
}

json::value GpusOf(std::int64_t milli) {
  if (milli % 1000 == 0) return milli / 1000;
  return static_cast<double>(milli) / 1000;
}

json::object SharesOf(const sched::Queue& queue, const std::vector<sched::Pool>& pools) {
  json::object quota;
  json::object limit;
  json::object out{{"name", queue.name}};
  for (std::size_t pool = 0; pool < queue.shares.size(); ++pool) {
    const sched::QueueShare& share = queue.shares[pool];
    if (share.quota.gpu.value != sched::kUnlimited)
      quota[pools[pool].name] = GpusOf(share.quota.gpu.value);
    if (share.limit.gpu.value != sched::kUnlimited)
      limit[pools[pool].name] = GpusOf(share.limit.gpu.value);
    out["weight"] = share.weight;
    out["priority"] = share.priority;
  }
  if (!quota.empty()) out["quota"] = std::move(quota);
  if (!limit.empty()) out["limit"] = std::move(limit);
  if (queue.fairness) out["fairness"] = wire::ToName(*queue.fairness);
  return out;
}

json::object NodeOf(const sched::Node& node, const sched::Snapshot& seen) {
  json::object out{{"name", node.name},
                   {"pool", seen.pools[static_cast<std::size_t>(node.pool.value)].name},
                   {"cpu", GpusOf(node.cpu.value)},
                   {"memoryMib", node.memory.value}};
  if (node.gpus.empty()) return out;
  const sched::GpuModel& model = seen.models[static_cast<std::size_t>(node.model.value)];
  out["gpus"] = node.gpus.size();
  out["model"] = model.name;
  out["gpuMemoryMib"] = model.memory.value;
  return out;
}

// On the clock of the trace, which begins with its first job; those that were over by then are
// left out.
json::array ReservationsOf(const sched::Snapshot& seen, Time first) {
  json::array out;
  for (const sched::Reservation& one : seen.reservations) {
    if (one.end <= first) continue;
    const Micros from = std::max(one.start - first, Micros(0));
    out.push_back(
        json::object{{"name", one.name},
                     {"project", seen.queues[static_cast<std::size_t>(one.queue.value)].name},
                     {"pool", seen.pools[static_cast<std::size_t>(one.pool.value)].name},
                     {"gpus", GpusOf(one.gpu.value)},
                     {"fromSeconds", from.value / 1'000'000},
                     {"toSeconds", (one.end - first).value / 1'000'000},
                     {"releaseAfterSeconds", one.release_after.value / 1'000'000}});
  }
  return out;
}

std::string ClusterOf(const sched::Snapshot& seen, Time first) {
  static constexpr std::string_view kStrategies[] = {"binpack", "spread", "fragmentation"};
  json::array pools;
  json::array nodes;
  json::array departments;
  json::array projects;
  for (const sched::Pool& pool : seen.pools)
    pools.push_back(
        json::object{{"name", pool.name},
                     {"strategy", kStrategies[static_cast<std::size_t>(pool.gpu_strategy)]}});
  for (const sched::Node& node : seen.nodes) nodes.push_back(NodeOf(node, seen));
  for (const sched::Queue& queue : seen.queues) {
    if (queue.level == sched::QueueLevel::kDepartment)
      departments.push_back(SharesOf(queue, seen.pools));
    if (queue.level != sched::QueueLevel::kProject) continue;
    json::object shares = SharesOf(queue, seen.pools);
    if (queue.parent != sched::kNone<sched::QueueIndex>)
      shares["department"] = seen.queues[static_cast<std::size_t>(queue.parent.value)].name;
    projects.push_back(std::move(shares));
  }
  return json::serialize(json::object{{"pools", std::move(pools)},
                                      {"nodes", std::move(nodes)},
                                      {"departments", std::move(departments)},
                                      {"projects", std::move(projects)},
                                      {"reservations", ReservationsOf(seen, first)}});
}

// Whose project is still there.
struct Ran {
  Ptr<Workload> workload;
  Ptr<Project> project;
  std::int64_t seconds = 0;  // over all attempts
};

// Nothing if it never ran, or its project is gone.
std::optional<Ran> RanOf(const State& state, const ArchivedWorkload& past) {
  Ptr<Project> project = state.Find<Project>(past.workload->project);
  Micros spent;
  bool started = false;
  for (const Ptr<Attempt>& attempt : past.attempts) {
    if (!attempt->end || !attempt->started_at) continue;
    started = true;
    spent += attempt->end->at - *attempt->started_at - AwayUntil(*attempt, attempt->end->at);
  }
  if (!project || !started || !IsFinal(past.workload->life)) return std::nullopt;
  return Ran{past.workload, project, std::max<std::int64_t>(1, spent.value / 1'000'000)};
}

Result<std::vector<Ran>> EndedWork(const State& state) {
  std::vector<Ran> ran;
  auto add = [&](const ArchivedWorkload& past) -> Status {
    if (std::optional<Ran> one = RanOf(state, past)) ran.push_back(*std::move(one));
    return {};
  };
  YARD_TRY(state.archive().Each({}, add));
  std::vector<WorkloadId> ids;
  state.Of<Workload>().Each([&](const Workload& workload) { ids.push_back(workload.id); });
  for (WorkloadId id : ids) YARD_TRY(add({state.Find<Workload>(id), state.AttemptsOf(id)}));
  std::ranges::sort(ran, {}, [](const Ran& one) {
    return std::pair(one.workload->stamp.created_at.micros, one.workload->id);
  });
  return ran;
}

// A cell; those with commas or quotes stand in quotes.
std::string Cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string LineOf(const Ran& ran, const Project& project, Time first) {
  const Workload& workload = *ran.workload;
  const PodRequest& pod = workload.request;
  const std::int64_t pods = PodsOf(workload.request);
  const std::int64_t each = pod.gpu_devices > 0 ? pod.gpu.value / pod.gpu_devices : 1000;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", FormatUuid(workload.id.value),
                     Cell(workload.stamp.created_by), Cell(project.name),
                     (workload.stamp.created_at - first).value / 1'000'000, ran.seconds,
                     pod.gpu_devices * pods, each > 0 ? FormatMilli(each) : "1",
                     FormatMilli(pod.cpu.value * pods), pod.memory.value * pods, workload.priority,
                     workload.preemptible, pods);
}

}  // namespace

Result<std::string> CaptureOf(const std::string& backup) {
  YARD_ASSIGN(std::unique_ptr<Past> past, Past::Open(backup));
  YARD_ASSIGN(sim::Capture seen, SeenIn(*past->state()));
  return sim::WriteCapture(std::move(seen));
}

Result<Trace> TraceOf(const std::string& backup) {
  YARD_ASSIGN(std::unique_ptr<Past> past, Past::Open(backup));
  control::Snapshot state = past->state();
  YARD_ASSIGN(sim::Capture seen, SeenIn(*state));
  YARD_ASSIGN(const std::vector<Ran> ran, EndedWork(*state));
  const Time first = ran.empty() ? Time{} : ran.front().workload->stamp.created_at;
  Trace trace{
      "id,user,project,submit_s,duration_s,gpus,gpu_fraction,cpu,memory_mib,priority,"
      "preemptible,nodes\n",
      ClusterOf(seen.snapshot, first), ran.size()};
  for (const Ran& one : ran) trace.jobs += LineOf(one, *one.project, first);
  return trace;
}

}  // namespace yard::app
