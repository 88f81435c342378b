#include "control/dispatch/lifecycle.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include <fmt/format.h>

namespace yard::control {
namespace {

using engine::TaskEnd;
using engine::TaskState;
using engine::TaskStatus;

bool HasFailed(const TaskStatus& task) {
  return task.end && task.end->cause != EndCause::kCompleted;
}

// Of ends at the same moment, one by a signal is the likelier to be a consequence.
bool DecidesBefore(const TaskEnd& a, const TaskEnd& b) {
  return std::pair(a.at, a.cause == EndCause::kSignal) <
         std::pair(b.at, b.cause == EndCause::kSignal);
}

// Whether the master was stopped because the rank `other` had failed.
bool FellAfter(const TaskEnd& master, const TaskEnd& other) {
  return master.cause == EndCause::kSignal && other.at <= master.at;
}

// The rank whose end decides: the master if it has ended by itself, else the first that failed.
std::optional<std::size_t> Decider(std::span<const TaskStatus> tasks, GangRule rule) {
  std::optional<std::size_t> first;
  for (std::size_t rank = 0; rank < tasks.size(); ++rank) {
    if (!HasFailed(tasks[rank])) continue;
    if (!first || DecidesBefore(*tasks[rank].end, *tasks[*first].end)) first = rank;
  }
  const bool master = rule == GangRule::kFirstDecides && !tasks.empty() && tasks[0].end;
  const bool fell = master && first && *first != 0 && FellAfter(*tasks[0].end, *tasks[*first].end);
  return master && !fell ? 0 : first;
}

Time LastEnd(std::span<const TaskStatus> tasks) {
  Time last;
  for (const TaskStatus& task : tasks) last = std::max(last, task.end->at);
  return last;
}

// Whether the order came before the end. Clocks may be set back in between: an end by a signal
// that stops work is taken for the order's own.
bool IsByOrder(const StopOrder& stop, const AttemptEnd& end) {
  bool by_our_signal = end.signal && (*end.signal == SIGTERM || *end.signal == SIGKILL);
  return stop.at <= end.at || by_our_signal;
}

// A clock that was set back must not make a run end before it began.
Time EndTime(const Attempt& attempt, std::span<const TaskStatus> tasks) {
  return std::max({LastEnd(tasks), attempt.placed_at, attempt.started_at.value_or(Time{})});
}

AttemptEnd EndOf(const Attempt& attempt, std::span<const TaskStatus> tasks, GangRule rule) {
  std::size_t rank = Decider(tasks, rule).value_or(0);
  const TaskEnd& task = *tasks[rank].end;
  AttemptEnd end{.cause = task.cause,
                 .exit_code = task.exit_code,
                 .signal = task.signal,
                 .rank = static_cast<std::int32_t>(rank),
                 .message = task.message,
                 .at = EndTime(attempt, tasks)};
  if (attempt.stop && IsByOrder(*attempt.stop, end)) {
    end.cause = attempt.stop->cause;
    end.message.clear();
  }
  if (end.message.empty()) end.message = SentenceOf(end, tasks.size());
  return end;
}

Transition To(Life next, std::string_view reason, std::string message, Time at) {
  return {next, std::string(reason), std::move(message), at};
}

bool IsOwnFault(EndCause cause) {
  switch (cause) {
    case EndCause::kExit:
    case EndCause::kSignal:
    case EndCause::kOutOfMemory:
    case EndCause::kLaunchFailed:
    case EndCause::kNodeLost:
      return true;
    case EndCause::kCompleted:
    case EndCause::kTimeLimit:
    case EndCause::kIdle:
    case EndCause::kSuspended:
    case EndCause::kDeleted:
    case EndCause::kCancelled:
    case EndCause::kPreempted:
      return false;
  }
  return false;
}

// Its next place is held for it.
bool StartsAgain(const StopOrder& stop) {
  return stop.rule == "move" || stop.rule == "shrink" || stop.rule == "grow";
}

std::string PreemptedSentence(const std::optional<StopOrder>& stop) {
  if (stop && StartsAgain(*stop))
    return fmt::format("Stopped by the rule {}; it starts again at once.", stop->rule);
  if (stop && stop->rule == kDrainRule) return "Its node is drained; it waits for another place.";
  if (!stop || stop->by.empty()) return "Lost its place; it waits for another.";
  return fmt::format("Gave its place to {} by the rule {}; it waits for another.", stop->by,
                     stop->rule);
}

}  // namespace

GangRule GangRuleOf(const Workload& workload) {
  return workload.request.master ? GangRule::kFirstDecides : GangRule::kAllComplete;
}

Progress Judge(const Attempt& attempt, std::span<const TaskStatus> tasks, GangRule rule) {
  Progress progress;
  bool all_started = true;
  bool all_ended = true;
  Time started;
  for (const TaskStatus& task : tasks) {
    all_started = all_started && task.started_at;
    all_ended = all_ended && task.end;
    progress.queued = progress.queued || task.state == TaskState::kQueued;
    if (task.started_at) started = std::max(started, *task.started_at);
  }
  if (all_started && !tasks.empty()) progress.started_at = started;
  if (all_ended && !tasks.empty()) {
    progress.end = EndOf(attempt, tasks, rule);
  } else {
    progress.stop_rest = Decider(tasks, rule).has_value();
  }
  return progress;
}

AttemptUse CountedBy(std::span<const TaskStatus> tasks) {
  AttemptUse use;
  for (const TaskStatus& task : tasks) {
    if (!task.end || !task.end->used) continue;
    const engine::EndUse& one = *task.end->used;
    use.cpu = use.cpu.value_or(Micros(0)) + one.cpu;
    use.memory_peak = use.memory_peak.value_or(Mebibytes(0)) + one.memory_peak;
    use.read_bytes += one.read_bytes;
    use.write_bytes += one.write_bytes;
  }
  return use;
}

Fate FateOf(const Workload& workload, const Attempt& attempt) {
  const AttemptEnd& end = *attempt.end;
  std::string_view reason = Name(end.cause);
  if (workload.desired == DesiredPhase::kDeleted) return {};
  if (end.cause == EndCause::kCompleted) {
    return {To(Life::kCompleted, reason, end.message, end.at)};
  }
  // It was resumed while it was being stopped.
  if (workload.life == Life::kSuspending && workload.desired == DesiredPhase::kRunning &&
      !IsOwnFault(end.cause)) {
    return {To(Life::kWaiting, "Queued", "Waits for the scheduler.", end.at)};
  }
  // Parked work that is lost did nothing wrong: its owner may start it anew.
  if (end.cause == EndCause::kNodeLost && !HoldsGpus(attempt)) {
    return {To(Life::kSuspended, reason, end.message, end.at)};
  }
  if (workload.desired == DesiredPhase::kStopped) {
    Life next = IsOwnFault(end.cause) ? Life::kFailed : Life::kSuspended;
    return {To(next, reason, end.message, end.at)};
  }
  if (end.cause == EndCause::kPreempted && !workload.rules.ends_when_preempted) {
    return {To(Life::kWaiting, reason, PreemptedSentence(attempt.stop), end.at)};
  }
  if (AllowsRetry(workload.rules.retry, workload.retries, end)) {
    std::string message = fmt::format("{} Tries again: {} of {}.", end.message,
                                      workload.retries + 1, workload.rules.retry.limit);
    return {To(Life::kWaiting, "Retry", std::move(message), end.at), true};
  }
  return {To(Life::kFailed, reason, end.message, end.at)};
}

std::string SentenceOf(const AttemptEnd& end, std::size_t ranks) {
  std::string who = ranks > 1 ? fmt::format("Rank {} ", end.rank) : "";
  auto say = [&](std::string text) {
    if (who.empty()) return text;
    text.front() = static_cast<char>(text.front() - 'A' + 'a');
    return who + text;
  };
  switch (end.cause) {
    case EndCause::kCompleted:
      return "Completed.";
    case EndCause::kExit:
      return say(fmt::format("Exited with code {}.", end.exit_code.value_or(0)));
    case EndCause::kSignal:
      return say(fmt::format("Was ended by signal {}.", end.signal.value_or(0)));
    case EndCause::kOutOfMemory:
      return say("Exceeded its memory limit and was ended; ask for more memory.");
    case EndCause::kLaunchFailed:
      return say("Could not be started.");
    case EndCause::kTimeLimit:
      return "Stopped at its time limit.";
    case EndCause::kIdle:
      return "Stopped because it was idle for too long.";
    case EndCause::kSuspended:
      return "Stopped on request.";
    case EndCause::kDeleted:
      return "Deleted on request.";
    case EndCause::kCancelled:
      return "Cancelled on request.";
    case EndCause::kPreempted:
      return "Stopped to make room for other work.";
    case EndCause::kNodeLost:
      return say("Was lost with its machine; nobody knows its exit code.");
  }
  return "";
}

}  // namespace yard::control
