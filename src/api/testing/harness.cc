#include "api/testing/harness.h"

#include <future>

#include <boost/json/value.hpp>

#include "base/check.h"
#include "control/bootstrap.h"
#include "control/org.h"
#include "control/secrets.h"
#include "control/testing/memory_service.h"

namespace yard::api::testing {
namespace {

constexpr Time kStart{1'780'000'000'000'000};  // May 2026

// Believes the header "authorization: User ann@lab.org" or "App client-id".
class TrustingAuthenticator final : public Authenticator {
 public:
  Result<control::Principal> Authenticate(const http::Request& request, const control::State& state,
                                          Time) override {
    std::string_view text = request.Find("authorization").value_or("");
    if (text.starts_with("User ")) {
      control::Principal who{.type = SubjectType::kUser, .id = std::string(text.substr(5))};
      if (Ptr<User> user = state.UserByEmail(who.id)) {
        who.user = user->id;
        who.groups = user->groups;
      }
      return who;
    }
    if (text.starts_with("App ")) {
      return control::Principal{.type = SubjectType::kApp, .id = std::string(text.substr(4))};
    }
    return Fail(Code::kUnauthorized, "nobody is signed in");
  }
};

}  // namespace

json::value Response::Json() const {
  Result<json::value> value = ParseJson(body);
  YARD_CHECK(value.has_value());
  return *std::move(value);
}

Response Caller::Send(http::Method method, std::string target, std::string body) {
  http::Request request{.method = method,
                        .target = std::move(target),
                        .headers = headers_,
                        .body = std::move(body),
                        .peer_address = "127.0.0.1:1",
                        .id = "test"};
  std::promise<http::Reply> promise;
  server_.Handle(std::move(request),
                 [&](http::Reply reply) { promise.set_value(std::move(reply)); });
  http::Reply reply = promise.get_future().get();
  return {reply.status, std::move(reply.body), std::move(reply.headers)};
}

Harness::Harness() : clock_(kStart) {
  service_ = control::StartInMemory(clock_, random_);
  YARD_CHECK(control::Bootstrap(*service_, {.admin_email = std::string(kAdmin)}).has_value());
  authenticator_ = std::make_unique<TrustingAuthenticator>();
  vault_ = std::make_unique<control::Vault>(control::VaultKey{1, 2, 3});
  ServerContext context{
      .service = *service_, .authenticator = *authenticator_, .vault = vault_.get()};
  server_ = std::make_unique<Server>(context, AllRoutes());
  server_->SetReady(true);
}

Harness::~Harness() = default;

Caller Harness::As(std::string_view email) {
  return {*server_, {{"authorization", "User " + std::string(email)}}};
}

Caller Harness::AsApp(std::string_view client_id) {
  return {*server_, {{"authorization", "App " + std::string(client_id)}}};
}

Caller Harness::Nobody() {
  return {*server_, {}};
}

void Harness::Write(control::Command command) {
  Status status = service_->WriteAndWait(control::SystemPrincipal(), std::move(command));
  if (!status) CheckFailed(status.error().message.c_str(), __FILE__, __LINE__);
}

void Harness::Grant(std::string_view email, std::string_view role, const Scope& scope) {
  std::optional<RoleId> id;
  state()->Of<Role>().Each([&](const Role& candidate) {
    if (candidate.name == role) id = candidate.id;
  });
  YARD_CHECK(id.has_value());
  Write([&](control::Txn& txn) -> Status {
    txn.Put(AccessRule{.id = AccessRuleId{txn.Next("access-rule")},
                       .subject_id = std::string(email),
                       .role = *id,
                       .scope = scope,
                       .stamp = txn.NewStamp()});
    return {};
  });
}

ClusterId Harness::cluster() const {
  ClusterId id;
  state()->Of<Cluster>().Each([&](const Cluster& cluster) { id = cluster.id; });
  return id;
}

NodePoolId Harness::pool() const {
  NodePoolId id;
  state()->Of<NodePool>().Each([&](const NodePool& pool) {
    if (pool.is_default) id = pool.id;
  });
  return id;
}

DepartmentId Harness::MakeDepartment(std::string name) {
  DepartmentId id;
  Write([&](control::Txn& txn) -> Status {
    control::OrgUnitDraft draft{.name = std::move(name), .cluster = cluster()};
    YARD_ASSIGN(Ptr<Department> department, control::CreateDepartment(txn, draft));
    id = department->id;
    return {};
  });
  return id;
}

ProjectId Harness::MakeProject(std::string name, std::optional<DepartmentId> department) {
  ProjectId id;
  Write([&](control::Txn& txn) -> Status {
    control::OrgUnitDraft draft{
        .name = std::move(name), .cluster = cluster(), .department = department};
    YARD_ASSIGN(Ptr<Project> project, control::CreateProject(txn, draft));
    id = project->id;
    return {};
  });
  return id;
}

}  // namespace yard::api::testing
