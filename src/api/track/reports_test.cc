// Reports and saved views through the API, as members of projects meet them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Caller;
using testing::Harness;
using testing::Response;

class Reports : public ::testing::Test {
 protected:
  Reports() : vision_(h_.MakeProject("vision")), speech_(h_.MakeProject("speech")) {
    h_.Grant("ann@lab.org", "L1 researcher", Scope::Of(vision_));
    h_.Grant("bob@lab.org", "L1 researcher", Scope::Of(vision_));
    h_.Grant("vera@lab.org", "Viewer", Scope::Of(vision_));
    h_.Grant("sam@lab.org", "L1 researcher", Scope::Of(speech_));
  }

  Caller Ann() { return h_.As("ann@lab.org"); }
  Caller Bob() { return h_.As("bob@lab.org"); }
  Caller Vera() { return h_.As("vera@lab.org"); }
  Caller Sam() { return h_.As("sam@lab.org"); }

  Response Write(Caller caller, std::string_view title, std::string_view text = "# Text") {
    json::object body{{"projectId", vision_.value}, {"title", title}, {"text", text}};
    return caller.Post("/api/v1/reports", json::serialize(body));
  }
  // Its path.
  std::string Make(std::string_view title) {
    Response made = Write(Ann(), title);
    EXPECT_EQ(made.status, 201) << made.body;
    return "/api/v1/reports/" + std::string(std::string_view(made.Json().at("id").as_string()));
  }
  std::string Titles(Caller caller, const std::string& query = "") {
    Response listed = caller.Get("/api/v1/reports" + query);
    if (listed.status != 200) return listed.body;
    std::string titles;
    const json::value page = listed.Json();
    for (const json::value& report : page.at("reports").as_array()) {
      titles += std::string(std::string_view(report.at("title").as_string())) + " ";
    }
    return titles;
  }
  Response Save(Caller caller, std::string_view name) {
    json::object body{{"projectId", vision_.value},
                      {"name", name},
                      {"page", "compare"},
                      {"query", "run=1&run=2&smooth=0.6"}};
    return caller.Post("/api/v1/run-views", json::serialize(body));
  }

  Harness h_;
  ProjectId vision_;
  ProjectId speech_;
};

TEST_F(Reports, AreReadByEveryMemberOfTheirProject) {
  std::string path = Make("weekly");
  json::value read = Vera().Get(path).Json();
  EXPECT_EQ(read.at("title"), "weekly");
  EXPECT_EQ(read.at("text"), "# Text");
  EXPECT_EQ(read.at("authorName"), "ann@lab.org");
  EXPECT_EQ(read.at("projectName"), "vision");
  EXPECT_EQ(read.at("revision"), 1);
}

TEST_F(Reports, AreChangedAndDeletedByThoseWhoMayWriteRuns) {
  std::string path = Make("weekly");
  std::string change = R"({"title":"monthly","text":"new","revision":1})";
  EXPECT_EQ(Vera().Put(path, change).status, 403);
  EXPECT_EQ(Write(Vera(), "mine").status, 403);
  EXPECT_EQ(Vera().Delete(path).status, 403);
  json::value changed = Bob().Put(path, change).Json();
  EXPECT_EQ(changed.at("text"), "new");
  EXPECT_EQ(changed.at("editorName"), "bob@lab.org");
  EXPECT_EQ(changed.at("revision"), 2);
  EXPECT_EQ(Bob().Delete(path).status, 204);
  EXPECT_EQ(Ann().Get(path).status, 404);
}

TEST_F(Reports, OfOtherProjectsCannotBeReadOrWritten) {
  std::string path = Make("weekly");
  EXPECT_EQ(Titles(Sam()), "");
  EXPECT_EQ(Titles(Sam(), fmt::format("?projectId={}", vision_.value)), "");
  EXPECT_EQ(Sam().Get(path).status, 403);
  EXPECT_FALSE(Sam().Get(path).body.contains("weekly"));
  EXPECT_EQ(Sam().Put(path, R"({"title":"taken","text":""})").status, 403);
  EXPECT_EQ(Sam().Delete(path).status, 403);
  EXPECT_EQ(Write(Sam(), "planted").status, 403);
  EXPECT_EQ(Titles(Ann()), "weekly ");
}

