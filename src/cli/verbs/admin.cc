#include "cli/verbs/admin.h"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/resolver.h"
#include "cli/submit/when.h"
#include "cli/verb.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

Outcome<json::value> Post(Session& session, const std::string& path, const json::object& body) {
  YARD_ASSIGN(client::Client * server, session.Server());
  return server->SendForJson({.method = client::Method::kPost,
                              .path = path,
                              .body = json::serialize(body),
                              .idempotency_key = session.NewKey()});
}

Outcome<std::string> IdOf(Session& session, const char* kind, const std::string& name) {
  YARD_ASSIGN(client::Client * server, session.Server());
  Resolver resolver(*server);
  return resolver.Id(kind, name);
}

struct NodeArguments {
  std::vector<std::string> nodes;
  std::string reason;
  std::string stop_at;
  std::string until;
};

Outcome<json::object> DrainOrderOf(Session& session, const NodeArguments& arguments) {
  json::object order{{"reason", arguments.reason}};
  const Time now = session.around().clock.Now();
  if (!arguments.stop_at.empty()) {
    YARD_ASSIGN(Time at, ParseWhen(arguments.stop_at, now));
    order["stopAt"] = FormatRfc3339(at);
  }
  if (!arguments.until.empty()) {
    YARD_ASSIGN(Time at, ParseWhen(arguments.until, now));
    order["until"] = FormatRfc3339(at);
  }
  return order;
}

Outcome<void> Drain(Session& session, const NodeArguments& arguments) {
  YARD_ASSIGN(json::object order, DrainOrderOf(session, arguments));
  for (const std::string& node : arguments.nodes) {
    YARD_ASSIGN(std::string id, IdOf(session, "nodes", node));
    YARD_TRY(Post(session, fmt::format("/api/v1/nodes/{}/drain", id), order));
    session.console().out << fmt::format("node/{} drained\n", node);
  }
  session.Hint(arguments.stop_at.empty()
                   ? "work that runs there goes on; `gpuyard node resume NODE` takes it back"
                   : "work that still runs there then is stopped and waits for another place");
  return {};
}

Outcome<void> Resume(Session& session, const NodeArguments& arguments) {
  for (const std::string& node : arguments.nodes) {
    YARD_ASSIGN(std::string id, IdOf(session, "nodes", node));
    YARD_TRY(Post(session, fmt::format("/api/v1/nodes/{}/resume", id), {}));
    session.console().out << fmt::format("node/{} takes work again\n", node);
  }
  return {};
}

struct LabelArguments {
  std::string node;
  std::vector<std::string> labels;
};

// "key=value" sets, "key-" takes away.
Outcome<json::object> LabelBody(const LabelArguments& arguments) {
  json::object set;
  json::array remove;
  for (const std::string& text : arguments.labels) {
    std::size_t equals = text.find('=');
    if (equals != std::string::npos && equals > 0) {
      set[text.substr(0, equals)] = text.substr(equals + 1);
    } else if (equals == std::string::npos && text.size() > 1 && text.ends_with('-')) {
      remove.emplace_back(text.substr(0, text.size() - 1));
    } else {
      return std::unexpected(Failure({Code::kInvalid, fmt::format("'{}' is no label", text),
                                      "write KEY=VALUE to set one, KEY- to take one away"}));
    }
  }
  return json::object{{"set", std::move(set)}, {"remove", std::move(remove)}};
}

Outcome<void> Label(Session& session, const LabelArguments& arguments) {
  YARD_ASSIGN(json::object body, LabelBody(arguments));
  YARD_ASSIGN(std::string id, IdOf(session, "nodes", arguments.node));
  YARD_ASSIGN(json::value node, Post(session, fmt::format("/api/v1/nodes/{}/labels", id), body));
  session.console().out << fmt::format("node/{} labelled, in pool {}\n", arguments.node,
                                       TextAt(node, "nodePool"));
  return {};
}

struct SettingArguments {
  std::string key;
  std::string value;
};

constexpr char kSettings[] = "/v1/k8s/setting";

