#include "serve/proxy/exchange.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/live/descriptor.h"

namespace yard::serve {
namespace {

using ::testing::HasSubstr;

TEST(ExchangeWithTool, LeavesAToolThatDoesNotAnswerInTime) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  UniqueFd tool(ends[1]);
  LiveThreads threads;
  std::promise<http::Reply> answered;
  ToolCall call{.request = "ask", .patience = Seconds(1)};
  ExchangeWithTool(threads, UniqueFd(ends[0]), std::move(call),
                   [&](http::Reply reply) { answered.set_value(std::move(reply)); });
  http::Reply reply = answered.get_future().get();
  EXPECT_EQ(reply.status, 502);
  EXPECT_THAT(reply.body, HasSubstr("did not answer in time"));
  std::string bytes;
  EXPECT_EQ(ReadSome(tool.get(), 100, bytes), Flow::kSome);
  EXPECT_EQ(bytes, "ask");
  EXPECT_EQ(ReadSome(tool.get(), 100, bytes), Flow::kEnded);
}

// What a tool has written before it was asked, and the answer to that.
http::Reply AnswerOf(std::string_view written) {
  std::array<int, 2> ends{};
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  UniqueFd tool(ends[1]);
  int room = 1 << 20;
  setsockopt(tool.get(), SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  EXPECT_EQ(send(tool.get(), written.data(), written.size(), MSG_DONTWAIT),
            static_cast<ssize_t>(written.size()));
  LiveThreads threads;
  std::promise<http::Reply> answered;
  ExchangeWithTool(threads, UniqueFd(ends[0]), {.request = "ask", .patience = Seconds(60)},
                   [&](http::Reply reply) { answered.set_value(std::move(reply)); });
  return answered.get_future().get();
}

TEST(ExchangeWithTool, KeepsNoLineWithoutAnEnd) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (std::string_view begins : {"1;", "0\r\nLate: "}) {
    http::Reply reply = AnswerOf(head + std::string(begins) + std::string(150'000, 'x'));
    EXPECT_EQ(reply.status, 502) << begins;
    EXPECT_THAT(reply.body, HasSubstr("has no end")) << begins;
  }
}

// What the browser's connection carries next would go to the tool: with a reverse proxy before this
// server, the request of somebody else.
TEST(ExchangeWithTool, ChangesNoProtocolThatNobodyAskedToChange) {
  http::Reply reply = AnswerOf(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
  EXPECT_EQ(reply.status, 502);
  EXPECT_FALSE(reply.upgrade);
  EXPECT_THAT(reply.body, HasSubstr("nobody asked it to"));
}

TEST(ExchangeWithTool, PassesOnNoStatusThatIsNone) {
  for (std::string_view status : {"000", "007", "600", "999"}) {
    http::Reply reply =
        AnswerOf("HTTP/1.1 " + std::string(status) + " X\r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ(reply.status, 502) << status;
  }
}

TEST(ExchangeWithTool, TakesALargeChunkWhole) {
  std::string body(100'000, 'x');
  http::Reply reply = AnswerOf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n" +
                               body + "\r\n0\r\n\r\n");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, body);
}

}  // namespace
}  // namespace yard::serve
