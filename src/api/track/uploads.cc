// Large files of a run in parts: begin, send each part, complete. Whoever breaks off begins again
// with the same mark and sends what has not arrived.
#include <utility>

#include <fmt/format.h>

#include "api/track/tracked.h"
#include "base/strings.h"
#include "serve/artifact_upload.h"
#include "serve/server.h"
#include "wire/fields.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::PartUploads;

constexpr std::string_view kUploads = "/api/v1/runs/{runId}/artifacts/uploads";

std::string UploadOf(const Call& call) {
  return std::string(call.Query("upload").value_or(""));
}

std::string BegunJson(const PartUploads::Begun& begun) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("uploadId", begun.id);
  w.Key("arrived");
  w.BeginList();
  for (std::int64_t part : begun.arrived) {
    w.Item();
    w.Value(part);
  }
  w.EndList();
  w.End();
  return out;
}

Result<Answer> Begin(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(control::ArtifactPlace place, RunFilePlace(call, wire::TextOrEmpty(body, "path")));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  const std::int64_t parts = wire::WholeOf(body, "parts").value_or(0);
  std::string mark(wire::TextOrEmpty(body, "mark"));
  PartUploads::Wish wish{std::move(place), parts, std::move(mark), call.who()};
  return Slow{
      [&uploads = tracking->part_uploads(), wish = std::move(wish)]() -> Result<Slow::Outcome> {
        YARD_ASSIGN(PartUploads::Begun begun, uploads.Begin(wish));
        return Json(BegunJson(begun), 201);
      }};
}

Result<control::ArtifactPlace> PartPlace(Call& call, control::Tracking& tracking) {
  YARD_ASSIGN(control::ArtifactPlace whole, RunFilePlace(call, call.Query("path").value_or("")));
  const std::int64_t part = ParseInt(call.Query("part").value_or("")).value_or(0);
  return tracking.part_uploads().PlaceIn(UploadOf(call), whole.path, part);
}

// A small part, which has come as a whole.
Result<Answer> StorePart(Call& call) {
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_ASSIGN(control::ArtifactPlace place, PartPlace(call, *tracking));
  return Slow{[&artifacts = tracking->artifacts(), place,
               &body = call.request().body]() -> Result<Slow::Outcome> {
    YARD_TRY(artifacts.Put(place, body));
    return StoredRunFile(body.size());
  }};
}

Result<std::unique_ptr<serve::Upload>> OpenPart(Call& call,
                                                std::optional<std::uint64_t> announced) {
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_ASSIGN(control::ArtifactPlace place, PartPlace(call, *tracking));
  return serve::UploadArtifact(tracking->artifacts(), std::move(place), announced, StoredRunFile);
}

// Completes or aborts.
template <Status (PartUploads::*End)(const std::string& id, const std::string& path)>
Result<Answer> Finish(Call& call) {
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_ASSIGN(control::ArtifactPlace place, RunFilePlace(call, call.Query("path").value_or("")));
  return Slow{[&uploads = tracking->part_uploads(), id = UploadOf(call),
               path = place.path]() -> Result<Slow::Outcome> {
                YARD_TRY((uploads.*End)(id, path));
                return Empty();
              },
              Slow::Lane::kData};
}

}  // namespace

serve::UploadRoute RunPartUpload() {
  return {StorePart, OpenPart};
}

void AddRunUploadRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  const QueryParameter path{"path", "string", true};
  const QueryParameter upload{"upload", "string", true};
  routes.insert(routes.end(), {{kPost, kUploads, kUpdateRuns, Begin,
                                "Begin to store a file of a run in parts, or go on with it",
                                "RunUploadDraft", "RunUpload", 201},
                               {kPut,
                                kUploads,
                                kUpdateRuns,
                                StorePart,
                                "Store one part; the body is the part",
                                "",
                                "StoredRunFile",
                                200,
                                {path, upload, {"part", "int(1..)", true}}},
                               {kDelete,
                                kUploads,
                                kUpdateRuns,
                                Finish<&PartUploads::Abort>,
                                "Forget the parts of a file",
                                "",
                                "",
                                204,
                                {path, upload}},
                               {kPost,
                                "/api/v1/runs/{runId}/artifacts/uploads/complete",
                                kUpdateRuns,
                                Finish<&PartUploads::Complete>,
                                "Make one file of its parts",
                                "",
                                "",
                                204,
                                {path, upload}}});
}

}  // namespace yard::api
