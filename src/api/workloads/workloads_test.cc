// The workload routes, as a researcher meets them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"
#include "control/policy/policy.h"

namespace yard::api {
namespace {

using testing::Caller;
using testing::Harness;
using testing::Response;

std::string_view Text(const json::value& value) {
  return {value.as_string().data(), value.as_string().size()};
}

class Workloads : public ::testing::Test {
 protected:
  std::string Body(std::string_view name, std::string_view spec, std::string_view more = "") {
    return fmt::format(R"({{"name":"{}","projectId":"{}","clusterId":"{}","spec":{}{}}})", name,
                       project_.value, FormatUuid(harness_.cluster().value), spec, more);
  }
  Response Submit(std::string_view kind, std::string_view name, std::string_view spec = "{}",
                  std::string_view more = "") {
    return admin_.Post(fmt::format("/api/v1/workloads/{}", kind), Body(name, spec, more));
  }
  // Submits and gives the id.
  std::string Id(std::string_view kind, std::string_view name, std::string_view spec = "{}") {
    Response response = Submit(kind, name, spec);
    EXPECT_LT(response.status, 300) << response.body;
    return std::string(Text(response.Json().at("workloadId")));
  }
  json::value Listed(const std::string& id) {
    Response response = admin_.Get("/api/v1/workloads/" + id);
    EXPECT_EQ(response.status, 200) << response.body;
    return response.Json();
  }
  std::string Names(const std::string& query) {
    Response response = admin_.Get("/api/v1/workloads?" + query);
    if (response.status != 200) return response.body;
    std::string names;
    json::value answer = response.Json();
    for (const json::value& one : answer.at("workloads").as_array()) {
      names += fmt::format("{} ", Text(one.at("name")));
    }
    return names;
  }

