#include "engine/local/containers/http.h"

#include <curl/curl.h>

#include <array>
#include <memory>

#include <fmt/format.h>

namespace yard::engine::containers {
namespace {

struct FreeHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

// One exchange: what libcurl's callbacks read and write.
struct Exchange {
  std::unique_ptr<CURL, FreeHandle> handle{curl_easy_init()};
  std::unique_ptr<curl_slist, FreeList> headers;
  std::array<char, CURL_ERROR_SIZE> problem{};
  Reply reply;
  const TakeBytes* take = nullptr;
  bool ended_by_taker = false;  // who takes the bytes, or wanted them

  template <class Value>
  void Set(CURLoption option, Value value) {
    curl_easy_setopt(handle.get(), option, value);
  }
  void AddHeader(const std::string& line) {
    headers.reset(curl_slist_append(headers.release(), line.c_str()));
  }
  int StatusNow() const {
    long status = 0;
    curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
    return static_cast<int>(status);
  }
};

std::size_t OnBody(char* bytes, std::size_t, std::size_t size, void* self) {
  auto& exchange = *static_cast<Exchange*>(self);
  if (exchange.take == nullptr || exchange.StatusNow() >= 300) {
    exchange.reply.body.append(bytes, size);
    return size;
  }
  exchange.ended_by_taker = !(*exchange.take)({bytes, size});
  return exchange.ended_by_taker ? 0 : size;
}

int OnProgress(void* request, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const Request*>(request)->is_wanted() ? 0 : 1;
}

void PrepareBody(const Request& request, Exchange& exchange) {
  if (request.method == "POST" || !request.body.empty()) {
    exchange.Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    exchange.Set(CURLOPT_POSTFIELDS, request.body.c_str());
  }
  exchange.AddHeader("Expect:");
  exchange.AddHeader("Content-Type: " + request.content_type);
}

void Prepare(const std::string& socket_path, const Request& request, Exchange& exchange) {
  exchange.Set(CURLOPT_URL, ("http://localhost" + Target(request)).c_str());
  exchange.Set(CURLOPT_UNIX_SOCKET_PATH, socket_path.c_str());
  exchange.Set(CURLOPT_NOSIGNAL, 1L);
  exchange.Set(CURLOPT_PROXY, "");
  exchange.Set(CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.value / 1000));
  exchange.Set(CURLOPT_ERRORBUFFER, exchange.problem.data());
  exchange.Set(CURLOPT_WRITEFUNCTION, &OnBody);
  exchange.Set(CURLOPT_WRITEDATA, &exchange);
  if (request.is_wanted) {
    exchange.Set(CURLOPT_NOPROGRESS, 0L);
    exchange.Set(CURLOPT_XFERINFOFUNCTION, &OnProgress);
    exchange.Set(CURLOPT_XFERINFODATA, &request);
  }
  PrepareBody(request, exchange);
  exchange.Set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
  for (const auto& [name, value] : request.headers) exchange.AddHeader(name + ": " + value);
  exchange.Set(CURLOPT_HTTPHEADER, exchange.headers.get());
}

Error OutOfReach(const std::string& socket_path, CURLcode code, const char* text) {
  if (code == CURLE_OPERATION_TIMEDOUT)
    return {Code::kUnavailable,
            fmt::format("the container daemon at {} is too slow: {}", socket_path, text)};
  return {Code::kUnavailable,
          fmt::format("the container daemon at {} cannot be reached: {}", socket_path, text),
          "start it, for example with `systemctl start podman.socket` or `systemctl start docker`"};
}

Result<Reply> Perform(const std::string& socket_path, const Request& request, Exchange& exchange) {
  Prepare(socket_path, request, exchange);
  CURLcode code = curl_easy_perform(exchange.handle.get());
  if (code == CURLE_ABORTED_BY_CALLBACK) exchange.ended_by_taker = true;
  if (code != CURLE_OK && !exchange.ended_by_taker) {
    const char* text =
        exchange.problem[0] != '\0' ? exchange.problem.data() : curl_easy_strerror(code);
    return Fail(OutOfReach(socket_path, code, text));
  }
  exchange.reply.status = exchange.StatusNow();
  return std::move(exchange.reply);
}

}  // namespace

std::string Target(const Request& request) {
  std::string target = request.path;
  char separator = '?';
  for (const auto& [key, value] : request.query) {
    char* escaped = curl_easy_escape(nullptr, value.data(), static_cast<int>(value.size()));
    target += fmt::format("{}{}={}", separator, key, escaped);
    curl_free(escaped);
    separator = '&';
  }
  return target;
}

Result<Reply> Http::Send(const Request& request) const {
  Exchange exchange;
  return Perform(socket_path_, request, exchange);
}

Result<Reply> Http::Receive(const Request& request, const TakeBytes& take) const {
  Exchange exchange;
  exchange.take = &take;
  return Perform(socket_path_, request, exchange);
}

}  // namespace yard::engine::containers
