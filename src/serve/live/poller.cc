#include "serve/live/poller.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <array>
#include <cstdint>
#include <utility>

#include "base/check.h"

namespace yard::serve {
namespace {

constexpr int kEventsAtOnce = 64;

}  // namespace

Poller::Poller()
    : epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { Run(); }) {
  YARD_CHECK(epoll_ && wake_);
}

Poller::~Poller() {
  Stop();
}

void Poller::Post(Task task) {
  {
    std::lock_guard lock(mutex_);
    if (stopped_) return;
    posted_.push_back(std::move(task));
    if (posted_.size() > 1) return;
  }
  std::uint64_t one = 1;
  [[maybe_unused]] ssize_t n = ::write(wake_.get(), &one, sizeof one);
}

// What is dropped may call Post when it goes, so it goes after the thread and outside the lock.
void Poller::Stop() {
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(stopped_, true)) return;
  }
  std::uint64_t one = 1;
  [[maybe_unused]] ssize_t n = ::write(wake_.get(), &one, sizeof one);
  thread_.join();
  std::vector<Task> posted;
  {
    std::lock_guard lock(mutex_);
    posted = std::exchange(posted_, {});
  }
  std::map<int, Waits> waits = std::exchange(waits_, {});
}

void Poller::OnReadable(int fd, Task ready) {
  waits_[fd].readable = std::move(ready);
  Arm(fd);
}

void Poller::OnWritable(int fd, Task ready) {
  waits_[fd].writable = std::move(ready);
  Arm(fd);
}

void Poller::Forget(int fd) {
  auto found = waits_.find(fd);
  if (found == waits_.end()) return;
  if (found->second.known) epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
  Waits dropped = std::move(found->second);
  waits_.erase(found);
}

// Tells the kernel what is waited for now. A regular file cannot be waited for: it is ready.
void Poller::Arm(int fd) {
  Waits& waits = waits_[fd];
  epoll_event event{};
  event.events = (waits.readable ? EPOLLIN : 0u) | (waits.writable ? EPOLLOUT : 0u);
  event.data.fd = fd;
  int what = waits.known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (epoll_ctl(epoll_.get(), what, fd, &event) == 0) {
    waits.known = true;
    return;
  }
  Post([this, fd] { Fire(fd, EPOLLIN | EPOLLOUT); });
}

// Looks the descriptor up for each direction: the first call may have forgotten it.
void Poller::Fire(int fd, unsigned events) {
  auto fire = [this, fd](Task Waits::* direction) {
    auto found = waits_.find(fd);
    if (found == waits_.end()) return;
    Task ready = std::exchange(found->second.*direction, nullptr);
    if (!ready) return;
    if (!found->second.readable && !found->second.writable) {
      if (found->second.known) epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
      waits_.erase(found);
    } else {
      Arm(fd);
    }
    ready();
  };
  if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) fire(&Waits::readable);
  if (events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) fire(&Waits::writable);
}

// False: it is time to end.
bool Poller::RunPosted() {
  std::uint64_t count = 0;
  [[maybe_unused]] ssize_t n = ::read(wake_.get(), &count, sizeof count);
  std::vector<Task> tasks;
  {
    std::lock_guard lock(mutex_);
    if (stopped_) return false;
    tasks = std::exchange(posted_, {});
  }
  for (Task& task : tasks) task();
  return true;
}

void Poller::Run() {
  epoll_event wake{};
  wake.events = EPOLLIN;
  wake.data.fd = wake_.get();
  epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &wake);
  std::array<epoll_event, kEventsAtOnce> events;
  for (bool running = true; running;) {
    int n = epoll_wait(epoll_.get(), events.data(), kEventsAtOnce, -1);
    for (int i = 0; i < n && running; ++i) {
      if (events[i].data.fd == wake_.get()) {
        running = RunPosted();
      } else {
        Fire(events[i].data.fd, events[i].events);
      }
    }
  }
}

}  // namespace yard::serve
