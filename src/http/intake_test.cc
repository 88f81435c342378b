#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "http/gzip.h"
#include "http/reply.h"
#include "http/testing/server_fixture.h"

namespace yard::http::testing {
namespace {

Intake NotYou(const Request&) {
  return {.refusal = ErrorReply(401, "nobody is signed in", "sign in")};
}

Intake SmallAndPlain(const Request&) {
  return {.body_bytes = 100, .encoding = Intake::Encoding::kPlainOnly};
}

std::string Post(std::string_view body, std::string_view more = "") {
  return fmt::format("POST /x HTTP/1.1\r\nHost: h\r\n{}Content-Length: {}\r\n\r\n{}", more,
                     body.size(), body);
}

TEST(Intake, AnswersBeforeTheBodyIsSent) {
  TestServer server(TestServer::Echo);
  server.OnBody(NotYou);
  RawClient client = server.Connect();
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
  RawReply reply = client.Read();
  EXPECT_EQ(reply.status, 401);
  EXPECT_EQ(reply.Find("connection"), "close");
  EXPECT_EQ(server->stats().requests_total, 0u);
}

TEST(Intake, InvitesNobodyToSendABodyThatIsRefused) {
  TestServer server(TestServer::Echo);
  server.OnBody(NotYou);
  RawClient client = server.Connect();
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
  EXPECT_EQ(client.Read().status, 401);
}

TEST(Intake, KnowsWhoAsksAndForWhat) {
  std::string seen;
  TestServer server(TestServer::Echo);
  server.OnBody([&](const Request& head) {
    seen = fmt::format("{} {} {}", head.target, *head.Find("authorization"), head.body.size());
    EXPECT_TRUE(head.peer_address.starts_with("127.0.0.1:"));
    return Intake{};
  });
  RawClient client = server.Connect();
  client.Send(Post("hello", "Authorization: me\r\n"));
  EXPECT_EQ(client.Read().body, "/x|hello");
  EXPECT_EQ(seen, "/x me 0");
}

TEST(Intake, IsNotAskedAboutRequestsWithoutABody) {
  TestServer server(TestServer::Echo);
  server.OnBody(NotYou);
  RawClient client = server.Connect();
  client.Send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.Read().status, 200);
  client.Send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(client.Read().status, 200);
}

TEST(Intake, BoundsAnnouncedAndChunkedBodies) {
  TestServer server(TestServer::Echo);
  server.OnBody(SmallAndPlain);
  RawClient just = server.Connect();
  just.Send(Post(std::string(100, 'x')));
  EXPECT_EQ(just.Read().status, 200);
  RawClient announced = server.Connect();
  announced.Send(Post(std::string(101, 'x')));
  EXPECT_EQ(announced.Read().status, 413);
  RawClient chunked = server.Connect();
  chunked.Send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 2; ++i) chunked.Send("3c\r\n" + std::string(60, 'x') + "\r\n");
  EXPECT_EQ(chunked.Read().status, 413);
}

TEST(Intake, RefusesACompressedBodyWithoutLookingAtIt) {
  TestServer server(TestServer::Echo);
  server.OnBody(SmallAndPlain);
  RawClient client = server.Connect();
  client.Send(Post(Gzipper().Compress("{}"), "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(client.Read().status, 415);
}

TEST(AllBodies, AreBoundedTogetherWhileSmallOnesPass) {
  constexpr std::size_t kLarge = 400'000;
  TestServer server(TestServer::Echo, WithLimits({.all_bodies_bytes = 1'000'000}));
  std::string begun = fmt::format("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: {}\r\n\r\n{}",
                                  kLarge, std::string(kLarge - 1, 'x'));
  std::vector<RawClient> half_open;
  for (int i = 0; i < 8; ++i) {
    half_open.push_back(server.Connect());
    half_open.back().Send(begun);
  }
  ASSERT_TRUE(Eventually([&] { return server->stats().refused_total >= 5; }));
  RawClient small = server.Connect();
  small.Send(Post(std::string(kSmallBody, 'x')));
  EXPECT_EQ(small.Read().status, 200);
}

TEST(AllBodies, GiveTheirRoomBackWhenTheRequestIsOver) {
  TestServer server(TestServer::Echo, WithLimits({.all_bodies_bytes = 1'000'000}));
  RawClient client = server.Connect();
  for (int i = 0; i < 10; ++i) {
    client.Send(Post(std::string(400'000, 'x')));
    EXPECT_EQ(client.Read().status, 200);
  }
  for (int i = 0; i < 10; ++i) {
    RawClient leaving = server.Connect();
    leaving.Send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 400000\r\n\r\n" +
                 std::string(300'000, 'x'));
  }
  ASSERT_TRUE(Eventually([&] { return server->stats().connections_open == 1; }));
  client.Send(Post(std::string(400'000, 'x')));
  EXPECT_EQ(client.Read().status, 200);
}

}  // namespace
}  // namespace yard::http::testing
