// What a handler learns of the peer that waits for its answer.
#include <atomic>
#include <future>

#include <gtest/gtest.h>

#include "http/testing/server_fixture.h"

namespace yard::http::testing {
namespace {

constexpr std::string_view kGet = "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n";

// Keeps the first request for the test, answers the others at once.
class SlowHandler {
 public:
  void operator()(Request request, Respond respond) {
    if (std::exchange(taken_, true))
      return TestServer::Echo(std::move(request), std::move(respond));
    request.waiter.OnGone([this] {
      ++gone_;
      gone_.notify_all();
    });
    respond_.set_value(std::move(respond));
  }
  Respond Take() { return respond_.get_future().get(); }
  // Returns once it was told.
  void AwaitGone() const { gone_.wait(0); }
  int gone() const { return gone_; }

 private:
  bool taken_ = false;
  std::promise<Respond> respond_;
  std::atomic<int> gone_ = 0;
};

TEST(Waiter, LeavesAndTheHandlerIsToldAtOnce) {
  SlowHandler handler;
  TestServer server(std::ref(handler));
  RawClient client = server.Connect();
  client.Send(kGet);
  Respond respond = handler.Take();
  client.Close();
  handler.AwaitGone();
  respond(TextReply("too late"));
  EXPECT_TRUE(Eventually([&] { return server->stats().connections_open == 0; }));
  EXPECT_EQ(handler.gone(), 1);
}

TEST(Waiter, IsAnsweredAndTheHandlerHearsNothingMore) {
  SlowHandler handler;
  TestServer server(std::ref(handler));
  RawClient client = server.Connect();
  client.Send(kGet);
  handler.Take()(TextReply("here"));
  EXPECT_EQ(client.Read().body, "here");
  client.Send("GET /next HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.Read().body, "/next|");
  client.Close();
  EXPECT_TRUE(Eventually([&] { return server->stats().connections_open == 0; }));
  EXPECT_EQ(handler.gone(), 0);
}

TEST(Waiter, MaySendItsNextRequestsEarly) {
  SlowHandler handler;
  TestServer server(std::ref(handler));
  RawClient client = server.Connect();
  client.Send(kGet);
  Respond respond = handler.Take();
  const std::string large(100'000, 'x');
  client.Send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n" + large);
  client.Send("GET /b HTTP/1.1\r\nHost: h\r\n\r\n");
  respond(TextReply("first"));
  EXPECT_EQ(client.Read().body, "first");
  EXPECT_EQ(client.Read().body, "/a|" + large);
  EXPECT_EQ(client.Read().body, "/b|");
}

TEST(Waiter, ToldThatItTookTooLongCountsAsGone) {
  SlowHandler handler;
  TestServer server(std::ref(handler), WithLimits({.handler_timeout = kSoon}));
  RawClient client = server.Connect();
  client.Send(kGet);
  Respond respond = handler.Take();
  EXPECT_EQ(client.Read().status, 503);
  handler.AwaitGone();
}

TEST(Waiter, OfAForgottenConnectionIsGone) {
  std::promise<Request> taken;
  std::promise<Respond> kept;
  TestServer server(
      [&](Request request, Respond respond) {
        taken.set_value(std::move(request));
        kept.set_value(std::move(respond));
      },
      WithLimits({.handler_timeout = kSoon}));
  RawClient client = server.Connect();
  client.Send(kGet);
  Request request = taken.get_future().get();
  EXPECT_EQ(client.Read().status, 503);
  client.Close();
  EXPECT_TRUE(Eventually([&] { return server->stats().connections_open == 0; }));
  std::promise<void> gone;
  request.waiter.OnGone([&] { gone.set_value(); });
  gone.get_future().wait();
}

TEST(Waiter, OfARequestThatCameByNoConnectionStays) {
  Request request;
  request.waiter.OnGone([] { ADD_FAILURE() << "nobody left"; });
}

}  // namespace
}  // namespace yard::http::testing
