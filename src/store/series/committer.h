// The two threads of a series store.
//
// The first takes all records that wait, logs them as one frame, applies them to memory, answers.
// When memory is full it is sealed, and the second thread moves it into blocks. While that fails
// (a full disk) appends go on until memory holds kMostMemories times its size; then they are
// refused with the reason, and each tries the move again.
// Thread rule: any thread. Callbacks come on the first thread, or on the caller's when refused.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/series.h"
#include "store/series/block_writer.h"
#include "store/series/fresh.h"
#include "store/series/log.h"
#include "store/series/series_store.h"

namespace yard::store {

class Committer {
 public:
  static constexpr std::size_t kMostMemories = 4;

  Committer(SeriesLog log, Fresh& fresh, BlockWriter& blocks, const SeriesOptions& options);
  // Finishes what waits.
  ~Committer();

  void Submit(SeriesRecord record, SeriesStore::Done done);
  // Waits until everything acknowledged before is in blocks, or the move has failed.
  Status Flush();

 private:
  struct Waiting {
    SeriesRecord record;
    std::string bytes;
    SeriesStore::Done done;
  };

  void CommitLoop(const std::stop_token& stop);
  void FlushLoop(const std::stop_token& stop);
  std::vector<Waiting> TakeGroup(const std::stop_token& stop);
  void CommitGroup(std::vector<Waiting> group);
  bool WantsSeal() const YARD_REQUIRES(mutex_);
  bool HasRoom() const YARD_REQUIRES(mutex_);

  const SeriesOptions options_;
  Fresh& fresh_;
  BlockWriter& blocks_;
  SeriesLog log_;  // of the first thread, but for RemoveThrough

  Mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Waiting> waiting_ YARD_GUARDED_BY(mutex_);
  std::size_t waiting_bytes_ YARD_GUARDED_BY(mutex_) = 0;
  bool flush_wanted_ YARD_GUARDED_BY(mutex_) = false;
  bool flush_due_ YARD_GUARDED_BY(mutex_) = false;  // the second thread has something to try
  std::uint64_t seals_ YARD_GUARDED_BY(mutex_) = 0;
  std::uint64_t flushes_ YARD_GUARDED_BY(mutex_) = 0;  // of sealed memories, that succeeded
  std::uint64_t failures_ YARD_GUARDED_BY(mutex_) = 0;
  std::optional<Error> flush_error_ YARD_GUARDED_BY(mutex_);  // of the last try
  std::jthread flusher_;
  std::jthread committer_;
};

}  // namespace yard::store
