#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <future>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "api/testing/live_site.h"
#include "api/testing/stream_recorder.h"
#include "base/fd.h"

namespace yard::api {
namespace {

using http::Message;
using ::testing::ElementsAre;
using testing::EngineRoom;
using testing::FakeLive;
using ::testing::HasSubstr;
using testing::kAdmin;
using testing::LiveSite;
using testing::Response;
using testing::StreamRecorder;

std::string In(std::string_view bytes) {
  return std::string(1, '\0') + std::string(bytes);
}
std::string Control(std::string_view json) {
  return "\3" + std::string(json);
}

// What came on each channel until the end.
struct Heard {
  std::string output;
  std::string errors;
  std::string last;  // the last control message
};

Heard HearAll(http::WebSocketClient& client) {
  Heard heard;
  while (std::optional<Message> message = client.Receive()) {
    std::string_view bytes = message->bytes;
    if (bytes.starts_with('\1')) heard.output += bytes.substr(1);
    if (bytes.starts_with('\2')) heard.errors += bytes.substr(1);
    if (bytes.starts_with('\3')) heard.last = bytes.substr(1);
  }
  return heard;
}

class Sessions : public ::testing::Test {
 protected:
  static void Send(http::WebSocketClient& client, std::string bytes) {
    EXPECT_TRUE(client.Send({Message::Kind::kBinary, std::move(bytes)}));
  }

