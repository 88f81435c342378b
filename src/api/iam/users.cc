#include "control/commands/users.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/handler.h"
#include "api/iam/iam_views.h"
#include "control/auth/machine_accounts.h"
#include "serve/auth/identity.h"
#include "serve/server.h"
#include "wire/reader.h"

namespace yard::api {
namespace {

using control::Txn;

constexpr Column<User> kColumns[] = {
    {"username", [](const User& u) -> Cell { return std::string_view(u.email); }, true},
    {"createdBy", [](const User& u) -> Cell { return std::string_view(u.stamp.created_by); }, true},
    {"lastLogin",
     [](const User& u) -> Cell { return u.last_login ? Cell(*u.last_login) : Cell(); }},
    {"creationTime", [](const User& u) -> Cell { return u.stamp.created_at; }},
    {"lastUpdated", [](const User& u) -> Cell { return u.stamp.updated_at; }},
    {"isLocal", [](const User& u) -> Cell { return u.local; }},
    {"type", [](const User& u) -> Cell { return std::string_view(u.local ? "local" : "sso"); }},
};

Result<UserId> IdOf(const Call& call) {
  YARD_ASSIGN(Uuid id, UuidOf(call, "userId", "user"));
  return UserId{id};
}

std::vector<const User*> AllUsers(const control::State& state) {
  std::vector<const User*> users;
  state.Of<User>().Each([&](const User& user) { users.push_back(&user); });
  return users;
}

Result<Page<User>> FindUsers(Call& call) {
  std::span<const Column<User>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  call.NeedsNoScope();
  return Select(AllUsers(call.state()), columns, query);
}

Result<Answer> ListUsers(Call& call) {
  YARD_ASSIGN(Page<User> page, FindUsers(call));
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  for (const User* user : page.rows) {
    w.Item();
    wire::WriteUser(w, *user);
  }
  w.EndList();
  return Json(std::move(out));
}

Result<Answer> CountUsers(Call& call) {
  YARD_ASSIGN(Page<User> page, FindUsers(call));
  return Json(fmt::format(R"({{"count":{}}})", page.total));
}

Result<Answer> GetUser(Call& call) {
  YARD_ASSIGN(UserId id, IdOf(call));
  YARD_ASSIGN(Ptr<User> user, control::GetUser(call.state(), id));
  call.NeedsNoScope();
  return WriteReply(*user, wire::WriteUser);
}

// Makes a temporary password and hashes it away from the I/O threads; `then(password, hash)`
// gives the change to make with it.
template <class Then>
Answer WithNewPassword(Call& call, Then then) {
  serve::Identity& identity = *call.server().context().identity;
  std::string password = control::MakePassword(call.service().random());
  return Slow{[&identity, password, then = std::move(then)]() mutable -> Result<Slow::Outcome> {
                YARD_ASSIGN(std::string hash, identity.Hash(password));
                YARD_ASSIGN(Answer answer, then(password, hash));
                return std::get<Pending>(std::move(answer));
              },
              Slow::Lane::kPassword};
}

// Asks the machine, which may take long. Callers who may not assign accounts learn nothing of it.
Status CheckAccount(Call& call, const std::optional<std::string>& name) {
  if (!name || name->empty()) return {};
  YARD_TRY(control::Authorize(call.state(), call.who(), Resource::kMachineAccounts, Action::kUpdate,
                              {}));
  return control::CheckAccountName(call.server().context().accounts, *name);
}

Result<Answer> CreateUser(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  control::UserDraft draft;
  std::vector<FieldIssue> issues;
  wire::Reader reader(body, "", issues);
  reader("email", draft.email);
  reader("resetPassword", draft.must_change_password);
  reader("groups", draft.groups);
  reader("unixName", draft.unix_name);
  auto create = [&call, draft](std::string password, std::string hash) mutable -> Result<Answer> {
    YARD_TRY(CheckAccount(call, draft.unix_name));
    draft.password_hash = std::move(hash);
    return Commit([draft](Txn& txn) { return control::CreateUser(txn, draft); },
                  [password](const Ptr<User>& user) {
                    std::string out;
                    wire::Writer w(out);
                    w.Begin();
                    w("id", user->id);
                    w("username", user->email);
                    w("tempPassword", password);
                    w.End();
                    return Json(std::move(out), 201);
                  });
  };
  return WithNewPassword(call, std::move(create));
}

Result<Answer> UpdateUser(Call& call) {
  YARD_ASSIGN(UserId id, IdOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  control::UserEdit edit;
  std::vector<FieldIssue> issues;
  wire::Reader reader(body, "", issues);
  reader("groups", edit.groups);
  reader("unixName", edit.unix_name);
  return Slow{[&call, id, edit]() -> Result<Slow::Outcome> {
                YARD_TRY(CheckAccount(call, edit.unix_name));
                return std::get<Pending>(Commit(
                    [id, edit](Txn& txn) { return control::UpdateUser(txn, id, edit); },
                    [](const Ptr<User>& user) { return WriteReply(*user, wire::WriteUser); }));
              },
              Slow::Lane::kPassword};
}

Result<Answer> DeleteUser(Call& call) {
  YARD_ASSIGN(UserId id, IdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteUser(txn, id); }, [] { return Empty(204); });
}

Result<Answer> ResetPassword(Call& call) {
  YARD_ASSIGN(UserId id, IdOf(call));
  return WithNewPassword(call, [id](std::string password, std::string hash) -> Result<Answer> {
    return Commit([id, hash](Txn& txn) { return control::ResetPassword(txn, id, hash); },
                  [password](const Ptr<User>&) {
                    return Json(fmt::format(R"({{"tempPassword":"{}"}})", password));
                  });
  });
}

Result<Answer> SignOutUser(Call& call) {
  YARD_ASSIGN(UserId id, IdOf(call));
  return Commit([id](Txn& txn) { return control::SignOutUser(txn, id); },
                [] { return Json("{}"); });
}

}  // namespace

void AddUserRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/users";
  constexpr std::string_view kOne = "/api/v1/users/{userId}";
  constexpr Resource kUsers = Resource::kUsers;
  routes.insert(
      routes.end(),
      {{kGet, kAll, May(Action::kRead, kUsers), ListUsers, "List users", "", "[User]", 200,
        ListParameters()},
       {kPost, kAll, May(Action::kCreate, kUsers), CreateUser, "Create a user", "UserDraft",
        "UserCreated", 201},
       {kGet, "/api/v1/users/count", May(Action::kRead, kUsers), CountUsers, "Count users", "",
        "Count", 200, ListParameters()},
       {kGet, kOne, May(Action::kRead, kUsers), GetUser, "Get a user", "", "User"},
       {kPatch, kOne, May(Action::kUpdate, kUsers), UpdateUser,
        "Change a user's groups or machine account", "UserEdit", "User"},
       {kDelete, kOne, May(Action::kDelete, kUsers), DeleteUser, "Delete a user", "", "", 204},
       {kPost, "/api/v1/users/{userId}/password", May(Action::kUpdate, kUsers), ResetPassword,
        "Give a user a new temporary password", "", "TempPassword"},
       {kPost, "/api/v1/users/{userId}/logout", May(Action::kUpdate, kUsers), SignOutUser,
        "End a user's sessions"}});
}

}  // namespace yard::api
