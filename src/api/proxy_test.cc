// The proxy between a real client and a real tool, both on this machine.
#include "serve/proxy/proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <functional>
#include <future>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/live_site.h"
#include "api/testing/plain_client.h"
#include "base/check.h"
#include "http/server.h"
#include "http/websocket.h"

namespace yard::api {
namespace {

using http::Message;
using ::testing::HasSubstr;
using testing::kAdmin;
using testing::LiveSite;
using ::testing::Not;
using testing::PlainClient;
using testing::Response;

void EchoOn(const std::shared_ptr<http::WebSocket>& socket) {
  http::WebSocket& held = *socket;
  held.Receive([socket](std::optional<Message> message) {
    if (!message) return;
    http::WebSocket& same = *socket;
    same.Send(*std::move(message), [socket](Status) { EchoOn(socket); });
  });
}

// A tool: says what it got, streams, opens WebSockets.
class FakeTool final : public http::Handler {
 public:
  FakeTool() {
    auto started = http::Server::Start({}, *this);
    YARD_CHECK(started.has_value());
    server_ = *std::move(started);
  }
  void Handle(http::Request request, http::Respond respond) override {
    std::string_view path = request.path();
    if (http::AsksForWebSocket(request)) {
      return respond(http::AcceptWebSocket(std::move(request), {}, EchoOn));
    }
    if (path.ends_with("/stream")) return respond(Streamed());
    http::Reply reply;
    reply.content_type = "text/plain";
    reply.headers = {{"X-Tool", "yes"}, {"Set-Cookie", "tool=1; Path=/"}};
    if (path.ends_with("/large")) {
      reply.body.assign(3'000'000, 'L');
    } else {
      reply.body = request.target + "|" + request.body;
      for (const http::Header& header : request.headers) {
        reply.body += fmt::format("|{}={}", header.first, header.second);
      }
    }
    respond(std::move(reply));
  }
  std::uint16_t port() const { return server_->port(); }
  std::shared_ptr<http::Stream> TakeStream() { return stream_.get_future().get(); }

 private:
  http::Reply Streamed() {
    http::Reply reply;
    reply.content_type = "text/event-stream";
    reply.stream = [this](std::shared_ptr<http::Stream> stream) {
      stream_.set_value(std::move(stream));
    };
    return reply;
  }

  std::promise<std::shared_ptr<http::Stream>> stream_;
  std::unique_ptr<http::Server> server_;
};

// A tool that follows no rules: one connection is given to `serve`.
class RawTool {
 public:
  explicit RawTool(std::function<void(int fd)> serve)
      : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* place = reinterpret_cast<sockaddr*>(&address);
    YARD_CHECK(bind(listener_.get(), place, size) == 0 && listen(listener_.get(), 1) == 0);
    YARD_CHECK(getsockname(listener_.get(), place, &size) == 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this, serve = std::move(serve)] {
      UniqueFd fd(accept(listener_.get(), nullptr, nullptr));
      serve(fd.get());
    });
  }
  std::uint16_t port() const { return port_; }
  void Join() { thread_.join(); }

 private:
  const UniqueFd listener_;
  std::uint16_t port_ = 0;
  std::jthread thread_;
};

class Tools : public ::testing::Test {
 protected:
  Tools() {
    site_.live.ports[8888] = tool_.port();
    MakeTool("jupyter", R"({"container":8888})");
  }
  void MakeTool(std::string_view name, std::string_view url) {
    Response made = site_.admin.Post(
        "/api/v1/workloads/workspaces",
        fmt::format(R"({{"name":"{}","projectId":"{}","clusterId":"{}",)"
                    R"("spec":{{"image":"i","exposedUrls":[{}]}}}})",
                    name, site_.project.value, FormatUuid(site_.harness.cluster().value), url));
    if (made.status != 200) CheckFailed(made.body.c_str(), __FILE__, __LINE__);
  }
  std::string Token() { return site_.harness.TokenOf(kAdmin); }
  // As a browser does it, with the cookie.
  PlainClient::Answer Browse(std::string_view target) {
    return PlainClient(site_.port())
        .Send(fmt::format("GET {} HTTP/1.1\r\nHost: gpu.lab\r\nConnection: close\r\n"
                          "Cookie: own=1; gpuyard_session={}\r\n\r\n",
                          target, Token()));
  }
  int StatusFor(std::string_view email, std::string_view target) {
    return site_.harness.As(email).Get(std::string(target)).status;
  }

