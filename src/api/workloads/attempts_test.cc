// Attempts, as the API shows them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/live_site.h"
#include "wire/schema.h"

namespace yard::api {
namespace {

using testing::LiveSite;
using testing::Response;

class Attempts : public ::testing::Test {
 protected:
  static void ExpectValid(std::string_view type, const Response& r) {
    wire::Findings findings = wire::SchemaSet::Api().Validate(type, r.Json());
    EXPECT_TRUE(findings.issues.empty() && findings.unknown.empty()) << r.body;
  }
  void Put(Attempt attempt) {
    auto put = [&](control::Txn& txn) -> Status {
      attempt.id = AttemptId{txn.NewUuid()};
      attempt.workload = WorkloadId{*ParseUuid(site_.id)};
      Workload workload = *txn.state().Find<Workload>(attempt.workload);
      workload.attempt = attempt.id;
      txn.Put(attempt);
      txn.Put(std::move(workload));
      return {};
    };
    ASSERT_TRUE(site_.harness.service().WriteAndWait(control::SystemPrincipal(), put));
  }

  LiveSite site_;
  Time now_ = site_.harness.clock().Now();
};

TEST_F(Attempts, ComeNewestFirstWithTheirEnd) {
  Put({.number = 1,
       .places = {{"a", {"GPU-1", "GPU-2"}, MilliGpu(1000)}, {"a", {"GPU-3"}, MilliGpu(1000)}},
       .placed_at = now_ - Hours(3),
       .started_at = now_ - Hours(2),
       .stop = StopOrder{EndCause::kPreempted, "vision/other", "FairShare", now_ - Hours(1)},
       .end = AttemptEnd{.cause = EndCause::kPreempted, .message = "Gave way.", .at = now_}});
  Put({.number = 2, .places = {{"b", {}, {}}}, .placed_at = now_});
  Response r = site_.admin.Get(site_.Path("/attempts"));
  ASSERT_EQ(r.status, 200) << r.body;
  ExpectValid("AttemptList", r);
  json::value list = r.Json().at("attempts");
  EXPECT_EQ(list.at(0).at("number"), 2);
  EXPECT_TRUE(list.at(0).at("cause").is_null());
  EXPECT_TRUE(list.at(0).at("stop").is_null());
  const json::value& first = list.at(1);
  EXPECT_EQ(first.at("cause"), "Preempted");
  EXPECT_EQ(first.at("message"), "Gave way.");
  EXPECT_EQ(first.at("nodes"), json::array{"a"});
  EXPECT_EQ(first.at("gpus").as_array().size(), 3U);
  EXPECT_EQ(first.at("stop").at("rule"), "FairShare");
}

// The place went to work of another project: administrators and its members learn its name.
TEST_F(Attempts, NameTheWorkThatHasThePlaceToThoseWhoMaySeeIt) {
  const ProjectId hidden = site_.harness.MakeProject("hidden");
  site_.harness.Grant("ann@lab.org", "L1 researcher", Scope::Of(site_.project));
  site_.harness.Grant("bob@lab.org", "L1 researcher", Scope::Of(site_.project));
  site_.harness.Grant("bob@lab.org", "L1 researcher", Scope::Of(hidden));
  Response made =
      site_.admin.Post("/api/v1/workloads/trainings",
                       fmt::format(R"({{"name":"paper","projectId":"{}","clusterId":"{}"}})",
                                   hidden.value, FormatUuid(site_.harness.cluster().value)));
  ASSERT_EQ(made.status, 200) << made.body;
  const std::string id(std::string_view(made.Json().at("workloadId").as_string()));
  Put({.number = 1,
       .placed_at = now_,
       .stop = StopOrder{EndCause::kPreempted, "work of another project", "reclaim", now_,
                         WorkloadId{*ParseUuid(id)}}});
  auto by = [&](testing::Caller caller) {
    return caller.Get(site_.Path("/attempts")).Json().at("attempts").at(0).at("stop").at("by");
  };
  EXPECT_EQ(by(site_.admin), "hidden/paper");
  EXPECT_EQ(by(site_.harness.As("bob@lab.org")), "hidden/paper");
  EXPECT_EQ(by(site_.harness.As("ann@lab.org")), "work of another project");
}

}  // namespace
}  // namespace yard::api
