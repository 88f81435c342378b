#include "notify/curl_courier.h"

#include <curl/curl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <string_view>

#include <fmt/format.h>

#include "base/version.h"
#include "notify/address.h"
#include "notify/message.h"
#include "notify/signature.h"
#include "wire/enums.h"

namespace yard::notify {
namespace {

using control::Try;
using Verdict = control::Try::Verdict;

constexpr long kGone = 410;

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using List = std::unique_ptr<curl_slist, FreeList>;

void Append(List& list, const std::string& text) {
  list.reset(curl_slist_append(list.release(), text.c_str()));
}

// One exchange, and what libcurl's callbacks need of it.
struct Exchange {
  CURL* curl = curl_easy_init();
  List list;
  std::array<char, CURL_ERROR_SIZE> problem{};
  const std::atomic<bool>* cancelled = nullptr;
  bool public_only = false;
  std::string refused;       // the address that was not connected to
  std::string_view to_send;  // of a mail

  Exchange() = default;
  ~Exchange() { curl_easy_cleanup(curl); }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  static std::size_t OnAnswer(char*, std::size_t, std::size_t size, void*) { return size; }
  static std::size_t OnMail(char* to, std::size_t size, std::size_t count, void* self);
  static int OnProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
  static curl_socket_t OnSocket(void* self, curlsocktype, curl_sockaddr* address);
};

std::size_t Exchange::OnMail(char* to, std::size_t size, std::size_t count, void* self) {
  std::string_view& left = static_cast<Exchange*>(self)->to_send;
  std::size_t part = std::min(size * count, left.size());
  std::memcpy(to, left.data(), part);
  left.remove_prefix(part);
  return part;
}

int Exchange::OnProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return *static_cast<Exchange*>(self)->cancelled ? 1 : 0;
}

curl_socket_t Exchange::OnSocket(void* self, curlsocktype, curl_sockaddr* address) {
  auto& exchange = *static_cast<Exchange*>(self);
  if (exchange.public_only && !IsPublic(address->addr)) {
    exchange.refused = TextOf(address->addr);
    return CURL_SOCKET_BAD;
  }
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

void StartCurl() {
  static std::once_flag started;
  std::call_once(started, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

class CurlCourier final : public control::Courier {
 public:
  CurlCourier(const control::Vault& vault, CourierOptions options)
      : vault_(vault), options_(std::move(options)) {}

  Try Send(const NotifyRule& rule, const Delivery& delivery, Time now) override;
  std::string Missing(NotifyChannel channel) const override;
  void Cancel() override { cancelled_ = true; }

 private:
  void Prepare(Exchange& exchange) const;
  Try Perform(Exchange& exchange, Time now) const;
  Try SendMail(const NotifyRule& rule, const Delivery& delivery, Time now) const;
  Try Post(const NotifyRule& rule, const std::string& body, Exchange& exchange, Time now) const;
  Try SendSlack(const NotifyRule& rule, const Delivery& delivery, Time now) const;
  Try SendWebhook(const NotifyRule& rule, const Delivery& delivery, Time now) const;

  const control::Vault& vault_;
  const CourierOptions options_;
  std::atomic<bool> cancelled_{false};
};

std::string CurlCourier::Missing(NotifyChannel channel) const {
  if (channel != NotifyChannel::kEmail || !options_.smtp_url.empty()) return {};
  return "this server has no mail server: an administrator sets notify-smtp-url";
}

void CurlCourier::Prepare(Exchange& exchange) const {
  CURL* curl = exchange.curl;
  exchange.cancelled = &cancelled_;
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, options_.connect_timeout.value / 1000);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, options_.timeout.value / 1000);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, exchange.problem.data());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &Exchange::OnAnswer);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &Exchange::OnProgress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &exchange);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, &Exchange::OnSocket);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, &exchange);
  if (!options_.ca_file.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, options_.ca_file.c_str());
}

Try CurlCourier::Perform(Exchange& exchange, Time now) const {
  CURLcode code = curl_easy_perform(exchange.curl);
  long status = 0;
  curl_easy_getinfo(exchange.curl, CURLINFO_RESPONSE_CODE, &status);
  Try result{.status = status, .at = now};
  if (!exchange.refused.empty()) {
    result.verdict = Verdict::kNever;
    result.error =
        fmt::format("{} is not a public address, and this rule may not reach it", exchange.refused);
  } else if (code == CURLE_OK && status >= 200 && status < 300) {
    result.verdict = Verdict::kSent;
  } else if (code == CURLE_OK) {
    result.verdict = status == kGone ? Verdict::kNever : Verdict::kAgain;
    bool redirects = status >= 300 && status < 400;
    result.error = fmt::format("the target answered {}{}", status,
                               redirects ? "; redirects are not followed" : "");
  } else {
    result.error = exchange.problem[0] != '\0' ? exchange.problem.data() : curl_easy_strerror(code);
  }
  return result;
}

