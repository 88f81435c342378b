// Files of a run: what there is, and each of them.
#include <utility>

#include <fmt/format.h>

#include "api/track/tracked.h"
#include "control/track/experiments.h"
#include "serve/artifact_upload.h"
#include "serve/download.h"
#include "serve/server.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

constexpr std::string_view kHere = "mlflow-artifacts:/";

// Below the server's folder of artifacts. Slashes around the asked path mean nothing.
Result<std::string> PlaceOf(std::string_view path, const TrackedRun& run) {
  if (!run.artifact_uri.starts_with(kHere)) {
    return Fail(Code::kUnsupported,
                fmt::format("the files of run '{}' lie at {}, not here", run.id, run.artifact_uri),
                "read them with a client that can reach that place");
  }
  std::string place = run.artifact_uri.substr(kHere.size());
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
  YARD_ASSIGN(std::string place, PlaceOf(call.Query("path").value_or(""), *slot->Get()));
  return Slow{[&artifacts = tracking->artifacts(), place]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(auto entries, artifacts.List(place));
    return Json(FilesJson(entries));
  }};
}

Result<Answer> Fetch(Call& call) {
  YARD_ASSIGN(control::RunSlot * slot, RunOf(call));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_ASSIGN(std::string place, PlaceOf(call.Query("path").value_or(""), *slot->Get()));
  std::string range(call.request().Find("range").value_or(""));
  return Slow{[&artifacts = tracking->artifacts(), &files = call.server().files(), place,
               range]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(control::OpenArtifact opened, artifacts.Open(place));
    return serve::Download(files, std::move(opened), range);
  }};
}

Result<control::ArtifactPlace> FileOf(Call& call) {
  return RunFilePlace(call, call.Query("path").value_or(""));
}

// A small file, which has come as a whole.
Result<Answer> StoreFile(Call& call) {
  YARD_ASSIGN(control::ArtifactPlace place, FileOf(call));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  return Slow{[&artifacts = tracking->artifacts(), place,
               &body = call.request().body]() -> Result<Slow::Outcome> {
    YARD_TRY(artifacts.Put(place, body));
    return StoredRunFile(body.size());
  }};
}

// A large one, which is about to come.
Result<std::unique_ptr<serve::Upload>> OpenUpload(Call& call,
                                                  std::optional<std::uint64_t> announced) {
  YARD_ASSIGN(control::ArtifactPlace place, FileOf(call));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  return serve::UploadArtifact(tracking->artifacts(), std::move(place), announced, StoredRunFile);
}

Result<Answer> Remove(Call& call) {
  YARD_ASSIGN(control::ArtifactPlace place, FileOf(call));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  return Slow{[&artifacts = tracking->artifacts(), place]() -> Result<Slow::Outcome> {
    YARD_TRY(artifacts.Remove(place));
    return Empty();
  }};
}

}  // namespace

Result<control::ArtifactPlace> RunFilePlace(Call& call, std::string_view path) {
  YARD_ASSIGN(control::RunSlot * slot, RunOf(call));
  control::Shared<TrackedRun> run = slot->Get();
  if (run->lifecycle == Lifecycle::kDeleted) {
    return Fail(Code::kInvalid, fmt::format("run '{}' is deleted", run->id), "restore it first");
  }
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_TRY(control::CheckHome(tracking->catalog(), *run));
  YARD_ASSIGN(std::string place, PlaceOf(path, *run));
  if (place == run->artifact_uri.substr(kHere.size())) {
    return Fail(Code::kInvalid, "no path is given", "send the path of a file of the run");
  }
  return control::ArtifactPlace{run->project, std::move(place)};
}

http::Reply StoredRunFile(std::uint64_t bytes) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("bytes", bytes);
  w.End();
  return Json(std::move(out));
}

serve::UploadRoute RunFileUpload() {
  return {StoreFile, OpenUpload};
}

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
                                {{"path", "string", true}}},
                               {kPut,
                                "/api/v1/runs/{runId}/artifacts/file",
                                kUpdateRuns,
                                StoreFile,
                                "Store a file of a run; the body is the file",
                                "",
                                "StoredRunFile",
                                200,
                                {{"path", "string", true}}},
                               {kDelete,
                                "/api/v1/runs/{runId}/artifacts/file",
                                kDeleteRuns,
                                Remove,
                                "Delete a file or folder of a run",
                                "",
                                "",
                                204,
                                {{"path", "string", true}}}});
}

}  // namespace yard::api
