// What the routes about data sets share: the project that a path names, where the caller may do
// what the route is about. I/O threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/handler.h"
#include "control/data/datasets.h"
#include "control/data/uses.h"

namespace yard::api {

inline constexpr Need kReadData = May(Action::kRead, Resource::kDataVolumes);
inline constexpr Need kCreateData = May(Action::kCreate, Resource::kDataVolumes);
inline constexpr Need kDeleteData = May(Action::kDelete, Resource::kDataVolumes);

struct ProjectData {
  control::DataSets* sets = nullptr;
  ProjectId project;
};
// A project that is not there is refused like one that is out of reach.
Result<ProjectData> ProjectDataOf(Call& call);

// A push belongs to who makes it.
std::string PushNameOf(const Call& call, std::string_view sent);

void AddDataChunkRoutes(std::vector<Route>& routes);
void AddFtpsRoutes(std::vector<Route>& routes);

}  // namespace yard::api
