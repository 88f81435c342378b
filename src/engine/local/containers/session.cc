#include "engine/local/containers/session.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <thread>
#include <utility>

#include "engine/local/containers/channel.h"
#include "shim/frames.h"

namespace yard::engine::containers {
namespace {

constexpr std::size_t kPieceBytes = 64 << 10;

// With a terminal: the daemon's socket is all there is; a thread sees only to its end.
class RawSession final : public Session {
 public:
  RawSession(StreamSpec spec, Channel end)
      : spec_(std::move(spec)),
        end_(std::move(end), spec_.ending),
        follower_([this] { Follow(); }) {
    SetNonBlocking(spec_.stream.get());
  }
  ~RawSession() override {
    if (!end_.known()) spec_.hang_up();
    end_.Cancel();
    ::shutdown(spec_.stream.get(), SHUT_RDWR);
    follower_.join();
  }

  int input() const override { return spec_.stream.get(); }
  int output() const override { return spec_.stream.get(); }
  int error() const override { return -1; }
  void CloseInput() override {
    constexpr char kEndOfInput = 4;  // what a person types: ^D
    if (spec_.input_end == InputEnd::kTyped)
      ::send(spec_.stream.get(), &kEndOfInput, 1, MSG_NOSIGNAL);
    else
      ::shutdown(spec_.stream.get(), SHUT_WR);
  }
  Status Resize(std::uint16_t rows, std::uint16_t columns) override {
    return spec_.resize(rows, columns);
  }
  Result<std::int32_t> Wait() override { return end_.Wait(); }
  int ended() const override { return end_.ended(); }

 private:
  void Follow() {
    pollfd over{spec_.stream.get(), POLLRDHUP, 0};
    while (::poll(&over, 1, -1) < 0 && errno == EINTR) {
    }
    end_.Follow();
  }

  const StreamSpec spec_;
  EndWatch end_;
  std::thread follower_;
};

// Without a terminal: a thread cuts the daemon's frames into output and error, then sees to the
// end.
class FramedSession final : public Session {
 public:
  FramedSession(StreamSpec spec, Channel end, Channel output, Channel error)
      : spec_(std::move(spec)),
        end_(std::move(end), spec_.ending),
        output_(std::move(output)),
        error_(std::move(error)),
        pump_([this] { Pump(); }) {
    SetNonBlocking(spec_.stream.get());
  }
  ~FramedSession() override {
    if (!end_.known()) spec_.hang_up();
    end_.Cancel();
    ::shutdown(spec_.stream.get(), SHUT_RDWR);
    output_.HangUp();
    error_.HangUp();
    pump_.join();
  }

  int input() const override { return spec_.stream.get(); }
  int output() const override { return output_.theirs.get(); }
  int error() const override { return error_.theirs.get(); }
  void CloseInput() override { ::shutdown(spec_.stream.get(), SHUT_WR); }
  Status Resize(std::uint16_t, std::uint16_t) override {
    return Fail(Code::kPrecondition, "the session has no terminal");
  }
  Result<std::int32_t> Wait() override { return end_.Wait(); }
  int ended() const override { return end_.ended(); }

 private:
  void Pump() {
    std::string buffer(kPieceBytes, '\0');
    while (Forward(buffer)) {
    }
    output_.EndOurs();
    error_.EndOurs();
    end_.Follow();
  }

  bool Forward(std::string& buffer) {
    pollfd ready{spec_.stream.get(), POLLIN, 0};
    if (::poll(&ready, 1, -1) < 0) return errno == EINTR;
    const ssize_t got = ::recv(spec_.stream.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    const char* at = buffer.data();
    const char* end = at + got;
    for (auto piece = frames_.Next(&at, end); piece.size > 0; piece = frames_.Next(&at, end)) {
      const Channel& channel = piece.stream == 2 ? error_ : output_;
      if (!channel.Send({piece.bytes, piece.size})) return false;
    }
    return got > 0;
  }

  const StreamSpec spec_;
  EndWatch end_;
  const Channel output_;
  const Channel error_;
  shim::FrameReader frames_;  // of the pump
  std::thread pump_;
};

}  // namespace

Result<std::unique_ptr<Session>> MakeStreamSession(StreamSpec spec) {
  YARD_ASSIGN(Channel end, Channel::Make());
  if (spec.framing == Framing::kRaw)
    return std::make_unique<RawSession>(std::move(spec), std::move(end));
  YARD_ASSIGN(Channel output, Channel::Make());
  YARD_ASSIGN(Channel error, Channel::Make());
  return std::make_unique<FramedSession>(std::move(spec), std::move(end), std::move(output),
                                         std::move(error));
}

}  // namespace yard::engine::containers
