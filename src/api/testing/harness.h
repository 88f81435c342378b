// The API in one process, for tests: a service in memory, every route, callers named by e-mail.
//
//   Harness h;
//   h.Grant("ann@lab.org", "L1 researcher", Scope::Of(h.MakeProject("vision")));
//   auto r = h.As("ann@lab.org").Get("/api/v1/org-unit/projects");
//   EXPECT_EQ(r.status, 200) << r.body;
//
// The state starts as after Bootstrap: cluster "local", pool and department "default", the
// predefined roles, and kAdmin as System administrator of the tenant. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/testing/fake_live.h"
#include "base/json.h"
#include "base/random.h"
#include "base/time.h"
#include "control/service.h"
#include "control/study/studies.h"
#include "http/http.h"
#include "model/scope.h"
#include "serve/auth/identity.h"
#include "serve/server.h"

namespace yard::api::testing {

inline constexpr std::string_view kAdmin = "admin@lab.org";

struct Response {
  int status = 0;
  std::string body;
  std::vector<http::Header> headers;

  // The body as JSON; stops the test program if it is not. Include <boost/json/value.hpp>.
  json::value Json() const;
};

// Sends requests in somebody's name.
class Caller {
 public:
  Caller(serve::Server& server, std::vector<http::Header> headers,
         std::optional<std::uint32_t> socket_uid = std::nullopt)
      : server_(server), headers_(std::move(headers)), socket_uid_(socket_uid) {}

  Response Get(std::string target) { return Send(http::Method::kGet, std::move(target), ""); }
  Response Delete(std::string target) { return Send(http::Method::kDelete, std::move(target), ""); }
  Response Post(std::string target, std::string body = "") {
    return Send(http::Method::kPost, std::move(target), std::move(body));
  }
  Response Put(std::string target, std::string body) {
    return Send(http::Method::kPut, std::move(target), std::move(body));
  }
  Response Patch(std::string target, std::string body) {
    return Send(http::Method::kPatch, std::move(target), std::move(body));
  }
  // Waits for the answer, wherever it comes from.
  Response Send(http::Method method, std::string target, std::string body);

 private:
  serve::Server& server_;
  std::vector<http::Header> headers_;
  std::optional<std::uint32_t> socket_uid_;
};

// Whether work can be reached.
enum class EngineRoom { kFake, kNone };

class Harness {
 public:
  explicit Harness(EngineRoom engines = EngineRoom::kFake);
  ~Harness();

  Caller Admin() { return As(kAdmin); }
  // A user, by e-mail; needs no account.
  Caller As(std::string_view email);
  // An application, by client id.
  Caller AsApp(std::string_view client_id);
  Caller Nobody();
  // With the real authenticator instead: whatever the Authorization header says.
  Caller Bearing(std::string_view token);
  // A real access token of a user that exists, past the first change of the password.
  std::string TokenOf(std::string_view email);
  // Over the unix socket, as that user of the machine; account 1000 is named "ann".
  Caller OnSocket(std::uint32_t uid);

  // Gives a user a predefined or custom role at a scope.
  void Grant(std::string_view email, std::string_view role, const Scope& scope = Scope::Tenant());

  ClusterId cluster() const;
  NodePoolId pool() const;
  DepartmentId MakeDepartment(std::string name);
  // In the default department unless another is named.
  ProjectId MakeProject(std::string name, std::optional<DepartmentId> department = std::nullopt);

  control::Snapshot state() const { return service_->Read(); }
  control::Service& service() { return *service_; }
  serve::Server& server() { return *server_; }
  FakeLive& live() { return *live_; }
  ManualClock& clock() { return clock_; }
  serve::Addresses& addresses() { return addresses_; }

 private:
  // Makes a change with the server's own rights; stops the test program if it fails.
  void Write(control::Command command);

  class SharedRandom;
  class Names;
  class Front;

  ManualClock clock_;
  serve::Addresses addresses_;
  std::unique_ptr<SharedRandom> random_;
  std::unique_ptr<Names> names_;
  std::unique_ptr<control::Service> service_;
  std::unique_ptr<serve::Identity> identity_;
  std::unique_ptr<Front> authenticator_;
  std::unique_ptr<control::Vault> vault_;
  std::unique_ptr<FakeLive> live_;
  std::unique_ptr<control::Studies> studies_;
  std::unique_ptr<serve::Server> server_;
};

}  // namespace yard::api::testing
