#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "http/loop.h"
#include "http/testing/server_fixture.h"
#include "http/tunnel.h"

namespace yard::http::testing {
namespace {

constexpr std::string_view kGet = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n";

TEST(Stop, LetsARunningRequestFinish) {
  std::promise<Respond> parked;
  TestServer server([&](Request, Respond respond) { parked.set_value(std::move(respond)); });
  std::uint16_t port = server->port();
  RawClient busy = server.Connect();
  RawClient idle = server.Connect();
  busy.Send(kGet);
  Respond respond = parked.get_future().get();
  std::jthread stopper([&] { server->Stop(Seconds(20)); });
  EXPECT_TRUE(idle.AtEnd());  // the stop has begun: idle connections are closed first
  respond(TextReply("finished"));
  RawReply reply = busy.Read();
  EXPECT_EQ(reply.body, "finished");
  EXPECT_EQ(reply.Find("connection"), "close");
  busy.Close();
  stopper.join();
  EXPECT_FALSE(RawClient::IsServed(port));
}

TEST(Stop, DoesNotWaitLongerThanItsGrace) {
  std::promise<Respond> parked;
  TestServer server([&](Request, Respond respond) { parked.set_value(std::move(respond)); });
  RawClient client = server.Connect();
  client.Send(kGet);
  Respond respond = parked.get_future().get();
  server->Stop(Micros(10'000));
  EXPECT_TRUE(client.AtEnd());
  EXPECT_EQ(server->stats().connections_open, 0u);
}

TEST(Stop, LeavesLateAnswersWithoutEffect) {
  Respond late;
  Respond never;
  {
    std::promise<void> both;
    int seen = 0;
    ServerOptions options;
    options.threads = 1;
    TestServer server(
        [&](Request, Respond respond) {
          (seen == 0 ? late : never) = std::move(respond);
          if (++seen == 2) both.set_value();
        },
        options);
    RawClient one = server.Connect();
    RawClient two = server.Connect();
    one.Send(kGet);
    two.Send(kGet);
    both.get_future().wait();
  }
  late(TextReply("nobody hears this"));
}

TEST(Stop, MayBeRepeated) {
  TestServer server(TestServer::Echo);
  server->Stop(Seconds(1));
  server->Stop(Seconds(1));
}

TEST(Stop, ClosesManyBusyClients) {
  TestServer server(TestServer::Echo);
  std::uint16_t port = server->port();
  std::atomic<int> ready = 0;
  std::vector<std::jthread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&, port] {
      RawClient client = RawClient::Tcp(port);
      ++ready;
      while (client.Send(kGet) && client.Read().status == 200) {
      }
    });
  }
  ASSERT_TRUE(Eventually([&] { return ready == 8 && server->stats().requests_total > 100; }));
  server->Stop(Seconds(20));
  EXPECT_EQ(server->stats().connections_open, 0u);
}

TEST(Failures, OfATaskLeaveItsThreadRunning) {
  Loop loop(Seconds(1), SystemClock());
  loop.Start();
  std::promise<void> reached;
  loop.Post([] { throw std::logic_error("a failed assertion"); });
  loop.Post([&] { reached.set_value(); });
  reached.get_future().wait();
  loop.Finish();
}

// What a library under a tunnel throws, on its thread, at whatever step.
TEST(Failures, OfATunnelEndItsConnectionAlone) {
  auto fail = [](auto&&...) { throw std::logic_error("a failed assertion"); };
  for (std::string step : {"receive", "send", "post"}) {
    TestServer server([&](Request request, Respond respond) {
      if (request.target == "/x") return respond(TextReply("served"));
      Reply reply;
      reply.upgrade = [&](std::shared_ptr<Tunnel> tunnel) {
        if (step == "receive") tunnel->Receive([tunnel, fail](std::string) { fail(); });
        if (step == "send") tunnel->Send("hello", [tunnel, fail](Status) { fail(); });
        if (step == "post") tunnel->Post([tunnel, fail] { fail(); });
      };
      respond(std::move(reply));
    });
    RawClient client = server.Connect();
    client.Send("GET /tunnel HTTP/1.1\r\nHost: h\r\n\r\nbytes");
    client.ReadAll();
    EXPECT_TRUE(Eventually([&] { return server->stats().connections_open == 0; })) << step;
    RawClient other = server.Connect();
    other.Send(kGet);
    EXPECT_EQ(other.Read().body, "served") << step;
  }
}

TEST(Stop, OfALoopWaitsForNoTimer) {
  Loop loop(Seconds(1), SystemClock());
  auto timer = std::make_shared<boost::asio::steady_timer>(loop.context(), std::chrono::hours(1));
  bool fired = false;
  timer->async_wait([&fired, timer](const boost::system::error_code&) { fired = true; });
  timer.reset();  // it goes with the loop
  bool done = false;
  loop.Start();
  loop.Post([&] { done = true; });
  loop.Finish();
  EXPECT_TRUE(done);
  EXPECT_FALSE(fired);
}

}  // namespace
}  // namespace yard::http::testing
