// One page of a filtered, sorted list over 100,000 workloads, and the cost of one creation.
//
// Everything of a request but the socket and the disk: routing, permission, filter, sort, page and
// JSON; parsing, validation, policy, reactor and answer. `p99_ms` and `max_ms` are of single
// requests.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <semaphore>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"
#include "base/check.h"
#include "base/json.h"
#include "control/commands/workloads.h"
#include "wire/schema.h"
#include "wire/spec.h"

namespace yard::api {
namespace {

constexpr int kWorkloads = 100'000;
constexpr int kProjects = 40;

constexpr std::string_view kSpec =
    R"({"image":"registry.lab.org/vision/train:2.4","command":"python","args":"train.py --lr 1",)"
    R"("environmentVariables":[{"name":"SEED","value":"7"},{"name":"WANDB","value":"off"}],)"
    R"("compute":{"gpuDevicesRequest":1,"gpuRequestType":"portion","gpuPortionRequest":0.5,)"
    R"("cpuCoreRequest":2,"cpuMemoryRequest":"16Gi"},)"
    R"("storage":{"pvc":[{"name":"home","existingPvc":true,"claimName":"home","path":"/home"}]}})";

Workload Make(int i, ClusterId cluster, const std::vector<ProjectId>& projects) {
  constexpr std::array kLives{Life::kWaiting, Life::kRunning, Life::kCompleted, Life::kFailed};
  Workload w;
  w.name = fmt::format("run-{:x}-{}", static_cast<unsigned>(i) * 2654435761U, i);
  w.requested_name = w.name;
  w.type = static_cast<WorkloadType>(i % 4);
  w.life = kLives[static_cast<std::size_t>(i / 7) % kLives.size()];
  w.project = projects[static_cast<std::size_t>(i * 31) % projects.size()];
  w.department = DepartmentId{1};
  w.cluster = cluster;
  w.spec = wire::ReadSpecText(std::string(kSpec));
  w.priority_class = "train";
  return w;
}

// A server with every workload in it; made once.
struct World {
  World() {
    for (int i = 0; i < kProjects; ++i) {
      projects.push_back(harness.MakeProject(fmt::format("project-{}", i)));
    }
    ClusterId cluster = harness.cluster();
    for (int start = 0; start < kWorkloads; start += 1000) {
      auto fill = [&](control::Txn& txn) -> Status {
        for (int i = start; i < start + 1000; ++i) {
          Workload w = Make(i, cluster, projects);
          w.id = WorkloadId{txn.NewUuid()};
          w.stamp = {Time{1'700'000'000'000'000 + (i * 7919LL % kWorkloads) * 1'000'000},
                     fmt::format("user-{}@lab.org", i % 50), txn.now(), ""};
          txn.Put(std::move(w));
        }
        return {};
      };
      Status filled = harness.service().WriteAndWait(control::SystemPrincipal(), fill);
      YARD_CHECK(filled.has_value());
      harness.clock().Advance(Seconds(1));
    }
  }
  testing::Harness harness;
  std::vector<ProjectId> projects;
};

World& Everything() {
  static World world;
  return world;
}

double Milliseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

void Page(benchmark::State& state, const std::string& query) {
  World& world = Everything();
  testing::Caller admin = world.harness.Admin();
  std::vector<double> took;
  for (auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    testing::Response response = admin.Get("/api/v1/workloads?limit=50&" + query);
    took.push_back(Milliseconds(std::chrono::steady_clock::now() - start));
    YARD_CHECK(response.status == 200);
    benchmark::DoNotOptimize(response.body.data());
  }
  std::ranges::sort(took);
  state.counters["p99_ms"] = took[took.size() * 99 / 100];
  state.counters["max_ms"] = took.back();
}

std::string CreateBody(ProjectId project, ClusterId cluster, std::string_view name) {
  return fmt::format(
      R"({{"name":"{}","useGivenNameAsPrefix":true,"projectId":"{}","clusterId":"{}","spec":{}}})",
      name, project.value, FormatUuid(cluster.value), kSpec);
}

// Whole creations through the API with `range` of them in flight.
void Create(benchmark::State& state) {
  World& world = Everything();
  std::string body = CreateBody(world.projects[0], world.harness.cluster(), "bench");
  std::counting_semaphore<1024> free(state.range(0));
  std::atomic<int> failed = 0;
  for (auto _ : state) {
    free.acquire();
    http::Request request{.method = http::Method::kPost,
                          .target = "/api/v1/workloads/workspaces",
                          .headers = {{"authorization", "User admin@lab.org"}},
                          .body = body};
    world.harness.server().Handle(std::move(request), [&](http::Reply reply) {
      if (reply.status != 200) ++failed;
      free.release();
    });
  }
  for (std::int64_t i = 0; i < state.range(0); ++i) free.acquire();
  YARD_CHECK(failed == 0);
  state.SetItemsProcessed(state.iterations());
}

// The reactor's share alone: commands that are ready, one after another in one batch.
void ReactorCreate(benchmark::State& state) {
  World& world = Everything();
  ClusterId cluster = world.harness.cluster();
  constexpr int kBatch = 256;
  for (auto _ : state) {
    auto create = [&](control::Txn& txn) -> Status {
      for (int i = 0; i < kBatch; ++i) {
        control::WorkloadDraft draft{Make(i, cluster, world.projects), control::Naming::kSuffix};
        draft.workload.life = Life::kNew;
        YARD_TRY(control::CreateWorkload(txn, std::move(draft)));
      }
      return {};
    };
    YARD_CHECK(
        world.harness.service().WriteAndWait(control::SystemPrincipal(), create).has_value());
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
}

void Validate(benchmark::State& state) {
  json::value body = *ParseJson(CreateBody(ProjectId{1}, ClusterId{}, "bench"));
  for (auto _ : state) {
    wire::Findings findings = wire::SchemaSet::Api().Validate("WorkspaceDraft", body);
    YARD_CHECK(findings.issues.empty() && findings.unknown.empty());
  }
}

void ParseBody(benchmark::State& state) {
  std::string body = CreateBody(ProjectId{1}, ClusterId{}, "bench");
  for (auto _ : state) benchmark::DoNotOptimize(ParseJson(body));
}

constexpr auto kUnit = benchmark::kMillisecond;
BENCHMARK_CAPTURE(Page, phase_by_created,
                  std::string("filterBy=phase==Running&sortBy=createdAt&sortOrder=desc"))
    ->Unit(kUnit)
    ->Iterations(100);
BENCHMARK_CAPTURE(Page, project_and_type_by_name,
                  std::string("filterBy=projectName==project-7,type==Training&sortBy=name"))
    ->Unit(kUnit)
    ->Iterations(100);
BENCHMARK_CAPTURE(Page, contains_by_project_page_40,
                  std::string("filterBy=name=@a&sortBy=projectName&offset=2000"))
    ->Unit(kUnit)
    ->Iterations(100);
BENCHMARK_CAPTURE(Page, since_and_submitter_by_phase,
                  std::string("filterBy=createdAt>=2023-11-15T00:00:00Z,submittedBy==user-3@lab.org"
                              "&sortBy=phase"))
    ->Unit(kUnit)
    ->Iterations(100);
BENCHMARK_CAPTURE(Page, search, std::string("search=ff3&sortBy=createdAt"))
    ->Unit(kUnit)
    ->Iterations(100);
BENCHMARK_CAPTURE(Page, all_by_name, std::string("sortBy=name"))->Unit(kUnit)->Iterations(100);
BENCHMARK(Validate);
BENCHMARK(ParseBody);
BENCHMARK(ReactorCreate);
BENCHMARK(Create)->Arg(1)->Arg(64);

}  // namespace
}  // namespace yard::api
