#include "engine/slurm/ends.h"

#include <signal.h>

#include <string_view>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::engine::slurm {
namespace {

struct Rule {
  std::string_view state;
  EndCause cause;
  std::string_view message;
};

// States whose cause is Slurm's own doing or observation, whatever the command's end looks like.
constexpr Rule kRules[] = {
    {"TIMEOUT", EndCause::kTimeLimit,
     "Slurm ended the job at its time limit; ask for more time or a partition with a longer one"},
    {"DEADLINE", EndCause::kTimeLimit, "Slurm ended the job at its deadline"},
    {"PREEMPTED", EndCause::kPreempted, "Slurm preempted the job for another one"},
    {"OUT_OF_MEMORY", EndCause::kOutOfMemory,
     "Slurm killed the job: it used more memory than its limit; ask for more memory"},
    {"NODE_FAIL", EndCause::kNodeLost,
     "the node failed or stopped answering Slurm; the exit code is not known"},
    {"BOOT_FAIL", EndCause::kNodeLost, "Slurm could not boot the node"},
};

const Rule* RuleFor(const std::optional<Job>& job) {
  for (const Rule& rule : kRules)
    if (job && job->state == rule.state) return &rule;
  return nullptr;
}

std::string InSlurmsWords(const Job& job) {
  std::string words = "Slurm says " + job.state;
  if (!job.reason.empty()) words += fmt::format(" ({})", job.reason);
  return words;
}

TaskEnd Stopped(const StopOptions& stop, Time at) {
  const int signal = stop.grace.value > 0 ? stop.signal : SIGKILL;
  return {.cause = EndCause::kSignal,
          .signal = signal,
          .message = "stopped on request before the command could note its end",
          .at = at};
}

TaskEnd FromJob(const Job& job, const Evidence& evidence, Time at) {
  TaskEnd end{.at = at};
  end.message = "the job ended without the command's own word: " + InSlurmsWords(job);
  if (job.state == "CANCELLED") {
    end.cause = EndCause::kCancelled;
    end.message = "the job was cancelled in Slurm, not by Gpuyard";
  } else if (job.signal) {
    end.cause = EndCause::kSignal;
    end.signal = job.signal;
  } else if (job.exit_code.value_or(0) != 0 && evidence.started) {
    end.cause = EndCause::kExit;
    end.exit_code = job.exit_code;
  } else if (job.exit_code.value_or(0) != 0) {
    end.cause = EndCause::kLaunchFailed;
    end.message = "the job could not start on its node: " + InSlurmsWords(job) +
                  "; see slurm.out in the task's folder";
  } else {
    end.cause = EndCause::kNodeLost;
  }
  return end;
}

TaskEnd WithoutNote(const Evidence& evidence, Time now) {
  const Time at = evidence.job && evidence.job->ended_at ? *evidence.job->ended_at : now;
  if (evidence.stop) return Stopped(*evidence.stop, at);
  if (evidence.job) return FromJob(*evidence.job, evidence, at);
  return {.cause = EndCause::kNodeLost,
          .message =
              "Slurm no longer knows the job and the task left no word; its exit code is "
              "not known",
          .at = at};
}

bool IsOwnEnd(const TaskEnd& end) {
  return end.cause == EndCause::kCompleted || end.cause == EndCause::kLaunchFailed;
}

}  // namespace

bool NeedsSlurmsWord(const Evidence& evidence) {
  return !evidence.noted || (!IsOwnEnd(*evidence.noted) && !evidence.stop);
}

TaskEnd DecideEnd(const Evidence& evidence, Time now) {
  TaskEnd end = evidence.noted ? *evidence.noted : WithoutNote(evidence, now);
  if (evidence.noted && (IsOwnEnd(end) || evidence.stop)) return end;
  if (const Rule* rule = RuleFor(evidence.job); rule != nullptr && !evidence.stop) {
    end.cause = rule->cause;
    end.message = rule->message;
  } else if (evidence.noted && evidence.job && evidence.job->state == "CANCELLED") {
    end.cause = EndCause::kCancelled;
    end.message = "the job was cancelled in Slurm, not by Gpuyard";
  }
  return end;
}

}  // namespace yard::engine::slurm