Outcome<void> ListSettings(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value all, server->Get(kSettings));
  if (session.format() == Format::kJson || session.format() == Format::kYaml) {
    PrintTree(session.console(), session.format(), all);
    return {};
  }
  json::object record;
  if (const json::array* list = all.if_array()) {
    for (const json::value& one : *list) record[TextAt(one, "key")] = TextAt(one, "value");
  }
  PrintRecord(session.console(), session.format(), record);
  return {};
}

Outcome<void> GetSetting(Session& session, const SettingArguments& arguments) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value value, server->Get(fmt::format("{}/{}", kSettings, arguments.key)));
  bool text = value.is_string();
  session.console().out << (text ? std::string(value.get_string()) : json::serialize(value))
                        << '\n';
  return {};
}

// "true" and "12" are a flag and a number, as they would be in a configuration file.
json::value ValueOf(const std::string& text) {
  Result<json::value> value = ParseJson(text);
  bool plain = value && (value->is_bool() || value->is_number() || value->is_null());
  return plain ? *value : json::value(json::string_view(text));
}

Outcome<void> SetSetting(Session& session, const SettingArguments& arguments) {
  YARD_ASSIGN(client::Client * server, session.Server());
  auto send = [&](const json::value& value) {
    json::object body{{"key", arguments.key}, {"value", value}};
    return server->SendForJson(
        {.method = client::Method::kPut, .path = kSettings, .body = json::serialize(body)});
  };
  Outcome<json::value> done = send(ValueOf(arguments.value));
  // Some settings take a number as a text.
  if (!done && done.error().status == 400)
    if (Outcome<json::value> again = send(json::value(json::string_view(arguments.value))); again)
      done = std::move(again);
  if (!done) return std::unexpected(done.error());
  session.console().out << fmt::format("setting/{} saved\n", arguments.key);
  return {};
}

struct UserArguments {
  std::string email;
  std::string role;
  std::string project;
  std::string department;
  std::string unix_name;
};

void ShowPassword(Session& session, const json::value& answer) {
  session.console().out << TextAt(answer, "tempPassword") << '\n';
  session.Hint("the temporary password above is shown once; the first sign-in changes it");
}

Outcome<void> GiveRole(Session& session, const UserArguments& arguments) {
  if (arguments.role.empty()) return {};
  YARD_ASSIGN(client::Client * server, session.Server());
  Resolver resolver(*server);
  YARD_ASSIGN(std::string role, resolver.Id("roles", arguments.role));
  json::object rule{
      {"subjectId", arguments.email}, {"subjectType", "user"}, {"roleId", *ParseJson(role)}};
  std::string type = !arguments.project.empty()      ? "project"
                     : !arguments.department.empty() ? "department"
                                                     : "tenant";
  std::string scope = "1";
  if (type == "project") {
    YARD_ASSIGN(scope, resolver.Id("projects", arguments.project));
  } else if (type == "department") {
    YARD_ASSIGN(scope, resolver.Id("departments", arguments.department));
  }
  rule["scopeType"] = type;
  rule["scopeId"] = scope;
  YARD_TRY(Post(session, "/api/v1/authorization/access-rules", rule));
  return {};
}

Outcome<void> AddUser(Session& session, const UserArguments& arguments) {
  bool scoped = !arguments.project.empty() || !arguments.department.empty();
  if (scoped && arguments.role.empty())
    return std::unexpected(Failure({Code::kInvalid, "which role there?",
                                    "give --role, for example 'L1 researcher'; `gpuyard get "
                                    "roles` lists them"}));
  json::object body{{"email", arguments.email}, {"resetPassword", true}};
  if (!arguments.unix_name.empty()) body["unixName"] = arguments.unix_name;
  YARD_ASSIGN(json::value made, Post(session, "/api/v1/users", body));
  ShowPassword(session, made);
  Outcome<void> given = GiveRole(session, arguments);
  if (!given) session.Note(fmt::format("{} was made, but has no role", arguments.email));
  return given;
}

Outcome<void> ResetPassword(Session& session, const UserArguments& arguments) {
  YARD_ASSIGN(std::string id, IdOf(session, "users", arguments.email));
  YARD_ASSIGN(json::value made, Post(session, fmt::format("/api/v1/users/{}/password", id), {}));
  ShowPassword(session, made);
  return {};
}

