#include <algorithm>
#include <future>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "base/json.h"
#include "http/gzip.h"
#include "http/testing/server_fixture.h"

namespace yard::http::testing {
namespace {

constexpr std::string_view kGet = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n";

// The status of an error in the API's form after which the connection ends, else 0.
int RefusalOf(RawClient& client) {
  RawReply reply = client.Read();
  auto body = ParseJson(reply.body);
  EXPECT_TRUE(body.has_value()) << reply.body;
  if (!body) return 0;
  EXPECT_EQ(body->at("code").as_int64(), reply.status);
  EXPECT_FALSE(body->at("message").as_string().empty());
  EXPECT_FALSE(body->at("details").as_string().empty());
  EXPECT_EQ(reply.Find("connection"), "close");
  EXPECT_TRUE(client.AtEnd());
  return reply.status;
}

TEST(Limits, RefuseALongHeader) {
  TestServer server(TestServer::Echo, WithLimits({.header_bytes = 1024}));
  RawClient client = server.Connect();
  client.Send(
      fmt::format("GET / HTTP/1.1\r\nHost: x\r\nX-Long: {}\r\n\r\n", std::string(2000, 'a')));
  EXPECT_EQ(RefusalOf(client), 431);
  EXPECT_EQ(server->stats().refused_total, 1u);
}

TEST(Limits, RefuseALongHeaderThatNeverEnds) {
  TestServer server(TestServer::Echo, WithLimits({.header_bytes = 1024}));
  RawClient client = server.Connect();
  client.Send("GET /" + std::string(1100, 'a'));
  EXPECT_EQ(RefusalOf(client), 431);
}

TEST(Limits, TakeAHeaderJustBelow) {
  TestServer server(TestServer::Echo, WithLimits({.header_bytes = 1024}));
  RawClient client = server.Connect();
  client.Send(
      fmt::format("GET / HTTP/1.1\r\nHost: x\r\nX-Long: {}\r\n\r\n", std::string(900, 'a')));
  EXPECT_EQ(client.Read().status, 200);
}

TEST(Limits, RefuseAnAnnouncedLargeBodyBeforeItIsSent) {
  TestServer server(TestServer::Echo, WithLimits({.body_bytes = 100}));
  RawClient client = server.Connect();
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 101\r\n\r\n");
  EXPECT_EQ(RefusalOf(client), 413);
}

TEST(Limits, RefuseALargeBodyWhoseSenderDoesNotStop) {
  TestServer server(TestServer::Echo, WithLimits({.body_bytes = 100}));
  RawClient client = server.Connect();
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n" +
              std::string(1'000'000, 'x'));
  EXPECT_EQ(RefusalOf(client), 413);
}

TEST(Limits, RefuseAChunkedBodyThatGrowsTooLarge) {
  TestServer server(TestServer::Echo, WithLimits({.body_bytes = 100}));
  RawClient client = server.Connect();
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 2; ++i) client.Send("3c\r\n" + std::string(60, 'x') + "\r\n");
  EXPECT_EQ(RefusalOf(client), 413);
}

TEST(Limits, TakeABodyOfExactlyTheLimit) {
  TestServer server(TestServer::Echo, WithLimits({.body_bytes = 100}));
  RawClient client = server.Connect();
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n" + std::string(100, 'x'));
  EXPECT_EQ(client.Read().status, 200);
}

