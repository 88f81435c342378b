#include "http/tls.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/testing/server_fixture.h"

namespace yard::http::testing {
namespace {

using ::testing::HasSubstr;

constexpr Time kNow{1'790'000'000'000'000};  // September 2026

// A folder that goes away with the test.
class TempDir {
 public:
  TempDir() {
    char pattern[] = "/tmp/yard_tls_XXXXXX";
    path_ = mkdtemp(pattern);
  }
  ~TempDir() { std::filesystem::remove_all(path_); }
  std::string File(std::string_view name) const { return fmt::format("{}/{}", path_, name); }
  const std::string& path() const { return path_; }
  std::string Read(std::string_view name) const {
    std::ifstream in(File(name));
    return (std::ostringstream() << in.rdbuf()).str();
  }
  void Write(std::string_view name, std::string_view text) const {
    std::ofstream(File(name)) << text;
  }

 private:
  std::string path_;
};

struct Outcome {
  int status = -1;
  std::string output;
};

Outcome Shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.output.append(buffer.data(), n);
  }
  outcome.status = pclose(pipe);
  return outcome;
}

mode_t ModeOf(const std::string& path) {
  struct stat found{};
  stat(path.c_str(), &found);
  return found.st_mode & 0777;
}

TEST(Certificates, AreMadeAtFirstStartAndVerify) {
  TempDir dir;
  auto files = EnsureCertificates(dir.path(), {"yard.lab.example", "10.1.2.3"}, SystemClock());
  ASSERT_TRUE(files.has_value()) << files.error().message;
  EXPECT_EQ(files->certificate_chain, dir.File("server.crt"));
  EXPECT_EQ(files->private_key, dir.File("server.key"));
  Outcome verified = Shell(fmt::format("openssl verify -purpose sslserver -CAfile {} {}",
                                       dir.File("ca.crt"), dir.File("server.crt")));
  EXPECT_EQ(verified.status, 0) << verified.output;
  Outcome text = Shell("openssl x509 -noout -text -in " + dir.File("server.crt"));
  EXPECT_THAT(text.output, HasSubstr("DNS:localhost, IP Address:127.0.0.1, "
                                     "IP Address:0:0:0:0:0:0:0:1, DNS:yard.lab.example, "
                                     "IP Address:10.1.2.3"));
  EXPECT_THAT(text.output, HasSubstr("prime256v1"));
  EXPECT_THAT(text.output, HasSubstr("TLS Web Server Authentication"));
}

TEST(Certificates, KeepKeysFromOtherUsers) {
  TempDir dir;
  ASSERT_TRUE(EnsureCertificates(dir.path(), {}, SystemClock()).has_value());
  EXPECT_EQ(ModeOf(dir.File("ca.key")), 0600u);
  EXPECT_EQ(ModeOf(dir.File("server.key")), 0600u);
}

TEST(Certificates, AreLeftAloneWhileTheyAreGood) {
  TempDir dir;
  ManualClock clock(kNow);
  ASSERT_TRUE(EnsureCertificates(dir.path(), {"a"}, clock).has_value());
  std::string ca = dir.Read("ca.crt");
  std::string server = dir.Read("server.crt");
  clock.Advance(Days(825 - 31));
  ASSERT_TRUE(EnsureCertificates(dir.path(), {"a"}, clock).has_value());
  EXPECT_EQ(dir.Read("server.crt"), server);
  EXPECT_EQ(dir.Read("ca.crt"), ca);
}

TEST(Certificates, AreRenewedInTheirLastThirtyDaysByTheSameAuthority) {
  TempDir dir;
  ManualClock clock(kNow);
  ASSERT_TRUE(EnsureCertificates(dir.path(), {}, clock).has_value());
  std::string ca = dir.Read("ca.crt");
  std::string server = dir.Read("server.crt");
  clock.Advance(Days(825 - 30) + Hours(1));
  ASSERT_TRUE(EnsureCertificates(dir.path(), {}, clock).has_value());
  EXPECT_NE(dir.Read("server.crt"), server);
  EXPECT_EQ(dir.Read("ca.crt"), ca);
}

TEST(Certificates, AreRenewedForANewHost) {
  TempDir dir;
  ManualClock clock(kNow);
  ASSERT_TRUE(EnsureCertificates(dir.path(), {}, clock).has_value());
  std::string server = dir.Read("server.crt");
  ASSERT_TRUE(EnsureCertificates(dir.path(), {"new.example"}, clock).has_value());
  EXPECT_NE(dir.Read("server.crt"), server);
}

TEST(Certificates, AreRenewedWhenTheirKeyIsLost) {
  TempDir dir;
  ManualClock clock(kNow);
  ASSERT_TRUE(EnsureCertificates(dir.path(), {}, clock).has_value());
  std::string server = dir.Read("server.crt");
  dir.Write("server.key", "");
  ASSERT_TRUE(EnsureCertificates(dir.path(), {}, clock).has_value());
  EXPECT_NE(dir.Read("server.crt"), server);
  EXPECT_THAT(dir.Read("server.key"), HasSubstr("PRIVATE KEY"));
}

TEST(Certificates, HaveRandomSerials) {
  TempDir one;
  TempDir two;
  ASSERT_TRUE(EnsureCertificates(one.path(), {}, SystemClock()).has_value());
  ASSERT_TRUE(EnsureCertificates(two.path(), {}, SystemClock()).has_value());
  auto serial = [](const TempDir& dir) {
    return Shell("openssl x509 -noout -serial -in " + dir.File("server.crt")).output;
  };
  EXPECT_THAT(serial(one), HasSubstr("serial="));
  EXPECT_NE(serial(one), serial(two));
}

TEST(Certificates, NeverReplaceADamagedAuthority) {
  TempDir dir;
  ASSERT_TRUE(EnsureCertificates(dir.path(), {}, SystemClock()).has_value());
  dir.Write("ca.crt", "damaged");
  auto files = EnsureCertificates(dir.path(), {}, SystemClock());
  ASSERT_FALSE(files.has_value());
  EXPECT_EQ(files.error().code, Code::kPrecondition);
  EXPECT_EQ(dir.Read("ca.crt"), "damaged");
}

TEST(Certificates, ServeOnWithoutTheAuthoritysKeyUntilRenewal) {
  TempDir dir;
  ManualClock clock(kNow);
  ASSERT_TRUE(EnsureCertificates(dir.path(), {}, clock).has_value());
  unlink(dir.File("ca.key").c_str());
  EXPECT_TRUE(EnsureCertificates(dir.path(), {}, clock).has_value());
  clock.Advance(Days(800));
  auto files = EnsureCertificates(dir.path(), {}, clock);
  ASSERT_FALSE(files.has_value());
  EXPECT_THAT(files.error().details, HasSubstr("restore ca.key"));
}

TEST(Certificates, RefuseBadHostsAndFolders) {
  TempDir dir;
  auto bad_host = EnsureCertificates(dir.path(), {"a,IP:1.2.3.4"}, SystemClock());
  ASSERT_FALSE(bad_host.has_value());
  EXPECT_EQ(bad_host.error().code, Code::kInvalid);
  auto bad_dir = EnsureCertificates(dir.File("missing"), {}, SystemClock());
  ASSERT_FALSE(bad_dir.has_value());
  EXPECT_EQ(bad_dir.error().code, Code::kUnavailable);
}

class Https : public ::testing::Test {
 protected:
  Https()
      : server_([](Request request,
                   Respond respond) { respond(TextReply(request.secure ? "secure" : "plain")); },
                Options()) {}

