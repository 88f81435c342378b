// FTPS of a project: passwords that people make for themselves, and uploaded folders that become
// versions of data sets.
//
// Everybody who may create data volumes in a project may upload there, so the same right makes a
// password and takes a folder. A password is shown in the answer that makes it and never again.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/data/project_data.h"
#include "base/log.h"
#include "control/ftps/ftps.h"
#include "serve/server.h"
#include "wire/fields.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::Ftps;
using control::FtpsLogin;
using control::TakeState;

struct ProjectFtps {
  Ftps* ftps = nullptr;
  ProjectData data;
};
Result<ProjectFtps> ProjectFtpsOf(Call& call) {
  YARD_ASSIGN(ProjectData data, ProjectDataOf(call));
  Ftps* const ftps = call.server().context().ftps;
  if (ftps == nullptr)
    return Fail(Code::kUnavailable, "this server takes no files by FTPS",
                "an administrator sets ftps-listen; `gpuyard data push` needs nothing");
  return ProjectFtps{ftps, data};
}

void WriteFields(wire::Writer& w, const control::State& state, const FtpsLogin& login) {
  const Ptr<User> user = state.Find<User>(login.user);
  w("login", login.name);
  w("user", user ? user->email : std::string());
  w("createdAt", login.created_at);
}

void WritePlace(wire::Writer& w, const Ftps& ftps) {
  w("host", ftps.host);
  w("port", static_cast<std::int64_t>(ftps.port));
  w("certificate", ftps.certificate);
}

Result<Answer> List(Call& call) {
  YARD_ASSIGN(const ProjectFtps of, ProjectFtpsOf(call));
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("logins");
  w.BeginList();
  for (const FtpsLogin& login : of.ftps->logins.List(of.data.project)) {
    w.Item();
    w.Begin();
    WriteFields(w, call.state(), login);
    w.End();
  }
  w.EndList();
  WritePlace(w, *of.ftps);
  w.End();
  return Json(std::move(out));
}

Result<Answer> Make(Call& call) {
  YARD_ASSIGN(const ProjectFtps of, ProjectFtpsOf(call));
  if (!call.who().user)
    return Fail(Code::kForbidden, "an application has no FTPS password",
                "make it as a person; applications use the API of data sets");
  const Ptr<Project> project = call.state().Find<Project>(of.data.project);
  return Slow{
      [of, project, user = *call.who().user, state = call.snapshot()]() -> Result<Slow::Outcome> {
        YARD_ASSIGN(const control::FtpsLogins::Made made, of.ftps->logins.Make(user, *project));
        log::Info("an FTPS password was made", {{"login", made.login.name}});
        std::string out;
        wire::Writer w(out);
        w.Begin();
        WriteFields(w, *state, made.login);
        w("password", made.password);
        WritePlace(w, *of.ftps);
        w.End();
        return Json(std::move(out), 201);
      },
      Slow::Lane::kPassword};
}

// One's own; those of others by people who may change the project.
Status MayRemove(Call& call, const FtpsLogin& login) {
  if (call.who().user == login.user) return {};
  const Ptr<Project> project = call.state().Find<Project>(login.project);
  return control::Authorize(call.state(), call.who(), Resource::kProject, Action::kUpdate,
                            call.state().PathOf(*project));
}

Result<Answer> Remove(Call& call) {
  YARD_ASSIGN(const ProjectFtps of, ProjectFtpsOf(call));
  const std::string name(call.Path("ftpsLogin"));
  const std::optional<FtpsLogin> login = of.ftps->logins.Find(of.data.project, name);
  if (!login) return Fail(Code::kNotFound, fmt::format("there is no FTPS login '{}'", name));
  YARD_TRY(MayRemove(call, *login));
  return Slow{[of, name]() -> Result<Slow::Outcome> {
                YARD_TRY(of.ftps->logins.Remove(of.data.project, name));
                log::Info("an FTPS password was removed", {{"login", name}});
                return Empty(204);
              },
              Slow::Lane::kPassword};
}

std::string_view WordOf(TakeState::Phase phase) {
  using enum TakeState::Phase;
  switch (phase) {
    case kWaits:
      return "waiting";
    case kReads:
      return "reading";
    case kDone:
      return "done";
    case kFailed:
      return "failed";
  }
  return "";
}

http::Reply TakeReply(const Uuid& id, const TakeState& state, int status) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("takeId", FormatUuid(id));
  w("state", WordOf(state.phase));
  w("bytes", state.bytes);
  w("tag", state.tag);
  if (!state.problem.empty()) w("problem", state.problem);
  if (state.version) {
    w("name", state.version->name);
    w("version", data::Hex(state.version->id));
    w("files", state.version->files);
    w("skipped", static_cast<std::int64_t>(state.skipped));
  }
  w.End();
  return Json(std::move(out), status);
}

Result<Answer> Take(Call& call) {
  YARD_ASSIGN(const ProjectFtps of, ProjectFtpsOf(call));
  YARD_ASSIGN(const json::object body, call.Body());
  control::TakeWish wish{.project = of.data.project,
                         .name = std::string(wire::TextOrEmpty(body, "name")),
                         .tag = std::string(wire::TextOrEmpty(body, "tag")),
                         .folder = std::string(wire::TextOrEmpty(body, "folder")),
                         .created_by = call.who().id,
                         .still_right = call.server().Again(call, [](Call& again) -> Status {
                           YARD_TRY(ProjectDataOf(again));
                           return {};
                         })};
  if (wish.tag.empty()) wish.tag = control::kUsualTag;
  YARD_ASSIGN(const Uuid id, of.ftps->takes.Begin(std::move(wish)));
  const std::optional<TakeState> state = of.ftps->takes.Find(of.data.project, id);
  return TakeReply(id, state.value_or(TakeState{}), 202);
}

Result<Answer> GetTake(Call& call) {
  YARD_ASSIGN(const ProjectFtps of, ProjectFtpsOf(call));
  const std::string_view text = call.Path("takeId");
  const std::optional<Uuid> id = ParseUuid(text);
  const std::optional<TakeState> state =
      id ? of.ftps->takes.Find(of.data.project, *id) : std::nullopt;
  if (!state)
    return Fail(Code::kNotFound, "no folder is being taken by this id",
                "a restart of the server forgets them; take the folder again");
  return TakeReply(*id, *state, 200);
}

}  // namespace

void AddFtpsRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(routes.end(),
                {{kGet, "/api/v1/datasets/{projectId}/ftps-logins", kCreateData, List,
                  "List who may upload to a project by FTPS, and where", "", "FtpsLoginList"},
                 {kPost, "/api/v1/datasets/{projectId}/ftps-logins", kCreateData, Make,
                  "Make an FTPS password for oneself", "", "FtpsPassword", 201},
                 {kDelete, "/api/v1/datasets/{projectId}/ftps-logins/{ftpsLogin}", kCreateData,
                  Remove, "Remove an FTPS password; its sessions end", "", "", 204},
                 {kPost, "/api/v1/datasets/{projectId}/takes", kCreateData, Take,
                  "Begin to make an uploaded folder a version of a data set", "FtpsTakeDraft",
                  "FtpsTake", 202},
                 {kGet, "/api/v1/datasets/{projectId}/takes/{takeId}", kCreateData, GetTake,
                  "Tell how far the taking of a folder is", "", "FtpsTake"}});
}

}  // namespace yard::api
