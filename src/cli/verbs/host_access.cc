// host-access: what work of a project may have of its machine.
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/resolver.h"
#include "cli/verb.h"
#include "cli/verbs.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr char kAll[] = "/api/v1/host-access";

struct HostAccessArguments {
  std::string project;
  std::string department;
  bool tenant = false;
  std::vector<std::string> paths;
  std::vector<std::string> claims;
  std::vector<std::string> capabilities;
  std::vector<std::string> ids;
  bool network = false;
  bool ipc = false;
};

struct Place {
  std::string type;
  std::string id;
  std::string shown;
};

Outcome<Place> PlaceOf(Session& session, const HostAccessArguments& arguments) {
  int said = (arguments.project.empty() ? 0 : 1) + (arguments.department.empty() ? 0 : 1) +
             (arguments.tenant ? 1 : 0);
  if (said != 1) {
    return std::unexpected(Failure(
        {Code::kInvalid, "for whom?", "say one of -p PROJECT, --department NAME and --tenant"}));
  }
  if (arguments.tenant) return Place{"tenant", "tenant", "the tenant"};
  YARD_ASSIGN(client::Client * server, session.Server());
  Resolver resolver(*server);
  bool is_project = !arguments.project.empty();
  const std::string& name = is_project ? arguments.project : arguments.department;
  YARD_ASSIGN(std::string id, resolver.Id(is_project ? "projects" : "departments", name));
  std::string type = is_project ? "project" : "department";
  return Place{type, std::move(id), fmt::format("{} {}", type, name)};
}

std::string PathOf(const Place& place) {
  return fmt::format("{}/{}/{}", kAll, place.type, place.id);
}

bool IsOf(const json::object& list, const Place& place) {
  bool same_type = list.at("scopeType").as_string() == place.type;
  return same_type && (place.type == "tenant" || list.at("scopeId").as_string() == place.id);
}

// What is listed for the place now, without the name of its scope.
Outcome<json::object> ListOf(client::Client& server, const Place& place) {
  YARD_ASSIGN(json::value answer, server.SendForJson({.path = kAll}));
  for (const json::value& item : answer.at("lists").as_array()) {
    if (!IsOf(item.as_object(), place)) continue;
    json::object list = item.as_object();
    list.erase("scopeType");
    list.erase("scopeId");
    return list;
  }
  return json::object();
}

json::array& ArrayIn(json::object& list, std::string_view name) {
  json::value& value = list[name];
  return value.is_array() ? value.get_array() : value.emplace_array();
}

// "/data" or "/data:ro".
json::object PathItem(std::string_view text) {
  bool read_only = text.ends_with(":ro");
  if (read_only) text.remove_suffix(3);
  return {{"path", text}, {"readOnly", read_only}};
}

// "data=/srv/data" or "data=nas:/export", with ":ro" only to read.
json::object ClaimItem(std::string_view text) {
  const std::size_t equals = text.find('=');
  json::object item = PathItem(equals == std::string_view::npos ? "" : text.substr(equals + 1));
  return {
      {"name", text.substr(0, equals)}, {"source", item["path"]}, {"readOnly", item["readOnly"]}};
}

void AddTo(json::object& list, const HostAccessArguments& arguments) {
  for (const std::string& claim : arguments.claims)
    ArrayIn(list, "claims").push_back(ClaimItem(claim));
  for (const std::string& path : arguments.paths) ArrayIn(list, "paths").push_back(PathItem(path));
  for (const std::string& name : arguments.capabilities) {
    ArrayIn(list, "capabilities").emplace_back(name);
  }
  for (const std::string& id : arguments.ids) ArrayIn(list, "ids").emplace_back(id);
  if (arguments.network) list["hostNetwork"] = true;
  if (arguments.ipc) list["hostIpc"] = true;
}

Outcome<void> Allow(Session& session, const HostAccessArguments& arguments) {
  YARD_ASSIGN(Place place, PlaceOf(session, arguments));
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::object list, ListOf(*server, place));
  json::object before = list;
  AddTo(list, arguments);
  if (list == before) {
    return std::unexpected(Failure({Code::kInvalid, "what is to be allowed?",
                                    "say --path, --claim, --capability, --ids, --host-network or "
                                    "--host-ipc"}));
  }
  YARD_TRY(server->SendForJson(
      {.method = client::Method::kPut, .path = PathOf(place), .body = json::serialize(list)}));
  session.console().out << "host access of " << place.shown << " changed\n";
  return {};
}

Outcome<void> Clear(Session& session, const HostAccessArguments& arguments) {
  YARD_ASSIGN(Place place, PlaceOf(session, arguments));
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_TRY(server->Send({.method = client::Method::kDelete, .path = PathOf(place)}));
  session.console().out << "host access of " << place.shown << " cleared\n";
  return {};
}

Outcome<void> List(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  const Kind& kind = **FindKind("host-access");
  YARD_ASSIGN(std::vector<json::value> found, ListObjects(*server, kind, {}));
  if (found.empty()) session.Hint("work may have nothing of its machine");
  PrintObjects(session.console(), kind, session.format(), found, Shape::kMany);
  return {};
}

void AddPlace(Verb& verb, HostAccessArguments& arguments) {
  verb.Text("-p,--project", arguments.project, "for the work of this project", "NAME")
      .Text("--department", arguments.department, "for all projects of this department", "NAME")
      .Flag("--tenant", arguments.tenant, "for all projects");
}

void AddAllow(const Verb& root) {
  auto arguments = std::make_shared<HostAccessArguments>();
  Verb verb = root.Add("allow", "Add to what work may have of its machine");
  AddPlace(verb, *arguments);
  verb.Texts("--path", arguments->paths, "a folder it may mount, with :ro only to read", "PATH")
      .Texts("--claim", arguments->claims,
             "a volume (PVC) and where it lies, with :ro only to read", "NAME=FOLDER")
      .Texts("--capability", arguments->capabilities, "a Linux capability it may add", "NAME")
      .Texts("--ids", arguments->ids, "user and group ids it may run as", "FIRST-LAST")
      .Flag("--host-network", arguments->network, "the machine's network")
      .Flag("--host-ipc", arguments->ipc, "the machine's IPC")
      .Examples(
          "gpuyard host-access allow -p vision --path /data/imagenet:ro --path /scratch\n"
          "gpuyard host-access allow -p vision --claim data=/srv/vision --claim home=nas:/home\n"
          "gpuyard host-access allow -p vision --capability SYS_PTRACE");
  Session* session = &root.session();
  verb.Run([arguments, session] { return Allow(*session, *arguments); });
}

}  // namespace

void AddHostAccess(CLI::App& app, Session& session) {
  Verb root = Verb(app, session).Add("host-access", "What work may have of its machine");
  root.NeedsVerb().Examples(
      "gpuyard host-access list\n"
      "gpuyard host-access allow -p vision --path /data/imagenet:ro\n"
      "gpuyard host-access clear -p vision");
  AddAllow(root);
  Verb verb = root.Add("list", "What is allowed, and for whom");
  verb.Alias("ls").Format().Examples("gpuyard host-access list -o yaml");
  verb.Run([&session] { return List(session); });
  auto arguments = std::make_shared<HostAccessArguments>();
  verb = root.Add("clear", "Allow nothing any more");
  AddPlace(verb, *arguments);
  verb.Examples("gpuyard host-access clear -p vision");
  verb.Run([arguments, &session] { return Clear(session, *arguments); });
}

}  // namespace yard::cli
