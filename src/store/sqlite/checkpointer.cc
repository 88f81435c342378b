#include "store/sqlite/checkpointer.h"

#include <utility>

#include <sqlite3.h>

#include "base/log.h"

namespace yard::store {

Status CheckpointPassively(Database& database) {
  int code = sqlite3_wal_checkpoint_v2(database.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE,
                                       nullptr, nullptr);
  // Busy means that another connection is at it already.
  if (code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY) return {};
  return Fail(DescribeFailure(database.handle()));
}

Checkpointer::Checkpointer(Database database) : database_(std::move(database)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { Work(stop); });
}

Checkpointer::~Checkpointer() {
  thread_.request_stop();
  thread_.join();
}

void Checkpointer::Wake() {
  {
    MutexLock guard(mutex_);
    wanted_ = true;
  }
  changed_.notify_one();
}

void Checkpointer::Work(const std::stop_token& stop) {
  bool failed_before = false;
  while (true) {
    {
      MutexLock lock(mutex_);
      if (!changed_.wait(lock, stop, [this]() YARD_REQUIRES(mutex_) { return wanted_; })) return;
      wanted_ = false;
    }
    Status status = CheckpointPassively(database_);
    // Commits stay durable in the log; a failure here is told once, not at every attempt.
    if (!status && !failed_before) {
      log::Warning("the write-ahead log cannot be copied into the database for now",
                   {{"reason", status.error().message}});
    }
    failed_before = !status;
  }
}

}  // namespace yard::store
