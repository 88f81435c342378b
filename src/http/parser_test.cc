#include "http/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/reply.h"

namespace yard::http {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using State = RequestParser::State;

constexpr std::string_view kMessage =
    "PUT /a?b HTTP/1.1\r\nHost: h\r\nX-Mixed-Case: Va lue\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";

// As a connection does that has nothing against the body.
std::size_t Feed(RequestParser& parser, std::string_view input) {
  std::size_t used = parser.Feed(input);
  return parser.state() == State::kBody ? used + parser.Feed(input.substr(used)) : used;
}

void ExpectMessage(RequestParser& parser) {
  ASSERT_EQ(parser.state(), State::kDone);
  EXPECT_EQ(parser.request().method, Method::kPut);
  EXPECT_EQ(parser.request().path(), "/a");
  EXPECT_EQ(parser.request().query(), "b");
  EXPECT_THAT(parser.request().headers,
              ElementsAre(Pair("host", "h"), Pair("x-mixed-case", "Va lue"),
                          Pair("transfer-encoding", "chunked")));
  EXPECT_EQ(parser.request().body, "abcde");
}

TEST(RequestParser, GivesTheSameRequestHoweverTheBytesArrive) {
  for (std::size_t cut = 1; cut < kMessage.size(); ++cut) {
    RequestParser parser({});
    std::string pending(kMessage.substr(0, cut));
    pending.erase(0, Feed(parser, pending));
    ASSERT_NE(parser.state(), State::kDone) << cut;
    pending += kMessage.substr(cut);
    pending.erase(0, Feed(parser, pending));
    ExpectMessage(parser);
    EXPECT_EQ(pending, "");
  }
}

TEST(RequestParser, ReadsByteByByte) {
  RequestParser parser({});
  std::string pending;
  for (char c : kMessage) {
    pending += c;
    pending.erase(0, Feed(parser, pending));
  }
  ExpectMessage(parser);
}

TEST(RequestParser, ReadsAnEmptyChunkedBodyByteByByte) {
  for (std::string_view end : {"0\r\n\r\n", "0\r\nLate: header\r\n\r\n", "00;a=b\r\n\r\n"}) {
    RequestParser parser({});
    std::string pending;
    for (char c :
         "PUT /a?b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string(end)) {
      pending += c;
      pending.erase(0, Feed(parser, pending));
    }
    EXPECT_EQ(parser.state(), State::kDone) << end;
    EXPECT_EQ(parser.request().body, "");
  }
}

// After the end Beast asserts that nothing more comes.
TEST(RequestParser, RefusesWhatBeastAssertsAbout) {
  RequestParser parser({});
  std::string_view whole = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  ASSERT_EQ(parser.Feed(whole), whole.size());
  ASSERT_EQ(parser.state(), State::kDone);
  parser.Feed("more");
  EXPECT_EQ(parser.state(), State::kRefused);
  EXPECT_EQ(parser.TakeRefusal().status, 400);
}

TEST(RequestParser, LeavesTheNextMessage) {
  RequestParser parser({});
  std::string two = std::string(kMessage) + std::string(kMessage);
  EXPECT_EQ(Feed(parser, two), kMessage.size());
  ExpectMessage(parser);
  parser.Reset();
  EXPECT_EQ(Feed(parser, std::string_view(two).substr(kMessage.size())), kMessage.size());
  ExpectMessage(parser);
}

TEST(RequestParser, MovesARequestWithAShortTarget) {
  RequestParser parser({});
  Feed(parser, "GET /a?b HTTP/1.1\r\nHost: h\r\n\r\n");
  Request moved = std::move(parser.request());
  parser.Reset();
  EXPECT_EQ(moved.path(), "/a");
  EXPECT_EQ(moved.query(), "b");
}

TEST(RequestParser, KeepsNoMemoryOfAForgottenMessage) {
  RequestParser parser({});
  constexpr std::size_t kLarge = 400'000;
  Feed(parser,
       "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 500000\r\n\r\n" + std::string(kLarge, 'x'));
  ASSERT_EQ(parser.request().body.size(), kLarge);
  parser.Forget();
  EXPECT_LT(parser.request().body.capacity(), 100u);
  EXPECT_TRUE(parser.request().headers.empty());
}

TEST(Reply, DatesAsHttpWantsThem) {
  EXPECT_EQ(FormatHttpDate(Time{784'111'777'000'000}), "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST(Reply, WeighsAcceptedEncodings) {
  for (const char* yes : {"gzip", "GZIP", "br, gzip", "gzip;q=0.1", "x-gzip", "*", "*;q=0.5"}) {
    EXPECT_TRUE(AcceptsGzip(yes)) << yes;
  }
  for (const char* no :
       {"", "br", "gzip;q=0", "gzip; q=0.000", "*;q=0", "gzipped", "*, gzip;q=0"}) {
    EXPECT_FALSE(AcceptsGzip(no)) << no;
  }
}

TEST(Reply, LeavesOutEmptyChunks) {
  std::string out;
  out += FramePiece("", BodyFraming::kChunked, Piece::kInner);
  out += FramePiece("0123456789abcdef", BodyFraming::kChunked, Piece::kInner);
  EXPECT_EQ(out, "10\r\n0123456789abcdef\r\n");
}

}  // namespace
}  // namespace yard::http
