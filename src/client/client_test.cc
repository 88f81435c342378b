#include "client/client.h"

#include <gtest/gtest.h>

#include "client/sse.h"

namespace yard::client {
namespace {

TEST(Failure, CarriesTheServersWords) {
  Failure failure = FailureOf(409, R"({"code":409,"message":"taken","details":"choose another",
              "complianceIssues":[{"field":"name","details":"is taken"}]})",
                              "r-1");
  EXPECT_EQ(failure.error.code, Code::kConflict);
  EXPECT_EQ(failure.error.message, "taken");
  EXPECT_EQ(failure.error.details, "choose another");
  ASSERT_EQ(failure.error.fields.size(), 1U);
  EXPECT_EQ(failure.error.fields[0].field, "name");
  EXPECT_EQ(failure.request_id, "r-1");
}

TEST(Failure, AnAnswerThatIsNotJsonStillSaysSomething) {
  EXPECT_EQ(FailureOf(502, "<html>", "").error.message, "the server answered with status 502");
}

TEST(MayRepeat, OnlyWhatCannotDoHarm) {
  Failure busy = FailureOf(503, "", "");
  EXPECT_TRUE(MayRepeat({.method = Method::kGet}, busy));
  EXPECT_TRUE(MayRepeat({.method = Method::kPut}, busy));
  EXPECT_FALSE(MayRepeat({.method = Method::kPost}, busy));
  EXPECT_TRUE(MayRepeat({.method = Method::kPost, .idempotency_key = "k"}, busy));
  EXPECT_FALSE(MayRepeat({.method = Method::kGet}, FailureOf(404, "", "")));
}

TEST(Client, ATokenThatExpiredIsRenewedOnlyOnce) {
  int asked = 0;
  Client client({.url = "http://127.0.0.1:1", .retries = 0, .renew_token = [&] {
                   ++asked;
                   return Outcome<std::string>("new");
                 }});
  Outcome<Reply> reply = client.Send({.path = "/"});
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().error.code, Code::kUnavailable);
  EXPECT_EQ(asked, 0);
}

TEST(Client, AnAddressThatIsNoneIsTheCallersMistake) {
  Client client({.url = "ftp://x", .retries = 0});
  EXPECT_EQ(client.Send({.path = "/"}).error().error.code, Code::kInvalid);
}

TEST(Events, ArePutTogetherFromAnyPieces) {
  EventParser parser;
  EXPECT_TRUE(parser.Feed("id: 7\nevent: cha").empty());
  EXPECT_TRUE(parser.Feed("nge\ndata: a\nda").empty());
  std::vector<Event> events = parser.Feed("ta: b\n\n: comment\n\ndata:c\r\n\r\n");
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].id, "7");
  EXPECT_EQ(events[0].type, "change");
  EXPECT_EQ(events[0].text, "a\nb");
  EXPECT_EQ(events[1].type, "message");
  EXPECT_EQ(events[1].text, "c");
}

}  // namespace
}  // namespace yard::client
