#include "engine/local/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <future>
#include <utility>

#include <fmt/format.h>

namespace yard::engine {
namespace {

constexpr std::uint64_t kWake = 0;  // watches are numbered from 1 on

}  // namespace

Result<std::unique_ptr<EventLoop>> EventLoop::Start() {
  UniqueFd poll(epoll_create1(EPOLL_CLOEXEC));
  UniqueFd wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kWake;
  if (!poll || !wake || epoll_ctl(poll.get(), EPOLL_CTL_ADD, wake.get(), &event) != 0)
    return Fail(Code::kUnavailable, fmt::format("no event loop: {}", std::strerror(errno)));
  return std::unique_ptr<EventLoop>(new EventLoop(std::move(poll), std::move(wake)));
}

EventLoop::EventLoop(UniqueFd poll, UniqueFd wake)
    : poll_(std::move(poll)), wake_(std::move(wake)), thread_([this] { Run(); }) {}

EventLoop::~EventLoop() {
  {
    std::lock_guard hold(mutex_);
    stop_ = true;
  }
  Post([] {});
  thread_.join();
}

Status EventLoop::Watch(int fd, std::function<void()> readable) {
  std::lock_guard hold(calls_);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = last_watch_ + 1;
  if (epoll_ctl(poll_.get(), EPOLL_CTL_ADD, fd, &event) != 0)
    return Fail(Code::kUnavailable, fmt::format("cannot watch: {}", std::strerror(errno)));
  ++last_watch_;
  watch_of_[fd] = last_watch_;
  watches_[last_watch_] = std::make_shared<std::function<void()>>(std::move(readable));
  return {};
}

void EventLoop::Unwatch(int fd) {
  std::lock_guard hold(calls_);
  auto found = watch_of_.find(fd);
  if (found == watch_of_.end()) return;
  watches_.erase(found->second);
  watch_of_.erase(found);
  epoll_ctl(poll_.get(), EPOLL_CTL_DEL, fd, nullptr);
}

void EventLoop::Post(std::function<void()> work) {
  bool first = false;
  {
    std::lock_guard hold(mutex_);
    first = posted_.empty();
    posted_.push_back(std::move(work));
  }
  const std::uint64_t one = 1;
  // The counter cannot overflow: the loop takes it back to zero.
  if (first && ::write(wake_.get(), &one, sizeof(one)) < 0) return;
}

void EventLoop::Flush() {
  std::promise<void> done;
  Post([&done] { done.set_value(); });
  done.get_future().wait();
}

void EventLoop::RunPosted() {
  std::uint64_t count = 0;
  if (::read(wake_.get(), &count, sizeof(count)) < 0) return;
  std::vector<std::function<void()>> work;
  {
    std::lock_guard hold(mutex_);
    work.swap(posted_);
  }
  std::lock_guard hold(calls_);
  for (auto& piece : work) piece();
}

void EventLoop::Call(std::uint64_t watch) {
  std::lock_guard hold(calls_);
  auto found = watches_.find(watch);
  if (found == watches_.end()) return;
  std::shared_ptr<std::function<void()>> callback = found->second;
  (*callback)();
}

void EventLoop::Run() {
  std::array<epoll_event, 64> events{};
  for (;;) {
    const int count = epoll_wait(poll_.get(), events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      const std::uint64_t watch = events[static_cast<std::size_t>(i)].data.u64;
      if (watch == kWake) {
        RunPosted();
      } else {
        Call(watch);
      }
    }
    std::lock_guard hold(mutex_);
    if (stop_ && posted_.empty()) return;
  }
}

}  // namespace yard::engine
