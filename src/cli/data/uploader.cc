#include "cli/data/uploader.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "data/frame.h"

namespace yard::cli {
namespace {

using client::Outcome;

constexpr std::size_t kThreads = 4;
constexpr std::size_t kMostWaiting = 4;
constexpr std::size_t kBatchBytes = 4 << 20;
constexpr std::size_t kBatchChunks = 2048;

}  // namespace

Uploader::Uploader(ChunkServer& server) : server_(server) {
  for (std::size_t i = 0; i < kThreads; ++i) threads_.emplace_back([this] { Loop(); });
}

Uploader::~Uploader() {
  {
    const std::lock_guard hold(mutex_);
    stopping_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

Outcome<Uploader::Chunk> Uploader::Add(std::string_view content) {
  const bool full = open_ != nullptr && (open_->bytes + content.size() > kBatchBytes ||
                                         open_->contents.size() == kBatchChunks);
  if (full) YARD_TRY(Hand());
  if (open_ == nullptr) {
    const std::lock_guard hold(mutex_);
    open_ = batches_.emplace_back(std::make_unique<Batch>()).get();
  }
  open_->contents.emplace_back(content);
  open_->bytes += content.size();
  return Chunk{open_, open_->contents.size() - 1};
}

Outcome<void> Uploader::Hand() {
  std::unique_lock hold(mutex_);
  changed_.wait(hold, [this] { return failure_ || waiting_.size() < kMostWaiting; });
  if (failure_) return std::unexpected(*failure_);
  waiting_.push_back(std::exchange(open_, nullptr));
  changed_.notify_all();
  return {};
}

Outcome<void> Uploader::Finish() {
  if (open_ != nullptr) YARD_TRY(Hand());
  std::unique_lock hold(mutex_);
  changed_.wait(hold, [this] { return failure_ || (waiting_.empty() && busy_ == 0); });
  if (failure_) return std::unexpected(*failure_);
  return {};
}

void Uploader::Loop() {
  std::unique_lock hold(mutex_);
  while (true) {
    changed_.wait(hold, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    Batch* batch = waiting_.front();
    waiting_.pop_front();
    ++busy_;
    hold.unlock();
    Outcome<void> sent = Upload(*batch);
    hold.lock();
    --busy_;
    if (!sent && !failure_) failure_ = sent.error();
    changed_.notify_all();
  }
}

Outcome<void> Uploader::Upload(Batch& batch) {
  for (const std::string& content : batch.contents) batch.ids.push_back(data::IdOf(content));
  std::vector<data::ChunkId> distinct = batch.ids;
  std::ranges::sort(distinct);
  distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
  YARD_ASSIGN(std::vector<data::ChunkId> missing, server_.Missing(distinct));
  std::unordered_set<data::ChunkId> wanted(missing.begin(), missing.end());
  std::string frames;
  for (std::size_t i = 0; i < batch.ids.size(); ++i) {
    if (wanted.erase(batch.ids[i]) == 0) continue;
    data::AppendPacked(frames, batch.ids[i], batch.contents[i]);
    ++sent_chunks_;
  }
  std::vector<std::string>().swap(batch.contents);
  const std::size_t size = frames.size();
  YARD_TRY(server_.Send(std::move(frames)));
  sent_bytes_ += size;
  return {};
}

}  // namespace yard::cli
