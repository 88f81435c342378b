#include "oidc/provider.h"

#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oidc/testing/signer.h"

namespace yard::oidc {
namespace {

using ::testing::HasSubstr;
using testing::Signer;

constexpr Time kNow{1'780'000'000'000'000};
constexpr std::string_view kIssuer = "https://login.lab";

// A provider in memory: documents by address, and the last form that was sent.
class FakeFetch final : public Fetch {
 public:
  struct World {
    std::map<std::string, std::string> documents;
    Form form;
    int reads = 0;
  };
  explicit FakeFetch(World& world) : world_(world) {}

  Result<std::string> Get(const std::string& url) override {
    ++world_.reads;
    return Answer(url);
  }
  Result<std::string> Post(const Form& form) override {
    world_.form = form;
    return Answer(form.url);
  }

 private:
  Result<std::string> Answer(const std::string& url) {
    auto found = world_.documents.find(url);
    if (found == world_.documents.end()) return Fail(Code::kUnavailable, "status 404");
    return found->second;
  }
  World& world_;
};

class SignInThere : public ::testing::Test {
 protected:
  SignInThere() {
    SetMetadata(kIssuer);
    world_.documents["https://login.lab/keys"] = signer_.Jwks();
  }
  void SetMetadata(std::string_view issuer, std::string_view scheme = "https") {
    world_.documents["https://login.lab/.well-known/openid-configuration"] = fmt::format(
        R"({{"issuer":"{}","authorization_endpoint":"{}://login.lab/auth?x=1",)"
        R"("token_endpoint":"https://login.lab/token","jwks_uri":"https://login.lab/keys",)"
        R"("end_session_endpoint":"https://login.lab/out"}})",
        issuer, scheme);
  }
  void AnswerWith(const Signer& signer, std::string_view nonce) {
    std::string claims =
        fmt::format(R"({{"iss":"{}","aud":"yard","sub":"7","nonce":"{}","iat":1780000000,)"
                    R"("exp":1780000600,"email":"ann@lab.org"}})",
                    kIssuer, nonce);
    world_.documents["https://login.lab/token"] =
        fmt::format(R"({{"id_token":"{}"}})", signer.Sign(claims));
  }
  Result<Person> Finish(const Attempt& attempt) {
    return provider_.Finish(attempt, {.state = attempt.state, .code = "c0de"}, kNow);
  }

  SeededRandom random_{1};
  Signer signer_{Signer::Kind::kEc, "k1"};
  FakeFetch::World world_;
  Provider provider_{{.issuer = std::string(kIssuer),
                      .client_id = "yard",
                      .client_secret = "s:1",
                      .callback = "https://yard.lab/api/v1/oidc/callback",
                      .home = "https://yard.lab/"},
                     std::make_unique<FakeFetch>(world_)};
};

TEST_F(SignInThere, BeginsWithAChallengeAndEndsWithItsVerifier) {
  auto begun = provider_.Begin(random_, kNow);
  ASSERT_TRUE(begun.has_value()) << begun.error().message;
  EXPECT_THAT(begun->url, HasSubstr("https://login.lab/auth?x=1&response_type=code"));
  EXPECT_THAT(begun->url, HasSubstr("code_challenge_method=S256"));
  EXPECT_THAT(begun->url, HasSubstr("state=" + begun->attempt.state));
  EXPECT_EQ(begun->url.find(begun->attempt.verifier), std::string::npos);
  AnswerWith(signer_, begun->attempt.nonce);
  auto person = Finish(begun->attempt);
  ASSERT_TRUE(person.has_value()) << person.error().message;
  EXPECT_EQ(person->email, "ann@lab.org");
  EXPECT_THAT(world_.form.body, HasSubstr("code_verifier=" + begun->attempt.verifier));
  EXPECT_EQ(world_.form.password, "s%3A1");
}

TEST_F(SignInThere, AnAttemptOfAnotherBrowserOrOfYesterdayIsRefused) {
  auto begun = provider_.Begin(random_, kNow);
  AnswerWith(signer_, begun->attempt.nonce);
  EXPECT_FALSE(provider_.Finish(Attempt{}, {.state = "", .code = "c0de"}, kNow));
  EXPECT_FALSE(provider_.Finish(begun->attempt, {.state = "other", .code = "c0de"}, kNow));
  EXPECT_FALSE(provider_.Finish(begun->attempt, {.state = begun->attempt.state, .code = "c0de"},
                                kNow + kAttemptLifetime));
  auto other = provider_.Begin(random_, kNow);
  EXPECT_FALSE(Finish(other->attempt).has_value()) << "the token holds the first one's nonce";
}

TEST_F(SignInThere, ANewKeyIsReadOnceAndTokensOfInventedKeysAreNotAskedForAgain) {
  auto begun = provider_.Begin(random_, kNow);
  AnswerWith(signer_, begun->attempt.nonce);
  ASSERT_TRUE(Finish(begun->attempt).has_value());
  int reads = world_.reads;
  AnswerWith(Signer(Signer::Kind::kEc, "invented"), begun->attempt.nonce);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(Finish(begun->attempt).has_value());
  EXPECT_EQ(world_.reads, reads);
}

TEST_F(SignInThere, AProviderThatCallsItselfOtherwiseOrNamesUnsafePlacesIsRefused) {
  SetMetadata("https://evil.lab");
  EXPECT_FALSE(provider_.Begin(random_, kNow).has_value());
  SetMetadata(kIssuer, "http");
  EXPECT_FALSE(provider_.Begin(random_, kNow).has_value());
}

TEST_F(SignInThere, AnAttemptIsWrittenAndReadAgain) {
  Attempt attempt{"s", "n", "v", kNow};
  auto back = ReadAttempt(WriteAttempt(attempt));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->verifier, "v");
  EXPECT_EQ(back->expires_at, kNow);
  EXPECT_FALSE(ReadAttempt("").has_value());
  EXPECT_FALSE(ReadAttempt("a b c d").has_value());
}

}  // namespace
}  // namespace yard::oidc
