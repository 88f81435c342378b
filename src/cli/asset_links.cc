#include "cli/asset_links.h"

#include <span>

#include <boost/json/value.hpp>

#include "base/uuid.h"
#include "cli/output.h"

namespace yard::cli {
namespace {

using client::Outcome;

struct Link {
  std::string_view field;
  std::string_view kind;  // plural
};
constexpr Link kCredentials[] = {{"credentialAssetId", "credentials"},
                                 {"passwordAssetId", "credentials"},
                                 {"accessKeyAssetId", "credentials"}};
constexpr Link kParts[] = {{"environment", "environments"}, {"compute", "compute"}};
constexpr Link kItem[] = {{"id", "datasources"}};

// Stands for an id as long as a file is only looked at.
constexpr const char* kStandIn = "00000000-0000-0000-0000-000000000000";

Outcome<void> Resolve(Resolver& resolver, std::span<const Link> links, json::object& object) {
  for (const Link& link : links) {
    json::value* value = object.if_contains(link.field);
    if (value == nullptr || !value->is_string()) continue;
    std::string name(value->get_string());
    if (ParseUuid(name)) continue;
    std::string id = kStandIn;
    if (!resolver.blind()) {
      YARD_ASSIGN(id, resolver.Id(link.kind, name));
    }
    *value = id;
  }
  return {};
}

// A data source of a template says its kind beside its id; by name it need not.
Outcome<void> ResolveSource(Resolver& resolver, json::object& item) {
  const json::value* name = item.if_contains("name");
  if (name == nullptr || !name->is_string()) return Resolve(resolver, kItem, item);
  std::string called(name->get_string());
  std::string kind = "nfs";
  std::string id = kStandIn;
  if (!resolver.blind()) {
    YARD_ASSIGN(id, resolver.Id("datasources", called));
    YARD_ASSIGN(json::value found, resolver.Find("datasources", called));
    if (!found.is_null()) kind = TextAt(found, "meta.kind");
  }
  item.erase("name");
  item["id"] = id;
  if (!item.contains("kind")) item["kind"] = kind;
  return {};
}

}  // namespace

Outcome<void> ResolveAssetLinks(Resolver& resolver, json::object& spec) {
  YARD_TRY(Resolve(resolver, kCredentials, spec));
  json::value* assets = spec.if_contains("assets");
  if (assets == nullptr || !assets->is_object()) return {};
  json::object& parts = assets->get_object();
  YARD_TRY(Resolve(resolver, kParts, parts));
  json::value* sources = parts.if_contains("datasources");
  if (sources == nullptr || !sources->is_array()) return {};
  for (json::value& item : sources->get_array()) {
    if (item.is_object()) YARD_TRY(ResolveSource(resolver, item.get_object()));
  }
  return {};
}

}  // namespace yard::cli
