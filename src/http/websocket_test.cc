#include "http/websocket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <filesystem>
#include <future>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fd.h"
#include "http/reply.h"
#include "http/testing/server_fixture.h"
#include "http/tls.h"
#include "http/websocket_client.h"

namespace yard::http::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Sends back what it gets until the peer closes.
void EchoOn(const std::shared_ptr<WebSocket>& socket) {
  WebSocket& held = *socket;
  held.Receive([socket](std::optional<Message> message) {
    if (!message) return;
    WebSocket& same = *socket;
    same.Send(*std::move(message), [socket](Status sent) {
      if (sent) EchoOn(socket);
    });
  });
}

void EchoHandler(Request request, Respond respond) {
  if (!AsksForWebSocket(request)) return respond(ErrorReply(426, "ask for a WebSocket", ""));
  respond(AcceptWebSocket(std::move(request), {}, EchoOn));
}

// Gives the test the socket of the next request.
class SocketSource {
 public:
  explicit SocketSource(WebSocketOptions options = {}) : options_(std::move(options)) {}
  void operator()(Request request, Respond respond) {
    respond(AcceptWebSocket(std::move(request), options_,
                            [this](auto socket) { opened_.set_value(std::move(socket)); }));
  }
  std::shared_ptr<WebSocket> Take() { return opened_.get_future().get(); }

 private:
  const WebSocketOptions options_;
  std::promise<std::shared_ptr<WebSocket>> opened_;
};

std::optional<Message> Next(WebSocket& socket) {
  std::promise<std::optional<Message>> promise;
  socket.Receive([&](std::optional<Message> message) { promise.set_value(std::move(message)); });
  return promise.get_future().get();
}

WebSocketClientOptions To(std::uint16_t port) {
  return {.url = fmt::format("http://127.0.0.1:{}", port)};
}

std::unique_ptr<WebSocketClient> Connect(const WebSocketClientOptions& options) {
  auto client = WebSocketClient::Connect(options, "/x?y=1");
  YARD_CHECK(client.has_value());
  return *std::move(client);
}

std::string HelloBytes(std::string_view extra = "") {
  return fmt::format(
      "GET /x HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{}\r\n",
      extra);
}

TEST(WebSockets, EchoTextAndBinaryMessagesInOrder) {
  TestServer server(EchoHandler);
  auto client = Connect(To(server->port()));
  for (int i = 0; i < 100; ++i) {
    bool text = i % 2 == 0;
    Message sent{text ? Message::Kind::kText : Message::Kind::kBinary, std::to_string(i)};
    ASSERT_TRUE(client->Send(sent));
    std::optional<Message> back = client->Receive();
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->kind, sent.kind);
    EXPECT_EQ(back->bytes, sent.bytes);
  }
}

