#include "cli/enter/pump.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <semaphore>
#include <thread>

#include "base/fd.h"
#include "cli/enter/frames.h"
#include "cli/enter/terminal.h"

namespace yard::cli {
namespace {

constexpr std::size_t kPiece = 32 * 1024;

// What the receiving thread found out.
struct Received {
  std::optional<int> exit;
  std::string error;
};

void ReceiveAll(client::Channel& channel, const PumpEnds& ends, Received& result) {
  while (std::optional<std::string> frame = channel.Receive()) {
    if (frame->empty()) continue;
    auto kind = static_cast<FrameKind>((*frame)[0]);
    const char* bytes = frame->data() + 1;
    std::size_t size = frame->size() - 1;
    if (kind == FrameKind::kOutput && !WriteAll(ends.out, bytes, size)) break;
    if (kind == FrameKind::kError && !WriteAll(ends.err, bytes, size)) break;
    if (kind != FrameKind::kControl) continue;
    if (std::optional<Verdict> verdict = ReadControl({bytes, size})) {
      result.exit = verdict->exit;
      result.error = verdict->error;
      break;
    }
  }
}

// One look at our side; false: the connection takes nothing more.
class Sender {
 public:
  Sender(client::Channel& channel, const PumpEnds& ends) : channel_(channel), ends_(ends) {}

  bool SendInput() {
    std::array<char, kPiece> buffer{};
    ssize_t got = read(ends_.in, buffer.data(), buffer.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got <= 0) {
      input_open = false;
      return channel_.Send(CloseInputFrame()).has_value();
    }
    return channel_.Send(InputFrame({buffer.data(), static_cast<std::size_t>(got)})).has_value();
  }

  bool SendSize() {
    WindowSize size = SizeOf(ends_.terminal);
    return channel_.Send(ResizeFrame(size.rows, size.columns)).has_value();
  }

  bool input_open = true;

 private:
  client::Channel& channel_;
  const PumpEnds& ends_;
};

void SendUntil(client::Channel& channel, const PumpEnds& ends, int ended) {
  Sender sender(channel, ends);
  sender.input_open = ends.in >= 0;
  std::optional<ResizeSignal> resized;
  if (ends.terminal >= 0) resized.emplace();
  while (true) {
    std::array<pollfd, 3> fds{{{ended, POLLIN, 0},
                               {sender.input_open ? ends.in : -1, POLLIN, 0},
                               {resized ? resized->fd() : -1, POLLIN, 0}}};
    if (poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return;
    if (fds[0].revents != 0) return;
    if (fds[2].revents != 0) {
      resized->Drain();
      if (!sender.SendSize()) return;
    }
    if (fds[1].revents != 0 && !sender.SendInput()) return;
  }
}

}  // namespace

client::Outcome<int> Pump(client::Channel& channel, const PumpEnds& ends) {
  std::array<int, 2> pipe_ends{-1, -1};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0)
    return std::unexpected(client::Failure({Code::kInternal, "no pipe could be made"}));
  UniqueFd ended(pipe_ends[0]);
  UniqueFd end(pipe_ends[1]);
  Received received;
  {
    std::jthread receiver([&] {
      ReceiveAll(channel, ends, received);
      end.Reset();
      channel.Close();  // the other side may take nothing more, and a send would wait for ever
    });
    SendUntil(channel, ends, ended.get());
    // When sending failed, the other thread may still have the reason on its way.
  }
  channel.Close();
  if (!received.error.empty())
    return std::unexpected(client::Failure({Code::kPrecondition, received.error}));
  if (received.exit) return *received.exit;
  return std::unexpected(client::Failure(
      {Code::kUnavailable, "the connection broke", "what was started there may still run"}));
}

void Splice(client::Channel& channel, int socket) {
  // Whoever asked may have said all it wants to say and still wait for the answer; messages
  // cannot tell the other side, so the answer gets this long.
  constexpr auto kAnswerTime = std::chrono::seconds(5);
  std::binary_semaphore answered(0);
  std::jthread receiver([&channel, &answered, socket] {
    while (std::optional<std::string> bytes = channel.Receive()) {
      if (!WriteAll(socket, bytes->data(), bytes->size())) break;
    }
    shutdown(socket, SHUT_RDWR);
    answered.release();
  });
  std::array<char, kPiece> buffer{};
  while (true) {
    ssize_t got = read(socket, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    std::string piece(buffer.data(), static_cast<std::size_t>(got));
    if (!channel.Send(std::move(piece))) break;
  }
  static_cast<void>(answered.try_acquire_for(kAnswerTime));
  channel.Close();
}

}  // namespace yard::cli
