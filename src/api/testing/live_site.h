// The API on a real port with work that seems to run, for tests.
//
//   LiveSite site;
//   auto client = site.Open("/exec?command=cat");      // as the administrator
//   auto reply = site.admin.Get(site.Path("/logs"));   // without the network
// One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/testing/harness.h"
#include "http/server.h"
#include "http/websocket_client.h"

namespace yard::api::testing {

class LiveSite {
 public:
  explicit LiveSite(EngineRoom engines = EngineRoom::kFake);

  // Of the one workload there is: a workspace "notebook" in the project "vision".
  std::string Path(std::string_view rest) const {
    return "/api/v1/workloads/" + id + std::string(rest);
  }
  std::expected<std::unique_ptr<http::WebSocketClient>, http::HelloRefused> TryOpen(
      std::string_view rest, std::vector<http::Header> headers);
  // As the administrator; stops the test program if it is refused.
  std::unique_ptr<http::WebSocketClient> Open(std::string_view rest);
  // A request whose answer is streamed; gives the reply's head.
  http::Reply Ask(std::string target);
  std::uint16_t port() const { return http_->port(); }
  std::uint16_t tools_port() const { return tools_->port(); }

  Harness harness;
  Caller admin = harness.Admin();
  FakeLive& live = harness.live();
  ProjectId project;
  std::string id;

 private:
  std::unique_ptr<http::Server> http_;
  std::unique_ptr<http::Server> tools_;
};

}  // namespace yard::api::testing
