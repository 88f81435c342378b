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
constexpr std::uint64_t kWake = 0;  // serials begin at 1

// An event names the wait, not the descriptor alone: another may have its number by the event's
// turn.
constexpr std::uint64_t Pack(std::uint32_t serial, int fd) {
  return std::uint64_t{serial} << 32 | static_cast<std::uint32_t>(fd);
}

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
    MutexLock lock(mutex_);
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
    MutexLock lock(mutex_);
    if (std::exchange(stopped_, true)) return;
  }
  std::uint64_t one = 1;
  [[maybe_unused]] ssize_t n = ::write(wake_.get(), &one, sizeof one);
  thread_.join();
  std::vector<Task> posted;
  {
    MutexLock lock(mutex_);
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
  if (!waits.known) waits.serial = ++last_serial_;
  event.data.u64 = Pack(waits.serial, fd);
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
    MutexLock lock(mutex_);
    if (stopped_) return false;
    tasks = std::exchange(posted_, {});
  }
  for (Task& task : tasks) task();
  return true;
}

void Poller::Run() {
  epoll_event wake{};
  wake.events = EPOLLIN;
  wake.data.u64 = kWake;
  epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &wake);
  std::array<epoll_event, kEventsAtOnce> events;
  for (bool running = true; running;) {
    int n = epoll_wait(epoll_.get(), events.data(), kEventsAtOnce, -1);
    for (int i = 0; i < n && running; ++i) {
      const std::uint64_t named = events[i].data.u64;
      const int fd = static_cast<int>(named & 0xffff'ffff);
      auto waits = waits_.find(fd);
      if (named == kWake) {
        running = RunPosted();
      } else if (waits != waits_.end() && Pack(waits->second.serial, fd) == named) {
        Fire(fd, events[i].events);
      }
    }
  }
}

}  // namespace yard::serve
