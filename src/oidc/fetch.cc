#include "oidc/fetch.h"

#include <curl/curl.h>

#include <array>
#include <mutex>
#include <utility>

#include <fmt/format.h>

namespace yard::oidc {
namespace {

constexpr std::size_t kMostBytes = 1024 * 1024;
constexpr long kConnectSeconds = 5;
constexpr long kSeconds = 10;
constexpr long kOk = 200;

struct FreeCurl {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
using Curl = std::unique_ptr<CURL, FreeCurl>;

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

// A provider has no reason to send more.
std::size_t OnBody(char* bytes, std::size_t, std::size_t size, void* to) {
  auto& body = *static_cast<std::string*>(to);
  if (body.size() + size > kMostBytes) return 0;
  body.append(bytes, size);
  return size;
}

class CurlFetch final : public Fetch {
 public:
  explicit CurlFetch(std::string ca_file) : ca_file_(std::move(ca_file)) {
    static std::once_flag started;
    std::call_once(started, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  }

  Result<std::string> Get(const std::string& url) override {
    Curl curl(curl_easy_init());
    return Perform(curl.get(), url);
  }

  Result<std::string> Post(const Form& form) override {
    Curl curl(curl_easy_init());
    std::unique_ptr<curl_slist, FreeList> headers(
        curl_slist_append(nullptr, "Accept: application/json"));
    curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE, static_cast<long>(form.body.size()));
    curl_easy_setopt(curl.get(), CURLOPT_COPYPOSTFIELDS, form.body.c_str());
    if (!form.user.empty()) {
      curl_easy_setopt(curl.get(), CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
      curl_easy_setopt(curl.get(), CURLOPT_USERNAME, form.user.c_str());
      curl_easy_setopt(curl.get(), CURLOPT_PASSWORD, form.password.c_str());
    }
    return Perform(curl.get(), form.url);
  }

 private:
  // Redirects are not followed: the metadata names the endpoints themselves.
  Result<std::string> Perform(CURL* curl, const std::string& url) {
    std::string body;
    std::array<char, CURL_ERROR_SIZE> problem{};
    curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, kSeconds);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem.data());
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &OnBody);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
    if (!ca_file_.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, ca_file_.c_str());
    CURLcode code = curl_easy_perform(curl);
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (code == CURLE_OK && status == kOk) return body;
    std::string_view words = problem.data();
    return Fail(Code::kUnavailable,
                fmt::format("the identity provider does not answer at {}: {}", url,
                            code == CURLE_OK ? fmt::format("status {}", status)
                            : words.empty()  ? std::string(curl_easy_strerror(code))
                                             : std::string(words)),
                "try again; if it stays so, ask an administrator");
  }

  const std::string ca_file_;
};

}  // namespace

std::unique_ptr<Fetch> MakeCurlFetch(std::string ca_file) {
  return std::make_unique<CurlFetch>(std::move(ca_file));
}

}  // namespace yard::oidc
