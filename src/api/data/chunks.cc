// Chunks of data sets: which are missing, sending them, reading them. Bodies are bytes, not JSON:
// ids of 32 bytes each, or frames (data/frame.h).
//
// A project's chunks are its own: an id opens nothing in a project where the caller may not read.
#include <utility>

#include <fmt/format.h>

#include "api/data/project_data.h"
#include "base/strings.h"
#include "data/chunk.h"
#include "serve/server.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

// Of a type of its own, or URLs in it would be masked.
http::Reply Bytes(std::string body) {
  http::Reply reply;
  reply.content_type = "application/vnd.gpuyard.chunks";
  reply.body = std::move(body);
  return reply;
}

Result<Answer> Missing(Call& call) {
  YARD_ASSIGN(ProjectData of, ProjectDataOf(call));
  YARD_ASSIGN(std::vector<data::ChunkId> ids, data::SplitIds(call.request().body));
  std::string push = PushNameOf(call, call.Query("push").value_or(""));
  return Slow{[of, ids = std::move(ids), push = std::move(push)]() -> Result<Slow::Outcome> {
                YARD_ASSIGN(std::vector<data::ChunkId> missing,
                            of.sets->Missing(of.project, push, ids));
                return Bytes(data::JoinIds(missing));
              },
              Slow::Lane::kData};
}

Result<Answer> Put(Call& call) {
  YARD_ASSIGN(ProjectData of, ProjectDataOf(call));
  if (const auto& storage = call.server().context().storage) YARD_TRY(storage());
  std::string push = PushNameOf(call, call.Query("push").value_or(""));
  return Slow{[of, &body = call.request().body, push = std::move(push)]() -> Result<Slow::Outcome> {
                YARD_ASSIGN(std::int64_t stored, of.sets->Put(of.project, push, body));
                std::string out;
                wire::Writer w(out);
                w.Begin();
                w("count", stored);
                w.End();
                return Json(std::move(out));
              },
              Slow::Lane::kData};
}

Result<Answer> Read(Call& call) {
  YARD_ASSIGN(ProjectData of, ProjectDataOf(call));
  YARD_ASSIGN(std::vector<data::ChunkId> ids, data::SplitIds(call.request().body));
  return Slow{[of, ids = std::move(ids)]() -> Result<Slow::Outcome> {
                YARD_ASSIGN(std::string frames, of.sets->Read(of.project, ids));
                return Bytes(std::move(frames));
              },
              Slow::Lane::kData};
}

}  // namespace

Result<ProjectData> ProjectDataOf(Call& call) {
  const std::string_view text = call.Path("projectId");
  const std::optional<std::int64_t> number = ParseInt(text);
  if (!number) return Fail(Code::kInvalid, fmt::format("'{}' is not a project's id", text));
  const ProjectId id{*number};
  ScopePath where{.project = id};
  const Ptr<Project> project = call.state().Find<Project>(id);
  if (project) where = call.state().PathOf(*project);
  YARD_TRY(call.Require(where));
  if (!project) return Fail(Code::kNotFound, fmt::format("there is no project {}", *number));
  control::DataSets* sets = call.server().context().data_sets;
  if (sets == nullptr)
    return Fail(Code::kUnavailable, "this server keeps no data sets",
                "start it with a data directory");
  return ProjectData{sets, id};
}

std::string PushNameOf(const Call& call, std::string_view sent) {
  return sent.empty() ? std::string() : fmt::format("{} {}", call.who().id, sent.substr(0, 64));
}

void AddDataChunkRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(routes.end(), {{kPost,
                                "/api/v1/datasets/{projectId}/missing",
                                kCreateData,
                                Missing,
                                "Tell which of these chunks are not here",
                                "",
                                "",
                                200,
                                {{"push", "string"}}},
                               {kPost,
                                "/api/v1/datasets/{projectId}/chunks",
                                kCreateData,
                                Put,
                                "Store chunks",
                                "",
                                "Count",
                                200,
                                {{"push", "string"}}},
                               {kPost, "/api/v1/datasets/{projectId}/read", kReadData, Read,
                                "Read chunks by their ids"}});
}

}  // namespace yard::api
