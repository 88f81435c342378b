#include "serve/openapi.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "base/json_text.h"
#include "base/strings.h"
#include "base/version.h"
#include "wire/enums.h"
#include "wire/schema.h"

namespace yard::serve {
namespace {

json::object Content(std::string_view type) {
  return {{"application/json", {{"schema", wire::SchemaSet::Api().OpenApiType(type)}}}};
}

json::object Parameter(std::string_view name, std::string_view in, std::string_view type,
                       bool required) {
  return {{"name", name},
          {"in", in},
          {"required", required},
          {"schema", wire::SchemaSet::Api().OpenApiType(type)}};
}

json::array Parameters(const Route& route) {
  json::array parameters;
  for (std::string_view segment : Split(route.path, '/')) {
    if (segment.starts_with('{')) {
      parameters.push_back(
          Parameter(segment.substr(1, segment.size() - 2), "path", "string", true));
    }
  }
  for (const QueryParameter& q : route.query)
    parameters.push_back(Parameter(q.name, "query", q.type, q.required));
  return parameters;
}

json::object Responses(const Route& route) {
  std::string_view reply = route.reply;
  bool may_be_absent = reply.ends_with('?');
  if (may_be_absent) reply.remove_suffix(1);
  json::object success{{"description", "Success"}};
  if (!reply.empty()) success["content"] = Content(reply);
  json::object responses{{std::to_string(route.status), success}};
  if (may_be_absent) responses["204"] = {{"description", "There is none"}};
  responses["default"] = {{"description", "Error"}, {"content", Content("Error")}};
  return responses;
}

json::object Operation(const Route& route) {
  json::object operation{{"summary", route.summary}, {"responses", Responses(route)}};
  if (json::array parameters = Parameters(route); !parameters.empty())
    operation["parameters"] = parameters;
  if (!route.request.empty()) {
    operation["requestBody"] = {{"required", true}, {"content", Content(route.request)}};
  }
  if (route.need.kind == Need::Kind::kPublic) {
    operation["security"] = json::array{};
  } else if (route.need.kind == Need::Kind::kPermission) {
    operation["x-permission"] =
        fmt::format("{} {}", wire::ToName(route.need.action), wire::ToName(route.need.resource));
  } else if (route.need.kind == Need::Kind::kByKind) {
    operation["x-permission"] =
        fmt::format("{} the workload's kind", wire::ToName(route.need.action));
  }
  return operation;
}

}  // namespace

std::vector<QueryParameter> ListParameters() {
  return {{"filterBy", "[string]"},  {"search", "string"},   {"sortBy", "string"},
          {"sortOrder", "asc|desc"}, {"offset", "int(0..)"}, {"limit", "int(1..500)"}};
}

std::string OpenApiDocument(const std::vector<Route>& routes, std::span<const Dialect> dialects) {
  json::object paths;
  for (const Route& route : routes) {
    auto belongs = [&](const Dialect& dialect) { return route.path.starts_with(dialect.prefix); };
    if (std::ranges::any_of(dialects, belongs)) continue;
    json::value& path = paths[route.path];
    if (path.is_null()) path = json::object{};
    path.get_object()[Lower(MethodName(route.method))] = Operation(route);
  }
  json::object document{
      {"openapi", "3.0.3"},
      {"info", {{"title", "Gpuyard"}, {"version", kVersion}}},
      {"paths", paths},
      {"components",
       {{"schemas", wire::SchemaSet::Api().OpenApiSchemas()},
        {"securitySchemes",
         {{"bearer", {{"type", "http"}, {"scheme", "bearer"}, {"bearerFormat", "JWT"}}}}}}},
      {"security", json::array{{{"bearer", json::array{}}}}}};
  return JsonText(document);
}

}  // namespace yard::serve
