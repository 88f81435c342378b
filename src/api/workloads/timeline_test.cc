#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/live_site.h"
#include "wire/schema.h"

namespace yard::api {
namespace {

using testing::LiveSite;
using testing::Response;

class Timeline : public ::testing::Test {
 protected:
  // Held two GPUs from three hours ago until one hour ago.
  void SetUp() override {
    auto put = [&](control::Txn& txn) -> Status {
      txn.Put(Attempt{.id = AttemptId{txn.NewUuid()},
                      .workload = WorkloadId{*ParseUuid(site_.id)},
                      .places = {{"a", {"GPU-1", "GPU-2"}, MilliGpu(500)}},
                      .placed_at = now_ - Hours(3),
                      .end = AttemptEnd{.at = now_ - Hours(1)},
                      .residence = Residence::kAway,
                      .residence_since = now_ - Hours(2)});
      return {};
    };
    ASSERT_TRUE(site_.harness.service().WriteAndWait(control::SystemPrincipal(), put));
  }
  std::string Path(Time start, Time end) const {
    return "/api/v1/timeline?start=" + FormatRfc3339(start) + "&end=" + FormatRfc3339(end);
  }
  std::size_t Seen(Time start, Time end) {
    return site_.admin.Get(Path(start, end)).Json().at("attempts").as_array().size();
  }

  LiveSite site_;
  Time now_ = site_.harness.clock().Now();
};

TEST_F(Timeline, NamesTheGpusThatWereHeld) {
  Response r = site_.admin.Get(Path(now_ - Hours(24), now_));
  ASSERT_EQ(r.status, 200) << r.body;
  wire::Findings findings = wire::SchemaSet::Api().Validate("Timeline", r.Json());
  EXPECT_TRUE(findings.issues.empty() && findings.unknown.empty()) << r.body;
  json::value held = r.Json().at("attempts").at(0);
  EXPECT_EQ(held.at("name"), "notebook");
  EXPECT_EQ(held.at("cause"), "Completed");
  EXPECT_EQ(held.at("holds").at(1).at("gpu"), "GPU-2");
  EXPECT_EQ(held.at("holds").at(1).at("part").to_number<double>(), 0.5);
  EXPECT_EQ(held.at("absences").at(0).at("from").as_string().c_str(),
            FormatRfc3339(now_ - Hours(2)));
  EXPECT_EQ(held.at("absences").at(0).at("to"), held.at("endedAt")) << "it ended while away";
}

TEST_F(Timeline, HoldsWhatOverlapsTheSpanAndNothingElse) {
  EXPECT_EQ(Seen(now_ - Hours(2), now_), 1U);
  EXPECT_EQ(Seen(now_ - Hours(9), now_ - Hours(4)), 0U);
  EXPECT_EQ(Seen(now_ - Minutes(30), now_), 0U);
}

TEST_F(Timeline, NeedsASpanOfTime) {
  EXPECT_EQ(site_.admin.Get("/api/v1/timeline").status, 400);
  EXPECT_EQ(site_.admin.Get(Path(now_, now_ - Hours(1))).status, 400);
}

TEST_F(Timeline, HidesWorkOfOtherProjects) {
  site_.harness.Grant("far@lab.org", "Department administrator", Scope::Of(DepartmentId{999}));
  Response r = site_.harness.As("far@lab.org").Get(Path(now_ - Hours(24), now_));
  EXPECT_EQ(r.body.find("notebook"), std::string::npos);
  EXPECT_EQ(r.body.find("GPU-1"), std::string::npos) << "no machine of this cluster is theirs";
}

TEST_F(Timeline, ShowsThatOthersHeldAGpuWithoutTheirNames) {
  site_.harness.Grant("ann@lab.org", "Viewer", Scope::Of(site_.harness.MakeProject("own")));
  Response r = site_.harness.As("ann@lab.org").Get(Path(now_ - Hours(24), now_));
  ASSERT_EQ(r.status, 200) << r.body;
  EXPECT_EQ(r.body.find("notebook"), std::string::npos);
  EXPECT_TRUE(r.Json().at("attempts").as_array().empty());
  EXPECT_EQ(r.Json().at("others").at(0).at("holds").at(0).at("gpu"), "GPU-1");
  wire::Findings findings = wire::SchemaSet::Api().Validate("Timeline", r.Json());
  EXPECT_TRUE(findings.issues.empty() && findings.unknown.empty()) << r.body;
}

}  // namespace
}  // namespace yard::api
