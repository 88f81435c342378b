#include "control/auth/identity.h"

#include <array>

#include <fmt/format.h>
#include <sodium.h>

#include "base/check.h"

namespace yard::control {
namespace {

constexpr std::string_view kSecretScheme = "b2:";
// Without 0/O, 1/l/I.
constexpr std::string_view kAlphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

std::string Hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace

Result<std::string> HashPassword(std::string_view password, HashEffort effort) {
  YARD_CHECK(sodium_init() >= 0);
  bool least = effort == HashEffort::kLeast;
  std::array<char, crypto_pwhash_STRBYTES> hash{};
  int failed =
      crypto_pwhash_str_alg(hash.data(), password.data(), password.size(),
                            least ? crypto_pwhash_OPSLIMIT_MIN : crypto_pwhash_OPSLIMIT_INTERACTIVE,
                            least ? crypto_pwhash_MEMLIMIT_MIN : crypto_pwhash_MEMLIMIT_INTERACTIVE,
                            crypto_pwhash_ALG_ARGON2ID13);
  if (failed != 0) {
    return Fail(Code::kUnavailable, "not enough memory to hash a password", "try again later");
  }
  return std::string(hash.data());
}

bool PasswordMatches(const std::string& hash, std::string_view password) {
  YARD_CHECK(sodium_init() >= 0);
  if (hash.empty() || hash.size() >= crypto_pwhash_STRBYTES) return false;
  return crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0;
}

const std::string& NobodysHash() {
  static const std::string hash = [] {
    std::array<std::uint8_t, 32> bytes{};
    SystemRandom().Fill(bytes);
    return HashPassword(Hex(bytes)).value_or("");
  }();
  return hash;
}

Status CheckNewPassword(std::string_view password) {
  if (password.size() >= kMinPassword && password.size() <= kMaxPassword) return {};
  return Fail(Code::kInvalid, fmt::format("the password must have {} to {} characters",
                                          kMinPassword, kMaxPassword));
}

std::string MakePassword(Random& random) {
  std::string password;
  while (password.size() < 16) {
    std::array<std::uint8_t, 1> byte{};
    random.Fill(byte);
    // Values past the last whole multiple would favour the first letters.
    if (byte[0] < 256 / kAlphabet.size() * kAlphabet.size()) {
      password += kAlphabet[byte[0] % kAlphabet.size()];
    }
  }
  return password;
}

std::string MakeSecret(Random& random) {
  std::array<std::uint8_t, 32> bytes{};
  random.Fill(bytes);
  return Hex(bytes);
}

std::string HashSecret(std::string_view secret) {
  std::array<std::uint8_t, 32> digest{};
  crypto_generichash(digest.data(), digest.size(),
                     reinterpret_cast<const unsigned char*>(secret.data()), secret.size(), nullptr,
                     0);
  return std::string(kSecretScheme) + Hex(digest);
}

bool SecretMatches(const std::string& hash, std::string_view secret) {
  std::string given = HashSecret(secret);
  return given.size() == hash.size() && sodium_memcmp(given.data(), hash.data(), hash.size()) == 0;
}

std::string JoinPersonalToken(TokenId id, std::string_view secret) {
  return fmt::format("{}{}{}", kPersonalTokenPrefix, Hex(id.value.bytes), secret);
}

std::optional<PersonalTokenParts> SplitPersonalToken(std::string_view text) {
  if (!text.starts_with(kPersonalTokenPrefix)) return std::nullopt;
  text.remove_prefix(kPersonalTokenPrefix.size());
  if (text.size() != 32 + 64) return std::nullopt;
  std::string uuid(text.substr(0, 32));
  for (std::size_t dash : {20, 16, 12, 8}) uuid.insert(dash, "-");
  std::optional<Uuid> id = ParseUuid(uuid);
  if (!id) return std::nullopt;
  return PersonalTokenParts{TokenId{*id}, std::string(text.substr(32))};
}

}  // namespace yard::control
