#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api::testing {
namespace {

constexpr std::string_view kSpec =
    R"({"objectives":[{"metric":"loss"}],"seed":1,"maxTrials":10,"parameters":[)"
    R"({"name":"lr","low":0,"high":1},{"name":"opt","choices":["adam","sgd"]},)"
    R"({"name":"momentum","low":0,"high":1,"when":{"parameter":"opt","values":["sgd"]}}]})";

// A study that programs run, made by ann of the project vision.
class ColumnsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ProjectId project = h_.MakeProject("vision");
    h_.Grant("ann@lab.org", "L1 researcher", Scope::Of(project));
    Response made =
        h_.As("ann@lab.org")
            .Post("/api/v1/studies", fmt::format(R"({{"name":"s","projectId":"{}","spec":{}}})",
                                                 project.value, kSpec));
    ASSERT_EQ(made.status, 201) << made.body;
    path_ = "/api/v1/studies/" + std::string(made.Json().at("id").as_string());
  }

  void Add(const std::string& body) {
    Response made = h_.As("ann@lab.org").Post(path_ + "/trials", body);
    ASSERT_EQ(made.status, 201) << made.body;
  }
  json::value Columns(const std::string& query = "") {
    Response answer = h_.As("ann@lab.org").Get(path_ + "/columns" + query);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.Json();
  }

  Harness h_;
  std::string path_;
};

std::string Text(const json::value& value) {
  return json::serialize(value);
}

TEST_F(ColumnsTest, SayWhatIsKnownAndNullForTheRest) {
  Add(R"({"parameters":{"lr":0.25,"opt":"sgd","momentum":0.5},"values":[0.75]})");
  Add(R"({"parameters":{"lr":0.5,"opt":"adam"}})");
  json::value columns = Columns();
  EXPECT_EQ(columns.at("states").as_string(), "CR");
  EXPECT_EQ(Text(columns.at("values")), "[[7.5E-1,null]]");
  const json::array& parameters = columns.at("parameters").as_array();
  ASSERT_EQ(parameters.size(), 3U);
  EXPECT_EQ(Text(parameters[1]), R"({"name":"opt","values":[1,0]})");
  EXPECT_EQ(Text(parameters[2].at("values")), "[5E-1,null]");
  EXPECT_EQ(Text(columns.at("gpuHours")), "[0,null]");
  EXPECT_FALSE(columns.as_object().contains("next"));
}

TEST_F(ColumnsTest, ReportsAreThereByTheirLast) {
  Add(R"({"parameters":{"lr":0.5,"opt":"adam"}})");
  for (int step : {1, 2}) {
    Response said = h_.As("ann@lab.org")
                        .Post(path_ + "/trials/0/reports",
                              fmt::format(R"({{"step":{},"value":{}}})", step, 10 * step));
    ASSERT_EQ(said.status, 200) << said.body;
  }
  json::value columns = Columns();
  EXPECT_EQ(Text(columns.at("steps")), "[2]");
  EXPECT_EQ(Text(columns.at("lasts")), "[20]");
}

TEST_F(ColumnsTest, BeginWhereTheyAreWanted) {
  for (int i = 0; i < 3; ++i) Add(R"({"parameters":{"lr":0.5,"opt":"adam"},"values":[1]})");
  EXPECT_EQ(Columns("?from=2").at("states").as_string(), "C");
  EXPECT_EQ(Columns("?from=2").at("from").as_int64(), 2);
  EXPECT_EQ(Columns("?from=9").at("states").as_string(), "");
  EXPECT_EQ(h_.As("ann@lab.org").Get(path_ + "/columns?from=-1").status, 400);
}

TEST_F(ColumnsTest, AreNotForThoseOutsideTheProject) {
  h_.Grant("eve@lab.org", "L1 researcher", Scope::Of(h_.MakeProject("other")));
  EXPECT_EQ(h_.As("eve@lab.org").Get(path_ + "/columns").status, 403);
}

}  // namespace
}  // namespace yard::api::testing
