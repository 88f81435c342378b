#include "control/auth/identity.h"

#include <gtest/gtest.h>

#include "control/auth/identity_limiter.h"

namespace yard::control {
namespace {

constexpr Time kNow{1'780'000'000'000'000};

TEST(Identity, APasswordMatchesItsHashOnly) {
  std::string hash = HashPassword("correct horse", HashEffort::kLeast).value();
  EXPECT_TRUE(hash.starts_with("$argon2id$"));
  EXPECT_TRUE(PasswordMatches(hash, "correct horse"));
  EXPECT_FALSE(PasswordMatches(hash, "correct house"));
  EXPECT_FALSE(PasswordMatches("", ""));
}

TEST(Identity, MadePasswordsAreLongAndNeverAlike) {
  SeededRandom random(1);
  std::string first = MakePassword(random);
  EXPECT_EQ(first.size(), 16U);
  EXPECT_NE(first, MakePassword(random));
}

TEST(Identity, ASecretMatchesItsHashOnly) {
  SeededRandom random(1);
  std::string secret = MakeSecret(random);
  EXPECT_EQ(secret.size(), 64U);
  EXPECT_TRUE(SecretMatches(HashSecret(secret), secret));
  EXPECT_FALSE(SecretMatches(HashSecret(secret), secret + "0"));
  EXPECT_FALSE(SecretMatches("", secret));
}

TEST(Identity, APersonalTokenIsTakenApartAgain) {
  TokenId id{Uuid{{0xab, 1, 2}}};
  std::string secret(64, 'f');
  auto parts = SplitPersonalToken(JoinPersonalToken(id, secret));
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->id, id);
  EXPECT_EQ(parts->secret, secret);
  EXPECT_FALSE(SplitPersonalToken("gyp_short").has_value());
}

TEST(SignInLimiter, TheWaitDoublesWithEveryGuess) {
  SignInLimiter limiter;
  std::vector keys{SignInLimiter::Subject("ann@lab.org")};
  Time now = kNow;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(limiter.Begin(keys, now)) << i;
  EXPECT_EQ(limiter.Begin(keys, now).error().code, Code::kTooMany);
  now = now + Seconds(1);
  EXPECT_TRUE(limiter.Begin(keys, now));
  EXPECT_FALSE(limiter.Begin(keys, now + Seconds(1)));
  EXPECT_TRUE(limiter.Begin(keys, now + Seconds(2)));
}

TEST(SignInLimiter, ASuccessClearsTheAccount) {
  SignInLimiter limiter;
  std::vector keys{SignInLimiter::Subject("ann@lab.org")};
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(limiter.Begin(keys, kNow));
    limiter.Succeed(keys);
  }
}

TEST(SignInLimiter, OwningOneAccountDoesNotHelpGuessingOthersFromTheSameAddress) {
  SignInLimiter limiter;
  std::vector address{SignInLimiter::Network("10.0.0.9")};
  bool stopped = false;
  for (int i = 0; i < 100 && !stopped; ++i) {
    stopped = !limiter.Begin(address, kNow).has_value();
    if (!stopped && i % 3 == 0) limiter.Succeed(address);
  }
  EXPECT_TRUE(stopped);
  EXPECT_FALSE(limiter.Begin({SignInLimiter::Network("10.0.0.9")}, kNow));
  EXPECT_TRUE(limiter.Begin({SignInLimiter::ApplicationsFrom("10.0.0.9")}, kNow));
  EXPECT_TRUE(limiter.Begin({SignInLimiter::SubjectFrom("ann@lab.org", "10.0.0.9")}, kNow));
}

TEST(SignInLimiter, ItsMemoryIsBounded) {
  SignInLimiter limiter;
  for (std::size_t i = 0; i < SignInLimiter::kMaxKeys + 500; ++i) {
    ASSERT_TRUE(limiter.Begin({SignInLimiter::Subject(std::to_string(i))}, kNow));
  }
  EXPECT_EQ(limiter.size(), SignInLimiter::kMaxKeys);
}

}  // namespace
}  // namespace yard::control
