#include "http/stream.h"

#include <atomic>
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "http/testing/server_fixture.h"

namespace yard::http::testing {
namespace {

constexpr std::string_view kGet = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n";

// Hands the stream of each request to the test.
class StreamSource {
 public:
  void operator()(Request, Respond respond) {
    Reply reply;
    reply.content_type = "text/event-stream";
    reply.stream = [this](std::shared_ptr<Stream> stream) { opened_.set_value(std::move(stream)); };
    respond(std::move(reply));
  }
  std::shared_ptr<Stream> Take() { return opened_.get_future().get(); }

 private:
  std::promise<std::shared_ptr<Stream>> opened_;
};

TEST(Streaming, SendsEachPieceAsItComesAndEndsWithTheLastReference) {
  StreamSource source;
  TestServer server(std::ref(source));
  RawClient client = server.Connect();
  client.Send(kGet);
  EXPECT_EQ(client.ReadHeadOnly().Find("transfer-encoding"), "chunked");
  auto stream = source.Take();
  EXPECT_TRUE(stream->Write("data: 1\n\n"));
  EXPECT_EQ(client.ReadBytes(14), "9\r\ndata: 1\n\n\r\n");
  EXPECT_TRUE(stream->Write("data: 2\n\n"));
  EXPECT_EQ(client.ReadBytes(14), "9\r\ndata: 2\n\n\r\n");
  stream.reset();
  EXPECT_EQ(client.ReadAll(), "0\r\n\r\n");
}

TEST(Streaming, KeepsEveryByteOfManyWritesInOrder) {
  StreamSource source;
  TestServer server(std::ref(source), WithLimits({.stream_backlog_bytes = 100'000'000}));
  RawClient client = server.Connect();
  client.Send(kGet);
  std::string expected;
  std::jthread producer([&] {
    auto stream = source.Take();
    for (int i = 0; i < 20'000; ++i) stream->Write(std::to_string(i) + "\n");
  });
  for (int i = 0; i < 20'000; ++i) expected += std::to_string(i) + "\n";
  RawReply reply = client.Read();
  EXPECT_TRUE(reply.complete);
  EXPECT_EQ(reply.body, expected);
}

TEST(Streaming, CutsAReaderThatIsTooSlow) {
  StreamSource source;
  TestServer server(std::ref(source), WithLimits({.stream_backlog_bytes = 64 * 1024}));
  RawClient client = RawClient::TcpWithSmallWindow(server->port());
  client.Send(kGet);
  auto stream = source.Take();
  while (stream->Write(std::string(32 * 1024, 'x'))) {
  }
  EXPECT_FALSE(stream->Write("more"));
  EXPECT_TRUE(Eventually([&] { return server->stats().connections_open == 0; }));
  EXPECT_FALSE(client.Read().complete);
}

TEST(Streaming, NoticesAReaderThatVanishesWhileNothingIsWritten) {
  StreamSource source;
  TestServer server(std::ref(source));
  RawClient client = server.Connect();
  client.Send(kGet);
  auto stream = source.Take();
  client.Close();
  EXPECT_TRUE(Eventually([&] { return server->stats().connections_open == 0; }));
  EXPECT_FALSE(stream->Write("anyone?"));
}

TEST(Streaming, EndsAnHttp10AnswerByClosing) {
  StreamSource source;
  TestServer server(std::ref(source));
  RawClient client = server.Connect();
  client.Send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.ReadHeadOnly().Find("transfer-encoding"), "");
  source.Take()->Write("plain");
  EXPECT_EQ(client.ReadAll(), "plain");
}

TEST(Streaming, IsNotStartedForHead) {
  std::atomic<int> started = 0;
  TestServer server([&](Request, Respond respond) {
    Reply reply;
    reply.stream = [&](const std::shared_ptr<Stream>&) { ++started; };
    respond(std::move(reply));
  });
  RawClient client = server.Connect();
  client.Send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.ReadHeadOnly().status, 200);
  server->Stop(Seconds(20));
  EXPECT_EQ(started, 0);
}

TEST(Streaming, DoesNotLookWholeWhenTheServerStopsBeforeItsEnd) {
  StreamSource source;
  TestServer server(std::ref(source));
  RawClient client = server.Connect();
  client.Send(kGet);
  auto stream = source.Take();
  EXPECT_TRUE(stream->Write("last words"));
  std::jthread stopper([&] { server->Stop(Seconds(20)); });
  RawReply reply = client.Read();
  EXPECT_FALSE(reply.complete);
  EXPECT_EQ(reply.body, "last words");
  client.Close();
  stopper.join();
  EXPECT_FALSE(stream->Write("too late"));
}

TEST(Streaming, ThatHasEndedIsSentWholeWhileTheServerStops) {
  StreamSource source;
  TestServer server(std::ref(source), WithLimits({.stream_backlog_bytes = 100'000'000}));
  RawClient idle = server.Connect();
  RawClient client = RawClient::TcpWithSmallWindow(server->port());
  client.Send(kGet);
  auto stream = source.Take();
  EXPECT_TRUE(stream->Write(std::string(5'000'000, 'x')));
  stream.reset();
  std::jthread stopper([&] { server->Stop(Seconds(20)); });
  EXPECT_TRUE(idle.AtEnd());  // the stop has begun
  RawReply reply = client.Read();
  EXPECT_TRUE(reply.complete);
  EXPECT_EQ(reply.body.size(), 5'000'000U);
  client.Close();
}

// Writes `left` pieces, each when the one before has left.
void WriteSlowly(const std::shared_ptr<Stream>& stream, int left, std::promise<void>& done) {
  if (left == 0) return done.set_value();
  EXPECT_TRUE(stream->Write(std::string(50'000, 'x')));
  stream->OnDrained([stream, left, &done] { WriteSlowly(stream, left - 1, done); });
}

TEST(Streaming, AWriterThatWaitsIsNeverTooFast) {
  StreamSource source;
  TestServer server(std::ref(source), WithLimits({.stream_backlog_bytes = 64 * 1024}));
  RawClient client = RawClient::TcpWithSmallWindow(server->port());
  client.Send(kGet);
  std::promise<void> done;
  WriteSlowly(source.Take(), 200, done);
  RawReply reply = client.Read();
  EXPECT_TRUE(reply.complete);
  EXPECT_EQ(reply.body.size(), 200 * 50'000U);
  done.get_future().wait();
}

TEST(Streaming, TellsASilentWriterThatItsReaderHasLeft) {
  StreamSource source;
  TestServer server(std::ref(source));
  RawClient client = server.Connect();
  client.Send(kGet);
  auto stream = source.Take();
  std::promise<void> gone;
  stream->OnGone([&] { gone.set_value(); });
  client.Close();
  gone.get_future().wait();
}

TEST(Streaming, ThatIsAbortedDoesNotLookWhole) {
  StreamSource source;
  TestServer server(std::ref(source));
  RawClient client = server.Connect();
  client.Send(kGet);
  auto stream = source.Take();
  stream->Write("half");
  stream->Abort();
  EXPECT_FALSE(client.Read().complete);
}

TEST(StreamQueue, CallsWhoeverWaitsOnceAllHasLeft) {
  StreamQueue queue(100, [] {});
  int drained = 0;
  queue.Push("a");
  queue.OnDrained([&] { ++drained; });
  queue.Take();
  EXPECT_EQ(drained, 0);
  queue.Take();
  EXPECT_EQ(drained, 1);
  queue.Close();
  queue.OnDrained([&] { ++drained; });
  queue.OnGone([&] { ++drained; });
  EXPECT_EQ(drained, 3);
}

TEST(StreamQueue, TakesOneLargePieceButNoSecond) {
  StreamQueue queue(10, [] {});
  EXPECT_TRUE(queue.Push(std::string(100, 'x')));
  EXPECT_FALSE(queue.Push("y"));
  EXPECT_TRUE(queue.overrun());
}

TEST(StreamQueue, CountsWhatIsBeingWritten) {
  StreamQueue queue(10, [] {});
  EXPECT_TRUE(queue.Push("12345678"));
  EXPECT_EQ(queue.Take().bytes, "12345678");
  EXPECT_FALSE(queue.Push("123"));
}

TEST(StreamQueue, SharesARoomWithTheOthersOfItsNetwork) {
  auto unsent = std::make_shared<Unsent>(200'000);
  StreamQueue first(1'000'000, [] {}, unsent);
  auto second = std::make_unique<StreamQueue>(1'000'000, [] {}, unsent);
  EXPECT_TRUE(first.Push(std::string(200'000, 'x')));
  EXPECT_FALSE(second->Push(std::string(200'000, 'x')));
  EXPECT_TRUE(second->overrun());
  second = std::make_unique<StreamQueue>(1'000'000, [] {}, unsent);
  EXPECT_TRUE(second->Push(std::string(60'000, 'x'))) << "little counts for nothing";
  first.Take();
  first.Take();  // it has left
  EXPECT_TRUE(second->Push(std::string(140'000, 'x')));
  second.reset();
  EXPECT_TRUE(first.Push(std::string(250'000, 'x')));
}

TEST(StreamQueue, WakesItsReaderOncePerTake) {
  int wakes = 0;
  StreamQueue queue(100, [&] { ++wakes; });
  queue.Push("a");
  queue.Push("b");
  EXPECT_EQ(wakes, 1);
  EXPECT_EQ(queue.Take().bytes, "ab");
  queue.Push("c");
  EXPECT_EQ(wakes, 2);
}

}  // namespace
}  // namespace yard::http::testing
