#include "facade/mlflow/routes.h"

#include <deque>
#include <string>

#include "facade/mlflow/errors.h"

namespace yard::facade::mlflow {
namespace {

// Each route under its own path, under that of MLflow's pages, and under that of a workspace.
void AddTwins(std::vector<serve::Route>& routes) {
  static std::deque<std::string> paths;  // a route does not own its path
  const std::size_t own = routes.size();
  for (std::size_t i = 0; i < own; ++i) {
    std::string path(routes[i].path);
    serve::Route twin = routes[i];
    twin.path = paths.emplace_back("/mlflow/{workspace}" + path);
    routes.push_back(twin);
    if (!path.starts_with("/api/")) continue;
    twin.path = paths.emplace_back("/ajax-api/" + path.substr(5));
    routes.push_back(twin);
  }
}

}  // namespace

const std::vector<serve::Route>& Routes() {
  static const std::vector<serve::Route> routes = [] {
    std::vector<serve::Route> all;
    for (serve::RouteGroup group :
         {AddServerRoutes, AddExperimentRoutes, AddRunRoutes, AddLogRoutes, AddHistoryRoutes,
          AddSearchRoutes, AddArtifactRoutes, AddPartUploadRoutes, AddRegisteredModelRoutes,
          AddModelVersionRoutes, AddLoggedModelRoutes, AddInputRoutes}) {
      group(all);
    }
    AddTwins(all);
    return all;
  }();
  return routes;
}

const std::vector<serve::Dialect>& Dialects() {
  static const std::vector<serve::Dialect> dialects{
      {"/api/2.0/mlflow", Refusal},
      {"/api/3.0/mlflow", Refusal},
      {"/ajax-api/", Refusal},
      {"/mlflow/", Refusal},
  };
  return dialects;
}

}  // namespace yard::facade::mlflow
