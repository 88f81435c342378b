#include "control/commands/applications.h"

#include <fmt/format.h>

#include "control/commands/access_rules.h"
#include "control/commands/sessions.h"

namespace yard::control {
namespace {

std::unexpected<Error> NoApp(ApplicationId id) {
  return Fail(Code::kNotFound, fmt::format("there is no application {}", FormatUuid(id.value)));
}

Status CheckNameFree(const State& state, std::string_view name, std::optional<UserId> owner) {
  Status status;
  state.Of<Application>().Each([&](const Application& other) {
    if (other.owner != owner || other.name != name) return true;
    status = Fail(Code::kConflict, fmt::format("there is an application '{}' already", name),
                  "choose another name, or make a new secret for the one that is there");
    return false;
  });
  return status;
}

Ptr<Application> Add(Txn& txn, const ApplicationDraft& draft, std::optional<UserId> owner) {
  return txn.Put(Application{.id = ApplicationId{txn.NewUuid()},
                             .name = draft.name,
                             .client_id = FormatUuid(txn.NewUuid()),
                             .secret_hash = draft.secret_hash,
                             .owner = owner,
                             .stamp = txn.NewStamp()});
}

Ptr<Application> PutSecret(Txn& txn, const Application& current, std::string secret_hash) {
  Application app = current;
  app.secret_hash = std::move(secret_hash);
  ++app.session_epoch;
  EndSessionsOf(txn, app.id.value);
  // A user's own application ends with the user's sessions, and begins again with a new secret.
  if (app.owner) app.enabled = true;
  txn.Touch(app.stamp);
  return txn.Put(std::move(app));
}

// The tenant's application, if the caller may manage it and everything it stands for.
Result<Ptr<Application>> Managed(Txn& txn, ApplicationId id, Action action) {
  YARD_TRY(txn.RequireSomewhere(Resource::kApps, action));
  YARD_ASSIGN(Ptr<Application> app, GetApplication(txn.state(), id));
  YARD_TRY(RequireHoldsAllOf(txn, SubjectType::kApp, app->client_id));
  return app;
}

}  // namespace

Result<Ptr<Application>> GetApplication(const State& state, ApplicationId id) {
  Ptr<Application> app = state.Find<Application>(id);
  if (!app || app->owner) return NoApp(id);
  return app;
}

Result<Ptr<Application>> GetOwnApplication(const State& state, const Principal& who,
                                           ApplicationId id) {
  Ptr<Application> app = state.Find<Application>(id);
  if (!app || !app->owner || app->owner != who.user) return NoApp(id);
  return app;
}

Ptr<Application> FindApplication(const State& state, std::string_view name) {
  if (Ptr<Application> app = state.AppByClientId(name)) return app;
  if (std::optional<Uuid> id = ParseUuid(name)) return state.Find<Application>(ApplicationId{*id});
  Ptr<Application> found;
  state.Of<Application>().Each([&](const Application& app) {
    if (app.owner || app.name != name) return true;
    found = state.Find<Application>(app.id);
    return false;
  });
  return found;
}

Result<Ptr<Application>> CreateApplication(Txn& txn, const ApplicationDraft& draft) {
  YARD_TRY(txn.RequireSomewhere(Resource::kApps, Action::kCreate));
  YARD_TRY(CheckNameFree(txn.state(), draft.name, std::nullopt));
  return Add(txn, draft, std::nullopt);
}

Result<Ptr<Application>> SwitchApplication(Txn& txn, ApplicationId id, AppSwitch to) {
  YARD_ASSIGN(Ptr<Application> current, Managed(txn, id, Action::kUpdate));
  Application app = *current;
  app.enabled = to == AppSwitch::kEnabled;
  if (!app.enabled) {
    ++app.session_epoch;
    EndSessionsOf(txn, id.value);
  }
  txn.Touch(app.stamp);
  return txn.Put(std::move(app));
}

Status DeleteApplication(Txn& txn, ApplicationId id) {
  YARD_ASSIGN(Ptr<Application> app, Managed(txn, id, Action::kDelete));
  EndRulesOf(txn, SubjectType::kApp, app->client_id);
  EndSessionsOf(txn, id.value);
  txn.Erase<Application>(id);
  return {};
}

Result<Ptr<Application>> RotateSecret(Txn& txn, ApplicationId id, std::string secret_hash) {
  YARD_ASSIGN(Ptr<Application> current, Managed(txn, id, Action::kUpdate));
  return PutSecret(txn, *current, std::move(secret_hash));
}

Result<Ptr<Application>> CreateOwnApplication(Txn& txn, const ApplicationDraft& draft) {
  if (!txn.who().user) {
    return Fail(Code::kForbidden, "only a user can have applications of their own",
                "make one with POST /api/v1/apps");
  }
  YARD_TRY(CheckNameFree(txn.state(), draft.name, txn.who().user));
  std::size_t count = 0;
  txn.state().Of<Application>().Each(
      [&](const Application& app) { count += app.owner == txn.who().user; });
  if (count >= kMaxOwnApplications) {
    return Fail(Code::kConflict, fmt::format("you have {} applications already", count),
                "delete one that you no longer use");
  }
  return Add(txn, draft, txn.who().user);
}

Status DeleteOwnApplication(Txn& txn, ApplicationId id) {
  YARD_TRY(GetOwnApplication(txn.state(), txn.who(), id));
  EndSessionsOf(txn, id.value);
  txn.Erase<Application>(id);
  return {};
}

Result<Ptr<Application>> RotateOwnSecret(Txn& txn, ApplicationId id, std::string secret_hash) {
  YARD_ASSIGN(Ptr<Application> current, GetOwnApplication(txn.state(), txn.who(), id));
  return PutSecret(txn, *current, std::move(secret_hash));
}

Status DeleteOthersApplication(Txn& txn, ApplicationId id) {
  YARD_TRY(txn.RequireSomewhere(Resource::kPersonalApps, Action::kDelete));
  Ptr<Application> app = txn.state().Find<Application>(id);
  if (!app || !app->owner) return NoApp(id);
  if (Ptr<User> owner = txn.state().Find<User>(*app->owner)) {
    YARD_TRY(RequireHoldsAllOf(txn, SubjectType::kUser, owner->email));
    for (const std::string& group : owner->groups) {
      YARD_TRY(RequireHoldsAllOf(txn, SubjectType::kGroup, group));
    }
  }
  EndSessionsOf(txn, id.value);
  txn.Erase<Application>(id);
  return {};
}

}  // namespace yard::control
