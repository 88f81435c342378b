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

// With a terminal: the daemon's socket is all there is.
class RawSession final : public Session {
 public:
  explicit RawSession(StreamSpec spec) : spec_(std::move(spec)) {
    SetNonBlocking(spec_.stream.get());
  }
  ~RawSession() override {
    if (!waited_ && spec_.hang_up) spec_.hang_up();
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
  Result<std::int32_t> Wait() override {
    waited_ = true;
    return spec_.wait();
  }

 private:
  StreamSpec spec_;
  bool waited_ = false;
};

// Without a terminal: a thread cuts the daemon's frames into output and error.
class FramedSession final : public Session {
 public:
  FramedSession(StreamSpec spec, Channel output, Channel error)
      : spec_(std::move(spec)),
        output_(std::move(output)),
        error_(std::move(error)),
        pump_([this] { Pump(); }) {
    SetNonBlocking(spec_.stream.get());
  }
  ~FramedSession() override {
    if (!waited_ && spec_.hang_up) spec_.hang_up();
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
  Result<std::int32_t> Wait() override {
    waited_ = true;
    return spec_.wait();
  }

 private:
  void Pump() {
    std::string buffer(kPieceBytes, '\0');
    while (Forward(buffer)) {
    }
    output_.EndOurs();
    error_.EndOurs();
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

  StreamSpec spec_;
  const Channel output_;
  const Channel error_;
  shim::FrameReader frames_;  // of the pump
  bool waited_ = false;
  std::thread pump_;
};

// A file transfer: a thread runs one request whose body goes to or comes from a channel.
class TransferSession final : public Session {
 public:
  using Work = std::function<Status(const Channel& bytes)>;
  enum class Direction { kOut, kIn };

  TransferSession(Direction direction, Channel bytes, Channel words, Work work)
      : direction_(direction),
        bytes_(std::move(bytes)),
        words_(std::move(words)),
        work_(std::move(work)),
        thread_([this] { Run(); }) {}
  ~TransferSession() override {
    bytes_.HangUp();
    words_.HangUp();
    if (thread_.joinable()) thread_.join();
  }

  int input() const override { return direction_ == Direction::kIn ? bytes_.theirs.get() : -1; }
  int output() const override {
    return direction_ == Direction::kOut ? bytes_.theirs.get() : ended_.theirs.get();
  }
  int error() const override { return words_.theirs.get(); }
  void CloseInput() override { ::shutdown(bytes_.theirs.get(), SHUT_WR); }
  Status Resize(std::uint16_t, std::uint16_t) override {
    return Fail(Code::kPrecondition, "the session has no terminal");
  }
  Result<std::int32_t> Wait() override {
    if (thread_.joinable()) thread_.join();
    return code_;
  }

 private:
  void Run() {
    Status done = work_(bytes_);
    if (!done) words_.Send(done.error().message + "\n");
    code_ = done ? 0 : 1;
    words_.EndOurs();
    bytes_.EndOurs();
    ended_.EndOurs();
  }

  const Direction direction_;
  const Channel bytes_;
  const Channel words_;
  // What a transfer into the container has for output: nothing, until it is done.
  const Channel ended_ = Channel::Make().value_or(Channel{});
  const Work work_;
  std::int32_t code_ = 1;
  std::thread thread_;
};

Result<std::unique_ptr<Session>> MakeTransfer(TransferSession::Direction direction,
                                              TransferSession::Work work) {
  YARD_ASSIGN(Channel bytes, Channel::Make());
  YARD_ASSIGN(Channel words, Channel::Make());
  return std::make_unique<TransferSession>(direction, std::move(bytes), std::move(words),
                                           std::move(work));
}

}  // namespace

Result<std::unique_ptr<Session>> MakeStreamSession(StreamSpec spec) {
  if (spec.framing == Framing::kRaw) return std::make_unique<RawSession>(std::move(spec));
  YARD_ASSIGN(Channel output, Channel::Make());
  YARD_ASSIGN(Channel error, Channel::Make());
  return std::make_unique<FramedSession>(std::move(spec), std::move(output), std::move(error));
}

Result<std::unique_ptr<Session>> MakeReadSession(const Daemon& daemon, std::string container,
                                                 std::string path) {
  return MakeTransfer(
      TransferSession::Direction::kOut,
      [daemon, container = std::move(container), path = std::move(path)](const Channel& bytes) {
        return daemon.ReadArchive(container, path,
                                  [&](std::string_view part) { return bytes.Send(part); });
      });
}

Result<std::unique_ptr<Session>> MakeWriteSession(const Daemon& daemon, std::string container,
                                                  std::string folder) {
  return MakeTransfer(
      TransferSession::Direction::kIn,
      [daemon, container = std::move(container), folder = std::move(folder)](const Channel& bytes) {
        return daemon.WriteArchive(container, folder, [&](char* buffer, std::size_t size) {
          return bytes.Receive(buffer, size);
        });
      });
}

}  // namespace yard::engine::containers
