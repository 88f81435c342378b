#include <string>

#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/verb.h"
#include "cli/verbs.h"

namespace yard::cli {
namespace {

// "System administrator at tenant", one per role.
json::array RoleWords(const json::value& me) {
  json::array words;
  const json::array* roles = At(me, "roles").if_array();
  if (roles == nullptr) return words;
  for (const json::value& role : *roles) {
    std::string where = TextAt(role, "scopeType");
    std::string name = TextAt(role, "scopeName");
    if (!name.empty() && where != "tenant") where += " " + name;
    words.emplace_back(TextAt(role, "roleName") + " at " + where);
  }
  return words;
}

client::Outcome<void> Whoami(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value me, server->Get("/api/v1/me"));
  YARD_ASSIGN(Session::Place place, session.FindServer());
  std::string where = place.socket.empty() ? place.url : "unix:" + place.socket;
  if (session.format() == Format::kJson || session.format() == Format::kYaml) {
    if (json::object* object = me.if_object()) object->emplace("server", where);
    PrintRecord(session.console(), session.format(), me);
    return {};
  }
  json::object record{{"user", TextAt(me, "username")}, {"roles", RoleWords(me)}};
  if (std::string groups = TextAt(me, "groups"); !groups.empty()) record["groups"] = groups;
  record["server"] = where;
  PrintRecord(session.console(), session.format(), record);
  return {};
}

}  // namespace

void AddWhoami(CLI::App& app, Session& session) {
  Verb verb = Verb(app, session).Add("whoami", "Show who is signed in, and where");
  verb.Format().Examples("gpuyard whoami\ngpuyard whoami -o name");
  verb.Run([&session] { return Whoami(session); });
}

}  // namespace yard::cli