TEST(WebSockets, CarryALargeMessageWhole) {
  TestServer server(EchoHandler);
  auto client = Connect(To(server->port()));
  std::string large(1'000'000, 'x');
  large[500'000] = '\0';
  ASSERT_TRUE(client->Send({Message::Kind::kBinary, large}));
  EXPECT_EQ(client->Receive()->bytes, large);
}

TEST(WebSockets, AnswerTheHandshakeWithItsKey) {
  TestServer server(EchoHandler);
  RawClient client = server.Connect();
  client.Send(HelloBytes());
  RawReply reply = client.ReadHeadOnly();
  EXPECT_EQ(reply.status, 101);
  EXPECT_EQ(reply.Find("sec-websocket-accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_NE(reply.Find("x-request-id"), "");
  EXPECT_EQ(reply.Find("sec-websocket-protocol"), "");
}

TEST(WebSockets, NameTheProtocolThatWasChosenAndNoOther) {
  TestServer server([](Request request, Respond respond) {
    respond(AcceptWebSocket(std::move(request), {.protocol = "gpuyard.v1"}, EchoOn));
  });
  RawClient client = server.Connect();
  client.Send(HelloBytes("Sec-WebSocket-Protocol: gpuyard.v1, bearer.secret\r\n"));
  EXPECT_EQ(client.ReadHeadOnly().Find("sec-websocket-protocol"), "gpuyard.v1");
}

TEST(WebSockets, AreOpenedOnlyByAWholeHandshake) {
  TestServer server(EchoHandler);
  for (std::string_view request :
       {"GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"}) {
    RawClient client = server.Connect();
    client.Send(request);
    EXPECT_EQ(client.Read().status, 426) << request;
  }
}

TEST(WebSockets, TellTheClientWhyTheyWereRefused) {
  TestServer server([](Request, Respond respond) {
    respond(ErrorReply(403, "ann may not do this", "ask an administrator"));
  });
  auto refused = WebSocketClient::Connect(To(server->port()), "/x");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().status, 403);
  EXPECT_THAT(refused.error().body, HasSubstr("ann may not do this"));
}

TEST(WebSockets, SayWhenNobodyListens) {
  // Bound and not listened on, so that nobody else can be there.
  const UniqueFd held(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(held.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::getsockname(held.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  auto refused = WebSocketClient::Connect(To(ntohs(address.sin_port)), "/x");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().status, 0);
  EXPECT_THAT(refused.error().error.message, HasSubstr("cannot reach"));
}

TEST(WebSockets, PassHeadersAndTargetToTheServer) {
  std::promise<std::string> seen;
  TestServer server([&](Request request, Respond respond) {
    seen.set_value(request.target + " " + std::string(*request.Find("authorization")));
    respond(AcceptWebSocket(std::move(request), {}, EchoOn));
  });
  WebSocketClientOptions options = To(server->port());
  options.headers = {{"Authorization", "Bearer abc"}};
  auto client = Connect(options);
  EXPECT_EQ(seen.get_future().get(), "/x?y=1 Bearer abc");
}

TEST(WebSockets, CloseAfterWhatIsQueued) {
  SocketSource source;
  TestServer server(std::ref(source));
  auto client = Connect(To(server->port()));
  auto socket = source.Take();
  for (int i = 0; i < 10; ++i) socket->Send({Message::Kind::kBinary, "last words"}, [](Status) {});
  socket->Close(CloseCode::kNormal, "done");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(client->Receive()->bytes, "last words");
  EXPECT_FALSE(client->Receive().has_value());
  EXPECT_FALSE(client->Send({Message::Kind::kBinary, "late"}));
}

TEST(WebSockets, NoticeThatThePeerHasClosed) {
  SocketSource source;
  TestServer server(std::ref(source));
  auto client = Connect(To(server->port()));
  auto socket = source.Take();
  std::jthread leaver([&] { client.reset(); });
  EXPECT_FALSE(Next(*socket).has_value());
  std::promise<Status> sent;
  socket->Send({Message::Kind::kBinary, "anyone?"},
               [&](Status status) { sent.set_value(std::move(status)); });
  EXPECT_FALSE(sent.get_future().get());
  EXPECT_TRUE(Eventually([&] { return server->stats().connections_open == 0; }));
}

TEST(WebSockets, NoticeThatThePeerHasVanishedWithoutAGoodbye) {
  SocketSource source;
  TestServer server(std::ref(source));
  RawClient client = server.Connect();
  client.Send(HelloBytes());
  ASSERT_EQ(client.ReadHeadOnly().status, 101);
  auto socket = source.Take();
  client.Close();
  EXPECT_FALSE(Next(*socket).has_value());
}

TEST(WebSockets, EndAPeerThatAnswersNoPing) {
  SocketSource source({.keep_alive = kSoon});
  TestServer server(std::ref(source));
  RawClient client = server.Connect();
  client.Send(HelloBytes());
  ASSERT_EQ(client.ReadHeadOnly().status, 101);
  auto socket = source.Take();
  EXPECT_FALSE(Next(*socket).has_value());
  std::string got = client.ReadAll();
  ASSERT_FALSE(got.empty());
  EXPECT_EQ(got[0], '\x89');  // a ping was tried
}

TEST(WebSockets, StayOpenWhileThePeerAnswersPings) {
  SocketSource source({.keep_alive = Seconds(1)});  // a busy machine answers within that
  TestServer server(std::ref(source));
  auto client = Connect(To(server->port()));
  auto socket = source.Take();
  std::jthread reader([&] { client->Receive(); });
  auto first = std::async(std::launch::async, [&] { return Next(*socket); });
  EXPECT_EQ(first.wait_for(std::chrono::milliseconds(2500)), std::future_status::timeout);
  EXPECT_TRUE(client->Send({Message::Kind::kBinary, "here"}));
  EXPECT_EQ(first.get()->bytes, "here");
  socket->Close(CloseCode::kNormal, "");
}

TEST(WebSockets, RefuseAMessageOverTheLimit) {
  SocketSource source({.message_bytes = 1000});
  TestServer server(std::ref(source));
  auto client = Connect(To(server->port()));
  auto socket = source.Take();
  (void)client->Send({Message::Kind::kBinary, std::string(1001, 'x')});
  EXPECT_FALSE(Next(*socket).has_value());
  EXPECT_FALSE(client->Receive().has_value());
}

TEST(WebSockets, RefuseFramesThatLieAboutTheirLength) {
  SocketSource source({.message_bytes = 1000});
  TestServer server(std::ref(source));
  RawClient client = server.Connect();
  client.Send(HelloBytes());
  ASSERT_EQ(client.ReadHeadOnly().status, 101);
  auto socket = source.Take();
  // A binary frame that announces 2^62 bytes: refused from its head.
  client.Send(std::string_view("\x82\xff\x40\0\0\0\0\0\0\0\1\2\3\4", 14));
  EXPECT_FALSE(Next(*socket).has_value());
  EXPECT_THAT(client.ReadAll(), HasSubstr("\x03\xf1"));  // 1009
}

TEST(WebSockets, RefuseFramesWithoutAMask) {
  SocketSource source;
  TestServer server(std::ref(source));
  RawClient client = server.Connect();
  client.Send(HelloBytes());
  ASSERT_EQ(client.ReadHeadOnly().status, 101);
  auto socket = source.Take();
  client.Send(std::string_view("\x82\x02hi", 4));
  EXPECT_FALSE(Next(*socket).has_value());
}

TEST(WebSockets, HoldASlowReaderBackAndKeepEveryByte) {
  SocketSource source;
  TestServer server(std::ref(source));
  auto client = Connect(To(server->port()));
  auto socket = source.Take();
  std::jthread producer([&] {
    for (int i = 0; i < 200; ++i) {
      std::promise<Status> sent;
      socket->Send({Message::Kind::kBinary, std::string(100'000, static_cast<char>('a' + i % 26))},
                   [&](Status status) { sent.set_value(std::move(status)); });
      EXPECT_TRUE(sent.get_future().get());
    }
    socket->Close(CloseCode::kNormal, "");
  });
  int count = 0;
  while (std::optional<Message> message = client->Receive()) {
    EXPECT_EQ(message->bytes, std::string(100'000, static_cast<char>('a' + count % 26)));
    ++count;
  }
  EXPECT_EQ(count, 200);
}

TEST(WebSockets, QueueNoMoreThanTheirBoundForAPeerThatDoesNotRead) {
  SocketSource source({.backlog_bytes = 1'000'000});
  TestServer server(std::ref(source));
  RawClient client = RawClient::TcpWithSmallWindow(server->port());
  client.Send(HelloBytes());
  auto socket = source.Take();
  std::promise<Status> refused;
  std::atomic<bool> told = false;
  for (int i = 0; i < 500; ++i) {
    socket->Send({Message::Kind::kBinary, std::string(100'000, 'x')}, [&](Status status) {
      if (!status && !told.exchange(true)) refused.set_value(std::move(status));
    });
  }
  Status outcome = refused.get_future().get();
  EXPECT_EQ(outcome.error().code, Code::kTooMany);
  server->Stop(Micros(0));
}

TEST(WebSockets, ASenderIsNotReadFasterThanItsReceiverAsks) {
  SocketSource source;
  TestServer server(std::ref(source));
  auto client = Connect(To(server->port()));
  auto socket = source.Take();
  std::atomic<int> sent = 0;
  std::jthread producer([&] {
    while (client->Send({Message::Kind::kBinary, std::string(500'000, 'x')})) ++sent;
  });
  EXPECT_EQ(Next(*socket)->bytes.size(), 500'000U);
  std::uint64_t before = server->stats().bytes_in;
  EXPECT_LT(before, 2'000'000U);
  socket->Close(CloseCode::kGoingAway, "");
  client->Close();
}

// No timeout is left that could end it.
TEST(WebSockets, EndAClientThatStillSendsWhenTheyAreClosed) {
  const WebSocketOptions endless{.keep_alive = Hours(1), .handshake_timeout = Hours(1)};
  SocketSource source(endless);
  TestServer server(std::ref(source));
  WebSocketClientOptions options = To(server->port());
  options.socket = endless;
  auto client = Connect(options);
  auto socket = source.Take();
  std::jthread producer([&] {
    while (client->Send({Message::Kind::kBinary, std::string(32'000, 'x')})) {
    }
  });
  EXPECT_TRUE(Next(*socket).has_value());
  socket->Close(CloseCode::kNormal, "enough");
  EXPECT_FALSE(client->Receive().has_value());
  producer.join();
}

TEST(WebSockets, SayGoodbyeWhenTheServerStops) {
  SocketSource source;
  TestServer server(std::ref(source));
  auto client = Connect(To(server->port()));
  auto socket = source.Take();
  std::jthread stopper([&] { server->Stop(Seconds(20)); });
  EXPECT_FALSE(client->Receive().has_value());
  stopper.join();
  EXPECT_EQ(server->stats().connections_open, 0U);
}

TEST(WebSockets, DoNotHoldUpAStopWhenThePeerDoesNotAnswer) {
  SocketSource source;
  TestServer server(std::ref(source));
  RawClient client = server.Connect();
  client.Send(HelloBytes());
  ASSERT_EQ(client.ReadHeadOnly().status, 101);
  auto socket = source.Take();
  server->Stop(kSoon);
  EXPECT_EQ(server->stats().connections_open, 0U);
}

TEST(WebSockets, OutliveTheirServerWithoutEffect) {
  SocketSource source;
  std::shared_ptr<WebSocket> socket;
  {
    TestServer server(std::ref(source));
    RawClient client = server.Connect();
    client.Send(HelloBytes());
    socket = source.Take();
  }
  socket->Send({Message::Kind::kBinary, "nobody hears this"}, [](Status) {});
}

class TempFolder {
 public:
  TempFolder() {
    char pattern[] = "/tmp/yard_ws_XXXXXX";
    path_ = mkdtemp(pattern);
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  std::string File(std::string_view name) const { return fmt::format("{}/{}", path_, name); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class SecureWebSockets : public ::testing::Test {
 protected:
  SecureWebSockets() : server_(EchoHandler, Options()) {}
  ServerOptions Options() {
    ServerOptions options;
    options.tls = EnsureCertificates(dir_.path(), {}, SystemClock()).value();
    options.unix_path = dir_.File("socket");
    return options;
  }
  std::string Url() { return fmt::format("https://localhost:{}", server_->port()); }

  TempFolder dir_;
  TestServer server_;
};

TEST_F(SecureWebSockets, WorkOverTlsWithTheAuthority) {
  auto client = Connect({.url = Url(), .ca_file = dir_.File("ca.crt")});
  std::string large(900'000, 's');
  ASSERT_TRUE(client->Send({Message::Kind::kBinary, large}));
  EXPECT_EQ(client->Receive()->bytes, large);
}

TEST_F(SecureWebSockets, AreNotOpenedToAServerNobodyVouchesFor) {
  auto refused = WebSocketClient::Connect({.url = Url()}, "/x");
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().error.message, HasSubstr("not trusted"));
}

TEST_F(SecureWebSockets, AreNotOpenedUnderAnotherName) {
  std::string url = fmt::format("https://127.0.0.2:{}", server_->port());
  auto refused = WebSocketClient::Connect({.url = url, .ca_file = dir_.File("ca.crt")}, "/x");
  EXPECT_FALSE(refused.has_value());
}

TEST_F(SecureWebSockets, WorkPlainlyOverTheUnixSocket) {
  auto client = Connect({.url = "http://localhost", .unix_socket = dir_.File("socket")});
  ASSERT_TRUE(client->Send({Message::Kind::kText, "hello"}));
  EXPECT_EQ(client->Receive()->bytes, "hello");
}

TEST(Protocols, AreReadFromEveryHeaderLine) {
  Request request{
      .headers = {{"sec-websocket-protocol", "a , b"}, {"sec-websocket-protocol", "bearer.x"}}};
  EXPECT_THAT(OfferedProtocols(request), ElementsAre("a", "b", "bearer.x"));
  EXPECT_THAT(OfferedProtocols({}), IsEmpty());
}

}  // namespace
}  // namespace yard::http::testing
