// Usage, GPUs and orders, as the API shows and takes them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/live_site.h"
#include "wire/schema.h"

namespace yard::api {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::LiveSite;
using ::testing::Not;
using testing::Response;

class OfWork : public ::testing::Test {
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
  std::string MakeNode(std::string_view name, std::string_view status = "Unknown") {
    Response made = site_.admin.Post(
        "/api/v1/nodes", fmt::format(R"({{"name":"{}","clusterId":"{}","status":"{}"}})", name,
                                     FormatUuid(site_.harness.cluster().value), status));
    EXPECT_LT(made.status, 300) << made.body;
    return std::string(std::string_view(made.Json().at("id").as_string()));
  }
  std::string NodePath(std::string_view id, std::string_view rest) {
    return fmt::format("/api/v1/nodes/{}/{}", id, rest);
  }

  static engine::GpuState MeasuredGpu() {
    engine::GpuState gpu{.model = "H\"200", .memory = Mebibytes(143'155)};
    gpu.busy_percent = 50;
    gpu.used = Mebibytes(1024);
    gpu.numa_node = 1;
    gpu.health.emplace();
    gpu.health->temperature_c = 61;
    gpu.health->power_mw = 312'500;
    gpu.health->slowed_by = {"heat"};
    gpu.health->ecc_uncorrected = 0;
    gpu.health->xids = 1;
    gpu.health->last_xid = "XID 31";
    gpu.links = {{"GPU-b", slice::Closeness::kNvlink, 18}};
    return gpu;
  }

  LiveSite site_;
  Time now_ = site_.harness.clock().Now();
};

TEST_F(OfWork, UsageIsWhatWasMeasured) {
  Put({.number = 1, .placed_at = now_ - Seconds(100), .started_at = now_ - Seconds(90)});
  Response r = site_.admin.Get(site_.Path("/usage"));
  ASSERT_EQ(r.status, 200) << r.body;
  ExpectValid("WorkloadUsage", r);
  json::value usage = r.Json();
  EXPECT_EQ(usage.at("asked").at("gpu").to_number<double>(), 2.0);
  EXPECT_EQ(usage.at("asked").at("cpu").to_number<double>(), 4.0);
  EXPECT_EQ(usage.at("used").at("cpuSeconds").to_number<double>(), 90.0);
  EXPECT_EQ(usage.at("used").at("memoryPeak"), "400Mi");
  EXPECT_TRUE(usage.at("used").at("gpuPercent").is_null());
  EXPECT_EQ(usage.at("suggested").at("cpu").to_number<double>(), 1.3);
  EXPECT_EQ(usage.at("suggested").at("memory"), "501Mi");
}

// One hour on two GPUs, of which half was measured and a quarter used.
Attempt EndedAttempt(Time now) {
  Attempt attempt{.number = 1,
                  .places = {{"a", {"GPU-a", "GPU-b"}, MilliGpu(1000)}},
                  .placed_at = now - Hours(1),
                  .started_at = now - Hours(1)};
  attempt.end = AttemptEnd{.cause = EndCause::kExit, .exit_code = 3, .message = "", .at = now};
  attempt.used = AttemptUse{.cpu = Hours(2),
                            .memory_peak = Mebibytes(400),
                            .gpu_measured = GpuTime(2000 * Hours(1).value / 2),
                            .gpu_used = GpuTime(2000 * Hours(1).value / 4)};
  return attempt;
}

TEST_F(OfWork, UsageOfEndedWorkIsOnRecord) {
  site_.live.refusal = Error{Code::kUnavailable, "nobody is asked"};
  Put(EndedAttempt(now_));
  Response r = site_.admin.Get(site_.Path("/usage"));
  ASSERT_EQ(r.status, 200) << r.body;
  ExpectValid("WorkloadUsage", r);
  json::value used = r.Json().at("used");
  EXPECT_EQ(used.at("cpuSeconds").to_number<double>(), 7200.0);
  EXPECT_EQ(used.at("memoryPeak"), "400Mi");
  EXPECT_TRUE(used.at("memory").is_null());
  EXPECT_EQ(used.at("gpuHoursHeld").to_number<double>(), 2.0);
  EXPECT_EQ(used.at("gpuHoursUsed").to_number<double>(), 0.5);
  EXPECT_EQ(used.at("gpuHoursIdle").to_number<double>(), 0.5);
  EXPECT_EQ(r.Json().at("suggested").at("gpu").to_number<double>(), 1.3);
  EXPECT_EQ(r.Json().at("suggested").at("cpu").to_number<double>(), 2.6);
}

TEST_F(OfWork, AReportSaysWhoHeldAndUsedGpus) {
  Put(EndedAttempt(now_));
  std::string period = "&start=" + FormatRfc3339(now_ - Minutes(30)) + "&end=2100-01-01T00:00:00Z";
  for (const char* by : {"user", "project", "department"}) {
    Response r = site_.admin.Get("/api/v1/usage/report?by=" + std::string(by) + period);
    ASSERT_EQ(r.status, 200) << r.body;
    ExpectValid("UsageReport", r);
    json::value report = r.Json();
    EXPECT_EQ(report.at("rows").as_array().size(), 1U) << by;
    EXPECT_EQ(report.at("rows").at(0).at("gpuTime"), report.at("total").at("gpuTime"));
    EXPECT_EQ(report.at("total").at("gpuHours").at("held").to_number<double>(), 1.0);
    EXPECT_EQ(report.at("total").at("gpuHours").at("used").to_number<double>(), 0.25);
    EXPECT_EQ(report.at("total").at("gpuHours").at("notMeasured").to_number<double>(), 0.5);
  }
  EXPECT_EQ(site_.admin.Get("/api/v1/usage/report?by=phase" + period).status, 400);
  EXPECT_EQ(site_.admin.Get("/api/v1/usage/report").status, 400);
}

TEST_F(OfWork, ASeriesSaysWhenGpusWereHeldAndHowBusyTheyWere) {
  Put(EndedAttempt(now_));
  std::string period = "?start=" + FormatRfc3339(now_ - Hours(1)) + "&end=" + FormatRfc3339(now_);
  Response r = site_.admin.Get("/api/v1/usage/series" + period + "&numberOfSamples=2");
  ASSERT_EQ(r.status, 200) << r.body;
  ExpectValid("UsageSeries", r);
  json::value steps = r.Json().at("steps");
  ASSERT_EQ(steps.as_array().size(), 2U);
  EXPECT_EQ(steps.at(1).at("gpusHeld").to_number<double>(), 2.0);
  EXPECT_EQ(steps.at(1).at("busyPercent").to_number<double>(), 50.0);
  EXPECT_TRUE(steps.at(1).at("waitedSeconds").is_null());
  site_.harness.Grant("ann@lab.org", "Viewer", Scope::Of(site_.harness.MakeProject("own")));
  Response hers = site_.harness.As("ann@lab.org").Get("/api/v1/usage/series" + period);
  EXPECT_THAT(hers.body, Not(HasSubstr(R"("gpusHeld":2)")));
}

TEST_F(OfWork, AClustersPastAllocationComesFromItsAttempts) {
  Put(EndedAttempt(now_));
  Response r = site_.admin.Get(fmt::format(
      "/api/v1/clusters/{}/metrics?start={}&end={}&numberOfSamples=2&metricType=ALLOCATED_GPU",
      FormatUuid(site_.harness.cluster().value), FormatRfc3339(now_ - Hours(1)),
      FormatRfc3339(now_)));
  ASSERT_EQ(r.status, 200) << r.body;
  EXPECT_EQ(r.Json().at("measurements").at(0).at("values").at(1).at("value"), "2") << r.body;
}

TEST_F(OfWork, IdleGpusAreUnknownWhereNothingMeasuresThem) {
  constexpr const char* kIdle = "/api/v1/nodes/telemetry?telemetryType=IDLE_ALLOCATED_GPUS";
  MakeNode("a");
  Response nothing_held = site_.admin.Get(kIdle);
  ASSERT_EQ(nothing_held.status, 200) << nothing_held.body;
  EXPECT_EQ(nothing_held.Json().at("values").at(0).at("value"), "0") << nothing_held.body;
  Put({.number = 1, .places = {{"a", {"GPU-a"}, MilliGpu(1000)}}, .placed_at = now_});
  EXPECT_THAT(site_.admin.Get(kIdle).body, HasSubstr(R"("values":[])"));
}

TEST_F(OfWork, WhatAProjectHoldsCountsAgainstItsQuota) {
  Put({.number = 1, .places = {{"a", {"GPU-a"}, MilliGpu(500)}}, .placed_at = now_});
  Response r = site_.admin.Get(fmt::format("/api/v1/org-unit/projects/{}", site_.project.value));
  ASSERT_EQ(r.status, 200) << r.body;
  json::value status = r.Json().at("status").at("quotaStatus");
  EXPECT_EQ(status.at("allocated").at("gpu").to_number<double>(), 0.5);
}

TEST_F(OfWork, GpusAreListedByPagesOfNodes) {
  for (const char* name : {"a", "b", "c"}) MakeNode(name);
  auto count = [&](const std::string& query) {
    return site_.admin.Get("/api/v1/gpus" + query).Json().at("gpus").as_array().size();
  };
  EXPECT_EQ(count(""), 3U);
  EXPECT_EQ(count("?nodeLimit=2"), 2U);
  EXPECT_EQ(count("?nodeOffset=2&nodeLimit=2"), 1U);
  EXPECT_EQ(count("?search=B"), 1U);
  EXPECT_EQ(count("?nodeOffset=7"), 0U);
}

TEST_F(OfWork, AReportHidesWorkOfOthersProjects) {
  Put(EndedAttempt(now_));
  site_.harness.Grant("ann@lab.org", "Viewer", Scope::Of(site_.harness.MakeProject("own")));
  Response r = site_.harness.As("ann@lab.org")
                   .Get("/api/v1/usage/report?start=2000-01-01T00:00:00Z&end=2100-01-01T00:00:00Z");
  ASSERT_EQ(r.status, 200) << r.body;
  EXPECT_THAT(r.body, HasSubstr(R"("rows":[])"));
}

TEST_F(OfWork, AllocatedGpusAreCounted) {
  Put({.number = 1, .places = {{"a", {"GPU-a"}, MilliGpu(500)}}, .placed_at = now_});
  Response r = site_.admin.Get("/api/v1/workloads/telemetry?telemetryType=GPU_ALLOCATION");
  ASSERT_EQ(r.status, 200) << r.body;
  EXPECT_EQ(r.Json().at("values").at(0).at("value"), "0.5");
}

// Half a GPU of one machine, and every place that says who holds what.
TEST_F(OfWork, IsAllocatedToItsProjectDepartmentPoolAndNodes) {
  MakeNode("a");
  NodePoolId pool;
  site_.harness.state()->Of<NodePool>().Each([&](const NodePool& any) { pool = any.id; });
  std::string project = fmt::format("/api/v1/org-unit/projects/{}", site_.project.value);
  std::string quota = fmt::format(
      R"({{"resources":[{{"nodePool":{{"id":"{}"}},"gpu":{{"deserved":4}}}}]}})", pool.value);
  ASSERT_EQ(site_.admin.Put(project, quota).status, 200);
  Put({.number = 1, .pool = pool, .places = {{"a", {"GPU-a"}, MilliGpu(500)}}, .placed_at = now_});

  json::value shown = site_.admin.Get(project).Json();
  const json::value& status = shown.at("status");
  EXPECT_EQ(status.at("quotaStatus").at("allocated").at("gpu").to_number<double>(), 0.5);
  EXPECT_EQ(status.at("quotaStatus").at("allocated").at("cpu").to_number<double>(), 4000.0);
  json::value there = status.at("nodePoolQuotaStatuses").at(0);
  EXPECT_EQ(there.at("nodePoolId").as_string(), std::to_string(pool.value));
  EXPECT_EQ(there.at("allocated"), status.at("quotaStatus").at("allocated"));
  json::value department = site_.admin
                               .Get(fmt::format("/api/v1/org-unit/departments/{}",
                                                std::string_view(shown.at("parentId").as_string())))
                               .Json();
  EXPECT_EQ(department.at("status").at("quotaStatus").at("allocated"),
            status.at("quotaStatus").at("allocated"));
  auto value = [&](std::string_view target) {
    return site_.admin.Get(std::string(target)).Json().at("values").at(0).at("value");
  };
  EXPECT_EQ(value("/api/v1/nodes/telemetry?telemetryType=ALLOCATED_GPUS"), "0.5");
  EXPECT_EQ(value("/api/v1/org-unit/projects/telemetry?telemetryType=GPU_ALLOCATION"), "0.5");
}

TEST_F(OfWork, UsageOfWhatNeverRanIsUnknown) {
  site_.live.refusal = Error{Code::kPrecondition, "it never ran"};
  Response r = site_.admin.Get(site_.Path("/usage"));
  ASSERT_EQ(r.status, 200) << r.body;
  ExpectValid("WorkloadUsage", r);
  EXPECT_TRUE(r.Json().at("used").at("cpuSeconds").is_null());
  EXPECT_TRUE(r.Json().at("suggested").at("memory").is_null());
}

TEST_F(OfWork, GpusShowWhoHoldsThem) {
  MakeNode("a");
  Put({.number = 1, .places = {{"a", {"GPU-a"}, MilliGpu(500)}}, .placed_at = now_});
  Response r = site_.admin.Get("/api/v1/gpus");
  ExpectValid("GpuList", r);
  json::value gpu = r.Json().at("gpus").at(0);
  EXPECT_EQ(gpu.at("uuid"), "GPU-a");
  EXPECT_EQ(gpu.at("declared"), true);
  EXPECT_TRUE(gpu.at("busyPercent").is_null());
  EXPECT_EQ(gpu.at("workloads").at(0).at("name"), "notebook");
  EXPECT_EQ(gpu.at("workloads").at(0).at("part").to_number<double>(), 0.5);
}

TEST_F(OfWork, AGpuShowsWhatItTellsAndNothingElse) {
  MakeNode("a");
  site_.live.gpu = MeasuredGpu();
  Response r = site_.admin.Get("/api/v1/gpus");
  ASSERT_EQ(r.status, 200) << r.body;
  ExpectValid("GpuList", r);
  json::value gpu = r.Json().at("gpus").at(0);
  EXPECT_THAT(r.body, HasSubstr(R"("health":{"temperatureCelsius":61,"powerWatts":312.5,)"
                                R"("slowedBy":["heat"],"eccUncorrected":0,"xids":1,)"
                                R"("lastXid":"XID 31"})"));
  EXPECT_THAT(r.body, HasSubstr(R"("links":[{"gpu":"GPU-b","closeness":"nvlink","nvlinks":18}])"));
  EXPECT_EQ(gpu.at("numaNode"), 1);
  EXPECT_FALSE(gpu.as_object().contains("pci"));
}

TEST_F(OfWork, ADeclaredGpuHasNoHealth) {
  MakeNode("a");
  Response r = site_.admin.Get("/api/v1/gpus");
  EXPECT_THAT(r.body, AllOf(Not(HasSubstr("health")), Not(HasSubstr("links"))));
}

TEST_F(OfWork, GpusAreMeasuredForPrometheusInBaseUnits) {
  MakeNode("a");
  site_.live.gpu = MeasuredGpu();
  Response r = site_.admin.Get("/metrics");
  ASSERT_EQ(r.status, 200) << r.body;
  const std::string labels = R"({node="a",gpu="GPU-a",model="H\"200")";
  for (const char* line :
       {"gpuyard_gpu_temperature_celsius@} 61\n", "gpuyard_gpu_power_watts@} 312.5\n",
        "gpuyard_gpu_busy_ratio@} 0.5\n", "gpuyard_gpu_memory_used_bytes@} 1073741824\n",
        "gpuyard_gpu_ecc_errors_total@,kind=\"uncorrected\"} 0\n", "gpuyard_gpu_xids_total@} 1\n",
        "gpuyard_gpu_healthy@} 1\n"}) {
    std::string wanted = line;
    wanted.replace(wanted.find('@'), 1, labels);
    EXPECT_THAT(r.body, HasSubstr(wanted));
  }
  EXPECT_THAT(r.body, HasSubstr("# TYPE gpuyard_gpu_ecc_errors_total counter\n"));
  EXPECT_THAT(r.body, Not(HasSubstr("corrected\"} 3")));
  EXPECT_THAT(r.body, Not(HasSubstr("clock_hertz"))) << "not told, so no line";
}

TEST_F(OfWork, GpusAreMeasuredOnlyForThoseWhoMayReadNodes) {
  MakeNode("a");
  site_.live.gpu = MeasuredGpu();
  Response nobody = site_.harness.Nobody().Get("/metrics");
  EXPECT_EQ(nobody.status, 200);
  EXPECT_THAT(nobody.body,
              AllOf(HasSubstr("gpuyard_commits_total"), Not(HasSubstr("gpuyard_workloads")),
                    Not(HasSubstr("gpuyard_gpu"))));
  EXPECT_THAT(site_.admin.Get("/metrics").body, HasSubstr("gpuyard_workloads 1"));
  EXPECT_THAT(site_.harness.As("eve@lab.org").Get("/metrics").body,
              Not(HasSubstr("gpuyard_workloads")));
  EXPECT_THAT(site_.harness.As("eve@lab.org").Get("/metrics").body, Not(HasSubstr("gpuyard_gpu")));
  EXPECT_EQ(site_.harness.Bearing("nonsense").Get("/metrics").status, 401);
}

TEST_F(OfWork, DeclaredGpusAreNotMeasured) {
  MakeNode("a");
  EXPECT_THAT(site_.admin.Get("/metrics").body, Not(HasSubstr("gpuyard_gpu")));
}

TEST_F(OfWork, ANodeTellsWhatItsGpusDoNow) {
  const std::string id = MakeNode("a");
  auto ask = [&](Time start, Time end) {
    return site_.admin
        .Get(NodePath(id, fmt::format("metrics?start={}&end={}&metricType=GPU_UTILIZATION,"
                                      "GPU_MEMORY_USAGE_BYTES_PER_GPU,CPU_UTILIZATION",
                                      FormatRfc3339(start), FormatRfc3339(end))))
        .Json()
        .at("measurements");
  };
  EXPECT_TRUE(ask(now_, now_ + Seconds(1)).at(0).at("values").as_array().empty()) << "declared";
  site_.live.gpu = MeasuredGpu();
  const json::value now = ask(now_, now_ + Seconds(1));
  EXPECT_EQ(now.at(0).at("values").at(0).at("value"), "50");
  EXPECT_EQ(now.at(1).at("labels").at("gpu"), "0");
  EXPECT_EQ(now.at(1).at("values").at(0).at("value"), "1073741824");
  EXPECT_TRUE(now.at(2).at("values").as_array().empty());
  const json::value past = ask(now_ - Hours(2), now_ - Hours(1));
  EXPECT_TRUE(past.at(0).at("values").as_array().empty()) << "nothing is kept";
}

TEST_F(OfWork, GpusHideWorkOfOthersProjects) {
  MakeNode("a");
  Put({.number = 1, .places = {{"a", {"GPU-a"}, MilliGpu(500)}}, .placed_at = now_});
  site_.harness.Grant("ann@lab.org", "Viewer", Scope::Of(site_.harness.MakeProject("own")));
  Response r = site_.harness.As("ann@lab.org").Get("/api/v1/gpus");
  EXPECT_THAT(r.body, HasSubstr("GPU-a"));
  EXPECT_THAT(r.body, HasSubstr(R"("workloads":[])"));
  EXPECT_EQ(r.Json().at("gpus").at(0).at("heldByOthers").to_number<double>(), 0.5)
      << "held, without a name";
  json::value whole = site_.admin.Get("/api/v1/gpus").Json().at("gpus").at(0);
  EXPECT_EQ(whole.at("heldByOthers").to_number<double>(), 0.0) << "the administrator sees who";
}

TEST_F(OfWork, EverybodyLearnsHowManyGpusAreFree) {
  testing::Caller ann = site_.harness.As("ann@lab.org");
  MakeNode("a", "Ready");
  auto first = [&] { return ann.Get("/api/v1/gpus/count").Json().at("models").at(0); };
  ExpectValid("GpuCounts", ann.Get("/api/v1/gpus/count"));
  EXPECT_EQ(first().at("model"), "A100");
  EXPECT_EQ(first().at("free"), 1);
  Put({.number = 1, .places = {{"a", {"GPU-a"}, MilliGpu(500)}}, .placed_at = now_});
  EXPECT_EQ(first().at("free"), 0);
  EXPECT_EQ(first().at("partlyFree"), 1);
  Put({.number = 2, .places = {{"a", {"GPU-a"}, MilliGpu(1000)}}, .placed_at = now_});
  EXPECT_EQ(first().at("inUse"), 1);
  EXPECT_EQ(site_.harness.Nobody().Get("/api/v1/gpus/count").status, 401);
}

TEST_F(OfWork, TheUseOfGpusIsForThoseWhoSeeTheWork) {
  MakeNode("a");
  site_.live.gpu = MeasuredGpu();
  Put({.number = 1, .places = {{"a", {"GPU-a"}, MilliGpu(1000)}}, .placed_at = now_});
  Response use = site_.admin.Get("/api/v1/gpus/use");
  EXPECT_THAT(use.body, HasSubstr(R"("gpus":1,"measuredGpus":1,"busyPercent":50)"));
  EXPECT_EQ(site_.harness.As("ann@lab.org").Get("/api/v1/gpus/use").body, R"({"workloads":[]})");
}

TEST_F(OfWork, AGpuOnADrainedNodeIsNotCountedAsFree) {
  const std::string id = MakeNode("a", "Ready");
  ASSERT_EQ(site_.admin.Post(NodePath(id, "drain"), R"({"reason":"new disk"})").status, 202);
  json::value count = site_.admin.Get("/api/v1/gpus/count").Json().at("models").at(0);
  EXPECT_EQ(count.at("free"), 0);
  EXPECT_EQ(count.at("outOfService"), 1);
  json::value gpu = site_.admin.Get("/api/v1/gpus").Json().at("gpus").at(0);
  EXPECT_EQ(gpu.at("outOfService"), "drained: new disk");
}

TEST_F(OfWork, AGpuWithAFaultIsOutOfService) {
  MakeNode("a", "Ready");
  auto why_not = [&] {
    return site_.admin.Get("/api/v1/gpus").Json().at("gpus").at(0).at("outOfService");
  };
  EXPECT_EQ(why_not(), "");
  site_.live.gpu = MeasuredGpu();
  site_.live.gpu->fault = "XID 79";
  EXPECT_EQ(why_not(), "faulty: XID 79");
}

TEST_F(OfWork, WaitingWorkIsHeldAndReleased) {
  Response held = site_.admin.Post(site_.Path("/hold"));
  EXPECT_EQ(held.status, 202) << held.body;
  EXPECT_THAT(held.body, HasSubstr("'notebook' is held"));
  EXPECT_EQ(site_.admin.Post(site_.Path("/release")).status, 202);
}

TEST_F(OfWork, WaitingWorkIsGivenAnotherPriorityAndCancelled) {
  auto prioritize = [&](std::string_view name) {
    return site_.admin.Post(site_.Path("/priority"),
                            fmt::format(R"({{"priorityClass":"{}"}})", name));
  };
  EXPECT_EQ(prioritize("high").status, 202);
  EXPECT_EQ(prioritize("60").status, 400);
  Response cancelled = site_.admin.Post(site_.Path("/cancel"));
  EXPECT_EQ(cancelled.status, 202) << cancelled.body;
  Response after = site_.admin.Get(site_.Path(""));
  EXPECT_THAT(after.body, HasSubstr("Cancelled by admin@lab.org."));
  EXPECT_EQ(prioritize("low").status, 412);
}

TEST_F(OfWork, TheEngineSaysWhetherContainersRun) {
  Response r = site_.admin.Get("/api/v1/engine");
  ASSERT_EQ(r.status, 200) << r.body;
  EXPECT_EQ(r.Json().at("containers"), false);
  EXPECT_EQ(r.Json().at("containersMissing"), "there is no daemon");
}

TEST_F(OfWork, WhatMakesNoSenseNowIsRefused) {
  EXPECT_EQ(site_.admin.Post(site_.Path("/extend"), R"({"seconds":60})").status, 412);
  EXPECT_EQ(site_.admin.Post(site_.Path("/extend"), R"({"seconds":0})").status, 400);
  EXPECT_EQ(site_.admin.Post(site_.Path("/rerun")).status, 412);
}

TEST_F(OfWork, ANodeIsDrainedForAReasonAndResumed) {
  std::string id = MakeNode("a");
  EXPECT_EQ(site_.admin.Post(NodePath(id, "drain"), R"({"reason":""})").status, 400);
  Response drained = site_.admin.Post(NodePath(id, "drain"), R"({"reason":"new disk"})");
  EXPECT_EQ(drained.status, 202) << drained.body;
  EXPECT_EQ(site_.admin.Post(NodePath(id, "resume")).status, 202);
}

TEST_F(OfWork, ADrainSaysWhenItStopsWorkAndWhenItEnds) {
  const std::string path = NodePath(MakeNode("a"), "drain");
  const std::string order = R"({"reason":"new disk","stopAt":"2998-01-01T00:00:00Z",)";
  EXPECT_EQ(site_.admin.Post(path, order + R"("until":"2997-01-01T00:00:00Z"})").status, 400);
  EXPECT_EQ(site_.admin.Post(path, order + R"("until":"2999-01-01T00:00:00Z"})").status, 202);
  const std::string nodes = site_.admin.Get("/api/v1/nodes").body;
  EXPECT_NE(nodes.find(R"("stopAt":"2998-01-01T00:00:00)"), std::string::npos) << nodes;
  EXPECT_NE(nodes.find(R"("until":"2999-01-01T00:00:00)"), std::string::npos) << nodes;
}

}  // namespace
}  // namespace yard::api
