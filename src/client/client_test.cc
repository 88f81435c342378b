#include "client/client.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client/sse.h"
#include "http/http.h"
#include "http/server.h"

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

// A real server on loopback that answers with what the test says.
class Loopback : public http::Handler {
 public:
  explicit Loopback(std::function<http::Reply(const http::Request&)> answer)
      : answer_(std::move(answer)) {
    auto server = http::Server::Start({.threads = 1}, *this);
    EXPECT_TRUE(server.has_value());
    server_ = std::move(*server);
  }
  void Handle(http::Request request, http::Respond respond) override {
    ++requests;
    respond(answer_(request));
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }

  std::atomic<int> requests = 0;

 private:
  std::function<http::Reply(const http::Request&)> answer_;
  std::unique_ptr<http::Server> server_;
};

http::Reply Answer(int status) {
  http::Reply reply;
  reply.status = status;
  reply.body = "{}";
  return reply;
}

TEST(Client, ATokenThatExpiredIsRenewedAndTheRequestRepeated) {
  Loopback server([](const http::Request& request) {
    return Answer(request.Find("authorization") == "Bearer new" ? 200 : 401);
  });
  Client client({.url = server.url(), .token = "old", .renew_token = [] {
                   return Outcome<std::string>("new");
                 }});
  EXPECT_TRUE(client.Send({.method = Method::kPost, .path = "/"}).has_value());
  EXPECT_EQ(server.requests, 2);
}

TEST(Client, StreamsAndDownloadsRenewTheirTokenToo) {
  Loopback server([](const http::Request& request) {
    http::Reply reply = Answer(request.Find("authorization") == "Bearer new" ? 200 : 401);
    if (reply.status == 200) reply.body = "data: 1\n\n";
    return reply;
  });
  auto renew = [] { return Outcome<std::string>("new"); };
  Client follower({.url = server.url(), .token = "old", .renew_token = renew});
  int events = 0;
  auto count = [&events](const Event&) { return ++events > 1; };
  EXPECT_TRUE(follower.Follow("/", count).has_value());
  EXPECT_EQ(events, 1);
  Client reader({.url = server.url(), .token = "old", .renew_token = renew});
  std::string text;
  auto take = [&text](std::string_view piece) {
    text += piece;
    return true;
  };
  EXPECT_TRUE(reader.Download({.path = "/"}, {.take = take}).has_value());
  EXPECT_EQ(text, "data: 1\n\n");
}

TEST(Client, ATokenIsRenewedOnlyOnce) {
  Loopback server([](const http::Request&) { return Answer(401); });
  int asked = 0;
  Client client({.url = server.url(), .renew_token = [&asked] {
                   ++asked;
                   return Outcome<std::string>("new");
                 }});
  EXPECT_EQ(client.Send({.path = "/"}).error().error.code, Code::kUnauthorized);
  EXPECT_EQ(asked, 1);
}

TEST(Client, ABusyServerIsAskedAgainAfterAPause) {
  Loopback server([&](const http::Request&) { return Answer(server.requests < 3 ? 503 : 200); });
  Micros waited;
  Client client({.url = server.url(), .retries = 3, .wait = [&waited](Micros span) {
                   waited = waited + span;
                 }});
  EXPECT_TRUE(client.Send({.path = "/"}).has_value());
  EXPECT_EQ(server.requests, 3);
  EXPECT_GT(waited, Micros(0));
}

TEST(Client, NobodyThereIsUnavailable) {
  Client client({.url = "http://127.0.0.1:1", .retries = 0});
  EXPECT_EQ(client.Send({.path = "/"}).error().error.code, Code::kUnavailable);
}

TEST(Client, ASocketWithoutAServerIsNamed) {
  Client client({.url = "http://localhost", .unix_socket = "/nowhere/a.sock", .retries = 0});
  std::string message = client.Send({.path = "/"}).error().error.message;
  EXPECT_EQ(message, "cannot reach the socket /nowhere/a.sock: No such file or directory");
}

TEST(Client, FollowsEventsUntilToldToStop) {
  Loopback server([](const http::Request&) {
    http::Reply reply;
    reply.content_type = "text/event-stream";
    reply.stream = [](std::shared_ptr<http::Stream> stream) {
      stream->Write("data: 1\n\ndata: 2\n\ndata: 3\n\n");
    };
    return reply;
  });
  Client client({.url = server.url()});
  std::vector<std::string> seen;
  EXPECT_TRUE(client
                  .Follow("/",
                          [&seen](const Event& event) {
                            seen.push_back(event.text);
                            return seen.size() < 2;
                          })
                  .has_value());
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[1], "2");
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
