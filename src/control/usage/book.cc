#include "control/usage/book.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/log.h"

namespace yard::control {
namespace {

// A longer gap between two looks says nothing about what happened in it.
constexpr std::int64_t kLongestGap = 4;
constexpr Micros kYoungLook = Seconds(1);
// At most so many tasks are asked for at once.
constexpr std::size_t kSlice = 64;

// Beside and renamed: a reader finds the old or the new. A lost write costs samples only.
bool WriteText(const std::string& path, const std::string& text) {
  const std::string fresh = path + ".new";
  UniqueFd fd(open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!fd || write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return false;
  }
  return rename(fresh.c_str(), path.c_str()) == 0;
}

// What the tasks of an attempt say, as one.
UsagePoint PointOf(std::span<const engine::TaskUsage> tasks, Time now) {
  UsagePoint point{.at = now, .gpu_memory = std::nullopt};
  for (const engine::TaskUsage& task : tasks) {
    point.cpu += task.cpu;
    point.read_bytes += task.read_bytes;
    point.write_bytes += task.write_bytes;
    point.memory += task.memory;
    if (task.gpu_memory) {
      point.gpu_memory = point.gpu_memory.value_or(Mebibytes(0)) + *task.gpu_memory;
    }
  }
  return point;
}

AttemptUse UseFrom(const UsageSeries& series) {
  AttemptUse use;
  if (series.empty()) return use;
  const UsagePoint& last = series.points().back();
  use.cpu = last.cpu;
  use.read_bytes = last.read_bytes;
  use.write_bytes = last.write_bytes;
  use.gpu_measured = last.gpu_measured;
  use.gpu_used = last.gpu_used;
  Mebibytes peak;
  for (const UsagePoint& point : series.points()) peak = std::max(peak, point.memory);
  use.memory_peak = peak;
  return use;
}

}  // namespace

GpuShare ShareOf(const TaskPlace& place, const engine::TaskUsage& usage, Micros since) {
  if (!usage.gpu_percent || since.value <= 0) return {};
  MilliGpu busy = std::min(place.each, MilliGpu(*usage.gpu_percent * 10));
  auto count = static_cast<std::int64_t>(place.gpus.size());
  return {GpuTime(HeldBy(place).value * since.value), GpuTime(busy.value * count * since.value)};
}

AttemptUse Combine(AttemptUse sampled, const AttemptUse& counted) {
  sampled.cpu = std::max(sampled.cpu, counted.cpu);
  sampled.memory_peak = std::max(sampled.memory_peak, counted.memory_peak);
  sampled.read_bytes = std::max(sampled.read_bytes, counted.read_bytes);
  sampled.write_bytes = std::max(sampled.write_bytes, counted.write_bytes);
  return sampled;
}

UsageBook::UsageBook(Service& service, engine::Engine& engine, UsageOptions options)
    : service_(service), engine_(engine), options_(std::move(options)) {
  if (!options_.folder.empty() && mkdir(options_.folder.c_str(), 0700) != 0 && errno != EEXIST) {
    log::Warning("what work uses cannot be kept",
                 {{"folder", options_.folder}, {"error", std::strerror(errno)}});
  }
  subscription_ = service_.Watch([this](const Notice& notice) {
    if (notice.change.after || !notice.change.before) return;
    const auto* attempt = std::get_if<Ptr<Attempt>>(&*notice.change.before);
    if (attempt == nullptr) return;
    MutexLock lock(mutex_);
    erased_.push_back((*attempt)->id);
  });
}

UsageBook::~UsageBook() {
  subscription_.reset();
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  Write(service_.Now());
}

void UsageBook::Start() {
  thread_ = std::thread([this] { Loop(); });
}

// What has just begun is looked at each second, so that short work is measured too.
void UsageBook::Loop() {
  const std::chrono::microseconds between(std::min(options_.between, kYoungLook).value);
  Time next = service_.Now() + options_.between;
  MutexLock lock(mutex_);
  while (!wake_.wait_for(lock, between, [&]() YARD_REQUIRES(mutex_) { return stopping_; })) {
    lock.unlock();
    if (service_.Now() >= next) {
      Look();
      next = service_.Now() + options_.between;
    } else {
      LookAtYoung();
    }
    lock.lock();
  }
}

void UsageBook::LookAtYoung() {
  Time now = service_.Now();
  std::vector<Ptr<Attempt>> young = Running();
  std::erase_if(young, [&](const Ptr<Attempt>& attempt) {
    return now - *attempt->started_at > options_.between;
  });
  if (!young.empty()) Sample(young, now);
}

void UsageBook::Look() {
  Time now = service_.Now();
  Sample(Running(), now);
  CloseEnded(*service_.Read());
  bool due = false;
  {
    MutexLock lock(mutex_);
    due = now - written_at_ >= options_.between_writes;
  }
  if (due) Write(now);
  RemoveErased();
}

std::vector<Ptr<Attempt>> UsageBook::Running() const {
  std::vector<Ptr<Attempt>> running;
  Snapshot state = service_.Read();
  state->EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    if (!attempt->started_at || !HoldsGpus(*attempt)) return;
    Ptr<Workload> workload = state->Find<Workload>(attempt->workload);
    const bool mine = !options_.cluster || (workload && workload->host() == *options_.cluster);
    if (mine) running.push_back(attempt);
  });
  return running;
}