  FakeTool tool_;
  LiveSite site_;
};

TEST_F(Tools, AreReachedWithTheSessionsCookie) {
  auto answer = Browse("/vision/jupyter/lab?token=1");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr("/vision/jupyter/lab?token=1|"));
  EXPECT_THAT(answer.body, HasSubstr("|cookie=own=1|"));
  EXPECT_THAT(answer.body, HasSubstr("|host=gpu.lab|"));
  EXPECT_THAT(answer.body, HasSubstr("|x-forwarded-user=admin@lab.org|"));
  EXPECT_THAT(answer.body, Not(HasSubstr("gpuyard_session")));
  EXPECT_THAT(answer.head, HasSubstr("tool=1; Path=/vision/jupyter"));
  EXPECT_THAT(answer.head, HasSubstr("x-tool: yes"));
}

TEST_F(Tools, KeepTheBrowsersConnection) {
  PlainClient client(site_.port());
  for (int i = 0; i < 3; ++i) {
    auto answer = client.Send(fmt::format(
        "GET /vision/jupyter/{} HTTP/1.1\r\nHost: h\r\nCookie: gpuyard_session={}\r\n\r\n", i,
        Token()));
    EXPECT_EQ(answer.status, 200);
    EXPECT_THAT(answer.body, HasSubstr(fmt::format("/vision/jupyter/{}|", i)));
  }
}

TEST_F(Tools, GetTheBodyThatWasSent) {
  std::string body(200'000, 'b');
  auto answer = PlainClient(site_.port())
                    .Send(fmt::format("POST /vision/jupyter/api HTTP/1.1\r\nHost: h\r\n"
                                      "Connection: close\r\nCookie: gpuyard_session={}\r\n"
                                      "Content-Length: {}\r\n\r\n{}",
                                      Token(), body.size(), body));
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr("|" + body + "|"));
}

TEST_F(Tools, MayAnswerAtLength) {
  auto answer = Browse("/vision/jupyter/large");
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(answer.whole);
  EXPECT_EQ(answer.body, std::string(3'000'000, 'L'));
}

TEST_F(Tools, MayAnswerBitByBit) {
  PlainClient client(site_.port());
  client.Write(fmt::format(
      "GET /vision/jupyter/stream HTTP/1.1\r\nHost: h\r\nCookie: gpuyard_session={}\r\n\r\n",
      Token()));
  auto stream = tool_.TakeStream();
  stream->Write("data: one\n\n");
  EXPECT_THAT(client.ReadUntil("data: one"), HasSubstr("text/event-stream"));
  stream->Write("data: two\n\n");
  client.ReadUntil("data: two");
  stream.reset();
  client.ReadUntil("0\r\n\r\n");
}

TEST_F(Tools, SpeakWebSocketThroughTheProxy) {
  http::WebSocketClientOptions options{.url = fmt::format("http://127.0.0.1:{}", site_.port())};
  options.headers = {{"Cookie", "gpuyard_session=" + Token()}};
  auto client = http::WebSocketClient::Connect(options, "/vision/jupyter/api/kernels/1/channels");
  ASSERT_TRUE(client.has_value()) << client.error().error.message;
  std::string large(500'000, 'w');
  for (const std::string& text : {std::string("hello"), large}) {
    ASSERT_TRUE((*client)->Send({Message::Kind::kText, text}));
    std::optional<Message> back = (*client)->Receive();
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->kind, Message::Kind::kText);
    EXPECT_EQ(back->bytes, text);
  }
}

