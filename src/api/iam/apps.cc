#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/iam/apps_views.h"
#include "control/auth/identity.h"
#include "control/commands/applications.h"

namespace yard::api {
namespace {

using control::Txn;

Result<Answer> ListApps(Call& call) {
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  call.state().Of<Application>().Each([&](const Application& app) {
    if (app.owner) return;
    w.Item();
    wire::WriteApplication(w, app);
  });
  w.EndList();
  call.NeedsNoScope();
  return Json(std::move(out));
}

Result<Answer> GetApp(Call& call) {
  YARD_ASSIGN(ApplicationId id, ApplicationIdOf(call));
  YARD_ASSIGN(Ptr<Application> app, control::GetApplication(call.state(), id));
  call.NeedsNoScope();
  return WriteReply(*app, wire::WriteApplication);
}

Result<Answer> CreateApp(Call& call) {
  return MakeApplication(call, control::CreateApplication);
}

Result<Answer> PatchApp(Call& call) {
  YARD_ASSIGN(ApplicationId id, ApplicationIdOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  using enum control::AppSwitch;
  control::AppSwitch to = body.at("enabled").as_bool() ? kEnabled : kDisabled;
  return Commit(
      [id, to](Txn& txn) { return control::SwitchApplication(txn, id, to); },
      [](const Ptr<Application>& app) { return WriteReply(*app, wire::WriteApplication); });
}

Result<Answer> DeleteApp(Call& call) {
  YARD_ASSIGN(ApplicationId id, ApplicationIdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteApplication(txn, id); },
                [] { return Empty(204); });
}

Result<Answer> NewSecret(Call& call) {
  return RenewSecret(call, control::RotateSecret);
}

}  // namespace

Result<ApplicationId> ApplicationIdOf(const Call& call) {
  YARD_ASSIGN(Uuid id, UuidOf(call, "appId", "application"));
  return ApplicationId{id};
}

Result<Answer> MakeApplication(Call& call, CreateCommand create) {
  YARD_ASSIGN(json::object body, call.Body());
  std::string name(body.at("name").as_string());
  YARD_TRY(CheckApplicationName(name));
  std::string secret = control::MakeSecret(call.service().random());
  control::ApplicationDraft draft{name, control::HashSecret(secret)};
  return Commit([draft, create](Txn& txn) { return create(txn, draft); },
                [secret](const Ptr<Application>& app) {
                  std::string out;
                  wire::Writer w(out);
                  w.Begin();
                  w("id", app->id);
                  w("clientId", app->client_id);
                  w("name", app->name);
                  w("secret", secret);
                  w.End();
                  return Json(std::move(out), 201);
                });
}

Result<Answer> RenewSecret(Call& call, RotateCommand rotate) {
  YARD_ASSIGN(ApplicationId id, ApplicationIdOf(call));
  std::string secret = control::MakeSecret(call.service().random());
  return Commit(
      [id, rotate, hash = control::HashSecret(secret)](Txn& txn) { return rotate(txn, id, hash); },
      [secret](const Ptr<Application>&) {
        return Json(fmt::format(R"({{"secret":"{}"}})", secret));
      });
}

Status CheckApplicationName(std::string_view name) {
  auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  auto is_plain = [&](char c) { return is_lower(c) || (c >= '0' && c <= '9'); };
  bool good = name.size() >= 2 && is_lower(name.front()) && is_plain(name.back());
  for (char c : name) good = good && (is_plain(c) || c == '-' || c == '_');
  if (good) return {};
  return Fail(Code::kInvalid, fmt::format("name: '{}' cannot be an application's name", name),
              "use lower-case letters, digits, '-' and '_', starting with a letter and not ending "
              "with '-' or '_'");
}

void AddApplicationRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/apps";
  constexpr std::string_view kOne = "/api/v1/apps/{appId}";
  constexpr Resource kApps = Resource::kApps;
  routes.insert(
      routes.end(),
      {{kGet, kAll, May(Action::kRead, kApps), ListApps, "List applications", "", "[Application]"},
       {kPost, kAll, May(Action::kCreate, kApps), CreateApp, "Create an application",
        "ApplicationDraft", "ApplicationCreated", 201},
       {kGet, kOne, May(Action::kRead, kApps), GetApp, "Get an application", "", "Application"},
       {kPatch, kOne, May(Action::kUpdate, kApps), PatchApp, "Enable or disable an application",
        "ApplicationEdit", "Application"},
       {kDelete, kOne, May(Action::kDelete, kApps), DeleteApp, "Delete an application", "", "",
        204},
       {kPost, "/api/v1/apps/{appId}/secret", May(Action::kUpdate, kApps), NewSecret,
        "Make a new secret; the old one ends", "", "Secret"}});
}

}  // namespace yard::api
