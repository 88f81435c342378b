#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
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

// Keeps what it takes; answers at once, or when it is told to.
class RecordingSink final : public BodySink {
 public:
  struct Record {
    std::mutex mutex;
    std::string bytes;
    int pieces = 0;
    std::optional<Respond> waiting;  // set while `hold`
    bool hold = false;
    std::size_t refuse_after = SIZE_MAX;
    std::atomic<bool> gone = false;

    int Pieces() {
      std::lock_guard guard(mutex);
      return pieces;
    }
  };

  explicit RecordingSink(std::shared_ptr<Record> record) : record_(std::move(record)) {}
  ~RecordingSink() override { record_->gone = true; }

  void Take(std::string piece, Respond respond) override {
    std::lock_guard guard(record_->mutex);
    record_->bytes += piece;
    ++record_->pieces;
    if (record_->hold) {
      record_->waiting = std::move(respond);
      return;
    }
    if (record_->bytes.size() > record_->refuse_after)
      return respond(ErrorReply(503, "the disk is full", "make room"));
    Reply reply;
    reply.status = kGoOn;
    respond(std::move(reply));
  }
  void Finish(Request request, Respond respond) override {
    respond(TextReply(fmt::format("{} {}", request.target, request.body.size())));
  }

 private:
  std::shared_ptr<Record> record_;
};

// A server with small limits whose bodies go into a sink of at most `most` bytes.
struct SinkServer {
  explicit SinkServer(std::size_t most)
      : server(TestServer::Echo, WithLimits({.body_bytes = 1000, .body_timeout = Seconds(60)})) {
    server.OnBody([kept = record, most](const Request&) {
      return Intake{.body_bytes = most, .sink = std::make_shared<RecordingSink>(kept)};
    });
  }

  std::shared_ptr<RecordingSink::Record> record = std::make_shared<RecordingSink::Record>();
  TestServer server;
};

constexpr std::size_t kLargeBody = 3'000'000;

TEST(BodySinks, TakeABodyInPiecesWhateverTheLimitOfOthersIs) {
  SinkServer s(kLargeBody);
  std::string body(kLargeBody, 'x');
  for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>(i % 251);
  RawClient client = s.server.Connect();
  for (int again = 0; again < 2; ++again) {
    s.record->bytes.clear();
    client.Send(Post(body));
    EXPECT_EQ(client.Read().body, "/x 0");
    EXPECT_TRUE(s.record->bytes == body);
    EXPECT_GT(s.record->Pieces(), 5);
    EXPECT_TRUE(Eventually([&] { return s.record->gone.load(); }));
  }
}

TEST(BodySinks, TakeAChunkedBodyAndAnEmptyOne) {
  SinkServer s(kLargeBody);
  RawClient client = s.server.Connect();
  client.Send("POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 20; ++i) client.Send("c350\r\n" + std::string(50'000, 'y') + "\r\n");
  client.Send("0\r\n\r\n");
  EXPECT_EQ(client.Read().status, 200);
  EXPECT_EQ(s.record->bytes.size(), 1'000'000u);
  client.Send("POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
  EXPECT_EQ(client.Read().status, 200);
}

TEST(BodySinks, AreBoundedByTheirOwnLimit) {
  SinkServer s(kLargeBody);
  RawClient announced = s.server.Connect();
  announced.Send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3000001\r\n\r\n");
  EXPECT_EQ(announced.Read().status, 413);
  RawClient chunked = s.server.Connect();
  chunked.Send("POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 61; ++i) chunked.Send("c350\r\n" + std::string(50'000, 'y') + "\r\n");
  EXPECT_EQ(chunked.Read().status, 413);
  EXPECT_TRUE(Eventually([&] { return s.record->gone.load(); }));
}

TEST(BodySinks, ReadNoMoreUntilAPieceIsAnsweredFor) {
  SinkServer s(kLargeBody);
  s.record->hold = true;
  RawClient client = s.server.Connect();
  client.Send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 600000\r\n\r\n" +
              std::string(600'000, 'z'));
  ASSERT_TRUE(Eventually([&] { return s.record->Pieces() == 1; }));
  // Another request is served by the same threads meanwhile.
  RawClient other = s.server.Connect();
  other.Send("GET /y HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(other.Read().status, 200);
  EXPECT_EQ(s.record->Pieces(), 1);
  std::optional<Respond> respond;
  {
    std::lock_guard guard(s.record->mutex);
    s.record->hold = false;
    respond = std::exchange(s.record->waiting, std::nullopt);
  }
  Reply reply;
  reply.status = BodySink::kGoOn;
  (*respond)(std::move(reply));
  EXPECT_EQ(client.Read().status, 200);
  EXPECT_EQ(s.record->bytes.size(), 600'000u);
}

TEST(BodySinks, MayRefuseInTheMiddle) {
  SinkServer s(kLargeBody);
  s.record->refuse_after = 300'000;
  RawClient client = s.server.Connect();
  client.Send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n" +
              std::string(600'000, 'z'));
  RawReply reply = client.Read();
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.Find("connection"), "close");
}

TEST(BodySinks, AreDestroyedWithoutFinishWhenThePeerLeaves) {
  SinkServer s(kLargeBody);
  {
    RawClient client = s.server.Connect();
    client.Send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n" +
                std::string(600'000, 'z'));
    ASSERT_TRUE(Eventually([&] { return s.record->Pieces() > 0; }));
    EXPECT_FALSE(s.record->gone);
  }
  EXPECT_TRUE(Eventually([&] { return s.record->gone.load(); }));
}

TEST(BodySinks, TakeNothingCompressed) {
  SinkServer s(kLargeBody);
  RawClient client = s.server.Connect();
  client.Send(Post(Gzipper().Compress("{}"), "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(client.Read().status, 415);
}

}  // namespace
}  // namespace yard::http::testing
