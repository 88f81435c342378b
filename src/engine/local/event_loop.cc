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

Result<std::unique_ptr<EventLoop>> EventLoop::Start() {
  UniqueFd poll(epoll_create1(EPOLL_CLOEXEC));
  UniqueFd wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = wake.get();
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
  watched_[fd] = std::make_shared<std::function<void()>>(std::move(readable));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  if (epoll_ctl(poll_.get(), EPOLL_CTL_ADD, fd, &event) == 0) return {};
  watched_.erase(fd);
  return Fail(Code::kUnavailable, fmt::format("cannot watch: {}", std::strerror(errno)));
}

void EventLoop::Unwatch(int fd) {
  std::lock_guard hold(calls_);
  if (watched_.erase(fd) > 0) epoll_ctl(poll_.get(), EPOLL_CTL_DEL, fd, nullptr);
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

void EventLoop::Call(int fd) {
  std::lock_guard hold(calls_);
  auto found = watched_.find(fd);
  if (found == watched_.end()) return;
  std::shared_ptr<std::function<void()>> callback = found->second;
  (*callback)();
}

void EventLoop::Run() {
  std::array<epoll_event, 64> events{};
  for (;;) {
    const int count = epoll_wait(poll_.get(), events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int fd = events[static_cast<std::size_t>(i)].data.fd;
      if (fd == wake_.get()) {
        RunPosted();
      } else {
        Call(fd);
      }
    }
    std::lock_guard hold(mutex_);
    if (stop_ && posted_.empty()) return;
  }
}

}  // namespace yard::engine
