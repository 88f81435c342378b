// Sign-ins beside slow requests of others.
#include <atomic>
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
  explicit Held(int tasks) : started(tasks), left(tasks) {}
  // Tasks that come after these are not counted.
  void Start() {
    if (left-- > 0) started.count_down();
  }
  std::latch started;
  std::atomic<int> left;
  std::promise<void> go;
  std::shared_future<void> gone = go.get_future().share();
};
Held* held = nullptr;

template <Slow::Lane kLane>
Result<Answer> Wait(Call& call) {
  call.NeedsNoScope();
  return Slow{[wait = !call.Query("pass")]() -> Result<Slow::Outcome> {
                if (!wait) return Json("{}");
                held->Start();
                held->gone.wait();
                return Json("{}");
              },
              kLane};
}

TEST(SignInLanes, DoNotWaitForSlowRequests) {
  Harness h;
  Response made = h.Admin().Post("/api/v1/users", R"({"email":"ann@lab.org"})");
  ASSERT_EQ(made.status, 201) << made.body;
  std::vector<Route> routes = AllRoutes();
  routes.push_back({http::Method::kGet, "/api/v1/wait", Public(), Wait<Slow::Lane::kOwn>, "Wait"});
  serve::Server server(h.server().context(), routes);
  Held mine(kSlowThreads);
  held = &mine;
  std::vector<std::jthread> slow;
  slow.reserve(kSlowThreads);
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

// What waits for one member leaves a thread to the others.
template <Slow::Lane kLane>
void ExpectRoomBesideOneMember(int threads_of_one, int requests) {
  Harness h;
  std::vector<Route> routes = AllRoutes();
  routes.push_back({http::Method::kGet,
                    "/api/v1/wait",
                    SignedIn(),
                    Wait<kLane>,
                    "Wait",
                    "",
                    "",
                    200,
                    {{"pass", "string"}}});
  serve::Server server(h.server().context(), routes);
  auto as = [&](std::string_view who) {
    return Caller(server, {{"authorization", fmt::format("User {}", who)}});
  };
  Held mine(threads_of_one);
  held = &mine;
  std::vector<std::jthread> slow;
  slow.reserve(static_cast<std::size_t>(requests));
  for (int i = 0; i < requests; ++i) {
    slow.emplace_back([&] { as("ann@lab.org").Get("/api/v1/wait"); });
  }
  mine.started.wait();
  auto other =
      std::async(std::launch::async, [&] { return as("bob@lab.org").Get("/api/v1/wait?pass=1"); });
  EXPECT_EQ(other.wait_for(std::chrono::seconds(60)), std::future_status::ready);
  mine.go.set_value();
  EXPECT_EQ(other.get().status, 200);
}

TEST(Lanes, OfDataSetsAreSharedByMembers) {
  ExpectRoomBesideOneMember<Slow::Lane::kData>(2, 4);
}

TEST(Lanes, OfRunningWorkAreSharedByMembers) {
  ExpectRoomBesideOneMember<Slow::Lane::kLive>(12, 20);
}

TEST(Lanes, OfSlowQuestionsAreSharedByMembers) {
  ExpectRoomBesideOneMember<Slow::Lane::kOwn>(2, 4);
}

}  // namespace
}  // namespace yard::api::testing