void UsageBook::Sample(const std::vector<Ptr<Attempt>>& attempts, Time now) {
  for (std::size_t first = 0; first < attempts.size();) {
    std::vector<engine::TaskKey> keys;
    std::size_t last = first;
    for (; last < attempts.size() && keys.size() < kSlice; ++last) {
      for (std::size_t rank = 0; rank < attempts[last]->places.size(); ++rank) {
        keys.push_back({attempts[last]->id, static_cast<std::int32_t>(rank)});
      }
    }
    std::vector<engine::TaskUsage> usage = engine_.UsageOf(keys);
    std::vector<engine::TaskStatus> status = engine_.StatusOf(keys);
    // An engine that is out of contact says nothing.
    if (usage.size() != keys.size() || status.size() != keys.size()) {
      first = last;
      continue;
    }
    std::size_t at = 0;
    for (; first < last; ++first) {
      std::size_t count = attempts[first]->places.size();
      // A task that has ended answers with zeros, which are no measurement.
      bool all_run =
          std::all_of(status.begin() + static_cast<std::ptrdiff_t>(at),
                      status.begin() + static_cast<std::ptrdiff_t>(at + count),
                      [](const auto& s) { return s.state == engine::TaskState::kRunning; });
      if (all_run) Take(*attempts[first], std::span(usage).subspan(at, count), now);
      at += count;
    }
  }
}

void UsageBook::Take(const Attempt& attempt, std::span<const engine::TaskUsage> tasks, Time now) {
  MutexLock lock(mutex_);
  auto [at, is_new] = pages_.try_emplace(attempt.id);
  Page& page = at->second;
  if (is_new) {
    if (!options_.folder.empty()) page.series = DecodeUsage(ReadFileOrEmpty(PathOf(attempt.id)));
    page.use = UseFrom(page.series);
    page.looked_at = page.series.empty() ? *attempt.started_at : page.series.points().back().at;
  }
  // What it was away is nobody's: it counts from its last coming back.
  const Time back = attempt.absences.empty() ? Time{} : attempt.absences.back().to;
  Micros since = now - std::max(page.looked_at, back);
  if (since > options_.between * kLongestGap) since = Micros(0);
  UsagePoint point = PointOf(tasks, now);
  point.gpu_measured = page.use.gpu_measured;
  point.gpu_used = page.use.gpu_used;
  Mebibytes peak;
  for (std::size_t rank = 0; rank < tasks.size(); ++rank) {
    GpuShare share = ShareOf(attempt.places[rank], tasks[rank], since);
    point.gpu_measured += share.measured;
    point.gpu_used += share.used;
    peak += tasks[rank].memory_peak;
  }
  page.series.Add(point);
  page.use.memory_peak = std::max(page.use.memory_peak, std::optional(peak));
  page.use = Combine(UseFrom(page.series), page.use);
  page.looked_at = now;
  page.written = false;
}

// Ended attempts leave memory; their totals are in their record already.
void UsageBook::CloseEnded(const State& state) {
  std::vector<std::pair<AttemptId, std::string>> ended;
  {
    MutexLock lock(mutex_);
    for (auto at = pages_.begin(); at != pages_.end();) {
      Ptr<Attempt> attempt = state.Find<Attempt>(at->first);
      bool open = attempt && !attempt->end;
      if (!open && attempt) ended.emplace_back(at->first, Encode(at->second.series));
      at = open ? std::next(at) : pages_.erase(at);
    }
  }
  if (options_.folder.empty()) return;
  for (const auto& [id, text] : ended) WriteText(PathOf(id), text);
}

void UsageBook::Write(Time now) {
  std::vector<std::pair<AttemptId, std::string>> fresh;
  {
    MutexLock lock(mutex_);
    written_at_ = now;
    for (auto& [id, page] : pages_) {
      if (!std::exchange(page.written, true)) fresh.emplace_back(id, Encode(page.series));
    }
  }
  if (options_.folder.empty()) return;
  std::size_t failed = 0;
  for (const auto& [id, text] : fresh) failed += WriteText(PathOf(id), text) ? 0 : 1;
  if (failed > 0) {
    log::Warning("what work used could not be written", {{"files", std::to_string(failed)}});
  }
}

void UsageBook::RemoveErased() {
  std::vector<AttemptId> erased;
  {
    MutexLock lock(mutex_);
    erased.swap(erased_);
  }
  if (options_.folder.empty()) return;
  for (AttemptId id : erased) unlink(PathOf(id).c_str());
}

std::string UsageBook::PathOf(AttemptId attempt) const {
  return fmt::format("{}/{}", options_.folder, FormatUuid(attempt.value));
}

AttemptUse UsageBook::UseOf(AttemptId attempt) const {
  MutexLock lock(mutex_);
  auto at = pages_.find(attempt);
  return at == pages_.end() ? AttemptUse{} : at->second.use;
}

UsageSeries UsageBook::SeriesOf(AttemptId attempt) const {
  {
    MutexLock lock(mutex_);
    if (auto at = pages_.find(attempt); at != pages_.end()) return at->second.series;
  }
  return options_.folder.empty() ? UsageSeries{} : DecodeUsage(ReadFileOrEmpty(PathOf(attempt)));
}

}  // namespace yard::control
