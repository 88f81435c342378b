#include "store/series/committer.h"

#include <utility>

#include <fmt/format.h>

namespace yard::store {
namespace {

// A frame is read back as a whole; and those who wait in it answer together.
constexpr std::size_t kGroupBytes = 16 << 20;

}  // namespace

Committer::Committer(SeriesLog log, Fresh& fresh, BlockWriter& blocks, const SeriesOptions& options)
    : options_(options),
      fresh_(fresh),
      blocks_(blocks),
      log_(std::move(log)),
      flusher_([this](const std::stop_token& stop) { FlushLoop(stop); }),
      committer_([this](const std::stop_token& stop) { CommitLoop(stop); }) {}

Committer::~Committer() {
  committer_.request_stop();
  committer_.join();
  flusher_.request_stop();
  flusher_.join();
}

void Committer::Submit(SeriesRecord record, SeriesStore::Done done) {
  Waiting waiting{.record = std::move(record), .bytes = {}, .done = std::move(done)};
  AppendRecord(waiting.bytes, waiting.record);  // here, where callers work side by side
  {
    MutexLock guard(mutex_);
    if (waiting_bytes_ + waiting.bytes.size() <= options_.waiting_bytes || waiting_.empty()) {
      waiting_bytes_ += waiting.bytes.size();
      waiting_.push_back(std::move(waiting));
      changed_.notify_all();
      return;
    }
  }
  waiting.done(Fail(Code::kTooMany, "too many points wait for the disk; nothing was stored",
                    "send the batch again in a moment"));
}

bool Committer::HasRoom() const {
  return fresh_.growing_points() < options_.memory_points * kMostMemories;
}

bool Committer::WantsSeal() const {
  bool full = fresh_.growing_points() >= options_.memory_points;
  return (full || flush_wanted_) && !fresh_.empty() && !fresh_.has_sealed();
}

std::vector<Committer::Waiting> Committer::TakeGroup(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  // While blocks are being written memory may fill up: then the disk is the one to wait for.
  changed_.wait(lock, stop, [&]() YARD_REQUIRES(mutex_) {
    return WantsSeal() || (!waiting_.empty() && (HasRoom() || flush_error_));
  });
  if (WantsSeal()) {
    fresh_.Seal(log_.Rotate());
    ++seals_;
    flush_wanted_ = false;
    flush_due_ = true;
    changed_.notify_all();
  }
  std::vector<Waiting> group;
  std::size_t bytes = 0;
  while (group.size() < waiting_.size() && bytes < kGroupBytes) {
    bytes += waiting_[group.size()].bytes.size();
    group.emplace_back(std::move(waiting_[group.size()]));
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(group.size()));
  waiting_bytes_ -= bytes;
  return group;
}

void Committer::CommitGroup(std::vector<Waiting> group) {
  Status status;
  {
    MutexLock guard(mutex_);
    if (!HasRoom() && flush_error_) {
      status = Fail(*flush_error_);
      flush_due_ = true;
      changed_.notify_all();
    }
  }
  if (status) {
    std::string payload;
    for (const Waiting& waiting : group) payload += waiting.bytes;
    status = log_.Append(payload);
  }
  if (status) {
    std::vector<SeriesRecord> records;
    records.reserve(group.size());
    for (Waiting& waiting : group) records.push_back(std::move(waiting.record));
    fresh_.Apply(std::move(records));
  }
  for (Waiting& waiting : group) waiting.done(status);
}

void Committer::CommitLoop(const std::stop_token& stop) {
  while (true) {
    std::vector<Waiting> group = TakeGroup(stop);
    if (!group.empty()) {
      CommitGroup(std::move(group));
    } else if (stop.stop_requested()) {
      return;
    }
  }
}

void Committer::FlushLoop(const std::stop_token& stop) {
  while (true) {
    {
      MutexLock lock(mutex_);
      if (!changed_.wait(lock, stop, [&]() YARD_REQUIRES(mutex_) { return flush_due_; })) return;
      flush_due_ = false;
    }
    std::shared_ptr<const Memtable> sealed = fresh_.sealed();
    if (sealed == nullptr) continue;
    std::int64_t log_number = fresh_.sealed_log();
    Status flushed = blocks_.Flush(*sealed, log_number);
    if (flushed) {
      fresh_.DropSealed();
      log_.RemoveThrough(log_number);
    }
    MutexLock guard(mutex_);
    flush_error_ = flushed ? std::nullopt : std::optional(std::move(flushed).error());
    ++(flushed ? flushes_ : failures_);
    changed_.notify_all();
  }
}

Status Committer::Flush() {
  MutexLock lock(mutex_);
  if (fresh_.empty() && !fresh_.has_sealed()) return {};
  std::uint64_t target = seals_ + (fresh_.empty() ? 0 : 1);
  std::uint64_t failures = failures_;
  flush_wanted_ = !fresh_.empty();
  flush_due_ = fresh_.has_sealed();
  changed_.notify_all();
  changed_.wait(lock,
                [&]() YARD_REQUIRES(mutex_) { return flushes_ >= target || failures_ > failures; });
  if (flushes_ >= target) return {};
  return Fail(*flush_error_);
}

}  // namespace yard::store
