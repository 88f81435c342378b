// What a request of Farm's protocol is about: the project, and the task that it names.
//
// A thing that the caller may not read is answered as absent; one that may be read but not changed
// is refused.
#pragma once

#include <set>
#include <string_view>

#include "control/service.h"
#include "model/workload.h"
#include "serve/call.h"

namespace yard::facade::farm {

// The project that the address names, or the only one in which the caller may do this.
Result<Ptr<Project>> ProjectOf(serve::Call& call);
// Every project whose tasks the caller may see; only the named one if one is named.
Result<std::set<ProjectId>> VisibleProjects(serve::Call& call);

// The task of that id, if the caller may do with it what the route is about.
Result<Ptr<Workload>> TaskOf(serve::Call& call, std::string_view id);
std::unexpected<Error> NoTask(std::string_view id);

}  // namespace yard::facade::farm