  Harness harness_;
  Caller admin_ = harness_.Admin();
  ProjectId project_ = harness_.MakeProject("vision");
};

TEST_F(Workloads, ASubmissionIsPendingWithTheTrueReasonUntilAnEngineRunsIt) {
  Response created = Submit("workspaces", "notebook", R"({"image":"jupyter"})");
  ASSERT_EQ(created.status, 200) << created.body;
  EXPECT_EQ(created.Json().at("actualPhase"), "Pending");
  EXPECT_EQ(created.Json().at("spec").at("image"), "jupyter");
  json::value listed = Listed(std::string(Text(created.Json().at("workloadId"))));
  EXPECT_EQ(listed.at("phase"), "Pending");
  EXPECT_EQ(listed.at("conditions").at(0).at("reason"), "NoEngine");
  EXPECT_NE(Text(listed.at("phaseMessage")).find("No engine is attached to cluster 'local'"),
            std::string_view::npos);
  EXPECT_TRUE(listed.at("phaseReason").is_null());
}

TEST_F(Workloads, EveryKindIsSubmittedReadAndDeletedUnderItsOwnPath) {
  for (std::string kind : {"workspaces", "trainings", "distributed", "inferences"}) {
    std::string path = "/api/v1/workloads/" + kind + "/" + Id(kind, "job-" + kind);
    EXPECT_EQ(admin_.Get(path).status, 200) << kind;
    EXPECT_EQ(admin_.Delete(path).status, 204) << kind;
    EXPECT_EQ(admin_.Get(path).status, 404) << kind;
    EXPECT_EQ(admin_.Delete(path).status, 404) << kind;
  }
  EXPECT_EQ(Names(""), "");
  EXPECT_EQ(Names("deleted=true&sortBy=name"),
            "job-distributed job-inferences job-trainings job-workspaces ");
}

TEST_F(Workloads, AKindIsNotFoundUnderThePathOfAnother) {
  std::string id = Id("workspaces", "notebook");
  EXPECT_EQ(admin_.Get("/api/v1/workloads/trainings/" + id).status, 404);
  EXPECT_EQ(admin_.Delete("/api/v1/workloads/inferences/" + id).status, 404);
}

TEST_F(Workloads, ANameIsTakenOnceAndFreeAgainAfterDeletion) {
  std::string id = Id("trainings", "resnet");
  Response second = Submit("workspaces", "resnet");
  EXPECT_EQ(second.status, 409);
  EXPECT_NE(second.body.find("'resnet' exists already"), std::string::npos);
  ASSERT_EQ(admin_.Delete("/api/v1/workloads/trainings/" + id).status, 204);
  EXPECT_EQ(Submit("workspaces", "resnet").status, 200);
}

TEST_F(Workloads, APrefixGetsAFreeSuffix) {
  Response first = Submit("trainings", "sweep", "{}", R"(,"useGivenNameAsPrefix":true)");
  Response second = Submit("trainings", "sweep", "{}", R"(,"useGivenNameAsPrefix":true)");
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(first.Json().at("requestedName"), "sweep");
  EXPECT_TRUE(Text(first.Json().at("name")).starts_with("sweep-"));
  EXPECT_NE(first.Json().at("name"), second.Json().at("name"));
}

TEST_F(Workloads, ResourcesAreExactAndCountEveryPod) {
  json::value listed = Listed(
      Id("distributed", "ddp",
         R"({"numWorkers":3,"distributedFramework":"PyTorch","compute":{"gpuDevicesRequest":2,
             "gpuRequestType":"portion","gpuPortionRequest":0.1,"cpuCoreRequest":0.5,
             "cpuMemoryRequest":"1Gi"}})"));
  EXPECT_EQ(listed.at("workloadRequestedResources").at("gpu").at("request").to_number<double>(),
            0.6);
  EXPECT_EQ(listed.at("workloadRequestedResources").at("cpu").at("request").to_number<double>(),
            1.5);
  EXPECT_EQ(listed.at("podsRequestedResources").at("cpuMemory").at("request"), "1024Mi");
  EXPECT_EQ(listed.at("distributedFramework"), "PyTorch");
}

TEST_F(Workloads, TheMasterOfDistributedWorkCountsToo) {
  Response created = Submit("distributed", "mpi", R"({"numWorkers":2,
      "compute":{"gpuDevicesRequest":4}})",
                            R"(,"masterSpec":{"compute":{"cpuCoreRequest":1}})");
  ASSERT_EQ(created.status, 200) << created.body;
  EXPECT_EQ(created.Json().at("masterSpec").at("compute").at("cpuCoreRequest"), 1);
  json::value listed = Listed(std::string(Text(created.Json().at("workloadId"))));
  EXPECT_EQ(listed.at("requestedPods").at("number"), 3);
  EXPECT_EQ(listed.at("workloadRequestedResources").at("gpu").at("request"), 8);
  EXPECT_EQ(listed.at("workloadRequestedResources").at("cpu").at("request"), 1);
}

TEST_F(Workloads, ThePriorityClassDecidesPreemptionUnlessTheSubmitterDoes) {
  auto priority = [&](std::string_view name, std::string_view kind, std::string_view spec) {
    json::value w = Listed(Id(kind, name, spec));
    return fmt::format("{} {} {}", Text(w.at("priorityClassName")), w.at("priority").as_int64(),
                       w.at("preemptible").as_bool());
  };
  EXPECT_EQ(priority("a", "workspaces", "{}"), "build 100 false");
  EXPECT_EQ(priority("b", "trainings", "{}"), "train 50 true");
  EXPECT_EQ(priority("c", "inferences", "{}"), "inference 125 false");
  EXPECT_EQ(priority("d", "workspaces", R"({"priorityClass":"interactive-preemptible"})"),
            "interactive-preemptible 75 true");
  EXPECT_EQ(
      priority("e", "trainings", R"({"priorityClass":"very-high","preemptibility":"preemptible"})"),
      "very-high 150 true");
}

