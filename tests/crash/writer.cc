#include "tests/crash/writer.h"

#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "http/testing/raw_client.h"

namespace yard::testing {
namespace {

constexpr std::size_t kMostProjects = 8;
constexpr std::string_view kPath = "/api/v1/org-unit/projects";

std::string Resources(const Access& access) {
  return fmt::format(R"("resources":[{{"nodePool":{{"id":"{}"}},"gpu":{{"deserved":1}}}}])",
                     access.pool);
}

}  // namespace

// A kept-alive connection with the token on it.
class Writer::Session {
 public:
  explicit Session(const Access& access)
      : access_(access), client_(http::testing::RawClient::Tcp(access.port)) {}

  const Access& access() const { return access_; }
  // Status 0 when the connection broke before a whole answer came.
  http::testing::RawReply Send(std::string_view method, const std::string& path,
                               const std::string& body) {
    std::string request = fmt::format(
        "{} {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: "
        "application/json\r\n"
        "Content-Length: {}\r\n\r\n{}",
        method, path, access_.token, body.size(), body);
    if (!client_.Send(request)) return {};
    http::testing::RawReply reply = client_.Read();
    return reply.complete ? reply : http::testing::RawReply{};
  }

 private:
  const Access& access_;
  http::testing::RawClient client_;
};

Writer::Writer(int number, std::uint64_t seed) : number_(number), random_(seed) {}
Writer::Writer(Writer&&) noexcept = default;
Writer::~Writer() = default;

void Writer::Connect(const Access& access) {
  session_ = std::make_unique<Session>(access);
}

void Writer::RunUntilTheServerDies() {
  while (Step(*session_)) {
  }
  session_.reset();
}

bool Writer::Step(Session& session) {
  std::vector<std::string> present;
  for (const auto& [name, project] : projects_) {
    if (project.acknowledged) present.push_back(name);
  }
  if (present.size() >= kMostProjects || (!present.empty() && random_.Below(3) != 0)) {
    const std::string& name = present[random_.Below(present.size())];
    return random_.Below(3) == 0 ? Delete(session, name) : Update(session, name);
  }
  return Create(session);
}

bool Writer::Create(Session& session) {
  std::string name = fmt::format("w{}-{}", number_, next_++);
  Expectation& project = projects_[name];
  project.in_flight = true;
  project.attempted = "new";
  auto reply =
      session.Send("POST", std::string(kPath),
                   fmt::format(R"({{"name":"{}","clusterId":"{}","description":"new",{}}})", name,
                               session.access().cluster, Resources(session.access())));
  if (reply.status == 0) return false;
  EXPECT_EQ(reply.status, 201) << reply.body;
  if (reply.status != 201) return false;
  auto body = ParseJson(reply.body);
  project = {.id = std::string(std::string_view(body->at("id").as_string())),
             .acknowledged = "new"};
  ++acknowledged_;
  return true;
}

bool Writer::Update(Session& session, const std::string& name) {
  Expectation& project = projects_[name];
  project.in_flight = true;
  project.attempted = fmt::format("update {}", next_++);
  auto reply = session.Send(
      "PUT", fmt::format("{}/{}", kPath, project.id),
      fmt::format(R"({{"description":"{}",{}}})", *project.attempted, Resources(session.access())));
  if (reply.status == 0) return false;
  EXPECT_EQ(reply.status, 200) << reply.body;
  if (reply.status != 200) return false;
  project.acknowledged = project.attempted;
  project.in_flight = false;
  ++acknowledged_;
  return true;
}

bool Writer::Delete(Session& session, const std::string& name) {
  Expectation& project = projects_[name];
  project.in_flight = true;
  project.attempted.reset();
  auto reply = session.Send("DELETE", fmt::format("{}/{}", kPath, project.id), "");
  if (reply.status == 0) return false;
  EXPECT_EQ(reply.status, 204) << reply.body;
  if (reply.status != 204) return false;
  project.acknowledged.reset();
  project.in_flight = false;
  ++acknowledged_;
  return true;
}

void Writer::Settle(const std::string& name, std::optional<std::string> description,
                    const std::string& id) {
  if (!description) {
    projects_.erase(name);
    return;
  }
  projects_[name] = {.id = id, .acknowledged = std::move(description)};
}

}  // namespace yard::testing
