#include "api/track/tracked.h"

#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "serve/server.h"

namespace yard::api {

Result<control::Tracking*> TrackingOf(Call& call) {
  control::Tracking* tracking = call.server().context().tracking;
  if (tracking != nullptr) return tracking;
  return Fail(Code::kUnavailable, "this server tracks no runs", "start it with a data directory");
}

Result<control::RunSlot*> FindRun(Call& call, std::string_view id) {
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  control::RunSlot* slot = tracking->catalog().FindRun(id);
  Ptr<Project> project =
      slot == nullptr ? nullptr : call.state().Find<Project>(slot->Get()->project);
  if (!project) {
    return Fail(Code::kNotFound, fmt::format("there is no run '{}'", id),
                "see GET /api/v1/runs for the ids");
  }
  YARD_TRY(call.Require(call.state().PathOf(*project)));
  return slot;
}

VisibleProjects ProjectsOf(Call& call) {
  std::optional<std::string_view> text = call.Query("projectId");
  std::optional<std::int64_t> wanted = text ? ParseInt(*text) : std::nullopt;
  VisibleProjects visible;
  call.state().Of<Project>().Each([&](const Project& project) {
    if (wanted && project.id.value != *wanted) return;
    if (call.Sees(call.state().PathOf(project))) visible[project.id] = project.name;
  });
  call.NeedsNoScope();  // without a project there was none to check
  return visible;
}

Later Store(control::Tracking& tracking, control::Tracking::Change change,
            std::move_only_function<http::Reply()> render) {
  return Later{[&tracking, change = std::move(change),
                render = std::move(render)](http::Respond respond) mutable {
    tracking.Write(std::move(change), [render = std::move(render),
                                       respond = std::move(respond)](Status status) mutable {
      respond(status ? render() : ErrorReply(status.error()));
    });
  }};
}

void AddTrackingRoutes(std::vector<Route>& routes) {
  for (RouteGroup group :
       {AddRunRoutes, AddRunChartRoutes, AddRunArtifactRoutes, AddRunUploadRoutes,
        AddRunBatchRoutes, AddReportRoutes, AddRunViewRoutes}) {
    group(routes);
  }
}

}  // namespace yard::api