Try CurlCourier::SendMail(const NotifyRule& rule, const Delivery& delivery, Time now) const {
  Exchange exchange;
  Prepare(exchange);
  CURL* curl = exchange.curl;
  std::string text =
      MailText(delivery, options_.link, {.from = options_.from, .to = rule.target, .now = now});
  exchange.to_send = text;
  Append(exchange.list, fmt::format("<{}>", rule.target));
  curl_easy_setopt(curl, CURLOPT_URL, options_.smtp_url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  curl_easy_setopt(curl, CURLOPT_MAIL_FROM, fmt::format("<{}>", options_.from).c_str());
  curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, exchange.list.get());
  curl_easy_setopt(curl, CURLOPT_READFUNCTION, &Exchange::OnMail);
  curl_easy_setopt(curl, CURLOPT_READDATA, &exchange);
  curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
  // A password never travels in the clear.
  bool signs_in = !options_.smtp_user.empty();
  curl_easy_setopt(curl, CURLOPT_USE_SSL,
                   static_cast<long>(signs_in ? CURLUSESSL_ALL : CURLUSESSL_TRY));
  if (signs_in) {
    curl_easy_setopt(curl, CURLOPT_USERNAME, options_.smtp_user.c_str());
    curl_easy_setopt(curl, CURLOPT_PASSWORD, options_.smtp_password.c_str());
  }
  return Perform(exchange, now);
}

Try CurlCourier::Post(const NotifyRule& rule, const std::string& body, Exchange& exchange,
                      Time now) const {
  Result<std::string> url = vault_.Open(rule.sealed_url);
  if (!url) return {.verdict = Verdict::kNever, .error = url.error().message, .at = now};
  bool trusted =
      options_.private_targets == PrivateTargets::kEverybody ||
      (options_.private_targets == PrivateTargets::kAdministrators && rule.private_allowed);
  exchange.public_only = !trusted;
  Prepare(exchange);
  CURL* curl = exchange.curl;
  Append(exchange.list, fmt::format("User-Agent: gpuyard/{}", kVersion));
  Append(exchange.list, "Content-Type: application/json");
  Append(exchange.list, "Expect:");
  curl_easy_setopt(curl, CURLOPT_URL, url->c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, exchange.list.get());
  return Perform(exchange, now);
}

Try CurlCourier::SendSlack(const NotifyRule& rule, const Delivery& delivery, Time now) const {
  Exchange exchange;
  return Post(rule, SlackBody(delivery, options_.link), exchange, now);
}

Try CurlCourier::SendWebhook(const NotifyRule& rule, const Delivery& delivery, Time now) const {
  Result<std::string> key = vault_.Open(rule.sealed_key);
  if (!key) return {.verdict = Verdict::kNever, .error = key.error().message, .at = now};
  std::string body = WebhookBody(delivery, options_.link);
  std::int64_t seconds = now.micros / 1'000'000;
  Exchange exchange;
  Append(exchange.list, fmt::format("Gpuyard-Event: {}", wire::ToName(delivery.event)));
  Append(exchange.list, fmt::format("Gpuyard-Delivery: {}", FormatUuid(delivery.id.value)));
  Append(exchange.list, fmt::format("Gpuyard-Timestamp: {}", seconds));
  Append(exchange.list, fmt::format("Gpuyard-Signature: {}", Sign(*key, seconds, body)));
  return Post(rule, body, exchange, now);
}

Try CurlCourier::Send(const NotifyRule& rule, const Delivery& delivery, Time now) {
  if (std::string missing = Missing(rule.channel); !missing.empty()) {
    return {.verdict = Verdict::kNever, .error = std::move(missing), .at = now};
  }
  switch (rule.channel) {
    case NotifyChannel::kEmail:
      return SendMail(rule, delivery, now);
    case NotifyChannel::kSlack:
      return SendSlack(rule, delivery, now);
    case NotifyChannel::kWebhook:
      return SendWebhook(rule, delivery, now);
  }
  return {};
}

}  // namespace

std::unique_ptr<control::Courier> MakeCurlCourier(const control::Vault& vault,
                                                  CourierOptions options) {
  StartCurl();
  return std::make_unique<CurlCourier>(vault, std::move(options));
}

}  // namespace yard::notify
