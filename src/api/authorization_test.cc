// Every route against every predefined role, in scope and out of it.
//
// The routes come from the table that the server serves, so a new one is covered without a line
// here. A caller without the permission gets 403 whatever else is wrong with the request; one
// with the permission at the tenant never does; one with it in another department never changes
// or reads what lies outside of it.
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "api/route.h"
#include "api/testing/harness.h"
#include "base/strings.h"
#include "control/roles_predefined.h"
#include "wire/schema.h"

namespace yard::api {
namespace {

using testing::Harness;
using testing::Response;

bool NeedsPermission(const Route& route) {
  return route.need.kind == Need::Kind::kPermission;
}

bool Allows(const Role& role, const Need& need) {
  auto found = role.permissions.find(need.resource);
  return found != role.permissions.end() && found->second.Has(need.action);
}

// What belongs to no scope: the permission anywhere allows it.
bool IsTenantWide(Resource resource) {
  static const std::set<Resource> wide{
      Resource::kUsers,        Resource::kGroups,   Resource::kApps,
      Resource::kPersonalApps, Resource::kRoles,    Resource::kEventsHistory,
      Resource::kTenant,       Resource::kSettings, Resource::kCluster};
  return wide.contains(resource);
}

std::string_view Verb(http::Method method) {
  switch (method) {
    case http::Method::kPost:
      return "POST";
    case http::Method::kPut:
      return "PUT";
    case http::Method::kPatch:
      return "PATCH";
    case http::Method::kDelete:
      return "DELETE";
    default:
      return "GET";
  }
}

// A world with one department that is ours and one that is not.
class World {
 public:
  World() {
    ours_ = h_.MakeDepartment("ours");
    theirs_ = h_.MakeDepartment("theirs");
    project_ = h_.MakeProject("vision", ours_);
    h_.Grant("guest@lab.org", "Viewer", Scope::Of(project_));
  }

  Harness& harness() { return h_; }
  DepartmentId theirs() const { return theirs_; }

  // The path with ids of things in our department.
  std::string Fill(std::string_view path) {
    std::string out;
    for (std::string_view segment : Split(path.substr(1), '/')) {
      out += "/" + (segment.starts_with('{') ? IdFor(segment) : std::string(segment));
    }
    return out;
  }
  // The smallest body that is valid, about our department where it names a place.
  std::string BodyFor(const Route& route) {
    if (route.request.empty()) return "";
    return json::serialize(Sample("", wire::SchemaSet::Api().OpenApiType(route.request)));
  }
  // Whether every {id} of the path names something that exists.
  bool KnowsAll(std::string_view path) {
    for (std::string_view segment : Split(path.substr(1), '/')) {
      if (segment.starts_with('{') && !Known(segment)) return false;
    }
    return true;
  }

 private:
  static bool Known(std::string_view segment) {
    return segment == "{projectId}" || segment == "{departmentId}" || segment == "{accessRuleId}";
  }
  std::string IdFor(std::string_view segment) {
    if (segment == "{projectId}") return std::to_string(project_.value);
    if (segment == "{departmentId}") return std::to_string(ours_.value);
    if (segment == "{accessRuleId}") return std::to_string(GuestRule());
    // Nothing there: whoever may ask is told 404, whoever may not is told 403 first.
    return "00000000-0000-7000-8000-000000000000";
  }
  std::int64_t GuestRule() {
    std::int64_t id = 0;
    h_.state()->Of<AccessRule>().Each([&](const AccessRule& rule) {
      if (rule.subject_id == "guest@lab.org") id = rule.id.value;
    });
    return id;
  }

  // Fields that say where something belongs; given even if they could be left out.
  std::optional<json::value> Place(std::string_view name, std::string_view type) {
    if (name == "clusterId") return json::value(FormatUuid(h_.cluster().value));
    if (name == "scope" || name == "scopeType") return json::value("project");
    std::int64_t id = name == "projectId" || name == "scopeId"       ? project_.value
                      : name == "departmentId" || name == "parentId" ? ours_.value
                                                                     : 0;
    if (id == 0) return std::nullopt;
    if (type == "integer") return json::value(id);
    return json::value(std::to_string(id));
  }
  json::value Sample(std::string_view name, json::object schema) {
    if (const json::value* ref = schema.if_contains("$ref")) {
      static const json::object all = wire::SchemaSet::Api().OpenApiSchemas();
      std::string_view path(ref->as_string());
      return Members(all.at(path.substr(path.rfind('/') + 1)).as_object(), all);
    }
    const json::value* type_value = schema.if_contains("type");
    std::string_view type = type_value ? std::string_view(type_value->as_string()) : "object";
    if (auto place = Place(name, type)) return *place;
    if (const json::value* names = schema.if_contains("enum")) return names->at(0);
    if (type == "integer" || type == "number") return 1;
    if (type == "boolean") return true;
    if (type == "array") return json::array{};
    if (type == "object") return json::object{};
    if (name == "email") return "someone@lab.org";
    if (const json::value* format = schema.if_contains("format")) {
      if (*format == "uuid") return json::value(FormatUuid(h_.cluster().value));
      if (*format == "date-time") return "2026-06-01T00:00:00Z";
    }
    return "sample-1";
  }
  json::value Members(const json::object& schema, const json::object& all) {
    json::object out;
    if (const json::value* parts = schema.if_contains("allOf")) {
      for (const json::value& part : parts->as_array()) {
        json::value inner = Sample("", part.as_object());
        if (part.as_object().contains("properties")) inner = Members(part.as_object(), all);
        for (const auto& [key, value] : inner.as_object()) out[key] = value;
      }
    }
    std::set<std::string_view> required;
    if (const json::value* names = schema.if_contains("required")) {
      for (const json::value& name : names->as_array()) required.insert(name.as_string());
    }
    const json::value* properties = schema.if_contains("properties");
    if (properties == nullptr) return out;
    for (const auto& [key, property] : properties->as_object()) {
      bool place = Place(key, "string").has_value();
      if (place || required.contains(key)) out[key] = Sample(key, property.as_object());
    }
    return out;
  }

