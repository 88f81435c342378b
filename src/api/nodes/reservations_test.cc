#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Harness;
using testing::Response;

constexpr const char* kPath = "/api/v1/reservations";

class ReservationRoutes : public ::testing::Test {
 protected:
  std::string Body(std::string_view more = "") const {
    return fmt::format(R"({{"name":"icml","projectId":"{}","gpu":8,)"
                       R"("start":"2030-01-20T08:00:00Z","end":"2030-01-23T08:00:00Z"{}}})",
                       project_.value, more);
  }

  Harness h_;
  ProjectId project_ = h_.MakeProject("vision");
};

TEST_F(ReservationRoutes, OneIsMadeListedChangedAndGivenUp) {
  Response made = h_.Admin().Post(kPath, Body(R"(,"releaseAfterMinutes":30)"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.Json().at("projectName"), "vision");
  EXPECT_EQ(made.Json().at("state"), "upcoming");
  EXPECT_EQ(made.Json().at("createdBy").as_string(), testing::kAdmin);
  EXPECT_EQ(made.Json().at("releaseAfterMinutes"), 30);
  std::string one = fmt::format("{}/{}", kPath, made.Json().at("id").as_string().c_str());
  Response list = h_.Admin().Get(std::string(kPath) + "?filterBy=projectName==vision");
  EXPECT_EQ(list.Json().at("reservations").as_array().size(), 1U) << list.body;
  Response put = h_.Admin().Put(one, R"({"gpu":4,"start":"2030-02-01T00:00:00Z",)"
                                     R"("end":"2030-02-02T00:00:00Z","nodePool":"default"})");
  ASSERT_EQ(put.status, 200) << put.body;
  EXPECT_EQ(put.Json().at("name"), "icml");
  EXPECT_EQ(put.Json().at("nodePool"), "default");
  EXPECT_TRUE(put.Json().at("releaseAfterMinutes").is_null());
  EXPECT_EQ(h_.Admin().Delete(one).status, 204);
  EXPECT_EQ(h_.Admin().Get(one).status, 404);
}

TEST_F(ReservationRoutes, ABadOneIsRefusedByField) {
  auto post = [&](std::string_view field, std::string_view value) {
    return h_.Admin().Post(
        kPath,
        fmt::format(R"({{"name":"a","projectId":"{}","gpu":1,"start":"2030-01-20T08:00:00Z",)"
                    R"("end":"2030-01-21T08:00:00Z","{}":{}}})",
                    project_.value, field, value));
  };
  EXPECT_EQ(post("nodePool", R"("moon")").status, 400);
  EXPECT_EQ(post("releaseAfterMinutes", "0").status, 400);
  Response over = h_.Admin().Post(
      kPath, fmt::format(R"({{"name":"a","projectId":"{}","gpu":1,"start":"2020-01-20T08:00:00Z",)"
                         R"("end":"2020-01-21T08:00:00Z"}})",
                         project_.value));
  EXPECT_EQ(over.status, 400);
  EXPECT_TRUE(over.body.contains("is over already")) << over.body;
}

TEST_F(ReservationRoutes, ThePeopleOfTheProjectSeeItAndOthersDoNot) {
  h_.Grant("ann@lab.org", "L1 researcher", Scope::Of(project_));
  h_.Grant("bob@lab.org", "L1 researcher", Scope::Of(h_.MakeProject("speech")));
  h_.Grant("chief@lab.org", "Department administrator",
           Scope::Of(h_.state()->Find<Project>(project_)->department));
  EXPECT_EQ(h_.As("ann@lab.org").Post(kPath, Body()).status, 403);
  EXPECT_EQ(h_.As("chief@lab.org").Post(kPath, Body()).status, 201);
  EXPECT_TRUE(h_.As("ann@lab.org").Get(kPath).body.contains("icml"));
  EXPECT_FALSE(h_.As("bob@lab.org").Get(kPath).body.contains("icml"));
}

}  // namespace
}  // namespace yard::api
