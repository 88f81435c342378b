// What a workload asked for, what it used, and what would have been enough.
#include <algorithm>

#include <fmt/format.h>

#include "api/routes/groups.h"
#include "api/routes/live_views.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::Live;
using control::TaskChoice;
using engine::TaskUsage;

constexpr std::int64_t kMostRanks = 256;
// A suggestion leaves a quarter of room above what was seen.
constexpr std::int64_t kRoomNumerator = 5;
constexpr std::int64_t kRoomDenominator = 4;

// Sums over the tasks that were measured.
struct Used {
  TaskUsage sum;
  std::int64_t tasks = 0;
  std::int64_t gpu_percent_sum = 0;
  std::int64_t gpu_tasks = 0;
};

void Add(Used& used, const TaskUsage& task) {
  ++used.tasks;
  used.sum.cpu = used.sum.cpu + task.cpu;
  used.sum.memory = used.sum.memory + task.memory;
  used.sum.memory_peak = used.sum.memory_peak + task.memory_peak;
  used.sum.read_bytes += task.read_bytes;
  used.sum.write_bytes += task.write_bytes;
  used.sum.processes += task.processes;
  if (task.gpu_percent) {
    ++used.gpu_tasks;
    used.gpu_percent_sum += *task.gpu_percent;
  }
  if (task.gpu_memory) {
    used.sum.gpu_memory = used.sum.gpu_memory.value_or(Mebibytes(0)) + *task.gpu_memory;
  }
}

// Nothing is invented: a workload that never ran has used nothing that is known.
Result<Used> Measure(Live& live, TaskChoice task, std::int64_t ranks) {
  Used used;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    task.rank = static_cast<std::int32_t>(rank);
    Result<TaskUsage> usage = live.Usage(task);
    if (usage) {
      Add(used, *usage);
    } else if (usage.error().code != Code::kNotFound && usage.error().code != Code::kPrecondition) {
      return std::unexpected(usage.error());
    }
  }
  return used;
}

// How long the attempt ran, if it did.
std::optional<Micros> RunTime(const Call& call, const Workload& workload, const TaskChoice& task) {
  Ptr<Attempt> chosen;
  for (const Ptr<Attempt>& attempt : call.state().AttemptsOf(workload.id)) {
    if (!task.attempt || attempt->number == *task.attempt) chosen = attempt;
  }
  if (!chosen || !chosen->started_at) return std::nullopt;
  Micros span = (chosen->end ? chosen->end->at : call.now()) - *chosen->started_at;
  return span.value > 0 ? std::optional(span) : std::nullopt;
}

std::string Text(Mebibytes amount) {
  return fmt::format("{}Mi", amount.value);
}

double Thousandths(std::int64_t milli) {
  return static_cast<double>(milli) / 1000;
}

void WriteAsked(wire::Writer& w, const PodRequest& asked) {
  w.Begin();
  w("gpu", Thousandths(asked.gpu.value));
  w("cpu", Thousandths(asked.cpu.value));
  w("memory", Text(asked.memory));
  w.End();
}

void WriteUsed(wire::Writer& w, const Used& used) {
  auto known = [&](auto value) {
    return used.tasks > 0 ? std::optional(std::move(value)) : std::nullopt;
  };
  w.Begin();
  w.OrNull("cpuSeconds", known(static_cast<double>(used.sum.cpu.value) / 1e6));
  w.OrNull("memory", known(Text(used.sum.memory)));
  w.OrNull("memoryPeak", known(Text(used.sum.memory_peak)));
  w.OrNull("readBytes", known(used.sum.read_bytes));
  w.OrNull("writeBytes", known(used.sum.write_bytes));
  w.OrNull("processes", known(used.sum.processes));
  w.OrNull("gpuPercent", used.gpu_tasks > 0 ? std::optional(used.gpu_percent_sum / used.gpu_tasks)
                                            : std::nullopt);
  w.OrNull("gpuMemory",
           used.sum.gpu_memory ? std::optional(Text(*used.sum.gpu_memory)) : std::nullopt);
  w.End();
}

void WriteSuggested(wire::Writer& w, const Used& used, std::optional<Micros> run_time) {
  std::optional<std::string> memory;
  std::optional<double> cpu;
  if (used.tasks > 0 && used.sum.memory_peak.value > 0) {
    memory = Text(Mebibytes(used.sum.memory_peak.value * kRoomNumerator / kRoomDenominator + 1));
  }
  if (used.tasks > 0 && run_time) {
    std::int64_t milli = used.sum.cpu.value * 1000 / run_time->value;
    // In steps of a tenth of a core.
    cpu = Thousandths((milli * kRoomNumerator / kRoomDenominator / 100 + 1) * 100);
  }
  w.Begin();
  w.OrNull("cpu", cpu);
  w.OrNull("memory", memory);
  w.End();
}

Result<Answer> Usage(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, AllowedWorkload(call));
  YARD_ASSIGN(TaskChoice task, TaskOf(call, *workload));
  YARD_ASSIGN(Live * live, LiveOf(call));
  std::optional<Micros> run_time = RunTime(call, *workload, task);
  return OnLive([live, workload, task, run_time]() -> Result<Slow::Outcome> {
    std::int64_t ranks = std::min(PodsOf(workload->request), kMostRanks);
    YARD_ASSIGN(Used used, Measure(*live, task, ranks));
    std::string out;
    wire::Writer w(out);
    w.Begin();
    w.Key("asked");
    WriteAsked(w, TotalOf(workload->request));
    w.Key("used");
    WriteUsed(w, used);
    w.Key("suggested");
    WriteSuggested(w, used, run_time);
    w.End();
    return Json(std::move(out));
  });
}

}  // namespace

void AddLiveUsageRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet,
                    "/api/v1/workloads/{workloadId}/usage",
                    MayByKind(Action::kRead),
                    Usage,
                    "What a workload asked for and what it used",
                    "",
                    "WorkloadUsage",
                    200,
                    {{"attempt", "int(1..)"}}});
}

}  // namespace yard::api