  ServerOptions Options() {
    ServerOptions options;
    options.tls = EnsureCertificates(dir_.path(), {}, SystemClock()).value();
    options.unix_path = dir_.File("socket");
    return options;
  }

  TempDir dir_;
  TestServer server_;
};

TEST_F(Https, IsTrustedByCurlWithTheAuthority) {
  std::string url = fmt::format("https://localhost:{}/", server_->port());
  Outcome trusted = Shell(fmt::format("curl -sS --cacert {} {}", dir_.File("ca.crt"), url));
  EXPECT_EQ(trusted.output, "secure");
  EXPECT_NE(Shell("curl -sS " + url).status, 0);
}

TEST_F(Https, ServesManyRequestsAndLargeBodiesOnOneConnection) {
  std::string url = fmt::format("https://127.0.0.1:{}/", server_->port());
  Outcome many =
      Shell(fmt::format("head -c 3000000 /dev/zero | curl -sS --cacert {} "
                        "--data-binary @- {} --next --cacert {} {}",
                        dir_.File("ca.crt"), url, dir_.File("ca.crt"), url));
  EXPECT_EQ(many.output, "securesecure");
  EXPECT_EQ(server_->stats().connections_total, 1u);
}

TEST_F(Https, ExplainsItselfToPlainHttp) {
  RawClient client = server_.Connect();
  client.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  RawReply reply = client.Read();
  EXPECT_EQ(reply.status, 400);
  EXPECT_THAT(reply.body, HasSubstr("https://"));
  EXPECT_TRUE(client.AtEnd());
}

TEST_F(Https, SurvivesABrokenHandshake) {
  RawClient client = server_.Connect();
  client.Send(std::string_view("\x16\x03\x01\x00\x05hello", 10));
  client.ReadAll();
  Outcome next = Shell(fmt::format("curl -sS --cacert {} https://localhost:{}/",
                                   dir_.File("ca.crt"), server_->port()));
  EXPECT_EQ(next.output, "secure");
}

TEST_F(Https, LeavesTheUnixSocketPlain) {
  RawClient client = RawClient::Unix(dir_.File("socket"));
  client.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.Read().body, "plain");
}

TEST(Tls, RefusesToStartWithoutItsFiles) {
  FunctionHandler handler(TestServer::Echo);
  ServerOptions options;
  options.tls = TlsFiles{"/nonexistent.crt", "/nonexistent.key"};
  auto server = Server::Start(options, handler);
  ASSERT_FALSE(server.has_value());
  EXPECT_THAT(server.error().message, HasSubstr("/nonexistent.crt"));
}

}  // namespace
}  // namespace yard::http::testing
