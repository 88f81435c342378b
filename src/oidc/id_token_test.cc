#include "oidc/id_token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oidc/testing/signer.h"

namespace yard::oidc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Signer;

constexpr Time kNow{1'780'000'000'000'000};

std::string Claims(std::string_view changed = "", std::string_view to = "") {
  std::string claims = R"({"iss":"https://login.lab","aud":"yard","sub":"7","nonce":"n1",)"
                       R"("iat":1780000000,"exp":1780000600,"email":"Ann@Lab.org",)"
                       R"("email_verified":true,"groups":["vision","",5,"speech"]})";
  if (!changed.empty()) claims.replace(claims.find(changed), changed.size(), to);
  return claims;
}

class IdToken : public ::testing::Test {
 protected:
  Result<Person> Read(std::string_view token, const Signer& known) {
    return ReadIdToken(
        token, *KeySet::Parse(known.Jwks()),
        {.issuer = "https://login.lab", .client_id = "yard", .nonce = "n1", .now = kNow});
  }
  std::string WhyNot(std::string_view token) {
    Result<Person> person = Read(token, rsa_);
    return person ? "" : person.error().message;
  }

  static const Signer& Rsa() {
    static const Signer signer(Signer::Kind::kRsa, "r1");  // takes a while to make
    return signer;
  }

  const Signer& rsa_ = Rsa();
  Signer ec_{Signer::Kind::kEc, "e1"};
};

TEST_F(IdToken, SaysWhoItIsWithEitherKindOfKey) {
  for (const Signer* signer : std::initializer_list<const Signer*>{&rsa_, &ec_}) {
    Result<Person> person = Read(signer->Sign(Claims()), *signer);
    ASSERT_TRUE(person.has_value()) << person.error().message;
    EXPECT_EQ(person->subject, "7");
    EXPECT_EQ(person->email, "ann@lab.org");
    EXPECT_TRUE(person->email_verified);
    EXPECT_THAT(person->groups, ElementsAre("vision", "speech"));
  }
}

TEST_F(IdToken, OfAnotherKeyOrChangedIsRefused) {
  Signer thief(Signer::Kind::kRsa, "r1");
  EXPECT_THAT(WhyNot(thief.Sign(Claims())), HasSubstr("signature"));
  EXPECT_THAT(WhyNot(ec_.Sign(Claims())), HasSubstr("key is not known"));
  std::string token = rsa_.Sign(Claims());
  std::string other = rsa_.Sign(Claims("\"7\"", "\"8\""));
  std::string mixed = other.substr(0, other.rfind('.')) + token.substr(token.rfind('.'));
  EXPECT_THAT(WhyNot(mixed), HasSubstr("signature"));
}

TEST_F(IdToken, ChoosesNoAlgorithmOfItsOwn) {
  for (std::string_view algorithm : {"none", "HS256", "ES256", "PS256"}) {
    EXPECT_THAT(WhyNot(rsa_.Sign(Claims(), algorithm)), HasSubstr("another algorithm"))
        << algorithm;
  }
  std::string unsigned_token = rsa_.Sign(Claims(), "none");
  unsigned_token.resize(unsigned_token.rfind('.') + 1);
  EXPECT_NE(WhyNot(unsigned_token), "");
  EXPECT_NE(WhyNot("a.b"), "");
  EXPECT_NE(WhyNot(""), "");
}

TEST_F(IdToken, WithWrongClaimsIsRefused) {
  EXPECT_THAT(WhyNot(rsa_.Sign(Claims("login.lab", "evil.lab"))), HasSubstr("issuer"));
  EXPECT_THAT(WhyNot(rsa_.Sign(Claims("\"yard\"", "\"other\""))), HasSubstr("client"));
  EXPECT_THAT(WhyNot(rsa_.Sign(Claims("\"yard\"", R"(["yard","other"])"))), HasSubstr("client"));
  EXPECT_THAT(WhyNot(rsa_.Sign(Claims("1780000600", "1779999900"))), HasSubstr("expired"));
  EXPECT_THAT(WhyNot(rsa_.Sign(Claims("1780000000", "1780000500"))), HasSubstr("future"));
  EXPECT_THAT(WhyNot(rsa_.Sign(Claims("n1", "n2"))), HasSubstr("another sign-in"));
  EXPECT_THAT(WhyNot(rsa_.Sign(Claims("\"7\"", "\"\""))), HasSubstr("nobody"));
  EXPECT_THAT(WhyNot(rsa_.Sign(Claims("Ann@Lab.org", "ann"))), HasSubstr("e-mail"));
  EXPECT_THAT(WhyNot(rsa_.Sign(Claims("true", "false"))), HasSubstr("not verified"));
}

TEST_F(IdToken, KeysThatAreTooShortOrForOtherUsesAreNotTaken) {
  auto keys = KeySet::Parse(R"({"keys":[{"kty":"RSA","kid":"a","n":"AQAB","e":"AQAB"},
      {"kty":"oct","kid":"b","k":"AQAB"},
      {"kty":"EC","kid":"c","crv":"P-521","x":"AQ","y":"AQ"}]})");
  ASSERT_TRUE(keys.has_value());
  for (std::string_view id : {"a", "b", "c", ""}) EXPECT_FALSE(keys->Has(id)) << id;
  EXPECT_FALSE(KeySet::Parse("[]").has_value());
}

}  // namespace
}  // namespace yard::oidc
