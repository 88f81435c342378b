#include "control/sched/advice_words.h"

#include <utility>

#include <fmt/format.h>

#include "model/workload_priority.h"

namespace yard::control {
namespace {

using sched::Change;
using Kind = sched::Change::Kind;

// The class people would name for a priority that the scheduler tried.
std::string ClassNameOf(std::int64_t priority) {
  for (const PriorityClass& one : PriorityClasses()) {
    if (one.value == priority) return std::string(one.name);
  }
  return std::to_string(priority);
}

// What a program needs to make the change: its kind, the new value, and the flag that says so.
struct Spelled {
  std::string kind;
  std::string value;
  std::string flag;  // empty: the command line has none
};

Spelled Amount(std::string kind, std::string value, std::string_view flag) {
  std::string said = fmt::format("{} {}", flag, value);
  return {std::move(kind), std::move(value), std::move(said)};
}

Spelled Spell(const Change& change, const sched::Snapshot& snapshot) {
  switch (change.kind) {
    case Kind::kFewerGpus:
      return Amount("fewerGpus", FormatMilli(change.amount), "--gpu");
    case Kind::kSmallerPart:
      return Amount("smallerPart", FormatMilli(change.amount), "--gpu-part");
    case Kind::kLessGpuMemory:
      return Amount("lessGpuMemory", fmt::format("{}Mi", change.amount), "--gpu-memory");
    case Kind::kFewerTasks:
      return Amount("fewerTasks", std::to_string(change.amount), "--workers");
    case Kind::kOtherPool:
      return Amount("otherPool", snapshot.pools[static_cast<std::size_t>(change.pool.value)].name,
                    "--pool");
    case Kind::kPreemptible:
      return {"preemptible", "", "--preemptible"};
    case Kind::kMoreQuota:
      return {"moreQuota", FormatMilli(change.amount), ""};
    case Kind::kHigherLimit:
      return {"higherLimit", FormatMilli(change.amount), ""};
    case Kind::kLessCpu:
      return Amount("lessCpu", FormatMilli(change.amount), "--cpu");
    case Kind::kLessMemory:
      return Amount("lessMemory", fmt::format("{}Mi", change.amount), "--mem");
    case Kind::kAnyModel:
      return {"anyModel", "", ""};
    case Kind::kAnyLabels:
      return {"anyLabels", "", "--any-node-type"};
    case Kind::kTolerate:
      return {"tolerate", "", ""};
    case Kind::kNoTopology:
      return {"noTopology", "", ""};
    case Kind::kShorterLimit:
      return Amount("shorterLimit", fmt::format("{}m", change.amount / Minutes(1).value), "--time");
    case Kind::kHigherPriority:
      return Amount("higherPriority", ClassNameOf(change.amount), "--priority");
    case Kind::kAsTraining:
      return {"asTraining", "", "--training"};
    case Kind::kMoves:
      return {"moves", std::to_string(change.amount), ""};
  }
  return {};
}

WorkFate FateOf(sched::Fate fate) {
  if (fate == sched::Fate::kMoves) return WorkFate::kMoves;
  return fate == sched::Fate::kShrinks ? WorkFate::kShrinks : WorkFate::kStops;
}

std::string WordsOf(const Change& change, const Spelled& spelled, const sched::Snapshot& snapshot) {
  if (change.kind == Kind::kHigherPriority) return "with priority " + spelled.value;
  return sched::Describe(change, snapshot);
}

Alternative AlternativeOf(const sched::Advice& advice, const sched::Snapshot& snapshot) {
  Alternative made;
  bool all_have_flags = true;
  for (const Change& change : advice.changes) {
    const Spelled spelled = Spell(change, snapshot);
    const bool first = made.change.empty();
    made.kind = first ? spelled.kind : "several";
    made.value = first ? spelled.value : "";
    made.change += (first ? "" : ", ") + WordsOf(change, spelled, snapshot);
    all_have_flags = all_have_flags && !spelled.flag.empty();
    made.flags += (made.flags.empty() ? "" : " ") + spelled.flag;
  }
  if (!all_have_flags) made.flags.clear();
  return made;
}

}  // namespace

std::vector<Alternative> AlternativesOf(const std::vector<sched::Advice>& advice, SchedView& view,
                                        std::string_view name, std::string_view outcome) {
  std::vector<Alternative> all;
  for (const sched::Advice& one : advice) {
    Alternative made = AlternativeOf(one, view.scheduler().snapshot());
    made.outcome = outcome;
    if (!made.flags.empty() && !name.empty()) {
      made.command = fmt::format("gpuyard update {} {}", name, made.flags);
    }
    if (made.kind == "moves") {
      made.command = fmt::format("gpuyard setting set scheduler.moves {}", made.value);
    }
    for (const sched::Loss& loss : one.losses)
      made.price.push_back({view.IdOf(loss.victim), loss.ran, FateOf(loss.fate)});
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace yard::control