TEST_F(Workloads, SuspendStopsWaitingWorkAtOnceAndResumeLetsItWaitAgain) {
  std::string id = Id("trainings", "resnet");
  std::string path = "/api/v1/workloads/trainings/" + id;
  Response suspended = admin_.Post(path + "/suspend");
  EXPECT_EQ(suspended.status, 202) << suspended.body;
  EXPECT_EQ(suspended.Json().at("code"), 202);
  EXPECT_EQ(Listed(id).at("phase"), "Stopped");
  EXPECT_EQ(Listed(id).at("actionsSupport").at("suspend"), false);
  EXPECT_EQ(admin_.Post(path + "/suspend").status, 202);
  EXPECT_EQ(admin_.Post(path + "/resume").status, 202);
  EXPECT_EQ(Listed(id).at("phase"), "Pending");
  EXPECT_EQ(admin_.Get(path).Json().at("desiredPhase"), "Running");
}

TEST_F(Workloads, HistoryShowsEveryChangeOfPhaseNewestFirst) {
  std::string id = Id("trainings", "resnet");
  admin_.Post("/api/v1/workloads/trainings/" + id + "/suspend");
  admin_.Post("/api/v1/workloads/trainings/" + id + "/resume");
  Response history = admin_.Get("/api/v1/workloads/" + id + "/history");
  ASSERT_EQ(history.status, 200) << history.body;
  std::string phases;
  json::value answer = history.Json();
  for (const json::value& record : answer.at("records").as_array()) {
    if (record.at("meta").at("type") != "PhaseUpdate") continue;
    phases += fmt::format("{} ", Text(record.at("spec").at("phaseUpdate").at("phase")));
  }
  EXPECT_EQ(phases, "Pending Resuming Stopped Stopping Pending ");
  Response page = admin_.Get("/api/v1/workloads/" + id + "/events?limit=1&sortOrder=asc");
  EXPECT_EQ(page.Json().at("events").at(0).at("reason"), "Created");
  EXPECT_EQ(page.Json().at("next"), 1);
}

TEST_F(Workloads, ListsFilterSortSearchAndPage) {
  Id("workspaces", "alpha");
  Id("trainings", "beta");
  Id("trainings", "gamma");
  EXPECT_EQ(Names("filterBy=type==Training&sortBy=name&sortOrder=desc"), "gamma beta ");
  EXPECT_EQ(Names("search=alp"), "alpha ");
  EXPECT_EQ(Names("sortBy=name&limit=1&offset=1"), "beta ");
  EXPECT_EQ(Names("filterBy=projectName==vision,phase!=Running&sortBy=name"), "alpha beta gamma ");
  EXPECT_NE(Names("filterBy=colour==red").find("there is no field 'colour'"), std::string::npos);
  EXPECT_EQ(admin_.Get("/api/v1/workloads/count?filterBy=type==Training").Json().at("count"), 2);
}

TEST_F(Workloads, APageSaysHowManyThereAreInAll) {
  Id("trainings", "beta");
  Id("trainings", "gamma");
  Response page = admin_.Get("/api/v1/workloads?filterBy=type==Training&limit=1");
  EXPECT_EQ(page.headers, (std::vector<http::Header>{{"Gpuyard-Total", "2"}}));
  EXPECT_EQ(page.Json().at("workloads").as_array().size(), 1U);
}

TEST_F(Workloads, InferencesAreShownOnlyToThoseWhoMayReadThem) {
  std::string id = Id("inferences", "chat");
  Id("trainings", "resnet");
  harness_.Grant("ann@lab.org", "L2 researcher", Scope::Of(project_));
  harness_.Grant("eve@lab.org", "L1 researcher", Scope::Of(project_));
  auto count = [&](std::string_view who) {
    return harness_.As(who).Get("/api/v1/workloads/count").Json().at("count").as_int64();
  };
  EXPECT_EQ(count("ann@lab.org"), 1);
  EXPECT_EQ(count("eve@lab.org"), 2);
  EXPECT_EQ(harness_.As("ann@lab.org").Get("/api/v1/workloads/" + id).status, 403);
  EXPECT_EQ(harness_.As("eve@lab.org").Get("/api/v1/workloads/" + id).status, 200);
}

