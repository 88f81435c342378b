#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "http/server_fixture.h"

namespace yard::http::testing {
namespace {

TEST(Server, AnswersARequest) {
  TestServer server(TestServer::Echo);
  RawClient client = server.Connect();
  client.Send("GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n");
  RawReply reply = client.Read();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "/a?b=c|");
  EXPECT_EQ(reply.Find("content-length"), "7");
  EXPECT_EQ(reply.Find("content-type"), "text/plain");
  EXPECT_TRUE(reply.Find("date").ends_with(" GMT"));
  EXPECT_EQ(reply.Find("x-request-id").size(), 15u);
}

TEST(Server, KeepsAConnectionForManyRequests) {
  TestServer server(TestServer::Echo);
  RawClient client = server.Connect();
  for (int i = 0; i < 100; ++i) {
    client.Send("POST /" + std::to_string(i) +
                " HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi");
    ASSERT_EQ(client.Read().body, "/" + std::to_string(i) + "|hi");
  }
  EXPECT_EQ(server->stats().connections_total, 1u);
  EXPECT_EQ(server->stats().requests_total, 100u);
}

TEST(Server, AnswersFromAnotherThread) {
  std::promise<Respond> parked;
  TestServer server([&](Request, Respond respond) { parked.set_value(std::move(respond)); });
  RawClient client = server.Connect();
  client.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  Respond respond = parked.get_future().get();
  std::thread([&] { respond(TextReply("late")); }).join();
  EXPECT_EQ(client.Read().body, "late");
}

}  // namespace
}  // namespace yard::http::testing
