// HTTP as plain values: what a handler gets and what it gives back.
//
// Nothing here names a socket or a library, so that Boost.Beast stays in one translation unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yard::http {

enum class Method { kGet, kHead, kPost, kPut, kPatch, kDelete, kOptions, kOther };

using Header = std::pair<std::string, std::string>;

// Who is on the other end of a unix socket, told by the kernel.
struct PeerCredentials {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::int32_t pid = 0;
};

struct Link;

// The way to whoever waits for the answer to a request. Thread-safe; copies are cheap.
class Waiter {
 public:
  Waiter() = default;  // of a request that came by no connection: nobody leaves
  Waiter(std::shared_ptr<Link> link, std::uint64_t sequence)
      : link_(std::move(link)), sequence_(sequence) {}

  // Calls `gone` once, on an I/O thread, if nobody waits any more before the answer is there: the
  // peer has left or ended its side, or was told that it takes too long. To be called before the
  // answer is given; the last call counts.
  void OnGone(std::move_only_function<void()> gone) const;

 private:
  std::shared_ptr<Link> link_;
  std::uint64_t sequence_ = 0;
};

struct Request {
  Method method = Method::kGet;
  std::string target;           // as sent: path, "?" and query
  std::vector<Header> headers;  // names in lower case
  std::string body;             // decoded if it was sent gzip-compressed
  std::string peer_address;     // "127.0.0.1:53210" or "unix"
  std::optional<PeerCredentials> peer_credentials;
  std::string id;       // request id: X-Request-Id of the client if sane, else made here
  bool secure = false;  // came over TLS
  Waiter waiter;

  // Still percent-encoded. Computed, not stored: a view kept beside a short string would dangle
  // when the request moves.
  std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
  // Without "?"; may be empty.
  std::string_view query() const {
    std::size_t mark = target.find('?');
    return mark == std::string::npos ? std::string_view{}
                                     : std::string_view(target).substr(mark + 1);
  }

  // The first header of that (lower-case) name, or nothing.
  std::optional<std::string_view> Find(std::string_view name) const {
    for (const Header& h : headers) {
      if (h.first == name) return h.second;
    }
    return std::nullopt;
  }
};

// An open answer that is written piece by piece (server-sent events, followed logs).
//
// Thread-safe. Write returns false once the peer is gone or reads too slowly (its backlog is
// bounded), or the server stops: the producer then stops. A producer that may wait writes a piece
// and goes on when that has left. Destroying the last reference ends the answer.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual bool Write(std::string chunk) = 0;
  // Calls `ready` once, on an I/O thread, when all that was written has left, or the peer is gone.
  virtual void OnDrained(std::move_only_function<void()> ready) = 0;
  // Calls `gone` once, on an I/O thread, if the peer leaves before the end.
  virtual void OnGone(std::move_only_function<void()> gone) = 0;
  // Ends the answer so that the peer can tell it is not whole.
  virtual void Abort() = 0;
};

class Tunnel;

struct Reply {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<Header> headers;
  std::string body;
  // Set for a streamed answer: called once, after the header has been sent, on an I/O thread.
  // `body`, if any, is the first piece. Not called for HEAD or when the peer has gone already.
  // The connection closes after a streamed answer.
  std::move_only_function<void(std::shared_ptr<Stream>)> stream;
  // Set to leave HTTP: called once, on an I/O thread, before anything is sent. What follows, the
  // status line included, goes through the tunnel; `status` is only for the record.
  std::move_only_function<void(std::shared_ptr<Tunnel>)> upgrade;
};

// Must be called exactly once per request, from any thread. Destroyed uncalled, it answers 500.
using Respond = std::move_only_function<void(Reply)>;

// Called on an I/O thread; must not block. Answers now or keeps `respond` for later.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual void Handle(Request request, Respond respond) = 0;
};

}  // namespace yard::http
