// Tracked runs through the API, as members of projects meet them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"
#include "control/track/run_links.h"
#include "control/track/tracking.h"

namespace yard::api {
namespace {

using testing::Caller;
using testing::Harness;
using testing::Response;

constexpr std::string_view kRun = "0123456789abcdef0123456789abcdef";

class Runs : public ::testing::Test {
 protected:
  Runs() : vision_(h_.MakeProject("vision")), speech_(h_.MakeProject("speech")) {
    h_.Grant("ann@lab.org", "L1 researcher", Scope::Of(vision_));
    h_.Grant("sam@lab.org", "L1 researcher", Scope::Of(speech_));
  }

  control::Tracking& tracking() { return *h_.server().context().tracking; }
  Caller Ann() { return h_.As("ann@lab.org"); }
  Caller Sam() { return h_.As("sam@lab.org"); }

  static std::string Start(std::string_view name) {
    return fmt::format(R"({{"kind":"start","time":1000,"name":"{}","project":"digits"}})", name);
  }
  static std::string Metric(std::string_view name, int step, double value) {
    return fmt::format(R"({{"kind":"metrics","time":{},"step":{},"values":{{"{}":{}}}}})",
                       1000 + step, step, name, value);
  }
  Response Send(Caller caller, std::string_view run, const std::string& records) {
    return caller.Post(fmt::format("/api/v1/runs/{}/batch", run),
                       fmt::format(R"({{"offset":0,"records":[{}]}})", records));
  }
  // A run of ann's with a loss that falls from `first` and one parameter.
  void Make(std::string_view id, std::string_view name, double first, std::string_view lr) {
    std::string records = fmt::format(
        R"({},{{"kind":"config","time":1001,"values":{{"lr":"{}"}}}})", Start(name), lr);
    for (int step = 0; step < 10; ++step) records += "," + Metric("loss", step, first / (step + 1));
    Response made = Send(Ann(), id, records);
    ASSERT_EQ(made.status, 200) << made.body;
  }
  std::string Names(const std::string& query) {
    Response listed = Ann().Get("/api/v1/runs" + query);
    if (listed.status != 200) return listed.body;
    std::string names;
    const json::value page = listed.Json();
    for (const json::value& run : page.at("runs").as_array()) {
      names += std::string(std::string_view(run.at("name").as_string())) + " ";
    }
    return names;
  }

