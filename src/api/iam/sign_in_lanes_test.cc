// Sign-ins beside slow requests of others.
#include <chrono>
#include <future>
#include <latch>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/handler.h"
#include "api/testing/harness.h"
#include "serve/server.h"

namespace yard::api::testing {
namespace {

constexpr int kSlowThreads = 2;

// The slow work that is under way, until it is let go.
struct Held {
  std::latch started{kSlowThreads};
  std::promise<void> go;
  std::shared_future<void> gone = go.get_future().share();
};
Held* held = nullptr;

Result<Answer> Wait(Call&) {
  return Slow{.work = []() -> Result<Slow::Outcome> {
    held->started.count_down();
    held->gone.wait();
    return Json("{}");
  }};
}

TEST(SignInLanes, DoNotWaitForSlowRequests) {
  Harness h;
  Response made = h.Admin().Post("/api/v1/users", R"({"email":"ann@lab.org"})");
  ASSERT_EQ(made.status, 201) << made.body;
  std::vector<Route> routes = AllRoutes();
  routes.push_back({http::Method::kGet, "/api/v1/wait", Public(), Wait, "Wait"});
  serve::Server server(h.server().context(), routes);
  Held mine;
  held = &mine;
  std::vector<std::jthread> slow;
  for (int i = 0; i < kSlowThreads; ++i) {
    slow.emplace_back([&server] { Caller(server, {}).Get("/api/v1/wait"); });
  }
  mine.started.wait();
  auto sign_in = std::async(std::launch::async, [&] {
    std::string password(made.Json().at("tempPassword").as_string());
    return Caller(server, {})
        .Post("/api/v1/token",
              fmt::format(R"({{"grantType":"password","username":"ann@lab.org","password":"{}"}})",
                          password));
  });
  EXPECT_EQ(sign_in.wait_for(std::chrono::seconds(60)), std::future_status::ready);
  mine.go.set_value();
  EXPECT_EQ(sign_in.get().status, 200);
}

}  // namespace
}  // namespace yard::api::testing
