#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/live_site.h"
#include "wire/schema.h"

namespace yard::api {
namespace {

using testing::LiveSite;
using testing::Response;

class Asked : public ::testing::Test {
 protected:
  static void ExpectValid(std::string_view type, const Response& r) {
    wire::Findings findings = wire::SchemaSet::Api().Validate(type, r.Json());
    EXPECT_TRUE(findings.issues.empty() && findings.unknown.empty()) << r.body;
  }
  std::string DryRun(std::string_view spec) const {
    return fmt::format(R"({{"type":"Training","workload":{{"name":"t","projectId":"{}",)"
                       R"("clusterId":"{}","spec":{}}}}})",
                       site_.project.value, FormatUuid(site_.harness.cluster().value), spec);
  }

  LiveSite site_;
};

TEST_F(Asked, WhySaysWhatIsMissingAndWhatWouldHelp) {
  Response r = site_.admin.Get(site_.Path("/why"));
  ASSERT_EQ(r.status, 200) << r.body;
  ExpectValid("Why", r);
  json::value why = r.Json();
  EXPECT_EQ(why.at("reason"), "GpusBusy");
  EXPECT_EQ(why.at("position"), 3);
  EXPECT_EQ(why.at("nodes").at(0).at("missing"), "1 GPU too few");
  EXPECT_EQ(why.at("alternatives").at(0).at("outcome"), "starts now");
  EXPECT_TRUE(why.at("latest").is_null());
}

TEST_F(Asked, WorkOfProjectsOutOfSightIsAheadWithoutItsName) {
  site_.harness.Grant("ann@lab.org", "L1 researcher", Scope::Of(site_.project));
  ProjectId hidden = site_.harness.MakeProject("hidden");
  std::string body = fmt::format(R"({{"name":"secretive","projectId":"{}","clusterId":"{}"}})",
                                 hidden.value, FormatUuid(site_.harness.cluster().value));
  Response made = site_.admin.Post("/api/v1/workloads/trainings", body);
  ASSERT_EQ(made.status, 200) << made.body;
  std::string id(made.Json().at("workloadId").as_string());
  site_.live.ahead = {WorkloadId{*ParseUuid(id)}};
  EXPECT_EQ(site_.admin.Get(site_.Path("/why")).Json().at("ahead").at(0), "secretive");
  Response r = site_.harness.As("ann@lab.org").Get(site_.Path("/why"));
  EXPECT_EQ(r.Json().at("ahead").at(0), "work of another project") << r.body;
  EXPECT_EQ(r.Json().at("position"), 3);
  EXPECT_FALSE(r.body.contains("secretive") || r.body.contains(id)) << r.body;
}

TEST_F(Asked, WhoseReservationStandsInTheWayIsToldToThoseWhoSeeTheProject) {
  site_.harness.Grant("ann@lab.org", "L1 researcher", Scope::Of(site_.project));
  site_.live.reserved_for = site_.harness.MakeProject("hidden");
  EXPECT_EQ(site_.admin.Get(site_.Path("/why")).Json().at("message"), "Reserved for somebody.");
  EXPECT_EQ(site_.harness.As("ann@lab.org").Get(site_.Path("/why")).Json().at("message"),
            "No node has 2 free GPUs.");
}

TEST_F(Asked, ADryRunTellsAboutASubmissionThatIsNotMade) {
  auto before = site_.harness.state()->Of<Workload>().size();
  Response r = site_.admin.Post("/api/v1/workloads/dry-run",
                                DryRun(R"({"compute":{"gpuDevicesRequest":2}})"));
  ASSERT_EQ(r.status, 200) << r.body;
  ExpectValid("Why", r);
  EXPECT_EQ(r.Json().at("reason"), "StartsNow");
  EXPECT_EQ(r.Json().at("startsOn").at(0), "node0");
  EXPECT_EQ(site_.live.last_draft.type, WorkloadType::kTraining);
  EXPECT_EQ(site_.live.last_draft.request.gpu, MilliGpu(2000));
  EXPECT_NE(site_.live.last_draft.department.value, 0);
  EXPECT_EQ(site_.harness.state()->Of<Workload>().size(), before);
}

TEST_F(Asked, ADryRunIsCheckedLikeTheSubmission) {
  auto post = [&](std::string body) {
    return site_.admin.Post("/api/v1/workloads/dry-run", std::move(body)).status;
  };
  EXPECT_EQ(post(DryRun(R"({"compute":{"gpuDevicesRequest":-1}})")), 400);
  EXPECT_EQ(post(R"({"type":"Sleeping","workload":{}})"), 400);
  EXPECT_EQ(post(R"({"type":"Training","workload":{}})"), 400);
  EXPECT_EQ(post(fmt::format(R"({{"type":"Training","workload":{{"name":"t","projectId":"999",)"
                             R"("clusterId":"{}"}}}})",
                             FormatUuid(site_.harness.cluster().value))),
            404);
  site_.harness.Grant("inf@lab.org", "ML engineer", Scope::Of(site_.project));
  auto engineer = site_.harness.As("inf@lab.org");
  EXPECT_EQ(engineer.Post("/api/v1/workloads/dry-run", DryRun("{}")).status, 403);
}

TEST_F(Asked, TheQueueHasEachWorkloadWithItsPlace) {
  Response r = site_.admin.Get("/api/v1/queue");
  ASSERT_EQ(r.status, 200) << r.body;
  ExpectValid("Queue", r);
  json::value line = r.Json().at("queue").at(0);
  const json::object& terms = line.at("terms").as_object();
  EXPECT_EQ(terms.at("policy"), "FairShare");
  EXPECT_EQ(
      terms.at("project"),
      json::value(
          {{"held", 1}, {"ahead", 0.5}, {"share", 4}, {"quota", nullptr}, {"priority", 100}}));
  EXPECT_TRUE(terms.at("department").is_null());
  EXPECT_EQ(line.at("name"), "notebook");
  EXPECT_EQ(line.at("projectName"), "vision");
  EXPECT_EQ(line.at("userName"), "admin@lab.org");
  EXPECT_EQ(line.at("position"), 1);
  EXPECT_EQ(line.at("gpu").to_number<double>(), 2.0);
}

TEST_F(Asked, TheQueueHidesWorkOfOthersProjects) {
  site_.harness.Grant("ann@lab.org", "L1 researcher", Scope::Of(site_.harness.MakeProject("own")));
  EXPECT_EQ(site_.harness.As("ann@lab.org").Get("/api/v1/queue").body, R"({"queue":[]})");
}

}  // namespace
}  // namespace yard::api
