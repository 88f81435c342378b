#include "api/testing/harness.h"

#include <future>
#include <mutex>

#include <boost/json/value.hpp>

#include "api/groups.h"
#include "base/check.h"
#include "control/auth/secrets.h"
#include "control/commands/bootstrap.h"
#include "control/commands/org.h"
#include "control/testing/memory_records.h"
#include "control/testing/memory_service.h"
#include "control/testing/memory_tracking.h"
#include "control/testing/temporary_data_sets.h"

namespace yard::api::testing {
namespace {

constexpr Time kStart{1'780'000'000'000'000};  // May 2026

// The machine has "daemon" of the system, and "ann".
Result<engine::Account> FindTestAccount(const std::string& name) {
  if (name == "daemon") return engine::Account{.uid = 1, .gid = 1};
  if (name == "ann") return engine::Account{.uid = 1000, .gid = 1000};
  return Fail(Code::kNotFound, "no account");
}

}  // namespace

// One stream for the reactor, the worker and the test.
class Harness::SharedRandom final : public Random {
 public:
  void Fill(std::span<std::uint8_t> bytes) override {
    std::lock_guard lock(mutex_);
    random_.Fill(bytes);
  }

 private:
  std::mutex mutex_;
  SeededRandom random_{7};
};

class Harness::Names final : public serve::AccountNames {
 public:
  std::optional<std::string> NameOf(std::uint32_t uid) override {
    return uid == 1000 ? std::optional<std::string>("ann") : std::nullopt;
  }
};

// Believes the header "authorization: User ann@lab.org" or "App client-id"; anything else goes to
// the real authenticator. Holds the tracked runs, which live as long as the server too.
class Harness::Front final : public serve::Authenticator {
 public:
  Front(const serve::Identity& identity, Names& names, const Clock& clock, Random& random)
      : real_(MakeAuthenticator(identity, names, {.server_uid = 500})),
        tracking_(clock, random),
        data_sets_(clock) {}

  control::Tracking* tracking() { return tracking_.get(); }
  control::DataSets* data_sets() { return data_sets_.get(); }

  Result<control::Principal> Authenticate(const http::Request& request, const control::State& state,
                                          Time now) override {
    std::string_view text = request.Find("authorization").value_or("");
    if (text.starts_with("App ")) {
      return control::Principal{.type = SubjectType::kApp, .id = std::string(text.substr(4))};
    }
    if (!text.starts_with("User ")) return real_->Authenticate(request, state, now);
    control::Principal who{.type = SubjectType::kUser, .id = std::string(text.substr(5))};
    if (Ptr<User> user = state.UserByEmail(who.id)) {
      who.user = user->id;
      who.groups = user->groups;
    }
    return who;
  }

  Result<control::Principal> AuthenticateAgain(const http::Request& request,
                                               const control::State& state, Time now) override {
    std::string_view text = request.Find("authorization").value_or("");
    if (text.starts_with("App ") || text.starts_with("User ")) {
      return Authenticate(request, state, now);
    }
    return real_->AuthenticateAgain(request, state, now);
  }

 private:
  std::unique_ptr<serve::Authenticator> real_;
  control::MemoryTracking tracking_;
  control::TemporaryDataSets data_sets_;
};

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
  if (socket_uid_) {
    request.peer_address = "unix";
    request.peer_credentials = http::PeerCredentials{.uid = *socket_uid_};
  }
  std::promise<http::Reply> promise;
  server_.Handle(std::move(request),
                 [&](http::Reply reply) { promise.set_value(std::move(reply)); });
  http::Reply reply = promise.get_future().get();
  return {reply.status, std::move(reply.body), std::move(reply.headers)};
}

Harness::Harness(EngineRoom engines)
    : clock_(kStart),
      random_(std::make_unique<SharedRandom>()),
      names_(std::make_unique<Names>()),
      service_(control::StartInMemory(clock_, *random_)) {
  YARD_CHECK(control::Bootstrap(*service_, {.admin_email = std::string(kAdmin)}).has_value());
  identity_ = std::make_unique<serve::Identity>(control::TokenKey({42}), clock_,
                                                control::HashEffort::kLeast);
  authenticator_ = std::make_unique<Front>(*identity_, *names_, clock_, *random_);
  vault_ = std::make_unique<control::Vault>(control::VaultKey{1, 2, 3});
  live_ = std::make_unique<FakeLive>(*service_);
  auto studies = control::Studies::Open(
      {.records = std::make_unique<control::MemoryRecords>(), .service = *service_});
  YARD_CHECK(studies.has_value());
  studies_ = *std::move(studies);
  serve::ServerContext context{.service = *service_,
                               .authenticator = *authenticator_,
                               .vault = vault_.get(),
                               .identity = identity_.get(),
                               .live = engines == EngineRoom::kFake ? live_.get() : nullptr,
                               .addresses = &addresses_,
                               .accounts = {.find = FindTestAccount, .server_uid = 500},
                               .tracking = authenticator_->tracking(),
                               .studies = studies_.get(),
                               .data_sets = authenticator_->data_sets()};
  server_ = std::make_unique<serve::Server>(context, AllRoutes());
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

Caller Harness::Bearing(std::string_view token) {
  return {*server_, {{"authorization", "Bearer " + std::string(token)}}};
}

std::string Harness::TokenOf(std::string_view email) {
  Write([&](control::Txn& txn) -> Status {
    Ptr<User> found = txn.state().UserByEmail(email);
    YARD_CHECK(found != nullptr);
    User user = *found;
    user.must_change_password = false;
    txn.Put(std::move(user));
    return {};
  });
  return identity_->OpenUnrecorded(*state()->UserByEmail(email), clock_.Now()).access;
}

Caller Harness::OnSocket(std::uint32_t uid) {
  return {*server_, {}, uid};
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