TEST_F(Workloads, AChangeOfAnInferenceMustComplyWithItsPolicy) {
  std::string id = Id("inferences", "chat");
  Response made = admin_.Put("/api/v2/policy/inferences", R"({"meta":{"name":"p","scope":"tenant"},
      "policy":{"rules":{"compute":{"gpuDevicesRequest":{"max":2}}}}})");
  ASSERT_EQ(made.status, 200) << made.body;
  auto patch = [&](int gpus) {
    return admin_.Patch(
        "/api/v1/workloads/inferences/" + id,
        fmt::format(R"({{"spec":{{"compute":{{"gpuDevicesRequest":{}}}}}}})", gpus));
  };
  Response refused = patch(4);
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("must be at most 2"), std::string::npos) << refused.body;
  EXPECT_EQ(patch(2).status, 200);
}

TEST_F(Workloads, WhatAPolicyImposedDoesNotStandInTheWayOfAChange) {
  Response source = admin_.Post("/api/v1/asset/datasource/nfs", R"({"meta":{"name":"data",
      "scope":"tenant"},"spec":{"server":"nfs","path":"/export","mountPath":"/data"}})");
  std::string asset(Text(source.Json().at("meta").at("id")));
  Response made = admin_.Put("/api/v2/policy/inferences", fmt::format(R"({{"meta":{{"name":"p",
      "scope":"tenant"}},"policy":{{"imposedAssets":["{}"],
      "rules":{{"storage":{{"nfs":{{"instances":{{"canAdd":false}}}}}}}}}}}})",
                                                                      asset));
  ASSERT_EQ(made.status, 200) << made.body;
  std::string path = "/api/v1/workloads/inferences/" + Id("inferences", "chat");
  Response changed = admin_.Patch(path, R"({"spec":{"image":"other"}})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.Json().at("spec").at("storage").at("nfs").as_array().size(), 1U);
}

TEST_F(Workloads, OnlyThoseOfVisibleProjectsAreListed) {
  Id("workspaces", "secret-plan");
  ProjectId other = harness_.MakeProject("other");
  harness_.Grant("ann@lab.org", "L1 researcher", Scope::Of(other));
  EXPECT_EQ(harness_.As("ann@lab.org").Get("/api/v1/workloads").Json().at("workloads"),
            json::array{});
  EXPECT_EQ(
      harness_.As("ann@lab.org").Post("/api/v1/workloads/workspaces", Body("mine", "{}")).status,
      403);
}

TEST_F(Workloads, ABatchDeletesWhatItCanAndNamesTheRest) {
  std::string id = Id("workspaces", "notebook");
  std::string missing = "00000000-0000-7000-8000-000000000000";
  Response batch =
      admin_.Post("/api/v1/workloads/batch",
                  fmt::format(R"({{"action":"delete","ids":["{}","{}"]}})", id, missing));
  ASSERT_EQ(batch.status, 200) << batch.body;
  EXPECT_EQ(batch.Json().at("succeeded"), json::array{id});
  EXPECT_EQ(batch.Json().at("failed").at(0).at("code"), 404);
  EXPECT_EQ(admin_.Post("/api/v1/workloads/batch", R"({"action":"delete","ids":[null]})").status,
            400);
}

TEST_F(Workloads, AnInferenceTakesChangesFieldByField) {
  std::string path = "/api/v1/workloads/inferences/" +
                     Id("inferences", "llm", R"({"image":"a","command":"serve"})");
  Response patched = admin_.Patch(path, R"({"spec":{"image":"b"}})");
  ASSERT_EQ(patched.status, 200) << patched.body;
  EXPECT_EQ(patched.Json().at("spec").at("image"), "b");
  EXPECT_EQ(patched.Json().at("spec").at("command"), "serve");
}

