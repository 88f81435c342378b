#include "control/sched/run_times.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "model/spec/spec.h"

namespace yard::control {
namespace {

std::string KindBySpec(const Workload& workload) {
  const std::hash<std::string> hash;
  return fmt::format("{}/{}/spec {:016x}{:016x}", workload.project.value, workload.stamp.created_by,
                     hash(workload.spec->document.json), hash(workload.master_spec->document.json));
}

std::string KindByName(const Workload& workload) {
  const std::string& name =
      workload.requested_name.empty() ? workload.name : workload.requested_name;
  return fmt::format("{}/{}/name {}", workload.project.value, workload.stamp.created_by,
                     StemOf(name));
}

// Wider and wider: of the same person, of the project, of everybody.
std::array<std::string, 3> WideKinds(const Workload& workload) {
  return {fmt::format("{}/{}", workload.project.value, workload.stamp.created_by),
          fmt::format("{}", workload.project.value), "all"};
}

// Up to the next of eight steps between a power of two and its double.
Micros RoundUp(Micros span) {
  const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(span.value, 8));
  const std::uint64_t step = std::bit_floor(value) / 8;
  return Micros(static_cast<std::int64_t>((value + step - 1) / step * step));
}

}  // namespace

std::string_view StemOf(std::string_view name) {
  for (;;) {
    const std::size_t last = name.find_last_not_of("0123456789");
    const bool numbered =
        last != std::string_view::npos && last > 0 && last + 1 < name.size() && name[last] == '-';
    if (!numbered) return name;
    name = name.substr(0, last);
  }
}

void RunTimes::AddAll(const State& state) {
  for (const ArchivedWorkload& past : state.archive().Newest(kArchived)) {
    for (const Ptr<Attempt>& attempt : past.attempts) Add(*past.workload, *attempt);
  }
  state.Of<Attempt>().Each([&](const Attempt& attempt) { Add(state, attempt); });
}

void RunTimes::Add(const State& state, const Attempt& attempt) {
  if (Ptr<Workload> workload = state.Find<Workload>(attempt.workload)) Add(*workload, attempt);
}

void RunTimes::Add(const Workload& workload, const Attempt& attempt) {
  const bool in_one_go =
      attempt.number == 1 && attempt.end && attempt.end->cause == EndCause::kCompleted;
  if (!in_one_go || !attempt.started_at) return;
  const Micros took = attempt.end->at - *attempt.started_at - AwayUntil(attempt, attempt.end->at);
  const Run run{attempt.id, std::max(took, Micros(0))};
  std::lock_guard lock(mutex_);
  Learn(KindBySpec(workload), run);
  Learn(KindByName(workload), run);
  for (const std::string& kind : WideKinds(workload)) Learn(kind, run);
}

void RunTimes::Learn(const std::string& kind, const Run& run) {
  auto [at, fresh] = known_.try_emplace(kind);
  Known& known = at->second;
  if (fresh) {
    known.place = kinds_.insert(kinds_.end(), kind);
  } else {
    kinds_.splice(kinds_.end(), kinds_, known.place);
  }
  if (std::ranges::find(known.runs, run.attempt, &Run::attempt) != known.runs.end()) return;
  known.runs.push_back(run);
  if (known.runs.size() > kKept) known.runs.erase(known.runs.begin());
  if (known_.size() <= kKinds) return;
  known_.erase(kinds_.front());
  kinds_.pop_front();
}

std::optional<RunTimes::Estimate> RunTimes::Find(const std::string& kind) const {
  auto known = known_.find(kind);
  if (known == known_.end() || known->second.runs.size() < kLeast) return std::nullopt;
  std::vector<Micros> took;
  for (const Run& run : known->second.runs) took.push_back(run.took);
  const std::size_t quartile = (took.size() * 3 + 3) / 4 - 1;
  std::ranges::nth_element(took, took.begin() + static_cast<std::ptrdiff_t>(quartile));
  return Estimate{RoundUp(took[quartile]), std::ssize(known->second.runs), kind};
}

std::optional<RunTimes::Estimate> RunTimes::Of(const Workload& workload) const {
  if (workload.rules.time_limit) return std::nullopt;
  std::lock_guard lock(mutex_);
  if (known_.empty()) return std::nullopt;
  if (auto same = Find(KindBySpec(workload))) return same;
  return Find(KindByName(workload));
}

std::optional<RunTimes::Range> RunTimes::Between(const std::string& kind,
                                                 std::size_t tenths_cut) const {
  auto known = known_.find(kind);
  if (known == known_.end() || known->second.runs.size() < kLeast) return std::nullopt;
  std::vector<Micros> took;
  for (const Run& run : known->second.runs) took.push_back(run.took);
  std::ranges::sort(took);
  const std::size_t cut = took.size() * tenths_cut / 10;
  return Range{std::max(took[cut], Seconds(1)), RoundUp(took[took.size() - 1 - cut]),
               std::ssize(took), kind};
}

std::optional<RunTimes::Range> RunTimes::RangeOf(const Workload& workload) const {
  constexpr std::size_t kAlikeCut = 2;
  constexpr std::size_t kWideCut = 1;
  std::lock_guard lock(mutex_);
  if (known_.empty()) return std::nullopt;
  for (const std::string& kind : {KindBySpec(workload), KindByName(workload)}) {
    if (auto alike = Between(kind, kAlikeCut)) return alike;
  }
  for (const std::string& kind : WideKinds(workload)) {
    if (auto wide = Between(kind, kWideCut)) return wide;
  }
  return std::nullopt;
}

}  // namespace yard::control
