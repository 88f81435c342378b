// HTTP with a daemon that listens on a unix socket.
//
// Every call opens a connection of its own. libcurl stays behind this header. Thread-safe.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "base/time.h"

namespace yard::engine::containers {

struct Request {
  std::string method = "GET";
  std::string path;
  std::vector<std::pair<std::string, std::string>> query = {};
  std::string body = {};  // JSON unless `content_type` says otherwise
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
  Micros timeout = Minutes(2);  // of the whole exchange; zero: none
  // Asked about once a second, also while nothing comes; false ends the exchange.
  std::function<bool()> is_wanted = {};
};

struct Reply {
  int status = 0;
  std::string body;
};

// Takes the bytes of a body as they come; false ends the exchange.
using TakeBytes = std::function<bool(std::string_view)>;

class Http {
 public:
  explicit Http(std::string socket_path) : socket_path_(std::move(socket_path)) {}

  const std::string& socket_path() const { return socket_path_; }

  // Any answer is a Reply; the error is only for a daemon that could not be reached (kUnavailable).
  Result<Reply> Send(const Request& request) const;
  // The body of an answer below 300 goes to `take`; that of any other one into the Reply.
  Result<Reply> Receive(const Request& request, const TakeBytes& take) const;

 private:
  std::string socket_path_;
};

// The socket after the daemon agreed to turn the connection into a raw stream, as it does for
// attach and exec. `refusal` is set instead when it answered otherwise.
struct Upgraded {
  UniqueFd stream;
  Reply refusal;
};

Result<Upgraded> Upgrade(const std::string& socket_path, const Request& request);

// Connected, blocking, closed on exec.
Result<UniqueFd> ConnectUnix(const std::string& path);

// path?key=value&… with the values escaped.
std::string Target(const Request& request);

}  // namespace yard::engine::containers