TEST_F(Reports, KeepWhatSomebodyElseHasWrittenInBetween) {
  std::string path = Make("weekly");
  EXPECT_EQ(Bob().Put(path, R"({"title":"weekly","text":"bob's","revision":1})").status, 200);
  Response late = Ann().Put(path, R"({"title":"weekly","text":"ann's","revision":1})");
  EXPECT_EQ(late.status, 409);
  EXPECT_TRUE(late.body.contains("bob@lab.org")) << late.body;
  EXPECT_EQ(Ann().Get(path).Json().at("text"), "bob's");
  EXPECT_EQ(Ann().Put(path, R"({"title":"weekly","text":"ann's","revision":2})").status, 200);
}

TEST_F(Reports, AreFoundByTitleAndListedWithoutTheirText) {
  Make("weekly losses");
  Make("ablation");
  EXPECT_EQ(Titles(Ann(), "?sortBy=title"), "ablation weekly losses ");
  EXPECT_EQ(Titles(Ann(), "?search=LOSS"), "weekly losses ");
  EXPECT_EQ(Titles(Ann(), "?sortBy=title&limit=1&offset=1"), "weekly losses ");
  EXPECT_FALSE(Ann().Get("/api/v1/reports").body.contains("# Text"));
}

TEST_F(Reports, AreBounded) {
  EXPECT_EQ(Write(Ann(), "").status, 400);
  EXPECT_EQ(Write(Ann(), std::string(201, 'x')).status, 400);
  EXPECT_EQ(Write(Ann(), "long", std::string(256 * 1024 + 1, 'x')).status, 413);
  EXPECT_EQ(Write(Ann(), "full", std::string(256 * 1024, 'x')).status, 201);
  for (int i = 1; i < 500; ++i) ASSERT_EQ(Write(Ann(), "one more").status, 201) << i;
  EXPECT_EQ(Write(Ann(), "too many").status, 409);
}

TEST_F(Reports, KeepTheirTextAsItIs) {
  std::string text = "<script>alert(1)</script>\n[x](javascript:alert(1)) \u202e\U0001F600\n";
  Response made = Write(Ann(), "odd", text);
  ASSERT_EQ(made.status, 201);
  EXPECT_EQ(made.Json().at("text").as_string(), text);
}

TEST_F(Reports, HaveSavedViewsBesideThem) {
  Response made = Save(Ann(), "best two");
  ASSERT_EQ(made.status, 201) << made.body;
  std::string path =
      "/api/v1/run-views/" + std::string(std::string_view(made.Json().at("id").as_string()));
  EXPECT_EQ(Save(Bob(), "best two").status, 409);
  EXPECT_EQ(Save(Sam(), "planted").status, 403);
  EXPECT_EQ(Save(Vera(), "planted").status, 403);
  json::value listed = Vera().Get("/api/v1/run-views?page=compare").Json();
  ASSERT_EQ(listed.at("views").as_array().size(), 1U);
  EXPECT_EQ(listed.at("views").at(0).at("query"), "run=1&run=2&smooth=0.6");
  EXPECT_EQ(Sam().Get("/api/v1/run-views").Json().at("views").as_array().size(), 0U);
  EXPECT_EQ(Vera().Get("/api/v1/run-views?page=runs").Json().at("views").as_array().size(), 0U);
  EXPECT_EQ(Sam().Delete(path).status, 403);
  EXPECT_EQ(Bob().Delete(path).status, 204);
  EXPECT_EQ(Bob().Delete(path).status, 404);
}

}  // namespace
}  // namespace yard::api
