#include "control/runtime/reactor.h"

#include <future>
#include <utility>

#include "base/log.h"

namespace yard::control {
namespace {

constexpr std::size_t kMaxBatch = 1024;
// Workloads that leave the memory in one transaction.
constexpr std::size_t kArchiveSlice = 200;

}  // namespace

// Removes its watcher when the holder lets go of it; the list may outlive the reactor.
class Reactor::Watching final : public Subscription {
 public:
  Watching(std::shared_ptr<Watchers> watchers, std::uint64_t id)
      : watchers_(std::move(watchers)), id_(id) {}
  ~Watching() override {
    MutexLock lock(watchers_->mutex);
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
    : store_(std::move(store)), clock_(clock), random_(random), writer_(*store_, clock, random) {}

Reactor::~Reactor() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Status Reactor::Load() {
  YARD_TRY(writer_.Load());
  published_.store(writer_.Share());
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
    MutexLock lock(mutex_);
    if (!stopping_) {
      queue_.push_back({{std::move(who), std::move(origin), std::move(command)}, std::move(done)});
      if (queue_.size() == 1) wake_.notify_one();
      return;
    }
  }
  done(
      Fail(Code::kUnavailable, "the server is stopping", "send the request again when it is back"));
}

std::unique_ptr<Subscription> Reactor::Watch(Watcher watcher) {
  MutexLock lock(watchers_->mutex);
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

void Reactor::MoveToArchive(Time before) {
  MutexLock lock(mutex_);
  archive_before_ = before;
  wake_.notify_one();
}

void Reactor::Prune(Time before) {
  MutexLock lock(mutex_);
  prune_before_ = before;
  wake_.notify_one();
}

ServiceStats Reactor::stats() const {
  MutexLock lock(mutex_);
  return {.commits = commits_,
          .commands = commands_,
          .failed_commits = failed_commits_,
          .queue_length = queue_.size()};
}

std::vector<Reactor::Job> Reactor::NextBatch() {
  MutexLock lock(mutex_);
  wake_.wait(lock, [&]() YARD_REQUIRES(mutex_) {
    return stopping_ || !queue_.empty() || prune_before_ || archive_before_;
  });
  if (std::optional<Time> before = std::exchange(archive_before_, std::nullopt)) {
    lock.unlock();
    bool more = ArchiveSome(*before);
    lock.lock();
    if (more && !archive_before_) archive_before_ = before;
  }
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

bool Reactor::ArchiveSome(Time before) {
  Result<std::size_t> moved = writer_.MoveToArchive(before, kArchiveSlice);
  if (!moved) {
    log::Warning("could not move ended work to the archive", {{"error", moved.error().message}});
    return false;
  }
  if (*moved > 0) published_.store(writer_.Share());
  return *moved == kArchiveSlice;
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
    MutexLock lock(mutex_);
    if (stopping_ && queue_.empty()) return;
  }
}

void Reactor::RunBatch(std::vector<Job> batch) {
  std::vector<Writer::Job> jobs;
  jobs.reserve(batch.size());
  for (Job& one : batch) jobs.push_back(std::move(one.job));
  Writer::Batch result = writer_.Run(jobs);
  commands_ += batch.size();
  if (result.commit == Writer::Batch::Commit::kDone) {
    ++commits_;
    Publish(result.notices);
  }
  if (result.commit == Writer::Batch::Commit::kFailed) ++failed_commits_;
  for (std::size_t i = 0; i < batch.size(); ++i) batch[i].done(std::move(result.outcomes[i]));
}

void Reactor::Publish(const std::vector<Notice>& notices) {
  published_.store(writer_.Share());
  MutexLock lock(watchers_->mutex);
  for (const Notice& notice : notices) {
    for (const auto& [id, watcher] : watchers_->by_id) watcher(notice);
  }
}

}  // namespace yard::control
