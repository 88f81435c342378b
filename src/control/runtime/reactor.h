// The reactor: one thread that owns the mutable State.
//
// Fields are grouped by owner: the queue and the watcher list are guarded by their mutex, the
// working state belongs to the reactor thread, the published state is an atomic pointer.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "control/service.h"
#include "control/state/writer.h"
#include "store/store.h"

namespace yard::control {

class Reactor final : public Service {
 public:
  Reactor(std::unique_ptr<store::Store> store, const Clock& clock, Random& random);
  ~Reactor() override;

  // Fills the state from the store; before Run.
  Status Load();
  void Run();

  Snapshot Read() const override { return published_.load(); }
  void Write(Principal who, Origin origin, Command command, Done done) override;
  std::unique_ptr<Subscription> Watch(Watcher watcher) override;
  Result<JournalPage> ReadJournal(const JournalQuery& query) override;
  Result<std::vector<WorkloadEvent>> ReadEvents(WorkloadId workload, std::size_t offset,
                                                std::size_t limit) override;
  Status Backup(const std::string& path) override { return store_->Backup(path); }
  void MoveToArchive(Time before) override;
  void Prune(Time before) override;
  ServiceStats stats() const override;
  Time Now() const override { return clock_.Now(); }
  Random& random() override { return random_; }

 private:
  struct Job {
    Writer::Job job;
    Done done;
  };
  struct Watchers {
    Mutex mutex;
    std::map<std::uint64_t, Watcher> by_id YARD_GUARDED_BY(mutex);
    std::uint64_t next_id YARD_GUARDED_BY(mutex) = 1;
  };
  class Watching;

  void Loop();
  // Waits for work; empty when stopping.
  std::vector<Job> NextBatch();
  // One slice; whether there is more to do.
  bool PruneSome(Time before);
  bool ArchiveSome(Time before);
  void RunBatch(std::vector<Job> batch);
  void Publish(const std::vector<Notice>& notices);

  // Constant after construction.
  std::unique_ptr<store::Store> store_;
  const Clock& clock_;
  Random& random_;

  // Reactor thread.
  Writer writer_;

  std::atomic<Snapshot> published_;
  std::atomic<std::uint64_t> commits_{0};
  std::atomic<std::uint64_t> commands_{0};
  std::atomic<std::uint64_t> failed_commits_{0};
  std::shared_ptr<Watchers> watchers_ = std::make_shared<Watchers>();

  mutable Mutex mutex_;
  CondVar wake_;
  std::deque<Job> queue_ YARD_GUARDED_BY(mutex_);
  std::optional<Time> prune_before_ YARD_GUARDED_BY(mutex_);
  std::optional<Time> archive_before_ YARD_GUARDED_BY(mutex_);
  bool stopping_ YARD_GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

}  // namespace yard::control
