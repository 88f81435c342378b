#include "http/site.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/ssl/context.hpp>

namespace yard::http {
namespace {

namespace ssl = boost::asio::ssl;

constexpr std::size_t kCounterDigits = 9;

}  // namespace

Site::Site(Handler& handler_in, Gate* gate_in, const Limits& limits_in, std::string id_prefix)
    : handler(handler_in),
      gate(gate_in),
      limits(limits_in),
      crowd(limits_in.connections, limits_in.unsent_bytes),
      id_prefix_(std::move(id_prefix)) {}

Site::~Site() = default;

Status Site::UseTls(const TlsFiles& files) {
  auto context = std::make_unique<ssl::context>(ssl::context::tls_server);
  boost::system::error_code error;
  context->use_certificate_chain_file(files.certificate_chain, error);
  if (error) {
    return Fail(Code::kInvalid,
                fmt::format("cannot read the certificate chain {}: {}", files.certificate_chain,
                            error.message()),
                "check that the file exists and is PEM");
  }
  context->use_private_key_file(files.private_key, ssl::context::pem, error);
  if (error) {
    return Fail(
        Code::kInvalid,
        fmt::format("cannot use the private key {}: {}", files.private_key, error.message()),
        "check that the file is PEM and belongs to the certificate");
  }
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  SSL_CTX_set_mode(context->native_handle(), SSL_MODE_RELEASE_BUFFERS);
  tls_ = std::move(context);
  return {};
}

std::string Site::NextRequestId() {
  std::string id = id_prefix_;
  id.append(kCounterDigits, '0');
  std::uint64_t number = next_id_.fetch_add(1, std::memory_order_relaxed);
  for (std::size_t at = id.size(); number > 0 && at > id_prefix_.size(); number /= 32) {
    id[--at] = "0123456789abcdefghijkmnpqrstuvwx"[number % 32];
  }
  return id;
}

bool Site::TakeBodyRoom(std::size_t bytes) {
  std::size_t held = bodies_.fetch_add(bytes, std::memory_order_relaxed);
  if (held + bytes <= limits.all_bodies_bytes) return true;
  GiveBodyRoom(bytes);
  return false;
}

void Site::Opened() {
  open_.fetch_add(1, std::memory_order_relaxed);
  total_.fetch_add(1, std::memory_order_relaxed);
}

void Site::Closed() {
  std::lock_guard lock(mutex_);
  if (open_.fetch_sub(1, std::memory_order_relaxed) == 1) all_closed_.notify_all();
}

bool Site::WaitUntilAllClosed(std::optional<Micros> timeout) {
  std::unique_lock lock(mutex_);
  auto none = [this] { return open() == 0; };
  if (timeout) {
    return all_closed_.wait_for(lock, std::chrono::microseconds(timeout->value), none);
  }
  all_closed_.wait(lock, none);
  return true;
}

}  // namespace yard::http
