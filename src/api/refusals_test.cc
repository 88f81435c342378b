// What every route says to requests that make no sense: a 4xx with what is wrong and what to do.
//
// The routes come from the table that the server serves, so a new one is covered without a line
// here.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/handler.h"
#include "api/testing/authorization_world.h"
#include "api/testing/harness.h"
#include "base/strings.h"

namespace yard::api {
namespace {

using testing::Harness;
using testing::Request;
using testing::Response;
using testing::World;

// Answers that are no mistake of ours: the route is not offered, or needs a connection of its own.
bool IsExpectedFailure(int status) {
  return status == 501 || status == 503;
}

class Refusals : public ::testing::Test {
 protected:
  void Send(const Route& route, const std::string& target, const std::string& body) {
    Response r = world_.harness().Admin().Send(route.method, target, body);
    std::string what = fmt::format("{} {} {}: {} {}", MethodName(route.method), target,
                                   body.substr(0, 200), r.status, r.body.substr(0, 300));
    EXPECT_TRUE(r.status < 500 || IsExpectedFailure(r.status)) << what;
    if (r.status < 400) return;
    ++refused_;
    auto answer = ParseJson(r.body);
    ASSERT_TRUE(answer && answer->is_object()) << what;
    const json::object& error = answer->get_object();
    EXPECT_EQ(error.at("code"), r.status) << what;
    for (std::string_view field : {"message", "details"}) {
      const json::value* text = error.if_contains(field);
      EXPECT_TRUE(text && text->is_string() && !text->get_string().empty()) << field << " " << what;
    }
  }

  // A request of the route that would be carried out; for routes the world does not know, its path
  // as it stands.
  Request SoundFor(const Route& route) {
    std::optional<Request> request;
    if (NeedsCheck(route.need)) request = world_.RequestFor(route);
    if (request) return *request;
    std::string path(route.path);
    std::erase_if(path, [](char c) { return c == '{' || c == '}'; });
    return {path, route.request.empty() ? "" : "{}"};
  }

  World world_;
  std::size_t refused_ = 0;
};

bool IsStream(const Route& route) {
  return route.path.ends_with("/watch") || route.path == "/api/v1/events";
}

// The value of every member in turn replaced by something else.
std::vector<std::string> Spoiled(const std::string& body) {
  std::vector<std::string> bodies{
      "{", "[]", "null", "7", "\"text\"", R"({"a":1,"a":2})", "{}", R"({"name":"a\u0000b"})"};
  auto value = ParseJson(body);
  if (!value || !value->is_object()) return bodies;
  for (const auto& pair : value->get_object()) {
    for (const char* wrong : {"null", "[]", "{}", "-1", "1e300", "true", "\"\"", "\"a\\u0001b\"",
                              R"({"x":{"y":[null]}})"}) {
      json::value copy = *value;
      copy.get_object()[pair.key()] = *ParseJson(wrong);
      bodies.push_back(json::serialize(copy));
    }
  }
  return bodies;
}

TEST_F(Refusals, BodiesThatMakeNoSense) {
  for (const Route& route : AllRoutes()) {
    if (route.request.empty()) continue;
    Request sound = SoundFor(route);
    Send(route, sound.target, "");
    for (const std::string& body : Spoiled(sound.body)) Send(route, sound.target, body);
  }
  EXPECT_GT(refused_, 1000U);
}

TEST_F(Refusals, IdsOfNothing) {
  for (const Route& route : AllRoutes()) {
    if (!route.path.contains('{') || IsStream(route)) continue;
    Request sound = SoundFor(route);
    for (std::string_view id : {"nope", "-1", "99999999", "00000000-0000-4000-8000-000000000000",
                                "%00", "%0a", "99999999999999999999"}) {
      std::string path;
      for (std::string_view segment : Split(route.path.substr(1), '/')) {
        path += fmt::format("/{}", segment.starts_with('{') ? id : segment);
      }
      std::size_t query = sound.target.find('?');
      if (query != std::string::npos) path += sound.target.substr(query);
      Send(route, path, sound.body);
    }
  }
  EXPECT_GT(refused_, 500U);
}

std::vector<std::string_view> BadValues(std::string_view type) {
  if (type.starts_with("int")) return {"-1", "abc", "1.5", "99999999999999999999"};
  if (type == "bool") return {"perhaps", "2"};
  if (type == "time") return {"yesterday"};
  if (type == "uuid") return {"7"};
  if (type.contains('|')) return {"nope"};
  return {};
}

TEST_F(Refusals, BadQueryParametersAreNamed) {
  std::size_t tried = 0;
  for (const Route& route : AllRoutes()) {
    std::string target = SoundFor(route).target;
    for (const QueryParameter& parameter : route.query) {
      std::vector<std::string_view> values = BadValues(parameter.type);
      if (parameter.name == "sortBy") values = {"nope"};
      if (parameter.name == "filterBy") values = {"nope==1", "nope"};
      for (std::string_view value : values) {
        if (parameter.type == "int" && value == "-1") continue;
        std::string bad = fmt::format("{}{}{}={}", target, target.contains('?') ? '&' : '?',
                                      parameter.name, value);
        Response r = world_.harness().Admin().Send(route.method, bad, SoundFor(route).body);
        ++tried;
        EXPECT_TRUE(r.status == 400 && r.body.contains(parameter.name))
            << bad << ": " << r.status << " " << r.body;
      }
    }
  }
  EXPECT_GT(tried, 200U);
}

TEST_F(Refusals, ParametersThatNoRouteNamesAreLeftAlone) {
  Response r = world_.harness().Admin().Get("/api/v1/org-unit/projects?cacheBuster=7&limit=");
  EXPECT_EQ(r.status, 200) << r.body;
  Response upper = world_.harness().Admin().Get("/api/v1/asset/compute?usageInfo=True");
  EXPECT_EQ(upper.status, 200) << upper.body;
  EXPECT_TRUE(upper.body.contains("usedBy"));
}

TEST_F(Refusals, MethodsThatNoRouteHasAreNamed) {
  auto send = [&](std::string path) {
    http::Request request{.method = http::Method::kOther, .target = std::move(path)};
    request.headers.emplace_back(":method", "TRACE");
    http::Reply got;
    world_.harness().server().Handle(std::move(request),
                                     [&](http::Reply reply) { got = std::move(reply); });
    return got;
  };
  http::Reply known = send("/api/v1/org-unit/projects");
  EXPECT_EQ(known.status, 405);
  EXPECT_TRUE(known.body.contains("TRACE is not possible")) << known.body;
  EXPECT_EQ(known.headers.at(0), http::Header("Allow", "GET, POST"));
  http::Reply unknown = send("/nowhere");
  EXPECT_EQ(unknown.status, 501);
  EXPECT_TRUE(unknown.body.contains("TRACE")) << unknown.body;
}

TEST_F(Refusals, AnUnknownFieldCannotWriteHeaders) {
  std::string body =
      fmt::format(R"({{"name":"injected","clusterId":"{}","resources":[],"x\r\nSet-Cookie: a":1}})",
                  FormatUuid(world_.harness().cluster().value));
  EXPECT_EQ(world_.harness().Admin().Post("/api/v1/org-unit/projects", body).status, 400);
}

}  // namespace
}  // namespace yard::api
