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
  ToolCall call{.request = "ask", .patience = Micros(20'000)};
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

}  // namespace
}  // namespace yard::serve
