#include "control/state/reactor.h"

#include <future>
#include <utility>

#include "base/log.h"
#include "control/notify/events.h"

namespace yard::control {
namespace {

constexpr std::size_t kMaxBatch = 1024;

}  // namespace

// Removes its watcher when the holder lets go of it; the list may outlive the reactor.
class Reactor::Watching final : public Subscription {
 public:
  Watching(std::shared_ptr<Watchers> watchers, std::uint64_t id)
      : watchers_(std::move(watchers)), id_(id) {}
  ~Watching() override {
    std::lock_guard lock(watchers_->mutex);
    watchers_->by_id.erase(id_);
  }

 private:
  std::shared_ptr<Watchers> watchers_;
  std::uint64_t id_;
};

Result<std::unique_ptr<Service>> Service::Start(std::unique_ptr<store::Store> store,
                                                const Clock& clock, Random& random) {
  auto reactor = std::make_unique<Reactor>(std::move(store), clock, random);
  YARD_TRY(reactor->Load());
  reactor->Run();
  return reactor;
}

Status Service::WriteAndWait(Principal who, Command command) {
  std::promise<Status> promise;
  Write(std::move(who), {}, std::move(command), [&](Status status) { promise.set_value(status); });
  return promise.get_future().get();
}

Reactor::Reactor(std::unique_ptr<store::Store> store, const Clock& clock, Random& random)
    : store_(std::move(store)), clock_(clock), random_(random), ids_(random) {}

Reactor::~Reactor() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Status Reactor::Load() {
  YARD_TRY(store_->Load([&](Object object) -> Status {
    state_.Apply({std::nullopt, std::move(object)});
    return {};
  }));
  published_.store(std::make_shared<const State>(state_));
  return {};
}

void Reactor::Run() {
  thread_ = std::thread([this] { Loop(); });
}

void Reactor::Write(Principal who, Origin origin, Command command, Done done) {
  if (origin.subject.empty()) {
    origin.subject = who.id;
    origin.subject_type = who.type == SubjectType::kApp ? "App" : "User";
  }
  {
    std::lock_guard lock(mutex_);
    if (!stopping_) {
      queue_.push_back({std::move(who), std::move(origin), std::move(command), std::move(done)});
      if (queue_.size() == 1) wake_.notify_one();
      return;
    }
  }
  done(
      Fail(Code::kUnavailable, "the server is stopping", "send the request again when it is back"));
}

std::unique_ptr<Subscription> Reactor::Watch(Watcher watcher) {
  std::lock_guard lock(watchers_->mutex);
  std::uint64_t id = watchers_->next_id++;
  watchers_->by_id.emplace(id, std::move(watcher));
  return std::make_unique<Watching>(watchers_, id);
}

Result<JournalPage> Reactor::ReadJournal(const JournalQuery& query) {
  return store_->ReadJournal(query);
}

Result<std::vector<WorkloadEvent>> Reactor::ReadEvents(WorkloadId workload, std::size_t offset,
                                                       std::size_t limit) {
  return store_->ReadEvents(workload, offset, limit);
}

void Reactor::Prune(Time before) {
  std::lock_guard lock(mutex_);
  prune_before_ = before;
  wake_.notify_one();
}

ServiceStats Reactor::stats() const {
  std::lock_guard lock(mutex_);
  return {.commits = commits_,
          .commands = commands_,
          .failed_commits = failed_commits_,
          .queue_length = queue_.size()};
}

std::vector<Reactor::Job> Reactor::NextBatch() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [&] { return stopping_ || !queue_.empty() || prune_before_; });
  if (std::optional<Time> before = std::exchange(prune_before_, std::nullopt)) {
    lock.unlock();
    bool more = PruneSome(*before);
    lock.lock();
    if (more && !prune_before_) prune_before_ = before;
  }
  std::vector<Job> batch;
  while (!queue_.empty() && batch.size() < kMaxBatch) {
    batch.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return batch;
}

bool Reactor::PruneSome(Time before) {
  Result<store::Pruned> pruned = store_->Prune(before);
  if (pruned) return *pruned == store::Pruned::kMore;
  log::Warning("could not prune the journal", {{"error", pruned.error().message}});
  return false;
}

void Reactor::Loop() {
  while (true) {
    std::vector<Job> batch = NextBatch();
    if (!batch.empty()) {
      RunBatch(std::move(batch));
      continue;
    }
    std::lock_guard lock(mutex_);
    if (stopping_ && queue_.empty()) return;
  }
}

Status Reactor::RunJob(Job& job, std::vector<store::Entry>& entries) {
  Txn txn(state_, job.who, clock_.Now(), ids_);
  Status status = job.command(txn);
  if (!status) {
    txn.Undo();
    return status;
  }
  if (!txn.empty()) {
    Announce(txn);
    entries.push_back({.at = txn.now(),
                       .origin = std::move(job.origin),
                       .changes = txn.TakeChanges(),
                       .events = txn.TakeEvents(),
                       .notes = txn.TakeNotes()});
  }
  return {};
}

void Reactor::RunBatch(std::vector<Job> batch) {
  State before = state_;
  std::vector<store::Entry> entries;
  std::vector<Status> outcomes;
  outcomes.reserve(batch.size());
  for (Job& job : batch) outcomes.push_back(RunJob(job, entries));
  commands_ += batch.size();
  if (!entries.empty()) {
    Result<std::int64_t> committed = store_->Commit(entries);
    if (committed) {
      ++commits_;
      Publish(std::move(entries), *committed);
    } else {
      ++failed_commits_;
      state_ = std::move(before);
      log::Error("commit failed; the batch was taken back", {{"error", committed.error().message}});
      // Also those that failed: they may have seen what was taken back.
      for (Status& outcome : outcomes) outcome = Fail(committed.error());
    }
  }
  for (std::size_t i = 0; i < batch.size(); ++i) batch[i].done(std::move(outcomes[i]));
}

void Reactor::Publish(std::vector<store::Entry> entries, std::int64_t sequence) {
  published_.store(std::make_shared<const State>(state_));
  std::lock_guard lock(watchers_->mutex);
  if (watchers_->by_id.empty()) return;
  // The store numbers rows in order: of each entry first the changes, then the notes.
  for (const store::Entry& entry : entries) {
    sequence -= static_cast<std::int64_t>(entry.changes.size() + entry.notes.size());
  }
  for (store::Entry& entry : entries) {
    for (Change& change : entry.changes) {
      Notice notice{++sequence, entry.at, std::move(change)};
      for (const auto& [id, watcher] : watchers_->by_id) watcher(notice);
    }
    sequence += static_cast<std::int64_t>(entry.notes.size());
  }
}

}  // namespace yard::control
