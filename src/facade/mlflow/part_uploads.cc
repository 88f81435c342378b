// Files in parts, as MLflow's clients send large ones: begin, send each part to an address of its
// own, complete or abort.
//
// Clients send the parts without their token, so the answer to the beginning holds a secret of
// that upload, good for its parts alone and as long as who began it may write there. Beginning,
// completing and aborting ask for rights.
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "control/auth/access.h"
#include "facade/mlflow/artifact_place.h"
#include "facade/mlflow/ask.h"
#include "facade/mlflow/render.h"
#include "facade/mlflow/routes.h"
#include "serve/addresses.h"
#include "serve/artifact_upload.h"
#include "serve/server.h"

namespace yard::facade::mlflow {
namespace {

using serve::Answer;
using serve::Slow;

constexpr std::string_view kSecret = "X-Gpuyard-Upload";

// The folder in the address, and the name of the client's own file.
Result<control::ArtifactPlace> PlaceOf(Ask& ask, std::string_view file) {
  const std::size_t name = file.find_last_of("/\\");
  if (name != std::string_view::npos) file.remove_prefix(name + 1);
  std::string path = fmt::format("{}/{}", ask.call().Path("path"), file);
  YARD_ASSIGN(ProjectId project, AllowPath(ask, path));
  return control::ArtifactPlace{project, std::move(path)};
}

std::string BegunJson(const control::PartUploads::Begun& begun, std::int64_t parts,
                      std::string_view address) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("upload_id", begun.id);
  w.Key("credentials");
  w.BeginList();
  for (std::int64_t part = 1; part <= parts; ++part) {
    w.Item();
    w.Begin();
    w("url", fmt::format("{}/api/2.0/mlflow-artifacts/mpu/parts/{}/{}", address, begun.id, part));
    w("part_number", part);
    w.Key("headers");
    w.Begin();
    w(kSecret, begun.secret);
    w.End();
    w.End();
  }
  w.EndList();
  w.End();
  return out;
}

Result<Answer> Begin(Ask& ask) {
  Fields fields(ask.object());
  const std::string file = fields.NeedText("path");
  const std::int64_t parts = fields.NeedInt("num_parts");
  YARD_TRY(fields.Check());
  YARD_ASSIGN(control::ArtifactPlace place, PlaceOf(ask, file));
  const serve::Addresses* addresses = ask.call().server().context().addresses;
  if (addresses == nullptr) return Fail(Code::kUnsupported, "this server has no address");
  std::string address = serve::AddressOf(addresses->dashboard, ask.call().request());
  control::PartUploads::Wish wish{
      .place = std::move(place), .parts = parts, .by = ask.call().who()};
  return Slow{[&uploads = ask.tracking().part_uploads(), wish = std::move(wish),
               address]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(auto begun, uploads.Begin(wish));
    return serve::Json(BegunJson(begun, wish.parts, address));
  }};
}

// Who has begun the upload, as they are now; nothing if they are gone.
std::optional<control::Principal> Now(const control::State& state, control::Principal by) {
  if (by.user) {
    Ptr<User> user = state.Find<User>(*by.user);
    if (!user) return std::nullopt;
    by = {.type = SubjectType::kUser, .id = user->email, .groups = user->groups, .user = user->id};
    return by;
  }
  Ptr<Application> app = state.AppByClientId(by.id);
  return app && app->enabled ? std::optional(std::move(by)) : std::nullopt;
}

// The secret is worth no more than the right of the person who was told it.
Status CheckRight(Ask& ask, ProjectId project) {
  const control::State& state = ask.call().state();
  auto by = ask.tracking().part_uploads().BegunBy(ask.call().Path("upload"));
  if (by) by = Now(state, *std::move(by));
  Ptr<Project> home = state.Find<Project>(project);
  if (!by || !home) return Fail(Code::kNotFound, "there is no such upload", "begin it again");
  return control::Authorize(state, *by, Resource::kTrainings, Action::kUpdate, state.PathOf(*home));
}

// Completes or aborts.
template <Status (control::PartUploads::*End)(const std::string& id, const std::string& path)>
Result<Answer> Finish(Ask& ask) {
  Fields fields(ask.object());
  const std::string file = fields.NeedText("path");
  const std::string id = fields.NeedText("upload_id");
  YARD_TRY(fields.Check());
  YARD_ASSIGN(control::ArtifactPlace place, PlaceOf(ask, file));
  return Slow{
      [&uploads = ask.tracking().part_uploads(), id, path = place.path]() -> Result<Slow::Outcome> {
        YARD_TRY((uploads.*End)(id, path));
        return serve::Json("{}");
      },
      Slow::Lane::kData};
}

http::Reply PartReply(std::int64_t part, std::uint64_t bytes) {
  http::Reply reply = serve::Json("{}");
  reply.headers.emplace_back("ETag", fmt::format("\"{}-{}\"", part, bytes));
  return reply;
}

Result<std::unique_ptr<serve::Upload>> OpenPart(serve::Call& call,
                                                std::optional<std::uint64_t> announced) {
  Ask ask(call);
  YARD_TRY(ask.Attach());
  const std::int64_t part = ParseInt(call.Path("part")).value_or(0);
  const std::string secret(call.request().Find(Lower(kSecret)).value_or(""));
  YARD_ASSIGN(control::ArtifactPlace place,
              ask.tracking().part_uploads().PlaceOf(call.Path("upload"), secret, part));
  YARD_TRY(CheckRight(ask, place.project));
  return serve::UploadArtifact(ask.tracking().artifacts(), std::move(place), announced,
                               [part](std::uint64_t bytes) { return PartReply(part, bytes); });
}

// What has no body comes here.
Result<Answer> EmptyPart(serve::Call&) {
  return Fail(Code::kInvalid, "a part has at least one byte", "send the bytes as the body");
}

}  // namespace

serve::UploadRoute PartUpload() {
  return {EmptyPart, OpenPart};
}

void AddPartUploadRoutes(std::vector<serve::Route>& routes) {
  using enum http::Method;
  const serve::Need update = serve::May(Action::kUpdate, Resource::kTrainings);
  routes.insert(routes.end(),
                {{kPost, "/api/2.0/mlflow-artifacts/mpu/create/{path...}", update, On<Begin>,
                  "Begin to upload an artifact in parts"},
                 {kPost, "/api/2.0/mlflow-artifacts/mpu/complete/{path...}", update,
                  On<Finish<&control::PartUploads::Complete>>, "Make one artifact of its parts"},
                 {kPost, "/api/2.0/mlflow-artifacts/mpu/abort/{path...}", update,
                  On<Finish<&control::PartUploads::Abort>>, "Forget an artifact's parts"},
                 {kPut, "/api/2.0/mlflow-artifacts/mpu/parts/{upload}/{part}", serve::Public(),
                  EmptyPart, "Upload one part"}});
}

}  // namespace yard::facade::mlflow
