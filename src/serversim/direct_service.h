// The control plane without its thread: a command has run, is durable and is told when Write
// returns. One thread.
#pragma once

#include <map>
#include <memory>

#include "control/service.h"
#include "control/state/writer.h"
#include "store/store.h"

namespace yard::serversim {

class DirectService final : public control::Service {
 public:
  static Result<std::unique_ptr<DirectService>> Open(std::unique_ptr<store::Store> store,
                                                     const Clock& clock, Random& random);

  control::Snapshot Read() const override { return state_; }
  void Write(control::Principal who, Origin origin, control::Command command,
             control::Done done) override;
  std::unique_ptr<control::Subscription> Watch(control::Watcher watcher) override;
  Result<JournalPage> ReadJournal(const JournalQuery& query) override {
    return store_->ReadJournal(query);
  }
  Result<std::vector<WorkloadEvent>> ReadEvents(WorkloadId workload, std::size_t offset,
                                                std::size_t limit) override {
    return store_->ReadEvents(workload, offset, limit);
  }
  Status Backup(const std::string& path) override { return store_->Backup(path); }
  void MoveToArchive(Time) override {}  // its disk keeps no archive
  void Prune(Time) override {}
  control::ServiceStats stats() const override { return {}; }
  Time Now() const override { return clock_.Now(); }
  Random& random() override { return random_; }

 private:
  DirectService(std::unique_ptr<store::Store> store, const Clock& clock, Random& random)
      : store_(std::move(store)), clock_(clock), random_(random), writer_(*store_, clock, random) {}

  std::unique_ptr<store::Store> store_;
  const Clock& clock_;
  Random& random_;
  control::Writer writer_;
  control::Snapshot state_;
  control::Watcher watcher_;
};

}  // namespace yard::serversim
