// The API client: requests to one server, with its errors as values.
//
// Talks HTTP over TCP or a unix socket. A request is repeated only when that is safe: it is
// idempotent by its method, or carries an idempotency key. When the server says that the token has
// expired, the client asks for a new one once and repeats the request, also that of a stream.
// One thread at a time. libcurl stays in client.cc.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "base/time.h"
#include "client/sse.h"

namespace yard::client {

// What went wrong, in the server's words if it was reached.
struct Failure {
  Failure(Error error_in) : error(std::move(error_in)) {}  // NOLINT: an Error is a Failure

  Error error;
  int status = 0;          // 0: the server was not reached
  std::string request_id;  // to be found in the server's log
};

template <class T>
using Outcome = std::expected<T, Failure>;

enum class Method { kGet, kPost, kPut, kPatch, kDelete };

struct Request {
  Method method = Method::kGet;
  std::string path;  // "/api/v1/…", encoded
  std::vector<std::pair<std::string, std::string>> query = {};
  std::string body = {};  // empty: none
  std::string content_type = "application/json";
  bool is_repeatable = false;        // a POST that changes nothing when sent again
  std::string idempotency_key = {};  // makes a POST safe to repeat
};

struct Reply {
  int status = 0;
  std::string body;
  std::string request_id;
  std::vector<std::string> warnings;  // of the server, about this request
  // Those of the answer that start with "gpuyard-", names in lower case.
  std::vector<std::pair<std::string, std::string>> headers;

  // Empty if absent.
  std::string Find(std::string_view header) const;
};

struct Options {
  std::string url;          // "https://host:port"
  std::string unix_socket;  // if set, the way there; the URL then only names the host
  std::string token;        // bearer; empty: none
  std::string ca_file;      // PEM; empty: the system's
  Micros connect_timeout = Seconds(10);
  Micros timeout = Seconds(60);
  int retries = 3;
  // Waits between two attempts; nothing: does not wait.
  std::function<void(Micros)> wait = {};
  // Gets a new token after the old one expired; nothing: the failure is final.
  std::function<Outcome<std::string>()> renew_token = {};
};

class Client {
 public:
  explicit Client(Options options);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  // Answers below 400 only; everything else is a Failure.
  Outcome<Reply> Send(const Request& request);
  // The answer's JSON; null if it has no body.
  Outcome<json::value> SendForJson(const Request& request);
  Outcome<json::value> Get(std::string path,
                           std::vector<std::pair<std::string, std::string>> query = {});

  // Reads events until `take` returns false (success) or the stream ends. `opened` is called once,
  // when the stream is open, and may end it likewise: what it looks at then cannot be missed.
  // `cancelled` is asked about once a second.
  Outcome<void> Follow(const std::string& path, const std::function<bool(const Event&)>& take,
                       const std::function<bool()>& opened = {},
                       const std::function<bool()>& cancelled = {});

  // An answer of any length, in pieces, without a time limit. `take` returns false to end it.
  // What the answer's head said is in the reply that `head` sees before the first piece.
  struct Sink {
    std::function<void(const Reply& head)> head = {};
    std::function<bool(std::string_view piece)> take;
    std::function<bool()> cancelled = {};  // asked about once a second
  };
  Outcome<Reply> Download(const Request& request, const Sink& sink);

  const Options& options() const { return options_; }

 private:
  struct Handle;
  struct Attempt;

  // Once more with a new token, if the old one has expired.
  Outcome<Reply> Renewing(const std::function<Outcome<Reply>()>& perform);
  Outcome<Reply> SendOnce(const Request& request);
  Outcome<Reply> Perform(Attempt& attempt);
  void Prepare(const Request& request, Attempt& attempt);
  void AllowCancel(Attempt& attempt, const std::function<bool()>& cancelled);

  Options options_;
  std::unique_ptr<Handle> handle_;
};

// The failure that a server's error answer describes.
Failure FailureOf(int status, std::string_view body, std::string request_id);

// Path and query of a request, encoded.
std::string TargetOf(const Request& request);

// Whether sending again can help and cannot harm.
bool MayRepeat(const Request& request, const Failure& failure);

}  // namespace yard::client