Outcome<void> SignOut(Session& session, const UserArguments& arguments) {
  YARD_ASSIGN(std::string id, IdOf(session, "users", arguments.email));
  YARD_TRY(Post(session, fmt::format("/api/v1/users/{}/logout", id), {}));
  session.console().out << fmt::format("{} is signed out everywhere\n", arguments.email);
  return {};
}

struct TokenArguments {
  std::string name;
  std::int64_t days = 0;
};

Outcome<void> CreateToken(Session& session, const TokenArguments& arguments) {
  json::object body{{"name", arguments.name}};
  if (arguments.days > 0) body["days"] = arguments.days;
  YARD_ASSIGN(json::value made, Post(session, "/api/v1/me/tokens", body));
  if (session.format() == Format::kJson || session.format() == Format::kYaml) {
    PrintTree(session.console(), session.format(), made);
    return {};
  }
  session.console().out << TextAt(made, "token") << '\n';
  session.Hint(
      fmt::format("shown this once, good until {}; scripts read it from GPUYARD_TOKEN, "
                  "with the server in GPUYARD_URL",
                  TextAt(made, "expiresAt")));
  return {};
}

Outcome<void> ChangePassword(Session& session) {
  auto ask = [&](const char* prompt) -> Result<std::string> {
    std::optional<std::string> text;
    if (session.console().read_secret) text = session.console().read_secret(prompt);
    if (text) return *text;
    return Fail(Code::kInvalid, "there is no terminal to ask for the password",
                "an administrator gives a new one with `gpuyard user reset-password EMAIL`");
  };
  YARD_ASSIGN(std::string current, ask("current password: "));
  YARD_ASSIGN(std::string fresh, ask("new password: "));
  YARD_ASSIGN(std::string again, ask("the same again: "));
  if (fresh != again)
    return std::unexpected(Failure({Code::kInvalid, "the two new passwords differ"}));
  YARD_ASSIGN(json::value tokens, Post(session, "/api/v1/me/password",
                                       {{"currentPassword", current}, {"newPassword", fresh}}));
  YARD_ASSIGN(Profile * profile, session.profile());
  if (!profile->token.empty()) {
    // The change has ended every session; this is the next one.
    profile->token = TextAt(tokens, "accessToken");
    profile->refresh_token = TextAt(tokens, "refreshToken");
    YARD_TRY(session.Save());
  }
  session.console().err << "the password is changed\n";
  return {};
}

void AddNode(Verb root) {
  root.NeedsVerb().Examples(
      "gpuyard node drain gpu3 --reason 'new power supply'\ngpuyard node resume gpu3\n"
      "gpuyard node label gpu3 pool=prod");
  auto drain = std::make_shared<NodeArguments>();
  Session* session = &root.session();
  Verb verb =
      root.Add("drain", "Start nothing new on a node; what runs goes on, if nothing else is said");
  verb.NeedsWords("NODE", drain->nodes, "the nodes")
      .Text("--reason", drain->reason, "why, for those who wait", "TEXT")
      .Text("--stop-at", drain->stop_at,
            "stop what still runs there at this time, and queue it again: now, 18:00, now+2h",
            "TIME")
      .Text("--until", drain->until, "take work again at this time, by itself: 18:00, now+2h",
            "TIME")
      .Examples(
          "gpuyard node drain gpu3 --reason 'new power supply'\n"
          "gpuyard node drain gpu3 --reason 'new fans' --stop-at 18:00 --until tomorrow");
  verb.Run([drain, session] { return Drain(*session, *drain); });
  auto resume = std::make_shared<NodeArguments>();
  verb = root.Add("resume", "Let a drained node take work again");
  verb.Alias("undrain").NeedsWords("NODE", resume->nodes, "the nodes");
  verb.Examples("gpuyard node resume gpu3");
  verb.Run([resume, session] { return Resume(*session, *resume); });
  auto label = std::make_shared<LabelArguments>();
  verb = root.Add("label", "Set labels of a node, which decide its pool; KEY- takes one away");
  verb.NeedsWord("NODE", label->node, "the node")
      .NeedsWords("LABEL", label->labels, "KEY=VALUE or KEY-")
      .Examples("gpuyard node label gpu3 pool=prod rack=7\ngpuyard node label gpu3 rack-");
  verb.Run([label, session] { return Label(*session, *label); });
}

