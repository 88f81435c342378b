#include "notify/signature.h"

#include <sodium.h>

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace yard::notify {

std::string Sign(std::string_view key, std::int64_t seconds, std::string_view body) {
  std::string text = fmt::format("{}.{}", seconds, body);
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, reinterpret_cast<const unsigned char*>(key.data()),
                              key.size());
  crypto_auth_hmacsha256_update(&state, reinterpret_cast<const unsigned char*>(text.data()),
                                text.size());
  std::array<unsigned char, crypto_auth_hmacsha256_BYTES> code{};
  crypto_auth_hmacsha256_final(&state, code.data());
  return fmt::format("v1={:02x}", fmt::join(code, ""));
}

}  // namespace yard::notify