TEST_F(Workloads, WrongInputIsNamedFieldByFieldAndNothingIsMade) {
  auto refusal = [&](std::string_view spec) {
    Response response = Submit("workspaces", "bad", spec);
    EXPECT_EQ(response.status, 400) << response.body;
    return response.body;
  };
  EXPECT_NE(refusal(R"({"compute":{"gpuPortionRequest":1.5}})")
                .find("spec.compute.gpuPortionRequest must be between 0 and 1"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"backoffLimit":-1})").find("spec.backoffLimit must be at least 0"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"priorityClass":"urgent"})").find("there is no class 'urgent'"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"nodePools":["moon"]})").find("there is no node pool 'moon'"),
            std::string::npos);
  EXPECT_EQ(Submit("workspaces", "Not-A-Label").status, 400);
  EXPECT_EQ(Names(""), "");
}

TEST_F(Workloads, BackoffLimitZeroAndFieldsOfNewerVersionsAreLegal) {
  Response created = Submit("trainings", "newer", R"({"backoffLimit":0,"restartPolicy":"Never",
      "preemptibility":"non-preemptible","category":"Train","priorityClass":"medium-high"})");
  EXPECT_EQ(created.status, 200) << created.body;
  EXPECT_TRUE(created.headers.empty());
  Response warned = Submit("trainings", "typo", R"({"imgae":"x"})");
  EXPECT_EQ(warned.status, 200);
  ASSERT_EQ(warned.headers.size(), 1U);
  EXPECT_NE(warned.headers[0].second.find("did you mean 'image'?"), std::string::npos);
}

TEST_F(Workloads, AProjectOfAnotherClusterOrNoneIsRefused) {
  std::string body = fmt::format(
      R"({{"name":"x","projectId":"{}","clusterId":"00000000-0000-7000-8000-000000000001"}})",
      project_.value);
  EXPECT_EQ(admin_.Post("/api/v1/workloads/workspaces", body).status, 400);
  project_ = ProjectId{999};
  EXPECT_NE(Submit("workspaces", "x").body.find("there is no project 999"), std::string::npos);
}

TEST_F(Workloads, APolicyFillsInDefaultsAndRefusesWhatBreaksItsRules) {
  auto put = [&](control::Txn& txn) -> Status {
    control::PolicyChange change;
    change.draft = {.type = PolicyType::kWorkspace, .scope = Scope::Tenant(), .name = "limits"};
    change.draft.policy.json =
        R"({"defaults":{"image":"house"},"rules":{"compute":{"gpuDevicesRequest":{"max":1}}}})";
    YARD_TRY(control::SetPolicy(txn, change));
    return {};
  };
  Status status = harness_.service().WriteAndWait(control::SystemPrincipal(), put);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(Submit("workspaces", "plain").Json().at("spec").at("image"), "house");
  Response refused = Submit("workspaces", "greedy", R"({"compute":{"gpuDevicesRequest":2}})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(Text(refused.Json().at("complianceIssues").at(0).at("field")).find("gpuDevicesRequest"),
            std::string_view::npos);
}

TEST_F(Workloads, WhatNobodyMeasuredHasNoValues) {
  std::string id = Id("workspaces", "notebook");
  std::string span =
      "?metricType=GPU_UTILIZATION&start=2026-01-01T00:00:00Z&end=2026-01-02T00:00:00Z";
  EXPECT_EQ(admin_.Get("/api/v1/workloads/" + id + "/metrics" + span).body,
            R"({"measurements":[{"type":"GPU_UTILIZATION","values":[]}]})");
  EXPECT_EQ(admin_.Get("/api/v1/workloads/" + id + "/metrics").status, 400);
  EXPECT_EQ(admin_.Get("/api/v1/workloads/" + id + "/pods").body, R"({"pods":[]})");
  Response telemetry =
      admin_.Get("/api/v1/workloads/telemetry?telemetryType=WORKLOADS_COUNT&groupBy=Type,Phase");
  ASSERT_EQ(telemetry.status, 200) << telemetry.body;
  EXPECT_EQ(telemetry.Json().at("values").at(0).at("value"), "1");
}

}  // namespace
}  // namespace yard::api
