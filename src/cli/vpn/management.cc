#include "cli/vpn/management.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::cli {
namespace {

constexpr Micros kAnswer = Seconds(10);
constexpr Micros kEnd = Seconds(30);
constexpr std::size_t kLongestLine = 64 << 10;
constexpr std::string_view kNews = ">STATE:";

std::unexpected<Error> Ended() {
  return Fail(Code::kUnavailable, "OpenVPN has ended");
}

}  // namespace

std::optional<VpnStep> ParseVpnStep(std::string_view line) {
  const std::vector<std::string_view> parts = Split(line, ',');
  if (parts.size() < 5) return std::nullopt;
  const std::optional<std::int64_t> seconds = ParseInt(parts[0]);
  const bool is_word = !parts[1].empty() && std::ranges::all_of(parts[1], [](char c) {
    return (c >= 'A' && c <= 'Z') || c == '_';
  });
  if (!seconds || !is_word) return std::nullopt;
  return VpnStep{Time{*seconds * 1'000'000}, std::string(parts[1]), std::string(parts[2]),
                 std::string(parts[3]), std::string(parts[4])};
}

int DropsOf(const std::vector<VpnStep>& steps) {
  int drops = 0;
  bool stood = false;
  for (const VpnStep& step : steps) {
    if (step.state == "RECONNECTING" && stood) ++drops;
    if (step.state == "RECONNECTING") stood = false;
    if (step.state == "CONNECTED") stood = true;
  }
  return drops;
}

Result<VpnManagement> VpnManagement::Connect(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return Fail(Code::kInvalid, fmt::format("the path {} is too long for a socket", path),
                "set XDG_CONFIG_HOME to a shorter one");
  std::memcpy(address.sun_path, path.data(), path.size());
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket ||
      ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return Fail(Code::kNotFound,
                fmt::format("nobody listens at {}: {}", path, std::strerror(errno)));
  return VpnManagement(std::move(socket));
}

Status VpnManagement::Say(std::string_view command) {
  const std::string line = fmt::format("{}\n", command);
  const ssize_t sent = ::send(socket_.get(), line.data(), line.size(), MSG_NOSIGNAL);
  return sent == static_cast<ssize_t>(line.size()) ? Status() : Ended();
}

Result<std::optional<std::string>> VpnManagement::Line(Micros patience) {
  for (;;) {
    const std::size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string line(Trim(std::string_view(buffer_).substr(0, end)));
      buffer_.erase(0, end + 1);
      return line;
    }
    if (buffer_.size() > kLongestLine) return Ended();
    pollfd wait{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    const int ready = ::poll(&wait, 1, static_cast<int>(patience.value / 1000));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::optional<std::string>();
    char piece[4096];
    const ssize_t got = ::read(socket_.get(), piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Ended();
    buffer_.append(piece, static_cast<std::size_t>(got));
  }
}

Result<std::vector<VpnStep>> VpnManagement::Steps() {
  YARD_TRY(Say("state on all"));
  std::vector<VpnStep> steps;
  for (;;) {
    YARD_ASSIGN(std::optional<std::string> line, Line(kAnswer));
    if (!line) return Fail(Code::kUnavailable, "OpenVPN does not answer");
    if (*line == "END") return steps;
    if (std::optional<VpnStep> step = ParseVpnStep(*line)) steps.push_back(*std::move(step));
  }
}

Result<std::optional<VpnStep>> VpnManagement::Next(Micros patience) {
  for (;;) {
    YARD_ASSIGN(std::optional<std::string> line, Line(patience));
    if (!line) return std::optional<VpnStep>();
    if (line->starts_with(kNews))
      if (std::optional<VpnStep> step = ParseVpnStep(line->substr(kNews.size()))) return step;
  }
}

Status VpnManagement::Stop() {
  YARD_TRY(Say("signal SIGTERM"));
  for (;;) {
    Result<std::optional<std::string>> line = Line(kEnd);
    if (!line) return {};
    if (!*line) return Fail(Code::kUnavailable, "OpenVPN does not end");
  }
}

}  // namespace yard::cli
