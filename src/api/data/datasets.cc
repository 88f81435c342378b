// Data sets of a project: what there is, new versions, and their removal.
//
// A caller who may read data volumes of a project reads its data sets; creating and deleting them
// needs the same rights of data volumes. Content travels in chunks: api/data/chunks.cc.
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/data/project_data.h"
#include "api/groups.h"
#include "wire/fields.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

// 256 MiB of manifest, cut shortest.
constexpr std::size_t kMostManifestChunks = 4096;

void WriteFields(wire::Writer& w, const store::DataVersion& version) {
  w("version", data::Hex(version.id));
  w("files", version.files);
  w("bytes", version.bytes);
  w("createdAt", version.created_at);
  w("createdBy", version.created_by);
  if (!version.origin.empty()) w("origin", version.origin);
}

void WriteIds(wire::Writer& w, std::string_view key, std::span<const data::ChunkId> ids) {
  w.Key(key);
  w.BeginList();
  for (const data::ChunkId& id : ids) {
    w.Item();
    w.Raw(fmt::format("\"{}\"", data::Hex(id)));
  }
  w.EndList();
}

void WriteManifest(wire::Writer& w, const store::DataVersion& version) {
  w.Begin();
  w("name", version.name);
  WriteFields(w, version);
  WriteIds(w, "manifest", version.manifest);
  w.End();
}

void WriteSet(wire::Writer& w, const control::DataSetListing& set) {
  w.Begin();
  w("name", set.name);
  w.Key("tags");
  w.BeginList();
  for (const store::DataTag& tag : set.tags) {
    w.Item();
    w.Begin();
    w("tag", tag.tag);
    w("version", data::Hex(tag.version));
    w("movedAt", tag.moved_at);
    w.End();
  }
  w.EndList();
  w.Key("versions");
  w.BeginList();
  for (const store::DataVersion& version : set.versions) {
    w.Item();
    w.Begin();
    WriteFields(w, version);
    w.End();
  }
  w.EndList();
  w.End();
}

Result<Answer> List(Call& call) {
  YARD_ASSIGN(ProjectData of, ProjectDataOf(call));
  return Slow{[of]() -> Result<Slow::Outcome> {
                YARD_ASSIGN(std::int64_t stored, of.sets->StoredBytes(of.project));
                std::string out;
                wire::Writer w(out);
                w.Begin();
                w.Key("dataSets");
                w.BeginList();
                for (const control::DataSetListing& set : of.sets->List(of.project)) {
                  w.Item();
                  WriteSet(w, set);
                }
                w.EndList();
                w("storedBytes", stored);
                w.End();
                return Json(std::move(out));
              },
              Slow::Lane::kData};
}

Result<Answer> Get(Call& call) {
  YARD_ASSIGN(ProjectData of, ProjectDataOf(call));
  YARD_ASSIGN(store::DataVersion version, of.sets->Find(of.project, call.Path("dataSetName"),
                                                        call.Query("version").value_or("")));
  std::string out;
  wire::Writer w(out);
  WriteManifest(w, version);
  return Json(std::move(out));
}

Result<std::vector<data::ChunkId>> ReadIds(const json::object& body, std::string_view field) {
  const std::vector<std::string> texts = wire::TextsOf(body, field);
  if (texts.size() > kMostManifestChunks) return Fail(Code::kTooLarge, "the manifest is too long");
  std::vector<data::ChunkId> ids;
  for (const std::string& text : texts) {
    const auto id = data::ParseHex(text);
    if (!id)
      return Fail(Code::kInvalid, fmt::format("'{}' is no id of a chunk", text.substr(0, 80)));
    ids.push_back(*id);
  }
  return ids;
}

http::Reply CommitReply(const control::CommittedVersion& done, const std::string& tag) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  WriteIds(w, "missing", done.missing);
  if (done.missing.empty()) {
    w("tag", tag);
    w.Key("version");
    WriteManifest(w, done.version);
  }
  w.End();
  return Json(std::move(out));
}

Result<Answer> Create(Call& call) {
  YARD_ASSIGN(ProjectData of, ProjectDataOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  control::NewVersion fresh{.name = std::string(wire::TextOrEmpty(body, "name")),
                            .tag = std::string(wire::TextOrEmpty(body, "tag")),
                            .manifest = {},
                            .created_by = call.who().id,
                            .push = PushNameOf(call, wire::TextOrEmpty(body, "push"))};
  if (fresh.tag.empty()) fresh.tag = control::kUsualTag;
  YARD_ASSIGN(fresh.manifest, ReadIds(body, "manifest"));
  return Slow{[of, fresh = std::move(fresh)]() mutable -> Result<Slow::Outcome> {
                const std::string tag = fresh.tag;
                YARD_ASSIGN(control::CommittedVersion done,
                            of.sets->Commit(of.project, std::move(fresh)));
                return CommitReply(done, tag);
              },
              Slow::Lane::kData};
}

Result<Answer> Delete(Call& call) {
  YARD_ASSIGN(ProjectData of, ProjectDataOf(call));
  control::DataSets::Removal removal{.name = std::string(call.Path("dataSetName")),
                                     .which = std::string(call.Query("version").value_or("")),
                                     .in_use = control::DataUsesOf(call.state())};
  return Slow{[of, removal = std::move(removal)]() -> Result<Slow::Outcome> {
                YARD_ASSIGN(control::DataSets::Removed removed,
                            of.sets->Remove(of.project, removal));
                std::string out;
                wire::Writer w(out);
                w.Begin();
                w("versions", removed.versions);
                w("freedBytes", removed.freed_bytes);
                w.End();
                return Json(std::move(out));
              },
              Slow::Lane::kData};
}

}  // namespace

void AddDataSetRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(routes.end(), {{kGet, "/api/v1/datasets/{projectId}", kReadData, List,
                                "List data sets of a project", "", "DataSetList"},
                               {kPost, "/api/v1/datasets/{projectId}/versions", kCreateData, Create,
                                "Make a version of a data set from chunks that are here",
                                "DataSetDraft", "DataSetCommitted"},
                               {kGet,
                                "/api/v1/datasets/{projectId}/sets/{dataSetName}",
                                kReadData,
                                Get,
                                "Get one version of a data set, by tag or id",
                                "",
                                "DataSetManifest",
                                200,
                                {{"version", "string"}}},
                               {kDelete,
                                "/api/v1/datasets/{projectId}/sets/{dataSetName}",
                                kDeleteData,
                                Delete,
                                "Delete a data set, or one version of it",
                                "",
                                "DataSetRemoved",
                                200,
                                {{"version", "string"}}}});
  AddDataChunkRoutes(routes);
  AddFtpsRoutes(routes);
}

}  // namespace yard::api
