// What all connections of one server share: the handler, the limits, TLS, and their count.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "http/crowd.h"
#include "http/http.h"
#include "http/server.h"

namespace boost::asio::ssl {
class context;
}

namespace yard::http {

// Thread-safe. Lives as long as the server; connections borrow it.
class Site {
 public:
  Site(Handler& handler, Gate* gate, const Limits& limits, std::string id_prefix);
  ~Site();

  Handler& handler;
  Gate* const gate;  // may be null
  const Limits limits;
  std::atomic<bool> stopping = false;
  Crowd crowd;

  // To be called before the first connection, if at all.
  Status UseTls(const TlsFiles& files);
  // Null without TLS.
  boost::asio::ssl::context* tls() { return tls_.get(); }

  // 15 characters, so that a string holds them without allocating.
  std::string NextRequestId();

  // Takes `bytes` more of what all bodies may hold together, to be given back. False: too many.
  bool TakeBodyRoom(std::size_t bytes);
  void GiveBodyRoom(std::size_t bytes) { bodies_.fetch_sub(bytes, std::memory_order_relaxed); }

  void Opened();
  void Closed();
  std::size_t open() const { return open_.load(std::memory_order_relaxed); }
  std::uint64_t total() const { return total_.load(std::memory_order_relaxed); }
  // False when some are still open after `timeout`.
  bool WaitUntilAllClosed(std::optional<Micros> timeout);

 private:
  const std::string id_prefix_;
  std::unique_ptr<boost::asio::ssl::context> tls_;
  std::atomic<std::uint64_t> next_id_ = 0;
  std::atomic<std::size_t> open_ = 0;
  std::atomic<std::uint64_t> total_ = 0;
  std::atomic<std::size_t> bodies_ = 0;  // bytes
  std::mutex mutex_;
  std::condition_variable all_closed_;
};

}  // namespace yard::http
