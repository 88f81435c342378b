// Work that leaves its GPUs, as the API shows and orders it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/live_site.h"
#include "wire/schema.h"

namespace yard::api {
namespace {

using ::testing::HasSubstr;
using testing::LiveSite;
using testing::Response;

class Parking : public ::testing::Test {
 protected:
  // Its work runs in this attempt.
  void Run(Attempt attempt) {
    auto put = [&](control::Txn& txn) -> Status {
      Workload workload = *txn.state().Find<Workload>(WorkloadId{*ParseUuid(site_.id)});
      attempt.id = AttemptId{txn.NewUuid()};
      attempt.workload = workload.id;
      workload.attempt = attempt.id;
      workload.life = Life::kRunning;
      txn.Put(attempt);
      txn.Put(std::move(workload));
      return {};
    };
    ASSERT_TRUE(site_.harness.service().WriteAndWait(control::SystemPrincipal(), put));
  }

  LiveSite site_;
  Time now_ = site_.harness.clock().Now();
};

TEST_F(Parking, RunningWorkLeavesItsGpusIfTheEngineCan) {
  Response waiting = site_.admin.Post(site_.Path("/park"));
  EXPECT_EQ(waiting.status, 412) << "it does not run";
  EXPECT_THAT(waiting.body, HasSubstr("suspend it without keeping its memory"));
  Run({.places = {{"a", {"GPU-a"}, MilliGpu(1000)}}, .placed_at = now_, .started_at = now_});
  site_.live.parking = false;
  Response refused = site_.admin.Post(site_.Path("/park"));
  EXPECT_EQ(refused.status, 501) << refused.body;
  EXPECT_THAT(refused.body, HasSubstr("the driver is too old"));
  site_.live.parking = true;
  Response parked = site_.admin.Post(site_.Path("/park"));
  EXPECT_EQ(parked.status, 202) << parked.body;
  EXPECT_THAT(parked.body, HasSubstr("'notebook' leaves its GPUs"));
  json::value attempt = site_.admin.Get(site_.Path("/attempts")).Json().at("attempts").at(0);
  EXPECT_EQ(attempt.at("residence"), "Leaving");
}

TEST_F(Parking, WhatIsAwayIsOnNoGpuAndItsTimeAwayIsShown) {
  std::string node =
      fmt::format(R"({{"name":"a","clusterId":"{}"}})", FormatUuid(site_.harness.cluster().value));
  ASSERT_LT(site_.admin.Post("/api/v1/nodes", node).status, 300);
  Run({.places = {{"a", {"GPU-a"}, MilliGpu(500)}},
       .placed_at = now_ - Hours(2),
       .started_at = now_ - Hours(2),
       .residence = Residence::kAway,
       .residence_since = now_ - Minutes(30),
       .absences = {{now_ - Minutes(90), now_ - Minutes(60)}}});
  EXPECT_THAT(site_.admin.Get("/api/v1/gpus").body, HasSubstr(R"("workloads":[])"));
  Response attempts = site_.admin.Get(site_.Path("/attempts"));
  wire::Findings findings = wire::SchemaSet::Api().Validate("AttemptList", attempts.Json());
  EXPECT_TRUE(findings.issues.empty() && findings.unknown.empty()) << attempts.body;
  EXPECT_EQ(attempts.Json().at("attempts").at(0).at("awaySeconds"), 3600);
  json::value used = site_.admin.Get(site_.Path("/usage")).Json().at("used");
  EXPECT_EQ(used.at("gpuHoursHeld").to_number<double>(), 0.5) << "half of a GPU for one hour";
  EXPECT_THAT(site_.admin.Get(site_.Path("")).body, HasSubstr(R"("runningPods":0)"));
}

}  // namespace
}  // namespace yard::api