  Harness h_;
  DepartmentId ours_;
  DepartmentId theirs_;
  ProjectId project_;
};

TEST(Authorization, WithoutCredentialsOnlyPublicRoutesAnswer) {
  World world;
  for (const Route& route : AllRoutes()) {
    if (route.need.kind == Need::Kind::kPublic) continue;
    Response r = world.harness().Nobody().Send(route.method, world.Fill(route.path), "{}");
    EXPECT_EQ(r.status, 401) << Verb(route.method) << " " << route.path << ": " << r.body;
  }
}

TEST(Authorization, ARoleWithoutThePermissionIsRefusedWhereverItIsGranted) {
  for (const Role& role : control::PredefinedRoles()) {
    World world;
    world.harness().Grant("ann@lab.org", role.name);
    for (const Route& route : AllRoutes()) {
      if (!NeedsPermission(route) || Allows(role, route.need)) continue;
      Response r =
          world.harness().As("ann@lab.org").Send(route.method, world.Fill(route.path), "{}");
      EXPECT_EQ(r.status, 403) << role.name << ": " << Verb(route.method) << " " << route.path
                               << ": " << r.body;
    }
  }
}

TEST(Authorization, ARoleWithThePermissionAtTheTenantIsNeverRefused) {
  for (const Role& role : control::PredefinedRoles()) {
    for (const Route& route : AllRoutes()) {
      if (!NeedsPermission(route) || !Allows(role, route.need)) continue;
      // Deletions change the world, so that each route gets its own.
      static std::unique_ptr<World> world;
      if (!world || route.method == http::Method::kDelete) world = std::make_unique<World>();
      if (world->harness().state()->RulesOf(SubjectType::kUser, role.name + "@lab.org").empty()) {
        world->harness().Grant(role.name + "@lab.org", role.name);
      }
      Response r = world->harness()
                       .As(role.name + "@lab.org")
                       .Send(route.method, world->Fill(route.path), world->BodyFor(route));
      if (route.method == http::Method::kDelete) world.reset();
      EXPECT_NE(r.status, 403) << role.name << ": " << Verb(route.method) << " " << route.path
                               << ": " << r.body;
      EXPECT_NE(r.status, 401) << role.name << ": " << Verb(route.method) << " " << route.path;
      EXPECT_NE(r.status, 500) << role.name << ": " << Verb(route.method) << " " << route.path
                               << ": " << r.body;
    }
  }
}

TEST(Authorization, ARoleInAnotherDepartmentReachesNothingOfOurs) {
  for (const Role& role : control::PredefinedRoles()) {
    World world;
    world.harness().Grant("ann@lab.org", role.name, Scope::Of(world.theirs()));
    for (const Route& route : AllRoutes()) {
      bool scoped = NeedsPermission(route) && Allows(role, route.need) &&
                    !IsTenantWide(route.need.resource) && route.path.contains('{') &&
                    world.KnowsAll(route.path);
      if (!scoped) continue;
      Response r = world.harness()
                       .As("ann@lab.org")
                       .Send(route.method, world.Fill(route.path), world.BodyFor(route));
      EXPECT_TRUE(r.status == 403 || r.status == 404)
          << role.name << ": " << Verb(route.method) << " " << route.path << ": " << r.status << " "
          << r.body;
    }
  }
}

TEST(Authorization, EveryRouteStatesWhatItNeedsAndWhatItIs) {
  for (const Route& route : AllRoutes()) {
    EXPECT_FALSE(route.summary.empty()) << route.path;
    EXPECT_TRUE(route.handler != nullptr) << route.path;
  }
}

}  // namespace
}  // namespace yard::api
