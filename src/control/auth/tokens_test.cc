#include "control/auth/tokens.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "base/json.h"

namespace yard::control {
namespace {

constexpr Time kNow{1'780'000'000'000'000};

Claims SomeClaims() {
  return {.subject = Uuid{{1, 2, 3}},
          .name = "ann@lab.org",
          .epoch = 3,
          .issued_at = kNow,
          .expires_at = kNow + kAccessLifetime};
}

// What Python's base64.b64decode does: the standard alphabet, other characters dropped.
std::string StandardDecode(std::string_view text) {
  std::string out;
  unsigned buffer = 0;
  int have = 0;
  constexpr std::string_view kStandard =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (char c : text) {
    std::size_t value = kStandard.find(c);
    if (value == std::string_view::npos) continue;
    buffer = buffer << 6 | static_cast<unsigned>(value);
    have += 6;
    if (have >= 8) {
      have -= 8;
      out += static_cast<char>(buffer >> have & 0xff);
    }
  }
  return out;
}

TEST(Tokens, AStandardBase64DecoderReadsEveryPayload) {
  TokenKey key({9});
  SeededRandom random(11);
  for (int i = 0; i < 10'000; ++i) {
    Claims claims = SomeClaims();
    random.Fill(claims.subject.bytes);
    claims.name.resize(random.Below(60));
    random.Fill({reinterpret_cast<std::uint8_t*>(claims.name.data()), claims.name.size()});
    std::string token = IssueToken(key, claims);
    std::size_t first = token.find('.');
    std::string payload = StandardDecode(token.substr(first + 1, token.rfind('.') - first - 1));
    Result<json::value> value = ParseJson(payload);
    ASSERT_TRUE(value.has_value()) << payload;
    ASSERT_EQ(value->at("exp").as_int64(), claims.expires_at.micros / 1'000'000);
  }
}

TEST(Tokens, WhatWasSignedComesBack) {
  TokenKey key({9});
  Claims claims = SomeClaims();
  claims.name = "zoë~?@lab.org";
  Result<Claims> back = VerifyToken(key, IssueToken(key, claims));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->subject, claims.subject);
  EXPECT_EQ(back->name, claims.name);
  EXPECT_EQ(back->epoch, 3);
}

TEST(Tokens, ATokenEndsAtItsExpiry) {
  Claims claims = SomeClaims();
  EXPECT_TRUE(CheckExpiry(claims, claims.expires_at - Seconds(1)));
  EXPECT_EQ(CheckExpiry(claims, claims.expires_at).error().code, Code::kUnauthorized);
}

TEST(Tokens, AChangedLetterAnywhereIsRefused) {
  TokenKey key({9});
  std::string token = IssueToken(key, SomeClaims());
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string bent = token;
    bent[i] = bent[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(VerifyToken(key, bent).has_value()) << i;
  }
}

TEST(Tokens, AnotherKeyOrNoSignatureIsRefused) {
  std::string token = IssueToken(TokenKey({1}), SomeClaims());
  EXPECT_FALSE(VerifyToken(TokenKey({2}), token).has_value());
  std::string payload = token.substr(token.find('.') + 1);
  payload = payload.substr(0, payload.find('.'));
  std::string none = EncodeBase64Url(R"({"alg":"none","typ":"JWT"})") + "." + payload + ".";
  EXPECT_FALSE(VerifyToken(TokenKey({1}), none).has_value());
  EXPECT_FALSE(VerifyToken(TokenKey({1}), "").has_value());
}

TEST(Tokens, TheKeyFileIsMadeOnceAndKeptPrivate) {
  std::string folder = ::testing::TempDir() + "/key-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::string path = folder + "/token.key";
  SeededRandom random(3);
  Result<TokenKey> made = LoadTokenKey(path, random);
  Result<TokenKey> read = LoadTokenKey(path, random);
  ASSERT_TRUE(made && read);
  EXPECT_TRUE(VerifyToken(*read, IssueToken(*made, SomeClaims())).has_value());
  struct stat about{};
  ASSERT_EQ(stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600U);
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  EXPECT_FALSE(LoadTokenKey(path, random).has_value());
  std::filesystem::remove_all(folder);
}

// A token with that payload and a good signature.
std::string Signed(const TokenKey& key, std::string_view payload) {
  std::string text =
      EncodeBase64Url(R"({"alg":"EdDSA","typ":"JWT"})") + "." + EncodeBase64Url(payload);
  return text + "." + EncodeBase64Url(key.Sign(text));
}

TEST(Tokens, AnotherIssuerAnUnknownKindAndAnUnknownTypeAreRefused) {
  TokenKey key({9});
  auto payload = [](std::string_view issuer, std::string_view kind, std::string_view type) {
    return fmt::format(
        R"({{"iss":"{}","kind":"{}","type":"{}","sub":"{}","epoch":0,"iat":1,"exp":2}})", issuer,
        kind, type, FormatUuid(Uuid{{1}}));
  };
  EXPECT_TRUE(VerifyToken(key, Signed(key, payload("gpuyard", "access", "user"))));
  EXPECT_FALSE(VerifyToken(key, Signed(key, payload("elsewhere", "access", "user"))));
  EXPECT_FALSE(VerifyToken(key, Signed(key, payload("gpuyard", "other", "user"))));
  EXPECT_FALSE(VerifyToken(key, Signed(key, payload("gpuyard", "access", "root"))));
}

TEST(Tokens, TheSessionAndItsGenerationComeBack) {
  TokenKey key({9});
  Claims claims = SomeClaims();
  claims.kind = TokenKind::kRefresh;
  claims.session = SessionId{Uuid{{7}}};
  claims.generation = 4;
  Result<Claims> back = VerifyToken(key, IssueToken(key, claims));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->session, claims.session);
  EXPECT_EQ(back->generation, 4);
  EXPECT_EQ(back->kind, TokenKind::kRefresh);
}

}  // namespace
}  // namespace yard::control
