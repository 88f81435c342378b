#include <fmt/format.h>

#include "api/groups.h"
#include "api/iam/apps_views.h"

namespace yard::api {
namespace {

using control::Txn;

Result<Answer> ListOwn(Call& call) {
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  call.state().Of<Application>().Each([&](const Application& app) {
    if (!app.owner || app.owner != call.who().user) return;
    w.Item();
    wire::WriteOwnApplication(w, app, "");
  });
  w.EndList();
  return Json(std::move(out));
}

Result<Answer> GetOwn(Call& call) {
  YARD_ASSIGN(ApplicationId id, ApplicationIdOf(call));
  YARD_ASSIGN(Ptr<Application> app, control::GetOwnApplication(call.state(), call.who(), id));
  std::string out;
  wire::Writer w(out);
  wire::WriteOwnApplication(w, *app, "");
  return Json(std::move(out));
}

Result<Answer> CreateOwn(Call& call) {
  return MakeApplication(call, control::CreateOwnApplication);
}

Result<Answer> DeleteOwn(Call& call) {
  YARD_ASSIGN(ApplicationId id, ApplicationIdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteOwnApplication(txn, id); },
                [] { return Empty(204); });
}

Result<Answer> NewSecret(Call& call) {
  return RenewSecret(call, control::RotateOwnSecret);
}

// Every user's own applications, for an administrator.
Result<Answer> ListAll(Call& call) {
  std::optional<std::string_view> client = call.Query("clientId");
  std::optional<std::string_view> creator = call.Query("createdBy");
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  call.state().Of<Application>().Each([&](const Application& app) {
    Ptr<User> owner = app.owner ? call.state().Find<User>(*app.owner) : nullptr;
    if (!owner || (client && *client != app.client_id)) return;
    if (creator && *creator != owner->email) return;
    w.Item();
    wire::WriteOwnApplication(w, app, owner->email);
  });
  w.EndList();
  call.NeedsNoScope();
  return Json(std::move(out));
}

Result<Answer> DeleteAny(Call& call) {
  YARD_ASSIGN(ApplicationId id, ApplicationIdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteOthersApplication(txn, id); },
                [] { return Empty(204); });
}

}  // namespace

void AddOwnApplicationRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/user-applications";
  constexpr std::string_view kOne = "/api/v1/user-applications/{appId}";
  constexpr std::string_view kEverybody = "/api/v1/administration/user-applications";
  constexpr Resource kPersonal = Resource::kPersonalApps;
  routes.insert(
      routes.end(),
      {{kGet, kAll, SignedIn(), ListOwn, "List one's own applications", "", "[OwnApplication]"},
       {kPost, kAll, SignedIn(), CreateOwn, "Create an application of one's own",
        "ApplicationDraft", "ApplicationCreated", 201},
       {kGet, kOne, SignedIn(), GetOwn, "Get an application of one's own", "", "OwnApplication"},
       {kDelete, kOne, SignedIn(), DeleteOwn, "Delete an application of one's own", "", "", 204},
       {kPost, "/api/v1/user-applications/{appId}/secret", SignedIn(), NewSecret,
        "Make a new secret; the old one ends", "", "Secret"},
       {kGet,
        kEverybody,
        May(Action::kRead, kPersonal),
        ListAll,
        "List users' own applications",
        "",
        "[OwnApplication]",
        200,
        {{"clientId", "string"}, {"createdBy", "string"}}},
       {kDelete, "/api/v1/administration/user-applications/{appId}",
        May(Action::kDelete, kPersonal), DeleteAny, "Delete a user's own application", "", "",
        204}});
}

}  // namespace yard::api