TEST(Limits, RefuseADecompressionBomb) {
  TestServer server(TestServer::Echo, WithLimits({.body_bytes = 100'000}));
  std::string bomb = Gzipper().Compress(std::string(10'000'000, '0'));
  ASSERT_LT(bomb.size(), 100'000u);
  RawClient client = server.Connect();
  client.Send(fmt::format(
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n{}",
      bomb.size(), bomb));
  EXPECT_EQ(RefusalOf(client), 413);
}

// Long enough for the first bytes on a busy machine: without any the connection is closed silently.
constexpr Micros kAfterTheFirstBytes = Seconds(2);

TEST(Limits, EndAHeaderThatNeverComesToItsEnd) {
  TestServer server(TestServer::Echo, WithLimits({.header_timeout = kAfterTheFirstBytes}));
  RawClient client = server.Connect();
  client.Send("GET / HTTP/1.1\r\nHost:");
  EXPECT_EQ(RefusalOf(client), 408);
}

TEST(Limits, GiveNoExtraTimeToAHeaderThatDrips) {
  TestServer server(TestServer::Echo, WithLimits({.header_timeout = kAfterTheFirstBytes}));
  RawClient client = server.Connect();
  client.Send("GET / HTTP/1.1\r\nHost: x\r\nX-Drip: ");
  std::jthread drip([&](const std::stop_token& stop) {
    while (!stop.stop_requested() && client.Send("x")) std::this_thread::yield();
  });
  RawReply reply = client.Read();
  EXPECT_TRUE(reply.status == 408 || reply.status == 431) << reply.status;
}

TEST(Limits, CloseAConnectionThatSaysNothing) {
  TestServer server(TestServer::Echo, WithLimits({.header_timeout = kSoon}));
  RawClient client = server.Connect();
  EXPECT_TRUE(client.AtEnd());
}

TEST(Limits, EndABodyThatDoesNotArrive) {
  TestServer server(TestServer::Echo, WithLimits({.body_timeout = kSoon}));
  RawClient client = server.Connect();
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf");
  EXPECT_EQ(RefusalOf(client), 408);
}

TEST(Limits, CloseAnIdleConnectionWithoutAWord) {
  TestServer server(TestServer::Echo, WithLimits({.idle_timeout = kSoon}));
  RawClient client = server.Connect();
  client.Send(kGet);
  EXPECT_EQ(client.Read().status, 200);
  EXPECT_TRUE(client.AtEnd());
}

TEST(Limits, AnswerForAHandlerThatTakesTooLong) {
  Respond parked;
  TestServer server([&](Request, Respond respond) { parked = std::move(respond); },
                    WithLimits({.handler_timeout = kSoon}));
  RawClient client = server.Connect();
  client.Send(kGet);
  EXPECT_EQ(RefusalOf(client), 503);
  parked(TextReply("too late"));
}

TEST(Limits, CutAClientThatDoesNotReadItsAnswer) {
  std::string large(50'000'000, 'x');
  TestServer server([&](Request, Respond respond) { respond(TextReply(large)); },
                    WithLimits({.body_timeout = kSoon}));
  RawClient client = RawClient::TcpWithSmallWindow(server->port());
  client.Send(kGet);
  ASSERT_TRUE(Eventually([&] { return server->stats().requests_total == 1; }));
  EXPECT_TRUE(Eventually([&] { return server->stats().connections_open == 0; }));
  EXPECT_FALSE(client.Read().complete);
}

TEST(Limits, CutThoseOfANetworkThatReadNothingOfManyAnswers) {
  std::string large(20'000'000, 'x');
  TestServer server([&](Request, Respond respond) { respond(TextReply(large)); },
                    WithLimits({.unsent_bytes = 50'000'000}));
  std::vector<RawClient> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(RawClient::TcpWithSmallWindow(server->port()));
    clients.back().Send(kGet);
  }
  ASSERT_TRUE(Eventually([&] { return server->stats().requests_total == 4; }));
  EXPECT_TRUE(Eventually([&] { return server->stats().connections_open == 2; }));
  RawClient other = RawClient::TcpFrom(2, server->port());
  other.Send(kGet);
  EXPECT_EQ(other.Read().body.size(), large.size());
}

TEST(Limits, TurnAwayConnectionsWhenFull) {
  TestServer server(TestServer::Echo, WithLimits({.connections = 2}));
  RawClient first = server.Connect();
  RawClient second = server.Connect();
  ASSERT_TRUE(Eventually([&] { return server->stats().connections_open == 2; }));
  RawClient third = server.Connect();
  third.Send(kGet);
  EXPECT_EQ(RefusalOf(third), 503);
  first.Send(kGet);
  EXPECT_EQ(first.Read().status, 200);
  second.Close();
  third.Close();
  ASSERT_TRUE(Eventually([&] { return server->stats().connections_open == 1; }));
  RawClient fourth = server.Connect();
  fourth.Send(kGet);
  EXPECT_EQ(fourth.Read().status, 200);
}

int StatusOf(RawClient& client) {
  client.Send(kGet);
  return client.Read().status;
}

TEST(Limits, OneAddressThatTakesAllPlacesGivesSomeToOthers) {
  TestServer server(TestServer::Echo, WithLimits({.connections = 3}));
  std::vector<RawClient> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(server.Connect());
    ASSERT_EQ(StatusOf(clients.back()), 200);
  }
  RawClient other = RawClient::TcpFrom(2, server->port());
  EXPECT_EQ(StatusOf(other), 200);
  // Two and one: nobody gives way for a second place of the same address, nor for one of the first.
  for (std::uint8_t from : {std::uint8_t{1}, std::uint8_t{2}}) {
    RawClient late = RawClient::TcpFrom(from, server->port());
    late.Send(kGet);
    EXPECT_EQ(RefusalOf(late), 503);
  }
  auto served = std::ranges::count_if(clients, [](RawClient& c) { return StatusOf(c) == 200; });
  EXPECT_EQ(served, 2);
  EXPECT_EQ(StatusOf(other), 200);
}

struct Malformed {
  std::string_view what;
  std::string_view request;
  int status;
};

constexpr Malformed kMalformed[] = {
    {"no HTTP at all", "hello\r\n\r\n", 400},
    {"an empty method", " / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"a method with a bad character", "G(T / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"no target", "GET HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"a space in the target", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"a relative target", "GET a HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"a control character in the target", "GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"no version", "GET /\r\nHost: x\r\n\r\n", 400},
    {"a broken version", "GET / HTTP/x.1\r\nHost: x\r\n\r\n", 400},
    {"a version between", "GET / HTTP/1.2\r\nHost: x\r\n\r\n", 400},
    {"a future version", "GET / HTTP/2.0\r\nHost: x\r\n\r\n", 400},
    {"an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
    {"no host", "GET / HTTP/1.1\r\n\r\n", 400},
    {"two hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400},
    {"a header without a colon", "GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n", 400},
    {"a space before the colon", "GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400},
    {"an empty header name", "GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n", 400},
    {"a control character in a value", "GET / HTTP/1.1\r\nHost: x\r\nA: \x01\r\n\r\n", 400},
    {"a bare carriage return", "GET / HTTP/1.1\r\nHost: x\rA: b\r\n\r\n", 400},
    {"a negative length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400},
    {"a length in words", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n", 400},
    {"two lengths",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400},
    {"a length beyond 64 bits",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", 400},
    {"length and chunks",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
     "0\r\n\r\n",
     400},
    {"chunks and length",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n"
     "0\r\n\r\n",
     400},
    {"an unknown transfer encoding",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501},
    {"chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
    {"a chunk size that is no number",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400},
    {"a chunk longer than it says",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n", 400},
    {"an unknown content encoding",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx", 415},
    {"a gzip body that is none",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope", 400},
    {"an unknown expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: a-pony\r\n\r\n", 417},
};

TEST(Malformed, RequestsAreRefusedAndNeverReachTheHandler) {
  TestServer server(TestServer::Echo);
  for (const Malformed& entry : kMalformed) {
    SCOPED_TRACE(entry.what);
    RawClient client = server.Connect();
    client.Send(entry.request);
    EXPECT_EQ(RefusalOf(client), entry.status);
  }
  EXPECT_EQ(server->stats().requests_total, 0u);
}

TEST(Malformed, FollowersOfAGoodRequestAreRefusedAlone) {
  TestServer server(TestServer::Echo);
  RawClient client = server.Connect();
  client.Send(std::string(kGet) + "garbage\r\n\r\n");
  EXPECT_EQ(client.Read().status, 200);
  EXPECT_EQ(RefusalOf(client), 400);
}

}  // namespace
}  // namespace yard::http::testing
