#include "http/server.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <mutex>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/log.h"
#include "http/connection.h"
#include "http/listen.h"
#include "http/loop.h"
#include "http/site.h"

namespace yard::http {
namespace {

namespace net = boost::asio;

constexpr Micros kLongestTick = Seconds(1);
constexpr Micros kShortestTick = Micros(5'000);
// A short timeout is kept to about a quarter of itself.
constexpr std::int64_t kTicksPerTimeout = 4;
// Connections over the limit that are still told so; beyond them the door stays shut.
constexpr std::size_t kRefusalsAtOnce = 128;
constexpr auto kPauseWhenExhausted = std::chrono::milliseconds(100);
constexpr int kPrefixChars = 6;

Micros TickLength(const Limits& limits) {
  Micros shortest = std::min(
      {limits.header_timeout, limits.body_timeout, limits.idle_timeout, limits.handler_timeout});
  return std::clamp(Micros(shortest.value / kTicksPerTimeout), kShortestTick, kLongestTick);
}

std::string MakeIdPrefix(Random& random) {
  std::uint8_t bytes[kPrefixChars];
  random.Fill(bytes);
  std::string prefix;
  for (std::uint8_t byte : bytes) prefix += "0123456789abcdefghijkmnpqrstuvwx"[byte % 32];
  return prefix;
}

// A listener and its place in the first loop.
struct Door {
  Door(net::io_context& context, Listener listener_in)
      : listener(std::move(listener_in)), waiter(context, listener.fd()), pause(context) {}
  ~Door() { waiter.release(); }
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  Listener listener;  // owns the descriptor
  net::posix::stream_descriptor waiter;
  net::steady_timer pause;
};

class AsioServer final : public Server {
 public:
  AsioServer(const ServerOptions& options, Handler& handler)
      : site_(handler, options.gate, options.limits, MakeIdPrefix(*options.random)) {
    for (int i = 0; i < std::max(options.threads, 1); ++i) {
      loops_.push_back(std::make_shared<Loop>(TickLength(options.limits), *options.clock));
    }
  }
  ~AsioServer() override { Stop(Micros(0)); }

  Status Open(const ServerOptions& options);

  std::uint16_t port() const override { return port_; }
  ServerStats stats() const override;
  void Stop(Micros grace) override;

 private:
  void AddDoor(Listener listener);
  void WaitAt(Door& door);
  void AcceptAll(Door& door);
  void Admit(Accepted accepted);
  void Drain(Micros grace);
  void OnEveryLoop(void (Loop::*action)());

  Site site_;
  std::vector<std::shared_ptr<Loop>> loops_;
  std::uint16_t port_ = 0;
  bool serving_ = false;
  std::once_flag stopped_;

  // First loop's thread once it runs.
  std::vector<std::unique_ptr<Door>> doors_;
  std::size_t next_loop_ = 0;
};

Status AsioServer::Open(const ServerOptions& options) {
  if (options.tls) YARD_TRY(site_.UseTls(*options.tls));
  YARD_ASSIGN(Listener tcp, Listener::Tcp(options.host, options.port));
  port_ = tcp.port();
  AddDoor(std::move(tcp));
  if (options.unix_path) {
    YARD_ASSIGN(Listener local, Listener::Unix(*options.unix_path));
    AddDoor(std::move(local));
  }
  for (auto& door : doors_) WaitAt(*door);
  for (auto& loop : loops_) loop->Start();
  serving_ = true;
  return {};
}

void AsioServer::AddDoor(Listener listener) {
  doors_.push_back(std::make_unique<Door>(loops_.front()->context(), std::move(listener)));
}

void AsioServer::WaitAt(Door& door) {
  door.waiter.async_wait(net::posix::stream_descriptor::wait_read,
                         [this, &door](const boost::system::error_code& error) {
                           if (!error) AcceptAll(door);
                         });
}

void AsioServer::AcceptAll(Door& door) {
  Listener::Outcome outcome = Listener::Outcome::kAccepted;
  while (outcome == Listener::Outcome::kAccepted) {
    Accepted accepted;
    outcome = door.listener.Accept(accepted);
    if (outcome == Listener::Outcome::kAccepted) Admit(std::move(accepted));
  }
  if (outcome == Listener::Outcome::kNothing) return WaitAt(door);
  log::Warning("no descriptor is left for a new connection");
  door.pause.expires_after(kPauseWhenExhausted);
  door.pause.async_wait([this, &door](const boost::system::error_code& error) {
    if (!error) WaitAt(door);
  });
}

void AsioServer::Admit(Accepted accepted) {
  accepted.seat = site_.crowd.Take(accepted.network);
  if (!accepted.seat && site_.open() >= site_.limits.connections + kRefusalsAtOnce) {
    ::close(accepted.fd);
    return;
  }
  site_.Opened();
  std::shared_ptr<Loop> loop = loops_[next_loop_++ % loops_.size()];
  Loop& target = *loop;
  target.Post([this, loop = std::move(loop), accepted = std::move(accepted)]() mutable {
    StartConnection(std::move(loop), site_, std::move(accepted));
  });
}

ServerStats AsioServer::stats() const {
  ServerStats stats;
  stats.connections_open = site_.open();
  stats.connections_total = site_.total();
  for (const auto& loop : loops_) {
    stats.requests_total += loop->counters.requests.load(std::memory_order_relaxed);
    stats.bytes_in += loop->counters.bytes_in.load(std::memory_order_relaxed);
    stats.bytes_out += loop->counters.bytes_out.load(std::memory_order_relaxed);
    stats.refused_total += loop->counters.refused.load(std::memory_order_relaxed);
  }
  return stats;
}

void AsioServer::OnEveryLoop(void (Loop::*action)()) {
  for (auto& loop : loops_) {
    loop->Post([loop = loop.get(), action] { (loop->*action)(); });
  }
}

void AsioServer::Stop(Micros grace) {
  std::call_once(stopped_, [this, grace] {
    if (serving_) Drain(grace);
    doors_.clear();
    for (auto& loop : loops_) loop->Finish();
  });
}

void AsioServer::Drain(Micros grace) {
  site_.stopping = true;
  std::promise<void> shut;
  loops_.front()->Post([this, &shut] {
    doors_.clear();
    shut.set_value();
  });
  shut.get_future().wait();
  OnEveryLoop(&Loop::StopAll);
  if (site_.WaitUntilAllClosed(grace)) return;
  OnEveryLoop(&Loop::AbortAll);
  site_.WaitUntilAllClosed(std::nullopt);
}

}  // namespace

Result<std::unique_ptr<Server>> Server::Start(ServerOptions options, Handler& handler) {
  auto server = std::make_unique<AsioServer>(options, handler);
  YARD_TRY(server->Open(options));
  return server;
}

}  // namespace yard::http