  LiveSite site_;
};

TEST_F(Sessions, ACommandGetsItsInputAndGivesOutputErrorsAndExitCode) {
  auto client = site_.Open("/exec?command=cat&command=-n&rank=2");
  Send(*client, In("hello "));
  Send(*client, In("world"));
  Send(*client, Control(R"({"closeInput":true})"));
  Heard heard = HearAll(*client);
  EXPECT_EQ(heard.output, "hello world");
  EXPECT_EQ(heard.errors, "to stderr");
  EXPECT_EQ(heard.last, R"({"exit":7})");
  EXPECT_THAT(site_.live.commands, ElementsAre(ElementsAre("cat", "-n")));
  EXPECT_EQ(site_.live.last_task.rank, 2);
}

TEST_F(Sessions, MuchOutputArrivesWhole) {
  auto client = site_.Open("/exec?command=flood");
  Heard heard = HearAll(*client);
  EXPECT_EQ(heard.output, std::string(FakeLive::kFlood, 'f'));
  EXPECT_EQ(heard.last, R"({"exit":7})");
}

TEST_F(Sessions, MuchInputArrivesWhole) {
  auto client = site_.Open("/exec?command=cat");
  std::string piece(100'000, 'i');
  std::jthread sender([&] {
    for (int i = 0; i < 20; ++i) Send(*client, In(piece));
    Send(*client, Control(R"({"closeInput":true})"));
  });
  EXPECT_EQ(HearAll(*client).output.size(), 2'000'000U);
}

TEST_F(Sessions, ATerminalIsResized) {
  auto client = site_.Open("/exec?command=sh&tty=true&rows=10&columns=20");
  Send(*client, Control(R"({"resize":{"rows":50,"columns":132}})"));
  EXPECT_EQ(site_.live.AwaitResize(), std::make_pair(std::uint16_t{50}, std::uint16_t{132}));
}

TEST_F(Sessions, AClientThatLeavesHangsUp) {
  auto client = site_.Open("/exec?command=cat");
  client.reset();
  site_.live.AwaitHangUps(1);
}

// Ann, who may change the notebook by one rule.
class OfAnn : public Sessions {
 protected:
  OfAnn() {
    Response made = site_.admin.Post("/api/v1/users", R"({"email":"ann@lab.org"})");
    user_ = "/api/v1/users/" + std::string(made.Json().at("id").as_string());
    site_.harness.Grant("ann@lab.org", "L1 researcher", Scope::Of(site_.project));
    token_ = site_.harness.TokenOf("ann@lab.org");
  }
  std::unique_ptr<http::WebSocketClient> OpenAsAnn(std::string_view rest) {
    auto client = site_.TryOpen(rest, {{"Authorization", "Bearer " + token_}});
    EXPECT_TRUE(client.has_value()) << rest;
    return *std::move(client);
  }
  void EndHerRule() {
    std::string rules = "/api/v1/authorization/access-rules";
    json::value found = site_.admin.Get(rules + "?subjectIdFilter=ann").Json();
    std::int64_t id = found.at("accessRules").at(0).at("id").as_int64();
    EXPECT_EQ(site_.admin.Delete(fmt::format("{}/{}", rules, id)).status, 204);
  }

  std::string user_;
  std::string token_;
};

TEST_F(OfAnn, AnOpenShellEndsWithTheRightToIt) {
  auto client = OpenAsAnn("/exec?command=cat");
  EndHerRule();
  EXPECT_EQ(HearAll(*client).last, "") << "it is closed, and the command did not end";
  site_.live.AwaitHangUps(1);
}

// A port from which nothing comes, not even an end.
class SilentPort {
 public:
  SilentPort() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    bool listens = bind(listener_.get(), plain, length) == 0 && listen(listener_.get(), 8) == 0 &&
                   getsockname(listener_.get(), plain, &length) == 0;
    EXPECT_TRUE(listens);
    number_ = ntohs(address.sin_port);
  }
  std::uint16_t number() const { return number_; }

 private:
  UniqueFd listener_;
  std::uint16_t number_ = 0;
};

bool IsEnded(http::WebSocketClient& client) {
  auto heard = std::async(std::launch::async, [&] { return client.Receive(); });
  bool ended = heard.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
  if (!ended) client.Close();
  return !heard.get().has_value() && ended;
}

TEST_F(OfAnn, AnOpenPortEndsWithTheRightToIt) {
  SilentPort port;
  site_.live.ports[8888] = port.number();
  auto client = OpenAsAnn("/ports/8888");
  EndHerRule();
  EXPECT_TRUE(IsEnded(*client));
}

TEST_F(OfAnn, AnOpenPortEndsWhereOnlyTheOwnerMayEnter) {
  SilentPort port;
  site_.live.ports[8888] = port.number();
  auto client = OpenAsAnn("/ports/8888");
  site_.live.runs_as_owner = true;
  EXPECT_TRUE(IsEnded(*client));
}

TEST_F(OfAnn, AnOpenShellEndsWithASignOutAndWithTheUser) {
  auto first = OpenAsAnn("/exec?command=cat");
  EXPECT_EQ(site_.admin.Post(user_ + "/logout").status, 200);
  HearAll(*first);
  token_ = site_.harness.TokenOf("ann@lab.org");
  auto second = OpenAsAnn("/exec?command=cat");
  EXPECT_EQ(site_.admin.Delete(user_).status, 204);
  HearAll(*second);
  site_.live.AwaitHangUps(2);
}

TEST_F(Sessions, NonsenseEndsTheSessionWithItsReason) {
  for (std::string message : {std::string("\7what"), Control("not json"), Control("[1]")}) {
    auto client = site_.Open("/exec?command=cat");
    Send(*client, message);
    EXPECT_THAT(HearAll(*client).last, HasSubstr("error"));
  }
  auto client = site_.Open("/exec?command=cat");
  Send(*client, "");
  Send(*client, Control(R"({"later":"orders"})"));
  Send(*client, Control(R"({"resize":{"rows":-5,"columns":"many"}})"));
  Send(*client, Control(R"({"closeInput":true})"));
  EXPECT_EQ(HearAll(*client).last, R"({"exit":7})");
}

TEST_F(Sessions, WhatTheEngineRefusesIsAnsweredBeforeTheUpgrade) {
  site_.live.refusal = Error{Code::kPrecondition, "the task has ended"};
  http::Header admin{"Authorization", "User " + std::string(kAdmin)};
  for (std::string_view rest :
       {"/exec?command=ls", "/attach", "/ports/80", "/files/upload?path=/x"}) {
    auto refused = site_.TryOpen(rest, {admin});
    ASSERT_FALSE(refused.has_value()) << rest;
    EXPECT_EQ(refused.error().status, 412) << rest;
    EXPECT_THAT(refused.error().body, HasSubstr("the task has ended"));
  }
}

TEST_F(Sessions, AreRefusedWithoutCommandPathOrPort) {
  http::Header admin{"Authorization", "User " + std::string(kAdmin)};
  for (std::string_view rest :
       {"/exec", "/files/upload", "/ports/0", "/ports/70000", "/ports/ssh"}) {
    auto refused = site_.TryOpen(rest, {admin});
    ASSERT_FALSE(refused.has_value()) << rest;
    EXPECT_EQ(refused.error().status, 400) << rest;
  }
}

TEST_F(Sessions, AskForAWebSocket) {
  Response r = site_.admin.Get(site_.Path("/exec?command=ls"));
  EXPECT_EQ(r.status, 426);
  EXPECT_TRUE(site_.live.commands.empty());
}

TEST_F(Sessions, AreClosedToStrangers) {
  EXPECT_EQ(site_.TryOpen("/exec?command=ls", {}).error().status, 401);
  auto stranger = site_.TryOpen("/exec?command=ls", {{"Authorization", "User eve@lab.org"}});
  EXPECT_EQ(stranger.error().status, 403);
  site_.harness.Grant("viewer@lab.org", "Viewer", Scope::Of(site_.project));
  auto viewer = site_.TryOpen("/exec?command=ls", {{"Authorization", "User viewer@lab.org"}});
  EXPECT_EQ(viewer.error().status, 403);
  EXPECT_TRUE(site_.live.commands.empty());
}

TEST_F(Sessions, UnderAPersonsAccountAreThatPersonsAlone) {
  site_.live.runs_as_owner = true;
  site_.harness.Grant("ann@lab.org", "L1 researcher", Scope::Of(site_.project));
  for (std::string_view rest : {"/exec?command=ls", "/attach", "/files/upload?path=/x"}) {
    auto other = site_.TryOpen(rest, {{"Authorization", "User ann@lab.org"}});
    ASSERT_FALSE(other.has_value()) << rest;
    EXPECT_EQ(other.error().status, 403) << rest;
    EXPECT_THAT(other.error().body, HasSubstr("who alone may enter it"));
  }
  EXPECT_TRUE(site_.TryOpen("/attach", {{"Authorization", "User " + std::string(kAdmin)}}));
}

TEST_F(OfAnn, DependOnWhatHerProjectLetsItsMembersDo) {
  const std::string project = fmt::format("/api/v1/org-unit/projects/{}", site_.project.value);
  auto set = [&](std::string_view access) {
    json::value resources = site_.admin.Get(project).Json().at("resources");
    json::object body{{"resources", resources}, {"workAccess", access}};
    Response done = site_.admin.Put(project, json::serialize(body));
    ASSERT_EQ(done.status, 200) << done.body;
    EXPECT_EQ(std::string_view(done.Json().at("workAccess").as_string()), access);
  };
  auto cancel = [&] {
    return site_.harness.As("ann@lab.org").Post(site_.Path("/cancel"), "{}").status;
  };
  auto enter = [&](std::string_view who) {
    auto tried =
        site_.TryOpen("/exec?command=cat", {{"Authorization", "User " + std::string(who)}});
    return tried.has_value() ? 101 : tried.error().status;
  };
  EXPECT_EQ(enter("ann@lab.org"), 101)
      << "a team shares its work unless its project says otherwise";
  set("guarded");
  EXPECT_EQ(enter("ann@lab.org"), 403);
  EXPECT_EQ(enter(kAdmin), 101);
  set("private");
  EXPECT_EQ(enter("ann@lab.org"), 403);
  EXPECT_EQ(cancel(), 403);
  set("guarded");
  EXPECT_NE(cancel(), 403) << "orders to the work of others are as in Run:ai";
}

TEST_F(Sessions, TakeABrowsersTokenFromTheSubProtocols) {
  std::string token = site_.harness.TokenOf(kAdmin);
  http::Header offered{"Sec-WebSocket-Protocol", "gpuyard.v1, bearer." + token};
  auto client = site_.TryOpen("/exec?command=cat", {offered});
  ASSERT_TRUE(client.has_value()) << client.error().body;
  auto wrong = site_.TryOpen("/exec?command=cat",
                             {{"Sec-WebSocket-Protocol", "gpuyard.v1, bearer.nonsense"}});
  EXPECT_EQ(wrong.error().status, 401);
}

TEST_F(Sessions, ATokenAmongTheSubProtocolsOpensNothingButWebSockets) {
  std::string token = site_.harness.TokenOf(kAdmin);
  testing::Caller caller(site_.harness.server(), {{"sec-websocket-protocol", "bearer." + token}});
  EXPECT_EQ(caller.Get("/api/v1/workloads").status, 401);
}

TEST_F(Sessions, AttachIsTheTasksOwnTerminal) {
  auto client = site_.Open("/attach?rank=1");
  Send(*client, In("typed"));
  EXPECT_EQ(client->Receive()->bytes.substr(1).size() > 0, true);
  EXPECT_EQ(site_.live.last_task.rank, 1);
}

TEST_F(Sessions, AnUploadIsWholeBeforeItIsConfirmed) {
  auto client = site_.Open("/files/upload?path=/data");
  Send(*client, In("tar "));
  Send(*client, In("bytes"));
  Send(*client, Control(R"({"closeInput":true})"));
  EXPECT_EQ(HearAll(*client).last, R"({"exit":0})");
  EXPECT_EQ(site_.live.AwaitUpload(), "tar bytes");
}

TEST_F(Sessions, APortCarriesBytesBothWays) {
  site_.live.ports[8888] = site_.port();  // the API itself is a server that answers
  auto client = site_.Open("/ports/8888");
  Send(*client, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  std::string got;
  while (std::optional<Message> message = client->Receive()) got += message->bytes;
  EXPECT_THAT(got, HasSubstr("HTTP/1.1 200 OK"));
  EXPECT_THAT(got, HasSubstr(R"({"status":"ok"})"));
}

TEST_F(Sessions, APortNobodyListensOnIsUnavailable) {
  http::Header admin{"Authorization", "User " + std::string(kAdmin)};
  EXPECT_EQ(site_.TryOpen("/ports/9", {admin}).error().status, 503);
}

TEST_F(Sessions, FilesComeAsATarStream) {
  StreamRecorder recorder;
  http::Reply reply = site_.Ask(site_.Path("/files?path=/data"));
  ASSERT_EQ(reply.status, 200);
  EXPECT_EQ(reply.content_type, "application/x-tar");
  EXPECT_EQ(reply.body, "tar of /data");
  reply.stream(recorder.stream());
  recorder.WaitForEnd();
  EXPECT_EQ(recorder.ending(), StreamRecorder::Ending::kWhole);
}

TEST_F(Sessions, AMissingFileIsToldInTheWordsOfTheTransfer) {
  Response r = site_.admin.Get(site_.Path("/files?path=/missing"));
  EXPECT_EQ(r.status, 404);
  EXPECT_THAT(r.body, HasSubstr("tar: /missing: no such file"));
  EXPECT_EQ(site_.admin.Get(site_.Path("/files")).status, 400);
}

TEST_F(Sessions, ABrokenDownloadDoesNotLookWhole) {
  StreamRecorder recorder;
  http::Reply reply = site_.Ask(site_.Path("/files?path=/half"));
  ASSERT_EQ(reply.status, 200);
  reply.stream(recorder.stream());
  recorder.WaitForEnd();
  EXPECT_EQ(recorder.ending(), StreamRecorder::Ending::kAborted);
}

TEST(SessionsWithoutAnEngine, SayThatNoneRuns) {
  LiveSite site(EngineRoom::kNone);
  http::Header admin{"Authorization", "User " + std::string(kAdmin)};
  EXPECT_EQ(site.TryOpen("/exec?command=ls", {admin}).error().status, 503);
}

}  // namespace
}  // namespace yard::api
