// Moves committed pages from the write-ahead log into the database file, beside the commits.
//
// A background thread with its own connection does nearly all of the copying, so that a commit
// waits for its own log write only. Under constant load the log never comes to rest by itself;
// past kInlinePages the writer copies the small remainder between two commits, after which SQLite
// starts the log again from its beginning. That bounds the log, unless a reader holds an old view.
// Thread rule: Wake from any thread.
#pragma once

#include <condition_variable>
#include <thread>

#include "base/mutex.h"
#include "base/result.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {

// In pages of 4 KiB.
inline constexpr int kBackgroundPages = 2'000;
inline constexpr int kInlinePages = 16'000;

class Checkpointer {
 public:
  explicit Checkpointer(Database database);
  ~Checkpointer();

  void Wake();

 private:
  void Work(const std::stop_token& stop);

  Database database_;  // the thread's own
  Mutex mutex_;
  std::condition_variable_any changed_;
  bool wanted_ YARD_GUARDED_BY(mutex_) = false;
  std::jthread thread_;
};

// Copies what it can without waiting for anybody.
Status CheckpointPassively(Database& database);

}  // namespace yard::store
