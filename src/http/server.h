// The HTTP/1.1 server: listeners, connections, limits, TLS.
//
// Each I/O thread runs its own event loop; a connection lives on one of them for its whole life.
// A request over a limit is answered (431, 413, 408, 503) with the same JSON error body as the
// rest of the API and the connection is closed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "http/gate.h"
#include "http/http.h"

namespace yard::http {

struct TlsFiles {
  std::string certificate_chain;  // PEM path
  std::string private_key;        // PEM path
};

constexpr std::size_t kSmallBody = 16 * 1024;

struct Limits {
  std::size_t header_bytes = 16 * 1024;
  std::size_t body_bytes = 8 * 1024 * 1024;  // after decompression
  // Of all requests together. The first kSmallBody of each count for nothing: however full it is,
  // small requests are served.
  std::size_t all_bodies_bytes = 64 * 1024 * 1024;
  std::size_t connections = 10'000;
  std::size_t stream_backlog_bytes = 1024 * 1024;
  // Answers that the connections of one network have not read. The first 64 KiB of each count for
  // nothing.
  std::size_t unsent_bytes = 256 * 1024 * 1024;
  Micros header_timeout = Seconds(15);  // from the first byte to the end of the header
  Micros body_timeout = Seconds(60);
  Micros idle_timeout = Seconds(75);     // between requests of a kept-alive connection
  Micros handler_timeout = Seconds(60);  // until the handler responds: 503 afterwards
};

struct ServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;                // 0: any free port, see Server::port
  std::optional<std::string> unix_path;  // also listen here; mode 0666, peer credentials are read
  std::optional<TlsFiles> tls;           // TCP only; the unix socket is never encrypted
  int threads = 2;
  Limits limits;
  Gate* gate = nullptr;  // outlives the server; null: every body within the limits is taken
  const Clock* clock = &SystemClock();  // for the Date header
  Random* random = &SystemRandom();     // for request ids
};

// Counters since the start; for /metrics.
struct ServerStats {
  std::uint64_t connections_open = 0;
  std::uint64_t connections_total = 0;
  std::uint64_t requests_total = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t refused_total = 0;  // over a limit
};

class Server {
 public:
  // Binds and starts serving. The handler must outlive the server.
  static Result<std::unique_ptr<Server>> Start(ServerOptions options, Handler& handler);

  virtual ~Server() = default;
  virtual std::uint16_t port() const = 0;
  virtual ServerStats stats() const = 0;
  // Takes no new connections, lets running requests finish for at most `grace`, then closes all.
  // Blocks until done. Idempotent.
  virtual void Stop(Micros grace) = 0;
};

}  // namespace yard::http
