#include "control/data/drain.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/strings.h"

namespace yard::control {
namespace {

constexpr std::size_t kPiece = 256 << 10;
constexpr std::size_t kMostWords = 1000;
constexpr int kLookMillis = 1000;

enum class Flow { kMore, kEnded };

// All that is there now.
template <class Take>
Result<Flow> ReadAll(int fd, std::string& room, const Take& take) {
  for (;;) {
    const ssize_t got = ::read(fd, room.data(), room.size());
    if (got == 0) return Flow::kEnded;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return Flow::kMore;
    if (got < 0) return Flow::kEnded;
    YARD_TRY(take(std::string_view(room.data(), static_cast<std::size_t>(got))));
  }
}

}  // namespace

Result<std::string> DrainTar(engine::Session& session, const TarDrain& drain) {
  std::string room(kPiece, '\0');
  std::string words;
  auto keep = [&](std::string_view piece) -> Status {
    words += piece.substr(0, kMostWords - words.size());
    return {};
  };
  std::array<pollfd, 2> ends = {pollfd{.fd = session.output(), .events = POLLIN, .revents = 0},
                                pollfd{.fd = session.error(), .events = POLLIN, .revents = 0}};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (drain.stopped && drain.stopped()) return Fail(Code::kUnavailable, "the server stops");
    if (::poll(ends.data(), ends.size(), kLookMillis) <= 0) continue;
    if (ends[0].revents != 0) {
      YARD_ASSIGN(const Flow flow, ReadAll(ends[0].fd, room, drain.take));
      if (flow == Flow::kEnded) ends[0].fd = -1;
    }
    if (ends[1].revents != 0) {
      YARD_ASSIGN(const Flow flow, ReadAll(ends[1].fd, room, keep));
      if (flow == Flow::kEnded) ends[1].fd = -1;
    }
  }
  return std::string(Trim(words));
}

}  // namespace yard::control
