// Sends chunks that the server does not have, by a few threads: each takes a batch, names its
// chunks, asks which are missing, packs and sends those.
//
// Add from one thread. The contents of a batch go when it is sent; its ids stay.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/data/chunk_server.h"
#include "client/client.h"
#include "data/chunk.h"

namespace yard::cli {

class Uploader {
 public:
  struct Batch {
    std::vector<std::string> contents;
    std::vector<data::ChunkId> ids;  // once it was taken
    std::size_t bytes = 0;
  };
  // A chunk that was added; its id is there when Finish has succeeded.
  struct Chunk {
    const Batch* batch = nullptr;
    std::size_t index = 0;
    const data::ChunkId& id() const { return batch->ids[index]; }
  };

  explicit Uploader(ChunkServer& server);
  ~Uploader();
  Uploader(const Uploader&) = delete;
  Uploader& operator=(const Uploader&) = delete;

  // Waits while too much is on its way. The failure of an earlier batch ends it.
  client::Outcome<Chunk> Add(std::string_view content);
  // Everything that was added is on the server.
  client::Outcome<void> Finish();

  std::uint64_t sent_chunks() const { return sent_chunks_; }
  std::uint64_t sent_bytes() const { return sent_bytes_; }

 private:
  client::Outcome<void> Hand();
  void Loop();
  client::Outcome<void> Upload(Batch& batch);

  ChunkServer& server_;
  std::atomic<std::uint64_t> sent_chunks_ = 0;
  std::atomic<std::uint64_t> sent_bytes_ = 0;
  Batch* open_ = nullptr;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Batch>> batches_;  // all of them
  std::deque<Batch*> waiting_;
  std::size_t busy_ = 0;
  std::optional<client::Failure> failure_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace yard::cli
