#include "engine/remote/lines.h"

#include <sys/socket.h>

namespace yard::engine::remote {

std::unexpected<Error> Lines::Gone() {
  return Fail(Code::kUnavailable, "the privileged process of the server does not answer",
              "start the server again");
}

Error Lines::ErrorIn(ValueReader& in) {
  Error error;
  in(error);
  return in.whole() ? error : Gone().error();
}

std::optional<UniqueFd> Lines::TakeLine() {
  {
    MutexLock hold(mutex_);
    if (!idle_.empty()) {
      UniqueFd line = std::move(idle_.back());
      idle_.pop_back();
      return line;
    }
  }
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return std::nullopt;
  UniqueFd ours(ends[0]);
  const UniqueFd theirs(ends[1]);
  const int given = theirs.get();
  MutexLock hold(mutex_);
  if (!Send(control_.get(), "line", std::span(&given, 1))) return std::nullopt;
  return ours;
}

Result<Message> Lines::Exchange(const std::string& request, std::span<const int> descriptors) {
  std::optional<UniqueFd> line = TakeLine();
  if (!line) return Gone();
  if (!Send(line->get(), request, descriptors)) return Gone();
  std::optional<Message> answer = Receive(line->get());
  if (!answer) return Gone();
  MutexLock hold(mutex_);
  idle_.push_back(*std::move(line));
  return *std::move(answer);
}

}  // namespace yard::engine::remote
