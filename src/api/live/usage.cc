// What a workload asked for, what it used, and what would have been enough.
#include <algorithm>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/live/views.h"
#include "control/usage/sum.h"
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

// Of one attempt. Absent: not measured.
struct Used {
  std::optional<Micros> cpu;
  std::optional<Mebibytes> memory;
  std::optional<Mebibytes> memory_peak;
  std::optional<std::int64_t> read_bytes;
  std::optional<std::int64_t> write_bytes;
  std::optional<std::int64_t> processes;
  std::optional<std::int64_t> gpu_percent;
  std::optional<Mebibytes> gpu_memory;
  std::optional<Micros> run_time;
  control::UsageSum gpu;
};

template <class T>
void Add(std::optional<T>& sum, T more) {
  sum = sum.value_or(T{}) + more;
}

void Add(Used& used, const TaskUsage& task) {
  Add(used.cpu, task.cpu);
  Add(used.memory, task.memory);
  Add(used.memory_peak, task.memory_peak);
  Add(used.read_bytes, task.read_bytes);
  Add(used.write_bytes, task.write_bytes);
  Add(used.processes, task.processes);
  if (task.gpu_memory) Add(used.gpu_memory, *task.gpu_memory);
}

// What runs is asked. Nothing is invented: what was not measured stays unknown.
Status Measure(Live& live, TaskChoice task, std::int64_t ranks, Used& used) {
  std::int64_t percent = 0;
  std::int64_t with_gpu = 0;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    task.rank = static_cast<std::int32_t>(rank);
    Result<TaskUsage> usage = live.Usage(task);
    if (usage) {
      Add(used, *usage);
      percent += usage->gpu_percent.value_or(0);
      with_gpu += usage->gpu_percent ? 1 : 0;
    } else if (usage.error().code != Code::kNotFound && usage.error().code != Code::kPrecondition) {
      return std::unexpected(usage.error());
    }
  }
  if (with_gpu > 0) used.gpu_percent = percent / with_gpu;
  return {};
}

// What has ended is on record.
void Recall(const AttemptUse& use, Used& used) {
  used.cpu = use.cpu;
  used.memory_peak = use.memory_peak;
  if (use.cpu) {
    used.read_bytes = use.read_bytes;
    used.write_bytes = use.write_bytes;
  }
  if (use.gpu_measured.value > 0) {
    used.gpu_percent = use.gpu_used.value / std::max<std::int64_t>(use.gpu_measured.value / 100, 1);
  }
}

// The most it was seen to hold.
std::optional<Mebibytes> GpuMemoryPeak(const control::UsageSeries& series) {
  std::optional<Mebibytes> peak;
  for (const control::UsagePoint& point : series.points()) peak = std::max(peak, point.gpu_memory);
  return peak;
}

// The attempt that is asked for, or the newest; null: it never ran.
Ptr<Attempt> ChosenAttempt(const Call& call, const Workload& workload, const TaskChoice& task) {
  Ptr<Attempt> chosen;
  for (const Ptr<Attempt>& attempt : call.state().AttemptsOf(workload.id)) {
    if (!task.attempt || attempt->number == *task.attempt) chosen = attempt;
  }
  return chosen;
}

void SetTimes(const Attempt& attempt, const AttemptUse& use, Time now, Used& used) {
  used.gpu = control::UsageWithin(attempt, use, {attempt.placed_at, now + Micros(1)}, now);
  if (!attempt.started_at) return;
  Micros span =
      (attempt.end ? attempt.end->at : now) - *attempt.started_at - AwayUntil(attempt, now);
  if (span.value > 0) used.run_time = span;
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

std::optional<std::string> Text(std::optional<Mebibytes> amount) {
  return amount ? std::optional(Text(*amount)) : std::nullopt;
}

double Hours(GpuTime time) {
  return static_cast<double>(time.value) / 1000 / 3'600'000'000.0;
}

void WriteUsed(wire::Writer& w, const Used& used) {
  auto seconds = [](Micros span) { return static_cast<double>(span.value) / 1e6; };
  bool measured = used.gpu.used.value + used.gpu.idle.value > 0;
  w.Begin();
  w.OrNull("cpuSeconds", used.cpu.transform(seconds));
  w.OrNull("memory", Text(used.memory));
  w.OrNull("memoryPeak", Text(used.memory_peak));
  w.OrNull("readBytes", used.read_bytes);
  w.OrNull("writeBytes", used.write_bytes);
  w.OrNull("processes", used.processes);
  w.OrNull("gpuPercent", used.gpu_percent);
  w.OrNull("gpuMemory", Text(used.gpu_memory));
  w("gpuHoursHeld", Hours(used.gpu.held));
  w.OrNull("gpuHoursUsed", measured ? std::optional(Hours(used.gpu.used)) : std::nullopt);
  w.OrNull("gpuHoursIdle", measured ? std::optional(Hours(used.gpu.idle)) : std::nullopt);
  w.End();
}

// With room above what was seen, in steps of a tenth.
double Roomy(std::int64_t milli) {
  return Thousandths((milli * kRoomNumerator / kRoomDenominator / 100 + 1) * 100);
}

void WriteSuggested(wire::Writer& w, const Used& used, const PodRequest& asked) {
  std::optional<std::string> memory;
  std::optional<double> cpu;
  std::optional<double> gpu;
  if (used.memory_peak && used.memory_peak->value > 0) {
    memory = Text(Mebibytes(used.memory_peak->value * kRoomNumerator / kRoomDenominator + 1));
  }
  if (used.cpu && used.run_time) {
    cpu = Roomy(control::MilliRate(Micros(0), *used.cpu, *used.run_time));
  }
  GpuTime measured = used.gpu.used + used.gpu.idle;
  if (measured.value > 0) {
    auto busy = static_cast<double>(used.gpu.used.value) / static_cast<double>(measured.value);
    auto milli = static_cast<std::int64_t>(busy * static_cast<double>(asked.gpu.value));
    gpu = std::min(Roomy(milli), Thousandths(asked.gpu.value));
  }
  w.Begin();
  w.OrNull("gpu", gpu);
  w.OrNull("cpu", cpu);
  w.OrNull("memory", memory);
  w.End();
}

std::string Render(const Workload& workload, const Used& used) {
  PodRequest asked = TotalOf(workload.request);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("asked");
  WriteAsked(w, asked);
  w.Key("used");
  WriteUsed(w, used);
  w.Key("suggested");
  WriteSuggested(w, used, asked);
  w.End();
  return out;
}

Result<Answer> Usage(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, AllowedWorkload(call));
  YARD_ASSIGN(TaskChoice task, TaskOf(call, *workload));
  Ptr<Attempt> attempt = ChosenAttempt(call, *workload, task);
  Used used;
  if (attempt && attempt->end) {
    AttemptUse use = attempt->used.value_or(AttemptUse{});
    Recall(use, used);
    SetTimes(*attempt, use, call.now(), used);
    if (Result<Live*> live = LiveOf(call))
      used.gpu_memory = GpuMemoryPeak((*live)->UsageSeriesOf(attempt->id));
    return Json(Render(*workload, used));
  }
  YARD_ASSIGN(Live * live, LiveOf(call));
  if (attempt) SetTimes(*attempt, live->UseOf(attempt->id), call.now(), used);
  return OnLive([live, workload, task, used]() mutable -> Result<Slow::Outcome> {
    std::int64_t ranks = std::min(PodsOf(workload->request), kMostRanks);
    YARD_TRY(Measure(*live, task, ranks, used));
    return Json(Render(*workload, used));
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
