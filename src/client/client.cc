#include "client/client.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "base/trusted_json.h"
#include "base/version.h"
#include "client/trace.h"
#include "http/url.h"

namespace yard::client {
namespace {

constexpr Micros kFirstPause = Micros(100'000);

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

void Append(HeaderList& list, const std::string& header) {
  list.reset(curl_slist_append(list.release(), header.c_str()));
}

std::ostream* trace = nullptr;

const char* NameOf(Method method) {
  switch (method) {
    case Method::kGet:
      return "GET";
    case Method::kPost:
      return "POST";
    case Method::kPut:
      return "PUT";
    case Method::kPatch:
      return "PATCH";
    case Method::kDelete:
      return "DELETE";
  }
  return "GET";
}

std::string UrlOf(const Options& options, const Request& request) {
  std::string url = options.url;
  while (url.ends_with('/')) url.pop_back();
  return url + TargetOf(request);
}

// How the request went: its status, or why there is none, and how long it took.
void Tell(std::ostream& to, CURL* curl, CURLcode code) {
  long status = 0;
  curl_off_t took = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(curl, CURLINFO_TOTAL_TIME_T, &took);
  const std::string how = status == 0 ? curl_easy_strerror(code) : std::to_string(status);
  to << fmt::format("< {} after {} ms\n", how, took / 1000) << std::flush;
}

long Milliseconds(Micros span) {
  return static_cast<long>(span.value / 1000);
}

// libcurl's reasons, in words that say what to do.
Failure Unreached(CURLcode code, const std::string& text, const Options& options) {
  std::string where = options.unix_socket.empty() ? options.url : options.unix_socket;
  if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE) {
    return Failure(
        {Code::kUnavailable, fmt::format("{} is not trusted: {}", where, text),
         "copy its DATA-DIR/tls/ca.crt here and name it with --ca-file or GPUYARD_CA_FILE"});
  }
  if (code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL) {
    return Failure({Code::kInvalid, fmt::format("'{}' is not a server's address", where),
                    "for example https://gpu.example.org:8470"});
  }
  if (!options.unix_socket.empty()) where = "the socket " + where;
  return Failure({Code::kUnavailable, fmt::format("cannot reach {}: {}", where, text),
                  "is the server running? `gpuyard up` starts one on this machine"});
}

// libcurl speaks of a host and a port where there is only a socket.
std::string ProblemOf(CURL* curl, CURLcode code, const char* said, const Options& options) {
  long number = 0;
  curl_easy_getinfo(curl, CURLINFO_OS_ERRNO, &number);
  bool socket = !options.unix_socket.empty() && code == CURLE_COULDNT_CONNECT;
  if (socket && number != 0) return std::generic_category().message(static_cast<int>(number));
  return *said != '\0' && !socket ? said : curl_easy_strerror(code);
}

}  // namespace

struct Client::Handle {
  CURL* curl = curl_easy_init();
  ~Handle() { curl_easy_cleanup(curl); }
};

// One exchange: what libcurl's callbacks write to.
struct Client::Attempt {
  Reply reply;
  HeaderList headers;
  std::array<char, CURL_ERROR_SIZE> problem{};
  // For streams: events go here instead of into the body.
  const std::function<bool(const Event&)>* take = nullptr;
  const std::function<bool()>* opened = nullptr;
  EventParser events;
  const Sink* sink = nullptr;  // for downloads: pieces go here
  const std::function<bool()>* cancelled = nullptr;
  CURL* curl = nullptr;
  bool ended_by_taker = false;
  bool head_seen = false;

