#include "http/response_parser.h"

#include <string_view>

#include <gtest/gtest.h>

namespace yard::http {
namespace {

TEST(ResponseParser, ReadsAnAnswerByteByByte) {
  std::string text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello";
  ResponseParser parser(Method::kGet);
  std::string waiting;
  std::string body;
  for (char c : text) {
    waiting += c;
    auto used = parser.Feed(waiting);
    ASSERT_TRUE(used.has_value());
    waiting.erase(0, *used);
    body += parser.TakeBody();
  }
  EXPECT_TRUE(parser.done());
  EXPECT_EQ(parser.head().status, 200);
  EXPECT_EQ(parser.head().length, 5U);
  EXPECT_EQ(body, "hello");
}

TEST(ResponseParser, TakesChunksApart) {
  ResponseParser parser(Method::kGet);
  std::string text =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n"
      "Late: header\r\n\r\n";
  EXPECT_EQ(parser.Feed(text), text.size());
  EXPECT_TRUE(parser.done());
  EXPECT_EQ(parser.TakeBody(), "abcde");
  EXPECT_EQ(parser.head().headers.size(), 1U);
  EXPECT_FALSE(parser.head().length.has_value());
}

TEST(ResponseParser, ReadsAnEmptyChunkedAnswerByteByByte) {
  ResponseParser parser(Method::kGet);
  std::string pending;
  for (char c : std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")) {
    pending += c;
    auto used = parser.Feed(pending);
    ASSERT_TRUE(used.has_value());
    pending.erase(0, *used);
  }
  EXPECT_TRUE(parser.done());
}

TEST(ResponseParser, OfAToolThatSaysNothingIsNotWhole) {
  ResponseParser parser(Method::kGet);
  EXPECT_FALSE(parser.End().has_value());
}

TEST(ResponseParser, ReadsUntilTheEndWithoutALength) {
  ResponseParser parser(Method::kGet);
  ASSERT_TRUE(parser.Feed("HTTP/1.0 200 OK\r\n\r\nsome").has_value());
  EXPECT_FALSE(parser.done());
  EXPECT_TRUE(parser.End().has_value());
  EXPECT_EQ(parser.TakeBody(), "some");
}

TEST(ResponseParser, NoticesAnAnswerThatIsCutShort) {
  ResponseParser parser(Method::kGet);
  ASSERT_TRUE(parser.Feed("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort").has_value());
  EXPECT_FALSE(parser.End().has_value());
}

TEST(ResponseParser, ExpectsNoBodyAfterHead) {
  ResponseParser parser(Method::kHead);
  ASSERT_TRUE(parser.Feed("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n").has_value());
  EXPECT_TRUE(parser.done());
}

TEST(ResponseParser, LeavesWhatFollowsAnUpgrade) {
  ResponseParser parser(Method::kGet);
  std::string head =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
  EXPECT_EQ(parser.Feed(head + "\x82\x01x"), head.size());
  EXPECT_TRUE(parser.done());
  EXPECT_EQ(parser.head().status, 101);
}

TEST(ResponseParser, RefusesAtOnceWhatBeginsOtherwise) {
  for (std::string_view text : {"<", "<html>", "HTML", "http/1.1 200 OK"}) {
    ResponseParser parser(Method::kGet);
    EXPECT_FALSE(parser.Feed(text).has_value()) << text;
  }
}

TEST(ResponseParser, RefusesWhatIsNotHttp) {
  ResponseParser parser(Method::kGet);
  EXPECT_FALSE(parser.Feed("SSH-2.0-OpenSSH_9.2\r\n").has_value());
}

}  // namespace
}  // namespace yard::http
