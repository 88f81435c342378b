// Files of a run: what there is, and each of them.
#include <utility>

#include <fmt/format.h>

#include "api/track/tracked.h"
#include "serve/download.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

constexpr std::string_view kHere = "mlflow-artifacts:/";

// Below the server's folder of artifacts. Slashes around the asked path mean nothing.
Result<std::string> PlaceOf(const Call& call, const TrackedRun& run) {
  if (!run.artifact_uri.starts_with(kHere)) {
    return Fail(Code::kUnsupported,
                fmt::format("the files of run '{}' lie at {}, not here", run.id, run.artifact_uri),
                "read them with a client that can reach that place");
  }
  std::string place = run.artifact_uri.substr(kHere.size());
  std::string_view path = call.Query("path").value_or("");
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.empty()) return place;
  YARD_TRY(control::CheckArtifactPath(path));
  return fmt::format("{}/{}", place, path);
}

std::string FilesJson(const std::vector<control::ArtifactEntry>& entries) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("files");
  w.BeginList();
  for (const control::ArtifactEntry& entry : entries) {
    w.Item();
    w.Begin();
    w("name", entry.name);
    w("folder", entry.is_folder);
    w("bytes", entry.bytes);
    w.End();
  }
  w.EndList();
  w.End();
  return out;
}

Result<Answer> List(Call& call) {
  YARD_ASSIGN(control::RunSlot * slot, RunOf(call));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_ASSIGN(std::string place, PlaceOf(call, *slot->Get()));
  return Slow{[&artifacts = tracking->artifacts(), place]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(auto entries, artifacts.List(place));
    return Json(FilesJson(entries));
  }};
}

Result<Answer> Fetch(Call& call) {
  YARD_ASSIGN(control::RunSlot * slot, RunOf(call));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_ASSIGN(std::string place, PlaceOf(call, *slot->Get()));
  std::string range(call.request().Find("range").value_or(""));
  return Slow{[&artifacts = tracking->artifacts(), place, range]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(control::OpenArtifact opened, artifacts.Open(place));
    return serve::Download(std::move(opened), range);
  }};
}

}  // namespace

void AddRunArtifactRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(routes.end(), {{kGet,
                                "/api/v1/runs/{runId}/artifacts",
                                kReadRuns,
                                List,
                                "List files of a run",
                                "",
                                "RunFileList",
                                200,
                                {{"path", "string"}}},
                               {kGet,
                                "/api/v1/runs/{runId}/artifacts/file",
                                kReadRuns,
                                Fetch,
                                "Download a file of a run",
                                "",
                                "",
                                200,
                                {{"path", "string", true}}}});
}

}  // namespace yard::api
