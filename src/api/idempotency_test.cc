#include "serve/idempotency.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Caller;
using testing::Harness;
using testing::Response;

class Idempotency : public ::testing::Test {
 protected:
  Response Send(std::string_view who, std::string_view key, std::string_view name) {
    Caller caller(harness_.server(), {{"authorization", fmt::format("User {}", who)},
                                      {"idempotency-key", std::string(key)}});
    return caller.Post(
        "/api/v1/workloads/trainings",
        fmt::format(
            R"({{"name":"{}","useGivenNameAsPrefix":true,"projectId":"{}","clusterId":"{}"}})",
            name, project_.value, FormatUuid(harness_.cluster().value)));
  }
  std::size_t made() { return harness_.state()->Of<Workload>().size(); }

  Harness harness_;
  ProjectId project_ = harness_.MakeProject("vision");
};

TEST_F(Idempotency, ARetriedRequestGetsTheSameAnswerAndIsCarriedOutOnce) {
  Response first = Send(testing::kAdmin, "k1", "sweep");
  Response again = Send(testing::kAdmin, "k1", "sweep");
  EXPECT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(again.status, first.status);
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(made(), 1U);
}

TEST_F(Idempotency, AnotherRequestUnderTheSameKeyIsRefused) {
  Send(testing::kAdmin, "k1", "sweep");
  Response other = Send(testing::kAdmin, "k1", "other");
  EXPECT_EQ(other.status, 409);
  EXPECT_NE(other.body.find("was used for another request"), std::string::npos);
  EXPECT_EQ(made(), 1U);
}

TEST_F(Idempotency, KeysOfDifferentPeopleDoNotMeet) {
  harness_.Grant("ann@lab.org", "L1 researcher");
  Send(testing::kAdmin, "k1", "sweep");
  EXPECT_EQ(Send("ann@lab.org", "k1", "sweep").status, 200);
  EXPECT_EQ(made(), 2U);
}

TEST_F(Idempotency, AKeyIsForgottenAfterADay) {
  Send(testing::kAdmin, "k1", "sweep");
  harness_.clock().Advance(Hours(24));
  EXPECT_EQ(Send(testing::kAdmin, "k1", "other").status, 200);
}

TEST_F(Idempotency, AFailedRequestMayBeCorrectedUnderTheSameKey) {
  EXPECT_EQ(Send(testing::kAdmin, "k1", "Not A Label").status, 400);
  EXPECT_EQ(Send(testing::kAdmin, "k1", "label").status, 200);
}

// The answer to a new application holds its secret.
TEST_F(Idempotency, AnAnswerWithASecretIsGivenAgainForAShortTimeOnly) {
  Caller caller(harness_.server(), {{"authorization", fmt::format("User {}", testing::kAdmin)},
                                    {"idempotency-key", "k7"}});
  std::string body = R"({"name":"robot"})";
  Response first = caller.Post("/api/v1/apps", body);
  ASSERT_LT(first.status, 300) << first.body;
  Response again = caller.Post("/api/v1/apps", body);
  EXPECT_EQ(again.status, first.status);
  EXPECT_EQ(again.body, first.body);
  harness_.state()->Of<IdempotentReply>().Each(
      [](const IdempotentReply& reply) { EXPECT_EQ(reply.body, "") << "a secret in clear"; });
  EXPECT_EQ(caller.Post("/api/v1/apps", R"({"name":"other"})").status, 409);
  harness_.clock().Advance(Minutes(10));
  Response late = caller.Post("/api/v1/apps", body);
  EXPECT_EQ(late.status, 409);
  EXPECT_TRUE(late.body.contains("new secret")) << late.body;
  EXPECT_EQ(harness_.state()->Of<Application>().size(), 1U);
}

TEST_F(Idempotency, AMalformedKeyIsRefused) {
  EXPECT_EQ(Send(testing::kAdmin, "two words", "sweep").status, 400);
}

}  // namespace
}  // namespace yard::api
