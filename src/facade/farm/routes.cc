#include "facade/farm/routes.h"

#include <deque>
#include <string>

#include "facade/farm/errors.h"

namespace yard::facade::farm {
namespace {

void AddTwins(std::vector<serve::Route>& routes) {
  static std::deque<std::string> paths;  // a route does not own its path
  const std::size_t own = routes.size();
  for (std::size_t i = 0; i < own; ++i) {
    serve::Route twin = routes[i];
    twin.path = paths.emplace_back("/farm/{project}" + std::string(routes[i].path));
    routes.push_back(twin);
  }
}

}  // namespace

const std::vector<serve::Route>& Routes() {
  static const std::vector<serve::Route> routes = [] {
    std::vector<serve::Route> all;
    for (serve::RouteGroup group :
         {AddJobRoutes, AddTaskRoutes, AddTaskOrderRoutes, AddLogRoutes, AddAgentRoutes}) {
      group(all);
    }
    AddTwins(all);
    return all;
  }();
  return routes;
}

const std::vector<serve::Dialect>& Dialects() {
  static const std::vector<serve::Dialect> dialects{{"/queue/management/", Refusal},
                                                    {"/farm/", Refusal}};
  return dialects;
}

}  // namespace yard::facade::farm
