#include "serve/live/follower.h"

#include <mutex>
#include <utility>

#include "base/log.h"

namespace yard::serve {
namespace {

constexpr std::size_t kPiece = 256 * 1024;

class Follower final : public std::enable_shared_from_this<Follower> {
 public:
  Follower(control::Live& live, LiveThreads& threads, const control::TaskChoice& task,
           std::int64_t offset, std::shared_ptr<http::Stream> stream)
      : live_(live), threads_(threads), task_(task), stream_(std::move(stream)), offset_(offset) {}

  void Start() {
    stream_->OnGone([weak = weak_from_this()] {
      if (auto self = weak.lock()) self->End();
    });
    // What came with the answer's head has to leave first.
    stream_->OnDrained([self = shared_from_this()] { self->Later([self] { self->Open(); }); });
  }

 private:
  void Later(Worker::Task task) {
    // The reader can go on from where it is; a follower that waits for a thread helps nobody.
    if (!threads_.calls.Post(std::move(task))) End();
  }

  void Open() {
    auto watch = live_.WatchLog(task_, [weak = weak_from_this()] {
      if (auto self = weak.lock()) self->OnGrown();
    });
    if (!watch) {
      log::Warning("a log cannot be followed", {{"error", watch.error().message}});
      return End();
    }
    {
      std::lock_guard lock(mutex_);
      watch_ = *std::move(watch);
    }
    Read();
  }

  void Read() {
    {
      std::lock_guard lock(mutex_);
      if (!stream_) return;
      grown_ = false;
    }
    Result<engine::LogChunk> chunk = live_.ReadLog(task_, offset_, kPiece);
    if (!chunk) return Abort();
    offset_ = chunk->next;
    if (!chunk->bytes.empty()) return Pass(std::move(chunk->bytes));
    if (chunk->at_end) return End();
    Wait();
  }

  void Pass(std::string bytes) {
    std::shared_ptr<http::Stream> stream = Stream();
    if (!stream || !stream->Write(std::move(bytes))) return End();
    stream->OnDrained([self = shared_from_this()] { self->Later([self] { self->Read(); }); });
  }

  // Unless the log has grown since it was read, or the reader has left.
  void Wait() {
    std::unique_lock lock(mutex_);
    if (!stream_) return;
    waiting_ = !grown_;
    if (waiting_) {
      alive_ = shared_from_this();
      return;
    }
    lock.unlock();
    Later([self = shared_from_this()] { self->Read(); });
  }

  void OnGrown() {
    {
      std::lock_guard lock(mutex_);
      grown_ = true;
      if (!std::exchange(waiting_, false)) return;
      alive_.reset();
    }
    Later([self = shared_from_this()] { self->Read(); });
  }

  std::shared_ptr<http::Stream> Stream() {
    std::lock_guard lock(mutex_);
    return stream_;
  }

  void Abort() {
    if (auto stream = Stream()) stream->Abort();
    End();
  }

  // The watch goes where its going may block, and never inside its own call.
  void End() {
    std::unique_lock lock(mutex_);
    auto stream = std::exchange(stream_, nullptr);
    auto alive = std::exchange(alive_, nullptr);
    std::shared_ptr<engine::LogWatch> watch = std::exchange(watch_, nullptr);
    waiting_ = false;
    lock.unlock();
    if (!watch) return;
    Worker::Task drop = [watch = std::move(watch)]() mutable { watch.reset(); };
    [[maybe_unused]] bool posted = threads_.calls.Post(std::move(drop));
  }

  control::Live& live_;
  LiveThreads& threads_;
  const control::TaskChoice task_;

  std::mutex mutex_;
  std::shared_ptr<http::Stream> stream_;  // null once it is over
  std::unique_ptr<engine::LogWatch> watch_;
  std::shared_ptr<Follower> alive_;  // itself, while nothing else holds it
  bool grown_ = false;               // since the last read began
  bool waiting_ = false;

  std::int64_t offset_;  // of whoever reads
};

}  // namespace

void FollowLog(control::Live& live, LiveThreads& threads, const control::TaskChoice& task,
               std::int64_t offset, std::shared_ptr<http::Stream> stream) {
  std::make_shared<Follower>(live, threads, task, offset, std::move(stream))->Start();
}

}  // namespace yard::serve
