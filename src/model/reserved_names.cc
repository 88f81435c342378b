#include "model/reserved_names.h"

#include <algorithm>
#include <array>

namespace yard {
namespace {

constexpr std::array<std::string_view, 6> kApi{"api", "auth", "k8s", "realms", "scim", "v1"};

// Probes, documents and files.
constexpr std::array<std::string_view, 14> kServer{
    "ajax-api", "farm",   "mlflow",  "assets",  "favicon", "healthz", "index",
    "login",    "logout", "metrics", "openapi", "readyz",  "static",  "theme"};

// Pages of the dashboard; those of web/src/routes.tsx and a few that are likely to come.
constexpr std::array<std::string_view, 40> kPages{
    "access-rules", "account",      "analytics",   "applications", "audit",        "clusters",
    "compute",      "costs",        "credentials", "dashboard",    "data-sources", "departments",
    "docs",         "environments", "events",      "experiments",  "gpus",         "help",
    "inferences",   "my-work",      "new",         "node-pools",   "nodes",        "notifications",
    "open",         "overview",     "policies",    "projects",     "queue",        "registries",
    "reports",      "reservations", "roles",       "runs",         "studies",      "settings",
    "templates",    "timeline",     "users",       "workloads"};

bool IsIn(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::span<const std::string_view> ApiRoots() {
  return kApi;
}

bool IsReservedName(std::string_view segment) {
  return IsIn(kApi, segment) || IsIn(kServer, segment) || IsIn(kPages, segment);
}

}  // namespace yard