  Harness h_;
  ProjectId vision_;
  ProjectId speech_;
};

TEST_F(Runs, AFirstBatchBeginsTheRunInTheOnlyProjectOfItsAuthor) {
  Make(kRun, "quick", 8, "0.1");
  json::value run = Ann().Get(fmt::format("/api/v1/runs/{}", kRun)).Json();
  EXPECT_EQ(run.at("projectName"), "vision");
  EXPECT_EQ(run.at("experimentName"), "digits");
  EXPECT_EQ(run.at("status"), "RUNNING");
  EXPECT_EQ(run.at("params").at("lr"), "0.1");
  EXPECT_EQ(run.at("metrics").at(0).at("step"), 9);
  EXPECT_EQ(run.at("metrics").at(0).at("value"), 0.8);
}

TEST_F(Runs, ABatchThatComesTwiceCountsOnce) {
  Make(kRun, "quick", 8, "0.1");
  Make(kRun, "quick", 8, "0.1");
  json::value history = Ann().Get(fmt::format("/api/v1/runs/{}/history?name=loss", kRun)).Json();
  EXPECT_EQ(history.at("points").as_array().size(), 10U);
}

TEST_F(Runs, AHistoryIsReadPageByPage) {
  Make(kRun, "quick", 8, "0.1");
  std::string path = fmt::format("/api/v1/runs/{}/history?name=loss&limit=6", kRun);
  json::value first = Ann().Get(path).Json();
  std::string next(std::string_view(first.at("next").as_string()));
  json::value second = Ann().Get(path + "&after=" + next).Json();
  EXPECT_EQ(second.at("points").as_array().size(), 4U);
  EXPECT_EQ(second.at("points").at(0).at("step"), 6);
  EXPECT_FALSE(second.as_object().contains("next"));
}

TEST_F(Runs, AChartKeepsThePeaksOfEveryPixel) {
  std::string records = Start("long");
  for (int step = 0; step < 1000; ++step) records += "," + Metric("x", step, step == 500 ? 9 : 1);
  ASSERT_EQ(Send(Ann(), kRun, records).status, 200);
  json::value charts =
      Ann()
          .Post("/api/v1/runs/charts",
                fmt::format(R"({{"runs":["{}"],"metrics":["x","y"],"pixels":20}})", kRun))
          .Json();
  const json::value& line = charts.at("series").at(0);
  EXPECT_EQ(charts.at("series").as_array().size(), 1U);  // nobody logged y
  EXPECT_EQ(line.at("points"), 1000);
  EXPECT_LE(line.at("values").as_array().size(), 80U);
  EXPECT_NE(std::ranges::find(line.at("values").as_array(), json::value(9)),
            line.at("values").as_array().end());
}

TEST_F(Runs, AreFilteredAndOrderedByWhatTheyLogged) {
  Make("00000000000000000000000000000001", "one", 10, "9");
  Make("00000000000000000000000000000002", "two", 30, "10");
  Make("00000000000000000000000000000003", "three", 20, "100");
  EXPECT_EQ(Names("?sortBy=metrics.loss"), "one three two ");
  EXPECT_EQ(Names("?sortBy=params.lr&sortOrder=desc"), "three two one ");
  EXPECT_EQ(Names("?filterBy=metrics.loss%3C%3D2,params.lr%3E%3D10"), "three ");
  EXPECT_EQ(Names("?search=TW"), "two ");
  EXPECT_EQ(Names("?experiment=digits&limit=1&sortBy=name"), "one ");
  EXPECT_NE(Names("?sortBy=loss").find("there is no field"), std::string::npos);
}

TEST_F(Runs, OfOtherProjectsCannotBeReadOrWritten) {
  Make(kRun, "quick", 8, "0.1");
  std::string path = fmt::format("/api/v1/runs/{}", kRun);
  EXPECT_EQ(Sam().Get(path).status, 403);
  EXPECT_EQ(Send(Sam(), kRun, Metric("loss", 99, 1)).status, 403);
  EXPECT_EQ(Sam().Get("/api/v1/runs").Json().at("runs").as_array().size(), 0U);
  EXPECT_EQ(Sam().Delete(path).status, 403);
}

TEST_F(Runs, AreHiddenAndBroughtBack) {
  Make(kRun, "quick", 8, "0.1");
  std::string path = fmt::format("/api/v1/runs/{}", kRun);
  EXPECT_EQ(Ann().Delete(path).status, 204);
  EXPECT_EQ(Names(""), "");
  EXPECT_EQ(Names("?view=deleted"), "quick ");
  Response refused = Send(Ann(), kRun, Metric("loss", 99, 1));
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(Ann().Post(path + "/restore").status, 204);
  EXPECT_EQ(Names(""), "quick ");
}

TEST_F(Runs, TakeTagsSeveralAtOnceOrNone) {
  Make("00000000000000000000000000000001", "one", 10, "1");
  Make("00000000000000000000000000000002", "two", 30, "1");
  auto tag = [&](Caller caller) {
    return caller
        .Post("/api/v1/runs/tags", R"({"ids":["00000000000000000000000000000001",)"
                                   R"("00000000000000000000000000000002"],"set":{"keep":"yes"}})")
        .status;
  };
  EXPECT_EQ(tag(Sam()), 403);
  EXPECT_EQ(Names("?filterBy=tags.keep%3D%3Dyes"), "");
  EXPECT_EQ(tag(Ann()), 204);
  EXPECT_EQ(Names("?filterBy=tags.keep%3D%3Dyes&sortBy=name"), "one two ");
}

TEST_F(Runs, OfAWorkloadAreFoundByIt) {
  Response made = Ann().Post(
      "/api/v1/workloads/trainings",
      fmt::format(R"({{"name":"train","projectId":"{}","clusterId":"{}","spec":{{"image":"i"}}}})",
                  vision_.value, FormatUuid(h_.cluster().value)));
  ASSERT_EQ(made.status, 200) << made.body;
  std::string workload(std::string_view(made.Json().at("workloadId").as_string()));
  std::string own = control::OwnRunOf(WorkloadId{*ParseUuid(workload)});
  ASSERT_EQ(Send(Ann(), own, Start("own")).status, 200);
  EXPECT_EQ(Names("?workloadId=" + workload), "own ");
  EXPECT_EQ(Ann().Get("/api/v1/runs/" + own).Json().at("workloadId").as_string(), workload);
  // Nobody takes the run of work in a project that is not theirs.
  EXPECT_EQ(Sam().Get("/api/v1/runs/" + own).status, 403);
}

TEST_F(Runs, ThatNobodyStartedTakeNoRecords) {
  EXPECT_EQ(Send(Ann(), kRun, Metric("loss", 1, 1)).status, 404);
  EXPECT_EQ(Send(Ann(), "../../x", Start("odd")).status, 404);
  EXPECT_EQ(Send(Ann(), "NOT-AN-ID", Start("odd")).status, 400);
}

TEST_F(Runs, HaveFilesThatCannotLieElsewhere) {
  Make(kRun, "quick", 8, "0.1");
  std::string folder = tracking().catalog().FindRun(kRun)->Get()->artifact_uri.substr(18);
  ASSERT_TRUE(tracking().artifacts().Put({ProjectId{1}, folder + "/model/weights.pt"}, "abc"));
  std::string path = fmt::format("/api/v1/runs/{}/artifacts", kRun);
  EXPECT_EQ(Ann().Get(path).Json().at("files").at(0).at("name"), "model");
  EXPECT_EQ(Ann().Get(path + "?path=model").Json().at("files").at(0).at("bytes"), 3);
  EXPECT_EQ(Ann().Get(path + "/file?path=model/weights.pt").status, 200);
  EXPECT_EQ(Ann().Get(path + "/file?path=../../../x").status, 400);
  EXPECT_EQ(Sam().Get(path + "/file?path=model/weights.pt").status, 403);
}

}  // namespace
}  // namespace yard::api
