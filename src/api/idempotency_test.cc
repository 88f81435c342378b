#include "api/idempotency.h"

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

TEST_F(Idempotency, AMalformedKeyIsRefused) {
  EXPECT_EQ(Send(testing::kAdmin, "two words", "sweep").status, 400);
}

}  // namespace
}  // namespace yard::api
