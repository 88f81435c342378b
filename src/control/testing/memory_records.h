// Records without a disk, for tests. A test may let writes fail. Thread-safe.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "store/records.h"

namespace yard::control {

class MemoryRecords final : public store::RecordStore {
 public:
  using Rows = std::map<std::pair<std::string, std::string>, std::string>;
  // What outlives one opening of the store.
  struct Disk {
    std::mutex mutex;
    Rows rows;  // guarded by mutex
    std::atomic<bool> full = false;
    std::atomic<int> writes = 0;
  };

  explicit MemoryRecords(std::shared_ptr<Disk> disk = std::make_shared<Disk>())
      : disk_(std::move(disk)) {}

  Status Load(const Visit& visit) override {
    std::lock_guard lock(disk_->mutex);
    for (const auto& [key, body] : disk_->rows) YARD_TRY(visit(key.first, key.second, body));
    return {};
  }
  Status Write(std::span<const store::RecordChange> changes) override {
    if (disk_->full) return Fail(Code::kUnavailable, "the disk is full");
    std::lock_guard lock(disk_->mutex);
    ++disk_->writes;
    for (const store::RecordChange& change : changes) {
      disk_->rows.erase({change.kind, change.id});
      if (change.body) disk_->rows[{change.kind, change.id}] = *change.body;
    }
    return {};
  }
  Status Backup(const std::string& /*path*/) override {
    return Fail(Code::kUnsupported, "there is no disk");
  }

 private:
  const std::shared_ptr<Disk> disk_;
};

}  // namespace yard::control
