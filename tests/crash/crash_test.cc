// Kills the server at random moments under many writers and checks what survived.
//
// Rounds and seed: GPUYARD_CRASH_ROUNDS (default 200), GPUYARD_CRASH_SEED (default 1). The seed
// fixes the writers' choices and the delays; the moment of the kill still depends on the machine.

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "http/testing/raw_client.h"
#include "tests/crash/writer.h"
#include "tests/support/server_process.h"

extern const char kProgram[];  // see yard_paths

namespace yard::testing {
namespace {

constexpr int kWriters = 32;

std::uint64_t Setting(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

json::value Ask(const Access& access, std::string_view method, const std::string& path,
                const std::string& body) {
  auto client = http::testing::RawClient::Tcp(access.port);
  client.Send(
      fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                  "{}\r\nContent-Length: {}\r\n\r\n{}",
                  method, path, access.token, body.size(), body));
  auto reply = client.Read();
  EXPECT_EQ(reply.status, 200) << path << " " << reply.body;
  auto parsed = ParseJson(reply.body);
  EXPECT_TRUE(parsed.has_value()) << reply.body;
  return parsed ? *parsed : json::value();
}

std::string Text(const json::value& value) {
  return std::string(std::string_view(value.as_string()));
}

class CrashTest : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() / fmt::format("gpuyard-crash-{}", getpid());
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    setup_.program = kProgram;
    setup_.data_dir = directory_ / "data";
    setup_.log_path = directory_ / "server.log";
  }
  void TearDown() override {
    if (!HasFailure()) std::filesystem::remove_all(directory_);
  }

  Access SignIn(const ServerProcess& server) {
    Access access{.port = server.port()};
    access.token = Text(
        Ask(access, "POST", "/api/v1/token",
            fmt::format(
                R"({{"grantType":"password","username":"admin@gpuyard.local","password":"{}"}})",
                setup_.password))
            .at("accessToken"));
    access.cluster = Text(Ask(access, "GET", "/api/v1/clusters", "").at(0).at("uuid"));
    access.pool = Text(Ask(access, "GET", "/api/v1/node-pools", "").at("nodepools").at(0).at("id"));
    return access;
  }

  // Everything there is, by name.
  std::map<std::string, std::pair<std::string, std::string>> Projects(const Access& access) {
    std::map<std::string, std::pair<std::string, std::string>> found;
    json::value page = Ask(access, "GET", "/api/v1/org-unit/projects?limit=500", "");
    for (const json::value& project : page.at("projects").as_array()) {
      EXPECT_EQ(project.at("resources").as_array().size(), 1U)
          << "half applied: " << project.at("name");
      found[Text(project.at("name"))] = {Text(project.at("description")), Text(project.at("id"))};
    }
    return found;
  }

  void Verify(const Access& access, std::vector<Writer>& writers) {
    auto found = Projects(access);
    for (Writer& writer : writers) {
      auto expected = writer.projects();
      for (const auto& [name, project] : expected) {
        auto at = found.find(name);
        std::optional<std::string> seen;
        if (at != found.end()) seen = at->second.first;
        bool right =
            seen == project.acknowledged || (project.in_flight && seen == project.attempted);
        EXPECT_TRUE(right) << name << " was acknowledged as "
                           << project.acknowledged.value_or("absent") << " and is now "
                           << seen.value_or("absent");
        writer.Settle(name, seen, at == found.end() ? "" : at->second.second);
        if (at != found.end()) found.erase(at);
      }
    }
    EXPECT_TRUE(found.empty()) << found.begin()->first << " is there but nobody asked for it";
  }

  std::filesystem::path directory_;
  ServerSetup setup_;
};

TEST_F(CrashTest, NothingAcknowledgedIsLostWhenTheServerIsKilledAtAnyMoment) {
  auto rounds = Setting("GPUYARD_CRASH_ROUNDS", 200);
  auto seed = Setting("GPUYARD_CRASH_SEED", 1);
  SCOPED_TRACE(fmt::format("seed {}", seed));
  SeededRandom random(seed);
  std::vector<Writer> writers;
  for (int i = 0; i < kWriters; ++i)
    writers.emplace_back(i, seed * 1000 + static_cast<std::uint64_t>(i));
  Access access;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    ServerProcess server(setup_);
    ASSERT_TRUE(server.ready()) << "round " << round;
    if (round == 0) access = SignIn(server);
    access.port = server.port();
    ASSERT_NO_FATAL_FAILURE(Verify(access, writers));
    ASSERT_FALSE(HasFailure()) << "round " << round;
    for (Writer& writer : writers) writer.Connect(access);
    std::vector<std::thread> threads;
    for (Writer& writer : writers) threads.emplace_back([&] { writer.RunUntilTheServerDies(); });
    // The random moment is the point of the test, so the clock decides here.
    std::this_thread::sleep_for(std::chrono::milliseconds(random.Below(120)));
    server.Kill();
    for (std::thread& thread : threads) thread.join();
  }
  ServerProcess last(setup_);
  access.port = last.port();
  Verify(access, writers);
  std::int64_t acknowledged = 0;
  for (const Writer& writer : writers) acknowledged += writer.acknowledged();
  RecordProperty("acknowledged", std::to_string(acknowledged));
  fmt::print("{} kills, {} acknowledged changes, none lost\n", rounds, acknowledged);
  EXPECT_GT(acknowledged, static_cast<std::int64_t>(rounds));
  EXPECT_EQ(last.Stop(), 0);
}

}  // namespace
}  // namespace yard::testing
