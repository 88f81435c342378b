#include "cli/top/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "cli/work/logs.h"

namespace yard::cli {

TopLog::TopLog(client::Options options, const Surroundings& around, std::string id,
               std::int64_t lines)
    : options_(std::move(options)), around_(around), id_(std::move(id)) {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0) {
    wake_read_.Reset(ends[0]);
    wake_write_.Reset(ends[1]);
  }
  thread_ = std::thread([this, lines] { Run(lines); });
}

TopLog::~TopLog() {
  stop_ = true;
  thread_.join();
}

TopLog::News TopLog::Take() {
  std::array<char, 64> bytes{};
  while (read(wake_read_.get(), bytes.data(), bytes.size()) > 0) {
  }
  std::lock_guard lock(mutex_);
  return {std::exchange(news_.text, {}), news_.notice};
}

void TopLog::Publish(std::string_view text, std::string_view notice) {
  {
    std::lock_guard lock(mutex_);
    news_.text += text;
    news_.notice = notice;
  }
  [[maybe_unused]] ssize_t written = write(wake_write_.get(), "x", 1);
}

void TopLog::Run(std::int64_t lines) {
  const LogFollower follower{
      .options = options_, .wait = around_.wait, .cancelled = [this] { return stop_.load(); }};
  client::Outcome<Followed> done =
      follower.Follow(id_, {.tail = lines}, [this](std::string_view bytes) { Publish(bytes, ""); });
  if (!stop_) Publish("", done ? "the log has ended" : done.error().error.message);
}

}  // namespace yard::cli
