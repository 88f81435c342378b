#include "http/server.h"

#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/gzip.h"
#include "http/testing/server_fixture.h"

namespace yard::http::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kGet = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n";

std::string Post(std::string_view headers, std::string_view body) {
  return fmt::format("POST /p HTTP/1.1\r\nHost: h\r\n{}Content-Length: {}\r\n\r\n{}", headers,
                     body.size(), body);
}

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
}

TEST(Server, KeepsAConnectionForManyRequests) {
  TestServer server(TestServer::Echo);
  RawClient client = server.Connect();
  for (int i = 0; i < 100; ++i) {
    client.Send(fmt::format("POST /{} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi", i));
    ASSERT_EQ(client.Read().body, fmt::format("/{}|hi", i));
  }
  EXPECT_EQ(server->stats().connections_total, 1u);
  EXPECT_EQ(server->stats().requests_total, 100u);
}

TEST(Server, AnswersPipelinedRequestsInOrderEvenIfTheFirstIsSlow) {
  std::promise<Respond> first;
  TestServer server([&](Request request, Respond respond) {
    if (request.target == "/0") return first.set_value(std::move(respond));
    TestServer::Echo(std::move(request), std::move(respond));
  });
  RawClient client = server.Connect();
  std::string all;
  for (int i = 0; i < 50; ++i) all += fmt::format("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", i);
  client.Send(all);
  first.get_future().get()(TextReply("/0|"));
  for (int i = 0; i < 50; ++i) ASSERT_EQ(client.Read().body, fmt::format("/{}|", i));
}

TEST(Server, AnswersFromAnotherThread) {
  std::promise<Respond> parked;
  TestServer server([&](Request, Respond respond) { parked.set_value(std::move(respond)); });
  RawClient client = server.Connect();
  client.Send(kGet);
  Respond respond = parked.get_future().get();
  std::thread([&] { respond(TextReply("late")); }).join();
  EXPECT_EQ(client.Read().body, "late");
}

TEST(Server, AnswersForAHandlerThatForgets) {
  TestServer server([](Request, Respond) {});
  RawClient client = server.Connect();
  client.Send(kGet);
  RawReply reply = client.Read();
  EXPECT_EQ(reply.status, 500);
  EXPECT_THAT(reply.body, HasSubstr(reply.Find("x-request-id")));
}

TEST(Server, AnswersForAHandlerThatThrows) {
  TestServer server([](Request, Respond) { throw std::runtime_error("oops"); });
  RawClient client = server.Connect();
  client.Send(kGet);
  EXPECT_EQ(client.Read().status, 500);
  client.Send(kGet);
  EXPECT_EQ(client.Read().status, 500);
}

TEST(Server, TakesOnlyTheFirstAnswer) {
  TestServer server([](Request, Respond respond) {
    respond(TextReply("one"));
    respond(TextReply("two"));
  });
  RawClient client = server.Connect();
  client.Send(kGet);
  EXPECT_EQ(client.Read().body, "one");
  client.Send(kGet);
  EXPECT_EQ(client.Read().body, "one");
}

TEST(Server, SendsNoBodyToHead) {
  TestServer server(TestServer::Echo);
  RawClient client = server.Connect();
  client.Send("HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\n");
  RawReply reply = client.ReadHeadOnly();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.Find("content-length"), "5");
  client.Send(kGet);
  EXPECT_EQ(client.Read().body, "/x|");
}

TEST(Server, SendsNoBodyWith204) {
  TestServer server([](Request, Respond respond) {
    Reply reply = TextReply("ignored");
    reply.status = 204;
    respond(std::move(reply));
  });
  RawClient client = server.Connect();
  client.Send(kGet);
  EXPECT_EQ(client.Read().Find("content-length"), "");
  client.Send(kGet);
  EXPECT_EQ(client.Read().status, 204);
}