void AddSetting(Verb root) {
  root.NeedsVerb().Examples(
      "gpuyard setting list\ngpuyard setting set scheduler.fairness nth-gpu\n"
      "gpuyard setting get scheduler.backfill");
  Session* session = &root.session();
  Verb verb = root.Add("list", "All settings that can be changed while the server runs");
  verb.Alias("ls").Format().Examples("gpuyard setting list");
  verb.Run([session] { return ListSettings(*session); });
  auto get = std::make_shared<SettingArguments>();
  verb = root.Add("get", "The value of one");
  verb.NeedsWord("KEY", get->key, "the setting").Examples("gpuyard setting get scheduler.backfill");
  verb.Run([get, session] { return GetSetting(*session, *get); });
  auto set = std::make_shared<SettingArguments>();
  verb = root.Add("set", "Change one; it counts at once");
  verb.NeedsWord("KEY", set->key, "the setting").NeedsWord("VALUE", set->value, "its new value");
  verb.Examples("gpuyard setting set scheduler.backfill on");
  verb.Run([set, session] { return SetSetting(*session, *set); });
}

void AddUserVerbs(Verb root) {
  root.NeedsVerb().Examples(
      "gpuyard user add ann@lab.org --role 'L1 researcher' -p vision\n"
      "gpuyard user reset-password ann@lab.org\ngpuyard delete user ann@lab.org");
  Session* session = &root.session();
  auto add = std::make_shared<UserArguments>();
  Verb verb = root.Add("add", "Make a user; prints a temporary password");
  verb.NeedsWord("EMAIL", add->email, "who")
      .Text("--role", add->role, "a role to give; where: -p, --department, else everywhere", "ROLE")
      .Text("-p,--project", add->project, "the role is for this project", "NAME")
      .Text("--department", add->department, "the role is for this department", "NAME")
      .Text("--unix-name", add->unix_name, "the account of the machine that work runs as", "NAME")
      .Examples("gpuyard user add ann@lab.org --role 'L1 researcher' -p vision");
  verb.Run([add, session] { return AddUser(*session, *add); });
  struct Plain {
    const char* name;
    const char* summary;
    Outcome<void> (*run)(Session&, const UserArguments&);
  };
  constexpr Plain kPlain[] = {
      {"reset-password", "Give a user a new temporary password", ResetPassword},
      {"sign-out", "End all sessions and tokens of a user", SignOut}};
  for (const Plain& plain : kPlain) {
    auto arguments = std::make_shared<UserArguments>();
    verb = root.Add(plain.name, plain.summary);
    verb.NeedsWord("EMAIL", arguments->email, "whose");
    verb.Examples(fmt::format("gpuyard user {} ann@lab.org", plain.name));
    verb.Run([arguments, session, run = plain.run] { return run(*session, *arguments); });
  }
}

void AddToken(Verb root) {
  root.NeedsVerb().Examples(
      "export GPUYARD_TOKEN=$(gpuyard token create ci)\ngpuyard get tokens\n"
      "gpuyard delete token ci");
  Session* session = &root.session();
  auto arguments = std::make_shared<TokenArguments>();
  Verb verb = root.Add("create", "Make a personal token for scripts; prints it once");
  verb.NeedsWord("NAME", arguments->name, "what it is for")
      .Number("--days", arguments->days, "how long it is good")
      .Format()
      .Examples("export GPUYARD_TOKEN=$(gpuyard token create ci --days 30)");
  verb.Run([arguments, session] { return CreateToken(*session, *arguments); });
}

}  // namespace

void AddAdmin(CLI::App& app, Session& session) {
  Verb root(app, session);
  AddNode(root.Add("node", "Take machines out of service and back; label them"));
  AddSetting(root.Add("setting", "Settings of the scheduler and the site"));
  AddUserVerbs(root.Add("user", "Make users and give them new passwords"));
  AddToken(root.Add("token", "Tokens for scripts"));
  Verb verb = root.Add("passwd", "Change your own password");
  verb.Examples("gpuyard passwd");
  verb.Run([&session] { return ChangePassword(session); });
}

}  // namespace yard::cli