  static std::size_t OnBody(char* bytes, std::size_t, std::size_t size, void* self);
  static std::size_t OnHeader(char* bytes, std::size_t, std::size_t size, void* self);
  static int OnProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
  bool TakePiece(std::string_view piece);
  bool IsStream() const;
};

bool Client::Attempt::IsStream() const {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return (take != nullptr || sink != nullptr) && status < 300;
}

// False: whoever takes has enough.
bool Client::Attempt::TakePiece(std::string_view piece) {
  if (sink != nullptr) {
    if (sink->head && !std::exchange(head_seen, true)) sink->head(reply);
    return sink->take(piece);
  }
  if (opened != nullptr && !std::exchange(head_seen, true) && *opened && !(*opened)()) return false;
  for (const Event& event : events.Feed(piece)) {
    if (!(*take)(event)) return false;
  }
  return true;
}

std::size_t Client::Attempt::OnBody(char* bytes, std::size_t, std::size_t size, void* self) {
  auto& attempt = *static_cast<Attempt*>(self);
  if (!attempt.IsStream()) {
    attempt.reply.body.append(bytes, size);
    return size;
  }
  attempt.ended_by_taker = !attempt.TakePiece({bytes, size});
  return attempt.ended_by_taker ? 0 : size;
}

int Client::Attempt::OnProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  auto& attempt = *static_cast<Attempt*>(self);
  attempt.ended_by_taker = attempt.ended_by_taker || (*attempt.cancelled)();
  return attempt.ended_by_taker ? 1 : 0;
}

std::size_t Client::Attempt::OnHeader(char* bytes, std::size_t, std::size_t size, void* self) {
  auto& attempt = *static_cast<Attempt*>(self);
  std::string_view line(bytes, size);
  std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return size;
  std::string_view name = line.substr(0, colon);
  std::string value(Trim(line.substr(colon + 1)));
  if (EqualsIgnoreCase(name, "x-request-id")) attempt.reply.request_id = value;
  if (EqualsIgnoreCase(name, "warning")) attempt.reply.warnings.push_back(value);
  std::string lower = Lower(name);
  if (lower.starts_with("gpuyard-")) attempt.reply.headers.emplace_back(lower, value);
  return size;
}

void TraceRequests(std::ostream& to) {
  trace = &to;
}

Client::Client(Options options)
    : options_(std::move(options)), handle_(std::make_unique<Handle>()) {}

Client::~Client() = default;

void Client::Prepare(const Request& request, Attempt& attempt) {
  CURL* curl = handle_->curl;
  curl_easy_reset(curl);
  attempt.curl = curl;
  curl_easy_setopt(curl, CURLOPT_URL, UrlOf(options_, request).c_str());
  if (trace != nullptr)
    *trace << fmt::format("> {} {}\n", NameOf(request.method), TargetOf(request)) << std::flush;
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, NameOf(request.method));
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, Milliseconds(options_.connect_timeout));
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, attempt.problem.data());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &Attempt::OnBody);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &attempt);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &Attempt::OnHeader);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &attempt);
  if (!options_.unix_socket.empty())
    curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, options_.unix_socket.c_str());
  if (!options_.ca_file.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, options_.ca_file.c_str());
  Append(attempt.headers, fmt::format("User-Agent: gpuyard/{}", kVersion));
  if (!options_.token.empty())
    Append(attempt.headers, fmt::format("Authorization: Bearer {}", options_.token));
  if (!request.idempotency_key.empty())
    Append(attempt.headers, fmt::format("Idempotency-Key: {}", request.idempotency_key));
  if (!request.body.empty()) {
    Append(attempt.headers, fmt::format("Content-Type: {}", request.content_type));
    Append(attempt.headers, "Expect:");
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.c_str());
  }
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, attempt.headers.get());
}

Outcome<Reply> Client::Perform(Attempt& attempt) {
  CURLcode code = curl_easy_perform(handle_->curl);
  if (trace != nullptr) Tell(*trace, handle_->curl, code);
  if (code != CURLE_OK && !attempt.ended_by_taker) {
    std::string text = ProblemOf(handle_->curl, code, attempt.problem.data(), options_);
    return std::unexpected(Unreached(code, text, options_));
  }
  long status = 0;
  curl_easy_getinfo(handle_->curl, CURLINFO_RESPONSE_CODE, &status);
  attempt.reply.status = static_cast<int>(status);
  if (status >= 400) {
    return std::unexpected(
        FailureOf(attempt.reply.status, attempt.reply.body, attempt.reply.request_id));
  }
  return std::move(attempt.reply);
}