TEST_F(Tools, AreHiddenFromWhoeverShowsNoCredentials) {
  auto there = PlainClient(site_.port()).Send("GET /vision/jupyter/ HTTP/1.1\r\nHost: h\r\n\r\n");
  auto nothing = PlainClient(site_.port()).Send("GET /vision/nothing/ HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(there.status, nothing.status);
  EXPECT_EQ(there.body, nothing.body);
  auto expired = PlainClient(site_.port())
                     .Send(
                         "GET /vision/jupyter/ HTTP/1.1\r\nHost: h\r\n"
                         "Cookie: gpuyard_session=nonsense\r\n\r\n");
  EXPECT_EQ(expired.status, 401);
}

TEST_F(Tools, AreForWhoeverMayChangeTheWorkUnlessTheyNameTheirUsers) {
  MakeTool("shared", R"({"container":8888,"authorizationType":"authenticatedUsers"})");
  MakeTool("named", R"({"container":8888,"authorizationType":"authorizedUsersOrGroups",)"
                    R"("authorizedUsers":["ann@lab.org"]})");
  site_.harness.Grant("ann@lab.org", "Viewer", Scope::Of(site_.project));
  site_.harness.Grant("bob@lab.org", "L1 researcher", Scope::Of(site_.project));
  EXPECT_EQ(StatusFor("ann@lab.org", "/vision/jupyter/"), 403);
  EXPECT_EQ(StatusFor("ann@lab.org", "/vision/shared/"), 200);
  EXPECT_EQ(StatusFor("ann@lab.org", "/vision/named/"), 200);
  EXPECT_EQ(StatusFor("bob@lab.org", "/vision/jupyter/"), 200);
  EXPECT_EQ(StatusFor("bob@lab.org", "/vision/named/"), 403);
  EXPECT_EQ(StatusFor("eve@lab.org", "/vision/shared/"), 403);
}

TEST_F(Tools, AreNotLeftByDotsInThePath) {
  for (std::string_view path :
       {"/vision/jupyter/../../api", "/vision/jupyter/%2e%2e/x", "/vision/jupyter/./x"}) {
    EXPECT_EQ(Browse(path).status, 400) << path;
  }
}

TEST_F(Tools, SayWhatIsMissing) {
  EXPECT_EQ(StatusFor(kAdmin, "/vision/notebook/"), 404);  // exposes nothing
  MakeTool("dead", R"({"container":9})");
  auto answer = Browse("/vision/dead/");
  EXPECT_EQ(answer.status, 502);
  EXPECT_THAT(answer.body, HasSubstr("nobody listens on port 9"));
}

TEST_F(Tools, ThatNeverComeToTheirAnswerFailAlone) {
  RawTool endless([](int fd) {
    std::string some;
    for (int i = 0; i < 1000; ++i) some += "HTTP/1.1 100 Continue\r\n\r\n";
    while (send(fd, some.data(), some.size(), MSG_NOSIGNAL) > 0) {
    }
  });
  site_.live.ports[9000] = endless.port();
  MakeTool("endless", R"({"container":9000})");
  auto answer = Browse("/vision/endless/");
  EXPECT_EQ(answer.status, 502);
  EXPECT_THAT(answer.body, HasSubstr("never comes to its answer"));
  EXPECT_EQ(Browse("/vision/jupyter/").status, 200);
}

TEST_F(Tools, AreLeftWithTheBrowserThatLeavesBeforeTheyAnswer) {
  std::promise<void> asked;
  std::promise<void> left;
  RawTool silent([&](int fd) {
    std::array<char, 4096> bytes{};
    EXPECT_GT(recv(fd, bytes.data(), bytes.size(), 0), 0);
    asked.set_value();
    while (recv(fd, bytes.data(), bytes.size(), 0) > 0) {
    }
    left.set_value();
  });
  site_.live.ports[9000] = silent.port();
  MakeTool("silent", R"({"container":9000})");
  {
    PlainClient browser(site_.port());
    browser.Write(fmt::format(
        "GET /vision/silent/ HTTP/1.1\r\nHost: h\r\nCookie: gpuyard_session={}\r\n\r\n", Token()));
    asked.get_future().wait();
  }
  // Long before the server or the proxy would lose patience.
  EXPECT_EQ(left.get_future().wait_for(std::chrono::seconds(40)), std::future_status::ready);
}

TEST_F(Tools, TheSessionsCookieComesFromAToken) {
  Response opened = site_.harness.Bearing(Token()).Post("/api/v1/session");
  EXPECT_EQ(opened.status, 204);
  ASSERT_EQ(opened.headers.front().first, "Set-Cookie");
  EXPECT_THAT(opened.headers.front().second, HasSubstr("gpuyard_session=" + Token()));
  EXPECT_EQ(site_.harness.Nobody().Post("/api/v1/session").status, 401);
  EXPECT_EQ(site_.harness.OnSocket(500).Post("/api/v1/session").status, 400);
  Response ended = site_.harness.Nobody().Delete("/api/v1/session");
  EXPECT_THAT(ended.headers.front().second, HasSubstr("Max-Age=0"));
}

TEST_F(Tools, TheCookieOpensNoRouteOfTheApi) {
  testing::Caller caller(site_.harness.server(), {{"cookie", "gpuyard_session=" + Token()}});
  EXPECT_EQ(caller.Get("/api/v1/workloads").status, 401);
}

}  // namespace
}  // namespace yard::api
