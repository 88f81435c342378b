#include "engine/local/native/shim_events.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/uuid.h"
#include "shim/format.h"

namespace yard::engine {
namespace {

constexpr int kQueueBytes = 4 << 20;

struct Word {
  std::optional<TaskKey> key;
  std::optional<std::int64_t> started;
};

std::optional<TaskKey> ParseKey(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::optional<Uuid> attempt = ParseUuid(text.substr(0, slash));
  const std::optional<std::int64_t> rank = ParseInt(text.substr(slash + 1));
  if (!attempt || !rank) return std::nullopt;
  return TaskKey{AttemptId(*attempt), static_cast<std::int32_t>(*rank)};
}

Word ParseWord(std::string_view text) {
  Word word;
  for (std::string_view line : Split(text, '\n')) {
    if (line.starts_with("task=")) word.key = ParseKey(line.substr(5));
    if (line.starts_with("started=")) word.started = ParseInt(line.substr(8));
  }
  return word;
}

void ReadWords(int fd, const ShimEvents::OnStarted& on_started) {
  std::array<char, 512> bytes{};
  for (;;) {
    const ssize_t got = ::recv(fd, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0) return;
    const Word word = ParseWord({bytes.data(), static_cast<std::size_t>(got)});
    if (word.key && word.started) on_started(*word.key, Time{*word.started});
  }
}

bool SomebodyListens(const sockaddr_un& address) {
  UniqueFd probe(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  return ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
}

}  // namespace

Result<ShimEvents> ShimEvents::Listen(EventLoop& loop, const std::string& root,
                                      OnStarted on_started) {
  ShimEvents events;
  events.path_ = fmt::format("{}/{}", root, shim::kEventsName);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (events.path_.size() >= sizeof(address.sun_path))
    return Fail(Code::kInvalid, fmt::format("the folder's path is too long: {}", root));
  std::memcpy(address.sun_path, events.path_.c_str(), events.path_.size());
  if (SomebodyListens(address))
    return Fail(Code::kConflict, fmt::format("another server runs tasks in {}", root));
  ::unlink(events.path_.c_str());
  events.socket_ = UniqueFd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  ::setsockopt(events.socket_.get(), SOL_SOCKET, SO_RCVBUF, &kQueueBytes, sizeof(kQueueBytes));
  if (::bind(events.socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
    return Fail(Code::kUnavailable,
                fmt::format("cannot listen on {}: {}", events.path_, std::strerror(errno)));
  const int fd = events.socket_.get();
  YARD_TRY(loop.Watch(fd, [fd, on_started = std::move(on_started)] { ReadWords(fd, on_started); }));
  events.loop_ = &loop;
  return events;
}

ShimEvents::~ShimEvents() {
  if (!socket_ || loop_ == nullptr) return;
  loop_->Unwatch(socket_.get());
  ::unlink(path_.c_str());
}

}  // namespace yard::engine