TEST(Server, JoinsChunkedBodiesAndDropsTrailers) {
  TestServer server([](Request request, Respond respond) {
    respond(TextReply(request.body + (request.Find("x-late") ? " trailer" : "")));
  });
  RawClient client = server.Connect();
  client.Send(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5;name=value\r\nhello\r\n6\r\n world\r\n0\r\nX-Late: 1\r\n\r\n");
  EXPECT_EQ(client.Read().body, "hello world");
  client.Send(kGet);
  EXPECT_EQ(client.Read().status, 200);
}

TEST(Server, TellsAWaitingClientToContinue) {
  TestServer server(TestServer::Echo);
  RawClient client = server.Connect();
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.ReadHeadOnly().status, 100);
  client.Send("ok");
  EXPECT_EQ(client.Read().body, "/|ok");
}

TEST(Server, DecompressesBodies) {
  TestServer server([](Request request, Respond respond) {
    respond(TextReply(request.body + (request.Find("content-encoding") ? "!" : "")));
  });
  RawClient client = server.Connect();
  client.Send(Post("Content-Encoding: gzip\r\n", Gzipper().Compress("squeezed")));
  EXPECT_EQ(client.Read().body, "squeezed");
}

TEST(Server, CompressesLargeTextForThoseWhoAcceptIt) {
  std::string large(5000, 'a');
  TestServer server([&](Request request, Respond respond) {
    Reply reply = TextReply(request.target == "/small" ? "a" : large);
    if (request.target == "/image") reply.content_type = "image/png";
    respond(std::move(reply));
  });
  RawClient client = server.Connect();
  auto get = [&](std::string_view target, std::string_view accept) {
    client.Send(fmt::format("GET {} HTTP/1.1\r\nHost: x\r\n{}\r\n\r\n", target, accept));
    return client.Read();
  };
  RawReply squeezed = get("/", "Accept-Encoding: deflate, gzip;q=0.5");
  EXPECT_EQ(squeezed.Find("content-encoding"), "gzip");
  EXPECT_EQ(squeezed.Find("vary"), "Accept-Encoding");
  EXPECT_EQ(Gunzip(squeezed.body, 10'000).value(), large);
  EXPECT_EQ(get("/", "Accept-Encoding: gzip;q=0").body, large);
  EXPECT_EQ(get("/", "Accept: */*").body, large);
  EXPECT_EQ(get("/image", "Accept-Encoding: gzip").body, large);
  EXPECT_EQ(get("/small", "Accept-Encoding: gzip").body, "a");
}

TEST(Server, SendsBodiesLargerThanAnySocketBuffer) {
  std::string large(20'000'000, 'z');
  TestServer server([&](Request, Respond respond) { respond(TextReply(large)); });
  RawClient client = server.Connect();
  client.Send(kGet);
  EXPECT_EQ(client.Read().body, large);
}

TEST(Server, EchoesASaneRequestIdAndReplacesOthers) {
  TestServer server(
      [](Request request, Respond respond) { respond(TextReply(std::move(request.id))); });
  RawClient client = server.Connect();
  client.Send("GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: my-id-1\r\n\r\n");
  RawReply kept = client.Read();
  EXPECT_EQ(kept.body, "my-id-1");
  EXPECT_EQ(kept.Find("x-request-id"), "my-id-1");
  client.Send("GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: a b\"\r\n\r\n");
  RawReply made = client.Read();
  EXPECT_EQ(made.body.size(), 15u);
  EXPECT_EQ(made.Find("x-request-id"), made.body);
}

TEST(Server, LetsNoHeaderBeForged) {
  TestServer server([](Request, Respond respond) {
    Reply reply = TextReply("x");
    reply.headers.emplace_back("Location", "/a\r\nSet-Cookie: stolen=1");
    respond(std::move(reply));
  });
  RawClient client = server.Connect();
  client.Send(kGet);
  RawReply reply = client.Read();
  EXPECT_EQ(reply.Find("set-cookie"), "");
  EXPECT_EQ(reply.Find("location"), "/a  Set-Cookie: stolen=1");
}

TEST(Server, ClosesWhenTheClientAsksFor) {
  TestServer server(TestServer::Echo);
  for (const char* request :
       {"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"}) {
    RawClient client = server.Connect();
    client.Send(request);
    RawReply reply = client.Read();
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.Find("connection"), "close");
    EXPECT_TRUE(client.AtEnd());
  }
}

TEST(Server, AnswersAClientThatHasFinishedWriting) {
  TestServer server(TestServer::Echo);
  RawClient client = server.Connect();
  client.Send(kGet);
  client.CloseWriting();
  EXPECT_EQ(client.Read().body, "/x|");
  EXPECT_TRUE(client.AtEnd());
}

TEST(Server, TakesAbsoluteTargets) {
  TestServer server(TestServer::Echo);
  RawClient client = server.Connect();
  client.Send("GET http://h:1/a/b?c HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.Read().body, "/a/b?c|");
}

TEST(Server, ForgetsAClientThatVanishesInTheMiddleOfABody) {
  TestServer server(TestServer::Echo);
  RawClient client = server.Connect();
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
  ASSERT_TRUE(Eventually([&] { return server->stats().bytes_in > 0; }));
  client.Close();
  EXPECT_TRUE(Eventually([&] { return server->stats().connections_open == 0; }));
  EXPECT_EQ(server->stats().requests_total, 0u);
}

TEST(Server, DropsTheAnswerForAClientThatVanished) {
  std::promise<Respond> parked;
  TestServer server([&](Request, Respond respond) { parked.set_value(std::move(respond)); });
  RawClient client = server.Connect();
  client.Send(kGet);
  Respond respond = parked.get_future().get();
  client.Close();
  respond(TextReply(std::string(10'000'000, 'x')));
  EXPECT_TRUE(Eventually([&] { return server->stats().connections_open == 0; }));
}

TEST(UnixSocket, TellsWhoCalls) {
  std::string path = fmt::format("/tmp/yard_http_{}.sock", getpid());
  ServerOptions options;
  options.unix_path = path;
  {
    TestServer server(
        [](Request request, Respond respond) {
          respond(TextReply(
              fmt::format("{} {} {} {}", request.peer_address, request.peer_credentials->uid,
                          request.peer_credentials->gid, request.peer_credentials->pid)));
        },
        options);
    struct stat found{};
    ASSERT_EQ(stat(path.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0666u);
    RawClient client = RawClient::Unix(path);
    client.Send(kGet);
    EXPECT_EQ(client.Read().body, fmt::format("unix {} {} {}", getuid(), getgid(), getpid()));
  }
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

// What a process in a user namespace of its own, in which it is root, is answered.
std::string AskFromAnotherNamespace(const std::string& path) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  pid_t child = fork();
  if (child == 0) {
    if (unshare(CLONE_NEWUSER) != 0) _exit(77);
    RawClient client = RawClient::Unix(path);
    client.Send(kGet);
    std::string said = client.Read().body;
    _exit(write(ends[1], said.data(), said.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  std::string said(100, '\0');
  ssize_t size = read(ends[0], said.data(), said.size());
  said.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 77 ? "no namespaces" : said;
}

TEST(UnixSocket, TheRootOfAnotherNamespaceIsNobody) {
  std::string path = fmt::format("/tmp/yard_http_{}.sock", getpid());
  ServerOptions options;
  options.unix_path = path;
  TestServer server(
      [](Request request, Respond respond) {
        respond(TextReply(request.peer_credentials ? "known" : "nobody"));
      },
      options);
  std::string said = AskFromAnotherNamespace(path);
  if (said == "no namespaces") GTEST_SKIP() << "this machine makes no user namespaces";
  EXPECT_EQ(said, "nobody");
}

TEST(UnixSocket, IsNotTakenFromARunningServerNorFromAFile) {
  std::string path = fmt::format("/tmp/yard_http_{}.sock", getpid());
  FunctionHandler handler(TestServer::Echo);
  ServerOptions options;
  options.unix_path = path;
  TestServer first(TestServer::Echo, options);
  auto second = Server::Start(options, handler);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, Code::kConflict);
  options.unix_path = "/etc/passwd";
  auto third = Server::Start(options, handler);
  ASSERT_FALSE(third.has_value());
  EXPECT_THAT(third.error().message, HasSubstr("not a socket"));
}

TEST(Server, SaysWhyItCannotListen) {
  TestServer first(TestServer::Echo);
  FunctionHandler handler(TestServer::Echo);
  ServerOptions options;
  options.port = first->port();
  auto second = Server::Start(options, handler);
  ASSERT_FALSE(second.has_value());
  EXPECT_THAT(second.error().message, HasSubstr("Address already in use"));
}

}  // namespace
}  // namespace yard::http::testing
