#include <fmt/format.h>

#include "api/openapi.h"
#include "api/routes/groups.h"
#include "api/server.h"
#include "base/version.h"

namespace yard::api {
namespace {

Result<Answer> Healthz(Call&) {
  return Json(R"({"status":"ok"})");
}

Result<Answer> Readyz(Call& call) {
  if (call.server().ready()) return Json(R"({"status":"ready"})");
  return Json(R"({"status":"starting or stopping"})", 503);
}

Result<Answer> PrometheusMetrics(Call& call) {
  http::Reply reply;
  reply.content_type = "text/plain; version=0.0.4";
  call.server().metrics().Write(reply.body);
  control::ServiceStats stats = call.service().stats();
  WriteMetric(reply.body, "gpuyard_commits_total", "Durable commits.", "counter",
              static_cast<double>(stats.commits));
  WriteMetric(reply.body, "gpuyard_commands_total", "Commands carried out or refused.", "counter",
              static_cast<double>(stats.commands));
  WriteMetric(reply.body, "gpuyard_commits_failed_total",
              "Commits that failed and were taken back.", "counter",
              static_cast<double>(stats.failed_commits));
  WriteMetric(reply.body, "gpuyard_command_queue", "Commands waiting for the reactor.", "gauge",
              static_cast<double>(stats.queue_length));
  WriteMetric(reply.body, "gpuyard_workloads", "Workloads on record.", "gauge",
              static_cast<double>(call.state().Of<Workload>().size()));
  return reply;
}

Result<Answer> Version(Call&) {
  static const std::string kAnswer =
      fmt::format(R"({{"product":"gpuyard","version":"{}","contract":"2.20"}})", kVersion);
  return Json(kAnswer);
}

Result<Answer> OpenApi(Call& call) {
  static const std::string document = OpenApiDocument(call.server().routes());
  return Json(document);
}

}  // namespace

void AddSystemRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(
      routes.end(),
      {{kGet, "/healthz", Public(), Healthz, "Whether the process is alive", "", "Health"},
       {kGet, "/readyz", Public(), Readyz, "Whether the server takes requests", "", "Health"},
       {kGet, "/metrics", Public(), PrometheusMetrics, "Counters in Prometheus text format"},
       {kGet, "/api/v1/version", Public(), Version, "Product and contract version", "", "Version"},
       {kGet, "/openapi.json", Public(), OpenApi, "This contract", "", "object"}});
}

}  // namespace yard::api
