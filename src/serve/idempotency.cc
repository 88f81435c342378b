#include "serve/idempotency.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <sodium.h>

#include "model/asset.h"
#include "serve/server.h"

namespace yard::serve {
namespace {

constexpr std::size_t kMaxKey = 255;
constexpr Micros kKept = Hours(24);
// A longer answer is kept in memory and for a while only, as one that holds a secret.
constexpr std::size_t kLongAnswer = 4096;

struct Key {
  std::string id;
  std::string digest;
  Time expires_at;
};

std::string DigestOf(const http::Request& request) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, crypto_generichash_BYTES);
  for (std::string_view part : {std::string_view(request.target), std::string_view(request.body)}) {
    std::uint64_t size = part.size();
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&size), sizeof(size));
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(part.data()), size);
  }
  std::array<unsigned char, crypto_generichash_BYTES> digest{};
  crypto_generichash_final(&state, digest.data(), digest.size());
  std::string text;
  for (unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

Result<std::optional<Key>> KeyOf(const Call& call) {
  const http::Request& request = call.request();
  std::optional<std::string_view> sent = request.Find("idempotency-key");
  if (!sent || request.method != http::Method::kPost) return std::nullopt;
  bool printable = std::ranges::all_of(*sent, [](char c) { return c > ' ' && c < 0x7f; });
  if (sent->empty() || sent->size() > kMaxKey || !printable) {
    return Fail(Code::kInvalid,
                fmt::format("Idempotency-Key must be 1 to {} printable characters", kMaxKey),
                "send a fresh UUID with each new request");
  }
  return Key{fmt::format("{}/{}", call.who().id, *sent), DigestOf(request), call.now() + kKept};
}

// Answers that hold a password or secret are not kept: nothing of that kind lies on disk in clear.
bool HoldsSecret(std::string_view body) {
  return body.find("ecret\":\"") != std::string_view::npos ||
         body.find("assword\":\"") != std::string_view::npos ||
         body.find("oken\":\"") != std::string_view::npos;
}

// Names the very request: what it made is shown to nobody who sends another.
std::string MemoryKey(const Key& key) {
  return key.id + "/" + key.digest;
}

// What was answered then; nothing if the request is new.
Result<std::optional<http::Reply>> Recall(Call& call, const control::Txn& txn, const Key& key) {
  Ptr<IdempotentReply> known = txn.state().Find<IdempotentReply>(key.id);
  if (!known || known->expires_at <= txn.now()) return std::nullopt;
  if (known->request_digest != key.digest) {
    return Fail(Code::kConflict, "this Idempotency-Key was used for another request",
                "send a fresh key with each new request");
  }
  OneTimeReplies::Kept kept{known->status, known->body};
  if (known->status == 0) {
    auto in_memory = call.server().one_time_replies().Find(MemoryKey(key), txn.now());
    if (!in_memory) {
      return Fail(Code::kConflict,
                  "this request was carried out already; its answer was long or held a secret, "
                  "and is shown again for ten minutes at most",
                  "read the object that it made; if you need its secret, give it a new secret");
    }
    kept = *std::move(in_memory);
  }
  http::Reply reply = kept.body.empty() ? Empty(kept.status) : Json(kept.body, kept.status);
  reply.headers.emplace_back("Idempotency-Replayed", "true");
  return reply;
}

void Put(control::Txn& txn, const Key& key, int status, std::string body) {
  txn.Put(IdempotentReply{.id = key.id,
                          .request_digest = key.digest,
                          .status = status,
                          .body = std::move(body),
                          .expires_at = key.expires_at});
}

// What the change and its answer share; used on the reactor thread.
struct Attempt {
  Key key;
  Pending inner;
  std::optional<http::Reply> reply = std::nullopt;
};

// The answer is made here and not when the change is durable, so that both are kept by one commit:
// a retry that comes while the first request waits for the disk finds it too.
Status Carry(Call& call, Attempt& attempt, control::Txn& txn) {
  YARD_ASSIGN(attempt.reply, Recall(call, txn, attempt.key));
  if (attempt.reply) {
    // The same subject was allowed to make the change; it is told nothing new.
    call.NeedsNoScope();
    return {};
  }
  YARD_TRY(attempt.inner.command(txn));
  attempt.reply = attempt.inner.render();
  bool kept = attempt.reply->body.size() <= kLongAnswer && !HoldsSecret(attempt.reply->body);
  // If the commit fails, nothing in the state leads to what is kept here.
  if (!kept) {
    call.server().one_time_replies().Keep(MemoryKey(attempt.key),
                                          {attempt.reply->status, attempt.reply->body}, txn.now());
  }
  Put(txn, attempt.key, kept ? attempt.reply->status : 0, kept ? attempt.reply->body : "");
  return {};
}

}  // namespace

Result<Pending> Once(Call& call, Pending pending) {
  YARD_ASSIGN(std::optional<Key> key, KeyOf(call));
  if (!key) return pending;
  auto attempt = std::make_shared<Attempt>(Attempt{*std::move(key), std::move(pending)});
  return Pending{[&call, attempt](control::Txn& txn) { return Carry(call, *attempt, txn); },
                 [attempt] { return *std::move(attempt->reply); }};
}

}  // namespace yard::serve
