// Two lists at the addresses of older versions, which one client still asks for by default.
#include "api/groups.h"
#include "api/handler.h"
#include "wire/iam.h"

namespace yard::api {
namespace {

Result<Answer> ListUsers(Call& call) {
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  call.state().Of<User>().Each([&](const User& user) {
    w.Item();
    w.Begin();
    w("userId", user.id);
    w("email", user.email);
    w("entityType", user.local ? "regular-user" : "sso-user");
    w("tenantId", wire::kTenantId);
    w("createdAt", user.stamp.created_at);
    w("lastLogin", user.last_login);
    w.End();
  });
  w.EndList();
  call.NeedsNoScope();
  return Json(std::move(out));
}

Result<Answer> ListApps(Call& call) {
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  call.state().Of<Application>().Each([&](const Application& app) {
    if (app.owner) return;
    w.Item();
    w.Begin();
    w("userId", app.id);
    w("clientId", app.client_id);
    w("name", app.name);
    w("entityType", "app");
    w("tenantId", wire::kTenantId);
    w("revoked", !app.enabled);
    w("createdAt", app.stamp.created_at);
    w.End();
  });
  w.EndList();
  call.NeedsNoScope();
  return Json(std::move(out));
}

}  // namespace

void AddLegacyIdentityRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(routes.end(), {{kGet, "/v1/k8s/users", May(Action::kRead, Resource::kUsers),
                                ListUsers, "List users; use /api/v1/users", "", "[object]"},
                               {kGet, "/v1/k8s/apps", May(Action::kRead, Resource::kApps), ListApps,
                                "List applications; use /api/v1/apps", "", "[object]"}});
}

}  // namespace yard::api
