#include "api/testing/live_site.h"

#include <future>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/check.h"

namespace yard::api::testing {

LiveSite::LiveSite(EngineRoom engines) : harness(engines) {
  project = harness.MakeProject("vision");
  constexpr std::string_view kSpec =
      R"({"image":"jupyter","compute":{"gpuDevicesRequest":2,"cpuCoreRequest":4}})";
  Response made =
      admin.Post("/api/v1/workloads/workspaces",
                 fmt::format(R"({{"name":"notebook","projectId":"{}","clusterId":"{}","spec":{}}})",
                             project.value, FormatUuid(harness.cluster().value), kSpec));
  if (made.status != 200) CheckFailed(made.body.c_str(), __FILE__, __LINE__);
  id = std::string(std::string_view(made.Json().at("workloadId").as_string()));
  auto started = http::Server::Start({.gate = &harness.server()}, harness.server());
  YARD_CHECK(started.has_value());
  http_ = *std::move(started);
  auto tools = http::Server::Start({.gate = &harness.server().tools()}, harness.server().tools());
  YARD_CHECK(tools.has_value());
  tools_ = *std::move(tools);
  harness.addresses().dashboard.port = http_->port();
  harness.addresses().tools.port = tools_->port();
}

std::expected<std::unique_ptr<http::WebSocketClient>, http::HelloRefused> LiveSite::TryOpen(
    std::string_view rest, std::vector<http::Header> headers) {
  http::WebSocketClientOptions options{.url = fmt::format("http://127.0.0.1:{}", port()),
                                       .headers = std::move(headers)};
  return http::WebSocketClient::Connect(options, Path(rest));
}

std::unique_ptr<http::WebSocketClient> LiveSite::Open(std::string_view rest) {
  auto client = TryOpen(rest, {{"Authorization", "User " + std::string(kAdmin)}});
  if (!client) CheckFailed(client.error().body.c_str(), __FILE__, client.error().status);
  return *std::move(client);
}

http::Reply LiveSite::Ask(std::string target) {
  http::Request request{.target = std::move(target),
                        .headers = {{"authorization", "User " + std::string(kAdmin)}}};
  std::promise<http::Reply> promise;
  harness.server().Handle(std::move(request),
                          [&](http::Reply reply) { promise.set_value(std::move(reply)); });
  return promise.get_future().get();
}

}  // namespace yard::api::testing
