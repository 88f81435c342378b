#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <list>
#include <thread>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/strings.h"
#include "cli/enter/enter.h"
#include "cli/enter/pump.h"
#include "cli/enter/terminal.h"
#include "cli/interrupt.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr int kBacklog = 64;
constexpr int kLookMilliseconds = 250;  // how soon Ctrl-C and ended connections are noticed

struct Listener {
  UniqueFd socket;
  Forwarding ports;
};

Failure Refused(const std::string& address, std::uint16_t port) {
  return Failure({Code::kInvalid,
                  fmt::format("cannot listen on {}:{}: {}", address, port, std::strerror(errno)),
                  "choose another local port, or 0 for a free one"});
}

Outcome<Listener> Listen(const std::string& address, Forwarding ports) {
  std::string host = address == "localhost" ? "127.0.0.1" : address;
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(ports.local);
  if (inet_pton(AF_INET, host.c_str(), &place.sin_addr) != 1)
    return std::unexpected(
        Failure({Code::kInvalid, fmt::format("'{}' is not an IPv4 address", address)}));
  UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  int on = 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  auto* any = reinterpret_cast<sockaddr*>(&place);
  if (bind(socket.get(), any, sizeof place) != 0 || listen(socket.get(), kBacklog) != 0)
    return std::unexpected(Refused(address, ports.local));
  socklen_t size = sizeof place;
  getsockname(socket.get(), any, &size);
  ports.local = ntohs(place.sin_port);
  return Listener{std::move(socket), ports};
}

// One accepted connection with its thread. Joined when it is erased.
struct Link {
  UniqueFd socket;
  std::atomic<bool> ended = false;
  std::jthread thread;
};

class Forwarder {
 public:
  Forwarder(Session& session, std::string id) : session_(session), id_(std::move(id)) {}
  ~Forwarder() {
    for (Link& link : links_) shutdown(link.socket.get(), SHUT_RDWR);
  }

  void Accept(const Listener& listener) {
    int accepted = accept4(listener.socket.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted < 0) return;
    std::string path = fmt::format("/ports/{}", listener.ports.remote);
    auto channel = OpenChannel(session_, id_, path, {});
    if (!channel) {
      close(accepted);
      session_.Note(
          fmt::format("port {}: {}", listener.ports.remote, channel.error().error.message));
      return;
    }
    Link& link = links_.emplace_back();
    link.socket.Reset(accepted);
    link.thread = std::jthread([&link, held = *std::move(channel)] {
      Splice(*held, link.socket.get());
      link.ended = true;
    });
  }

  void DropEnded() {
    std::erase_if(links_, [](const Link& link) { return link.ended.load(); });
  }

 private:
  Session& session_;
  std::string id_;
  std::list<Link> links_;
};

}  // namespace

Result<Forwarding> ParseForwarding(std::string_view text) {
  std::size_t colon = text.find(':');
  std::optional<std::int64_t> local = ParseInt(text.substr(0, colon));
  std::optional<std::int64_t> remote = local;
  if (colon != std::string_view::npos) remote = ParseInt(text.substr(colon + 1));
  bool good = local && remote && *local >= 0 && *local <= 65535 && *remote >= 1 && *remote <= 65535;
  if (!good)
    return Fail(Code::kInvalid, fmt::format("'{}' is not LOCAL[:REMOTE]", text),
                "for example 8888 or 9999:8888");
  return Forwarding{static_cast<std::uint16_t>(*local), static_cast<std::uint16_t>(*remote)};
}

Outcome<void> Forward(Session& session, const std::string& id, const std::string& address,
                      const std::vector<Forwarding>& ports) {
  std::vector<Listener> listeners;
  for (Forwarding port : ports) {
    YARD_ASSIGN(Listener listener, Listen(address, port));
    session.Note(fmt::format("{}:{} is port {} of the task; Ctrl-C ends it", address,
                             listener.ports.local, listener.ports.remote));
    listeners.push_back(std::move(listener));
  }
  std::vector<pollfd> fds;
  for (const Listener& listener : listeners) fds.push_back({listener.socket.get(), POLLIN, 0});
  IgnoreBrokenPipes();
  Interrupt interrupt;
  Forwarder forwarder(session, id);
  while (!interrupt.came()) {
    if (poll(fds.data(), fds.size(), kLookMilliseconds) > 0) {
      for (std::size_t i = 0; i < fds.size(); ++i) {
        if (fds[i].revents != 0) forwarder.Accept(listeners[i]);
      }
    }
    forwarder.DropEnded();
  }
  return {};
}

}  // namespace yard::cli
