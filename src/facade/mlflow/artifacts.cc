#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "facade/mlflow/artifact_place.h"
#include "facade/mlflow/ask.h"
#include "facade/mlflow/render.h"
#include "facade/mlflow/routes.h"
#include "facade/mlflow/run_change.h"
#include "serve/artifact_upload.h"
#include "serve/download.h"
#include "serve/server.h"

namespace yard::facade::mlflow {
namespace {

using serve::Answer;
using serve::Slow;

std::string FilesJson(const std::vector<control::ArtifactEntry>& entries, std::string_view prefix,
                      std::string_view root) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  if (!root.empty()) w("root_uri", root);
  w.Key("files");
  w.BeginList();
  for (const control::ArtifactEntry& entry : entries) {
    w.Item();
    w.Begin();
    w("path", prefix.empty() ? entry.name : fmt::format("{}/{}", prefix, entry.name));
    w("is_dir", entry.is_folder);
    if (!entry.is_folder) w("file_size", entry.bytes);
    w.End();
  }
  w.EndList();
  w.End();
  return out;
}

Result<control::ArtifactPlace> PlaceOf(Ask& ask) {
  std::string path(ask.call().Path("path"));
  YARD_ASSIGN(ProjectId project, AllowPath(ask, path));
  return control::ArtifactPlace{project, std::move(path)};
}

// A small file, which has come as a whole.
Result<Answer> Upload(Ask& ask) {
  YARD_ASSIGN(control::ArtifactPlace place, PlaceOf(ask));
  const std::string& body = ask.call().request().body;
  return Slow{[&artifacts = ask.tracking().artifacts(), place, &body]() -> Result<Slow::Outcome> {
    YARD_TRY(artifacts.Put(place, body));
    return serve::Json("{}");
  }};
}

// A large one, which is about to come.
Result<std::unique_ptr<serve::Upload>> OpenUpload(serve::Call& call,
                                                  std::optional<std::uint64_t> announced) {
  Ask ask(call);
  YARD_TRY(ask.Attach());
  YARD_ASSIGN(control::ArtifactPlace place, PlaceOf(ask));
  return serve::UploadArtifact(ask.tracking().artifacts(), std::move(place), announced,
                               [](std::uint64_t) { return serve::Json("{}"); });
}

Result<Answer> Fetch(Ask& ask) {
  std::string path(ask.call().Path("path"));
  YARD_TRY(AllowPath(ask, path));
  std::string range(ask.call().request().Find("range").value_or(""));
  return Slow{[&artifacts = ask.tracking().artifacts(), &files = ask.call().server().files(), path,
               range]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(control::OpenArtifact opened, artifacts.Open(path));
    return serve::Download(files, std::move(opened), range);
  }};
}

Result<Answer> Remove(Ask& ask) {
  YARD_ASSIGN(control::ArtifactPlace place, PlaceOf(ask));
  return Slow{[&artifacts = ask.tracking().artifacts(), place]() -> Result<Slow::Outcome> {
    YARD_TRY(artifacts.Remove(place));
    return serve::Json("{}");
  }};
}

Result<Answer> List(Ask& ask) {
  Fields fields(ask.object());
  std::string path = fields.NeedText("path");
  YARD_TRY(fields.Check());
  while (path.ends_with('/')) path.pop_back();
  YARD_TRY(AllowPath(ask, path));
  return Slow{[&artifacts = ask.tracking().artifacts(), path]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(auto entries, artifacts.List(path));
    return serve::Json(FilesJson(entries, "", ""));
  }};
}

// For pages: the files of a run, or of a logged model, named below its root.
Result<Answer> ListBelow(Ask& ask, const std::string& root, std::string path) {
  while (path.ends_with('/')) path.pop_back();
  if (!path.empty()) YARD_TRY(control::CheckArtifactPath(path));
  if (!root.starts_with(kProxied)) {
    return Fail(Code::kUnsupported, fmt::format("the artifacts lie at {}, not here", root),
                "list them with a client that can reach that place");
  }
  std::string folder = root.substr(kProxied.size());
  if (!path.empty()) folder += "/" + path;
  return Slow{
      [&artifacts = ask.tracking().artifacts(), root, path, folder]() -> Result<Slow::Outcome> {
        YARD_ASSIGN(auto entries, artifacts.List(folder));
        return serve::Json(FilesJson(entries, path, root));
      }};
}

Result<Answer> ListOfRun(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  std::string path = fields.Text("path");
  YARD_TRY(fields.Check());
  YARD_ASSIGN(control::RunSlot * slot, ask.FindRun(id));
  return ListBelow(ask, slot->Get()->artifact_uri, path);
}

Result<Answer> ListOfModel(Ask& ask) {
  Fields fields(ask.object());
  std::string path = fields.Text("artifact_directory_path");
  YARD_TRY(fields.Check());
  YARD_ASSIGN(control::ModelSlot * slot, ask.FindModel(ask.call().Path("model")));
  return ListBelow(ask, slot->Get()->artifact_uri, path);
}

// Clients fall back to a plain download.
Result<Answer> NotOffered(serve::Call& call) {
  call.NeedsNoScope();
  return Fail(Code::kUnsupported, "there are no presigned addresses",
              "download the file from its own address; ranges are answered");
}

}  // namespace

void AddArtifactRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need read = serve::May(Action::kRead, Resource::kTrainings);
  const serve::Need update = serve::May(Action::kUpdate, Resource::kTrainings);
  const serve::Need remove = serve::May(Action::kDelete, Resource::kTrainings);
  constexpr std::string_view kFile = "/api/2.0/mlflow-artifacts/artifacts/{path...}";
  routes.insert(
      routes.end(),
      {
          {Method::kPut, kFile, update, OnFile<Upload>, "Upload an artifact"},
          {Method::kGet, kFile, read, OnFile<Fetch>, "Download an artifact"},
          {Method::kDelete, kFile, remove, OnFile<Remove>, "Delete artifacts"},
          {Method::kGet, "/api/2.0/mlflow-artifacts/artifacts", read, On<List>, "List artifacts"},
          {Method::kGet, "/api/2.0/mlflow-artifacts/presigned/{path...}", read, NotOffered,
           "An address to download from"},
          {Method::kGet, "/api/2.0/mlflow/artifacts/list", read, On<ListOfRun>,
           "List artifacts of a run"},
          {Method::kGet, "/api/2.0/mlflow/logged-models/{model}/artifacts/directories", read,
           On<ListOfModel>, "List artifacts of a logged model"},
      });
}

std::vector<serve::UploadRoute> Uploads() {
  return {{OnFile<Upload>, OpenUpload}, PartUpload()};
}

}  // namespace yard::facade::mlflow
