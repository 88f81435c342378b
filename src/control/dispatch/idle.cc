#include "control/dispatch/idle.h"

#include <algorithm>

namespace yard::control {
namespace {

// One twentieth of a core is what a sleeping program's runtime uses at most.
constexpr std::int64_t kBusyShare = 20;

std::optional<Micros> RuleFor(const std::optional<SchedulingRules>& rules,
                              const Workload& workload) {
  if (!rules) return std::nullopt;
  std::optional<std::int64_t> seconds = rules->training_max_idle;
  if (workload.type == WorkloadType::kWorkspace) {
    seconds = workload.preemptible ? rules->interactive_preempt_idle : rules->interactive_max_idle;
  }
  if (workload.type == WorkloadType::kInference || !seconds) return std::nullopt;
  return Seconds(*seconds);
}

// What shows that a task is used; empty: nothing does.
std::string SignalOf(const engine::TaskUsage& now, const engine::TaskUsage* before, Micros since) {
  if (now.terminal_input_at &&
      (before == nullptr || now.terminal_input_at != before->terminal_input_at)) {
    return "terminal";
  }
  if (now.gpu_percent) return *now.gpu_percent > 0 ? "GPU" : "";
  if (before == nullptr) return "start";
  return (now.cpu - before->cpu).value * kBusyShare > since.value ? "CPU" : "";
}

}  // namespace

std::optional<Micros> IdleLimitOf(const State& state, const Workload& workload) {
  Ptr<Project> project = state.Find<Project>(workload.project);
  Ptr<Department> department = state.Find<Department>(workload.department);
  std::optional<Micros> limit = project ? RuleFor(project->rules, workload) : std::nullopt;
  std::optional<Micros> above = department ? RuleFor(department->rules, workload) : std::nullopt;
  if (!limit || !above) return limit ? limit : above;
  return std::min(*limit, *above);
}

IdleVerdict Look(IdleWatch& watch, std::span<const engine::TaskUsage> usage, Time now,
                 Micros limit) {
  for (std::size_t rank = 0; rank < usage.size(); ++rank) {
    const engine::TaskUsage* before = rank < watch.last.size() ? &watch.last[rank] : nullptr;
    std::string signal = SignalOf(usage[rank], before, now - watch.looked_at);
    if (signal.empty()) continue;
    watch.active_at = now;
    watch.kept_by = std::move(signal);
    watch.warned = false;
  }
  watch.last.assign(usage.begin(), usage.end());
  watch.looked_at = now;
  Micros idle = now - watch.active_at;
  if (idle >= limit) return IdleVerdict::kStop;
  if (idle.value < limit.value / 5 * 4 || watch.warned) return IdleVerdict::kActive;
  watch.warned = true;
  return IdleVerdict::kWarn;
}

}  // namespace yard::control
