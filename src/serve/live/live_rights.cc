#include "serve/live/live_rights.h"

#include <chrono>
#include <iterator>
#include <utility>

namespace yard::serve {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{500};

}  // namespace

http::Request HeadOf(const http::Request& request) {
  return {.method = request.method,
          .target = request.target,
          .headers = request.headers,
          .peer_address = request.peer_address,
          .peer_credentials = request.peer_credentials,
          .id = request.id,
          .secure = request.secure};
}

LiveRights::~LiveRights() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void LiveRights::Watch(Watched watched) {
  {
    MutexLock lock(mutex_);
    joining_.push_back(std::move(watched));
  }
  std::call_once(started_, [this] { thread_ = std::thread([this] { Loop(); }); });
}

bool LiveRights::StillRight(Watched& watched) {
  if (watched.alive.expired()) return false;
  Status right = watched.check();
  if (!right) watched.end(right.error());
  return right.has_value();
}

void LiveRights::Loop() {
  std::vector<Watched> all;
  while (true) {
    {
      MutexLock lock(mutex_);
      wake_.wait_for(lock, kBetweenLooks, [this]() YARD_REQUIRES(mutex_) { return stopping_; });
      if (stopping_) return;
      std::ranges::move(std::exchange(joining_, {}), std::back_inserter(all));
    }
    std::erase_if(all, [](Watched& watched) { return !StillRight(watched); });
  }
}

}  // namespace yard::serve
