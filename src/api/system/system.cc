#include <set>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/live/views.h"
#include "api/nodes/gpu_views.h"
#include "api/nodes/infra_views.h"
#include "base/json.h"
#include "base/json_text.h"
#include "base/version.h"
#include "serve/openapi.h"
#include "serve/server.h"

namespace yard::api {
namespace {

Result<Answer> Healthz(Call&) {
  return Json(R"({"status":"ok"})");
}

Result<Answer> Readyz(Call& call) {
  if (!call.server().ready()) return Json(R"({"status":"starting or stopping"})", 503);
  const serve::ServerContext& context = call.server().context();
  Status storage = context.storage ? context.storage() : Status();
  if (storage) return Json(R"({"status":"ready"})");
  return Json(JsonText(json::object{{"status", storage.error().message}}), 503);
}

// The server's own health, for everybody: a monitor needs no token.
http::Reply Counters(Call& call) {
  http::Reply reply;
  reply.content_type = "text/plain; version=0.0.4";
  call.server().metrics().Write(reply.body);
  control::ServiceStats stats = call.service().stats();
  serve::WriteMetric(reply.body, "gpuyard_commits_total", "Durable commits.", "counter",
                     static_cast<double>(stats.commits));
  serve::WriteMetric(reply.body, "gpuyard_commands_total", "Commands carried out or refused.",
                     "counter", static_cast<double>(stats.commands));
  serve::WriteMetric(reply.body, "gpuyard_commits_failed_total",
                     "Commits that failed and were taken back.", "counter",
                     static_cast<double>(stats.failed_commits));
  serve::WriteMetric(reply.body, "gpuyard_command_queue", "Commands waiting for the reactor.",
                     "gauge", static_cast<double>(stats.queue_length));
  return reply;
}

// How much work there is, for those who may see all of it.
http::Reply CountersOfWork(Call& call) {
  http::Reply reply = Counters(call);
  control::Access access(call.state(), call.who());
  if (!access.May(Resource::kWorkloads, Action::kRead, ScopePath{})) return reply;
  serve::WriteMetric(reply.body, "gpuyard_workloads", "Workloads on record.", "gauge",
                     static_cast<double>(call.state().Of<Workload>().size()) +
                         static_cast<double>(call.state().archived()));
  return reply;
}

// Those of nodes that the caller may read.
std::vector<PlacedGpu> ReadableGpus(const Call& call, const std::vector<control::LiveNode>& nodes) {
  std::set<std::pair<ClusterId, std::string>> readable;
  call.state().Of<Node>().Each([&](const Node& node) {
    if (SeesInside(call, Resource::kNodes, node.cluster))
      readable.insert({node.cluster, node.name});
  });
  std::vector<PlacedGpu> gpus;
  for (const control::LiveNode& node : nodes) {
    if (!readable.contains({node.cluster, node.name})) continue;
    for (const engine::GpuState& gpu : node.gpus) gpus.push_back({node.name, gpu});
  }
  return gpus;
}

// Of work on GPUs that the caller may read.
std::vector<WorkloadGpuUse> ReadableWork(const Call& call, control::Live& live) {
  std::vector<WorkloadGpuUse> uses;
  control::Access access(call.state(), call.who());
  call.state().EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    Ptr<Workload> workload = call.state().Find<Workload>(attempt->workload);
    if (!workload || !HoldsGpus(*attempt) || HeldBy(*attempt).value == 0) return;
    if (!access.May(Resource::kWorkloads, Action::kRead, call.state().PathOf(*workload))) return;
    const Ptr<Project> project = call.state().Find<Project>(workload->project);
    const control::UsageSeries series = live.UsageSeriesOf(attempt->id);
    if (series.empty()) return;
    const control::UsagePoint& last = series.points().back();
    uses.push_back({project ? project->name : "", workload->name, last.gpu_memory, last.gpu_used});
  });
  return uses;
}

// The GPUs are for those who may read nodes.
Result<Answer> PrometheusMetrics(Call& call) {
  const serve::ServerContext& context = call.server().context();
  Result<control::Principal> who =
      context.authenticator.Authenticate(call.request(), call.state(), call.now());
  if (!who && call.request().Find("authorization")) return Fail(who.error());
  if (!who) return Counters(call);
  call.ActAs(*std::move(who));
  if (context.live == nullptr) return CountersOfWork(call);
  return OnLive([&call, live = context.live]() -> Result<Slow::Outcome> {
    http::Reply reply = CountersOfWork(call);
    Result<std::vector<control::LiveNode>> nodes = live->Nodes();
    if (nodes) {
      WriteGpuMetrics(reply.body, ReadableGpus(call, *nodes));
    } else {
      reply.body += "# The GPUs cannot be read now.\n";
    }
    WriteWorkloadMetrics(reply.body, ReadableWork(call, *live));
    return reply;
  });
}

Result<Answer> Version(Call&) {
  static const std::string answer =
      fmt::format(R"({{"product":"gpuyard","version":"{}","contract":"2.20"}})", kVersion);
  return Json(answer);
}

Result<Answer> OpenApi(Call& call) {
  static const std::string document =
      serve::OpenApiDocument(call.server().routes(), call.server().context().dialects);
  return Json(document);
}

}  // namespace

void AddSystemRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(
      routes.end(),
      {{kGet, "/healthz", Public(), Healthz, "Whether the process is alive", "", "Health"},
       {kGet, "/readyz", Public(), Readyz, "Whether the server takes requests", "", "Health"},
       {kGet, "/metrics", Public(), PrometheusMetrics,
        "Counters in Prometheus text format; with a token, work and GPUs too"},
       {kGet, "/api/v1/version", Public(), Version, "Product and contract version", "", "Version"},
       {kGet, "/openapi.json", Public(), OpenApi, "This contract", "", "object"}});
}

}  // namespace yard::api