Outcome<Reply> Client::Renewing(const std::function<Outcome<Reply>()>& perform) {
  Outcome<Reply> reply = perform();
  if (reply || reply.error().status != 401 || !options_.renew_token) return reply;
  Outcome<std::string> token = options_.renew_token();
  if (!token) return reply;
  options_.token = *std::move(token);
  return perform();
}

Outcome<Reply> Client::SendOnce(const Request& request) {
  Attempt attempt;
  Prepare(request, attempt);
  curl_easy_setopt(handle_->curl, CURLOPT_TIMEOUT_MS, Milliseconds(options_.timeout));
  return Perform(attempt);
}

Outcome<Reply> Client::Send(const Request& request) {
  Micros pause = kFirstPause;
  for (int left = options_.retries;;) {
    Outcome<Reply> reply = Renewing([&] { return SendOnce(request); });
    if (reply || left-- <= 0 || !MayRepeat(request, reply.error())) return reply;
    if (options_.wait) options_.wait(pause);
    pause = pause + pause;
  }
}

Outcome<json::value> Client::SendForJson(const Request& request) {
  YARD_ASSIGN(Reply reply, Send(request));
  if (Trim(reply.body).empty()) return json::value(nullptr);
  Result<json::value> value = ParseTrustedJson(reply.body);
  if (value) return *std::move(value);
  Failure failure({Code::kInternal, "the server's answer is not JSON",
                   "is this the address of a Gpuyard server?"});
  failure.status = reply.status;
  failure.request_id = reply.request_id;
  return std::unexpected(failure);
}

Outcome<json::value> Client::Get(std::string path,
                                 std::vector<std::pair<std::string, std::string>> query) {
  return SendForJson({.path = std::move(path), .query = std::move(query)});
}

Outcome<void> Client::Follow(const std::string& path, const std::function<bool(const Event&)>& take,
                             const std::function<bool()>& opened,
                             const std::function<bool()>& cancelled) {
  Outcome<Reply> reply = Renewing([&] {
    Attempt attempt;
    Prepare({.path = path}, attempt);
    Append(attempt.headers, "Accept: text/event-stream");
    curl_easy_setopt(handle_->curl, CURLOPT_HTTPHEADER, attempt.headers.get());
    attempt.take = &take;
    attempt.opened = &opened;
    AllowCancel(attempt, cancelled);
    return Perform(attempt);
  });
  if (!reply) return std::unexpected(reply.error());
  return {};
}

Outcome<Reply> Client::Download(const Request& request, const Sink& sink) {
  return Renewing([&] {
    Attempt attempt;
    Prepare(request, attempt);
    attempt.sink = &sink;
    AllowCancel(attempt, sink.cancelled);
    return Perform(attempt);
  });
}

void Client::AllowCancel(Attempt& attempt, const std::function<bool()>& cancelled) {
  if (!cancelled) return;
  attempt.cancelled = &cancelled;
  curl_easy_setopt(handle_->curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle_->curl, CURLOPT_XFERINFOFUNCTION, &Attempt::OnProgress);
  curl_easy_setopt(handle_->curl, CURLOPT_XFERINFODATA, &attempt);
}

std::string TargetOf(const Request& request) {
  std::string target = request.path;
  char separator = request.path.contains('?') ? '&' : '?';
  for (const auto& [key, value] : request.query) {
    target +=
        fmt::format("{}{}={}", separator, http::EncodePercent(key), http::EncodePercent(value));
    separator = '&';
  }
  return target;
}

std::string Reply::Find(std::string_view header) const {
  for (const auto& [name, value] : headers) {
    if (EqualsIgnoreCase(name, header)) return value;
  }
  return {};
}

}  // namespace yard::client
