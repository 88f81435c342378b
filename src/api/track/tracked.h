// What the routes about tracked runs share: the runs a request names, the changes it makes.
//
// Whoever may read trainings of a project reads its runs; writing them takes the right to create,
// update or delete trainings there. I/O threads.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/handler.h"
#include "control/track/tracking.h"
#include "serve/upload.h"

namespace yard::api {

inline constexpr Need kReadRuns = May(Action::kRead, Resource::kTrainings);
inline constexpr Need kCreateRuns = May(Action::kCreate, Resource::kTrainings);
inline constexpr Need kUpdateRuns = May(Action::kUpdate, Resource::kTrainings);
inline constexpr Need kDeleteRuns = May(Action::kDelete, Resource::kTrainings);

// kUnavailable if this server tracks no runs.
Result<control::Tracking*> TrackingOf(Call& call);

// A run that exists, in a project where the caller may do what the route is about.
Result<control::RunSlot*> FindRun(Call& call, std::string_view id);
// The one that the path names.
inline Result<control::RunSlot*> RunOf(Call& call) {
  return FindRun(call, call.Path("runId"));
}

// Projects by id, with their names, whose runs the caller may see; only one if the query names it.
using VisibleProjects = std::map<ProjectId, std::string>;
VisibleProjects ProjectsOf(Call& call);

// A change of tracked things; `render` makes the answer once it is durable. It runs on the thread
// that writes tracked things.
Later Store(control::Tracking& tracking, control::Tracking::Change change,
            std::move_only_function<http::Reply()> render);

// Every route about tracked runs, and its parts.
void AddTrackingRoutes(std::vector<Route>& routes);
void AddRunRoutes(std::vector<Route>& routes);
void AddRunChartRoutes(std::vector<Route>& routes);
void AddRunArtifactRoutes(std::vector<Route>& routes);
void AddRunUploadRoutes(std::vector<Route>& routes);
void AddRunBatchRoutes(std::vector<Route>& routes);
void AddReportRoutes(std::vector<Route>& routes);
void AddRunViewRoutes(std::vector<Route>& routes);

// Where a file of the run that the path names goes: not the folder of all of them.
Result<control::ArtifactPlace> RunFilePlace(Call& call, std::string_view path);
http::Reply StoredRunFile(std::uint64_t bytes);

// The routes by which files of a run come, of any size, and their parts.
serve::UploadRoute RunFileUpload();
serve::UploadRoute RunPartUpload();

}  // namespace yard::api
