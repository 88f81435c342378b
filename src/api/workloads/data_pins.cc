#include "api/workloads/data_pins.h"

#include <boost/json/value.hpp>

#include "control/auth/access.h"
#include "control/data/datasets.h"
#include "serve/server.h"
#include "wire/fields.h"

namespace yard::api {
namespace {

constexpr std::size_t kMostDataSets = 32;
constexpr std::size_t kMostOutputs = 8;

Status MayUse(const Call& call, ProjectId id) {
  const Ptr<Project> project = call.state().Find<Project>(id);
  const control::Access access(call.state(), call.who());
  if (project && access.May(Resource::kDataVolumes, Action::kRead, call.state().PathOf(*project)))
    return {};
  return Fail(Code::kForbidden, "you may not read data sets of this project",
              "ask an administrator for a role that allows it");
}

// A submission may name only what its sender could push themselves.
Status MaySave(const Call& call, ProjectId id, const json::object& storage) {
  const json::array& outputs = wire::ListOrEmpty(storage, "outputs");
  if (outputs.empty()) return {};
  if (outputs.size() > kMostOutputs) return Fail(Code::kInvalid, "more than 8 outputs in one spec");
  const Ptr<Project> project = call.state().Find<Project>(id);
  const control::Access access(call.state(), call.who());
  if (!project ||
      !access.May(Resource::kDataVolumes, Action::kCreate, call.state().PathOf(*project)))
    return Fail(Code::kForbidden, "you may not make data sets in this project",
                "ask an administrator for a role that allows it");
  for (const json::value& item : outputs) {
    if (!item.is_object()) continue;
    const json::object& output = item.get_object();
    YARD_TRY(control::CheckDataName("name of a data set", wire::TextOrEmpty(output, "name")));
    const std::string_view tag = wire::TextOrEmpty(output, "tag");
    if (!tag.empty()) YARD_TRY(control::CheckDataName("tag", tag));
  }
  return {};
}

Status Pin(const control::DataSets& sets, ProjectId project, json::object& item) {
  const std::string_view version = wire::TextOrEmpty(item, "version");
  const std::string_view which = version.empty() ? wire::TextOrEmpty(item, "tag") : version;
  YARD_ASSIGN(store::DataVersion found, sets.Find(project, wire::TextOrEmpty(item, "name"), which));
  item["version"] = data::Hex(found.id);
  return {};
}

}  // namespace

Result<std::optional<json::object>> WithDataVersions(Call& call, ProjectId project,
                                                     const json::object* spec) {
  if (spec == nullptr) return std::optional<json::object>();
  const json::object& storage = wire::ObjectOrEmpty(*spec, "storage");
  YARD_TRY(MaySave(call, project, storage));
  const std::size_t count = wire::ListOrEmpty(storage, "dataSets").size();
  if (count == 0) return std::optional<json::object>();
  if (count > kMostDataSets) return Fail(Code::kInvalid, "more than 32 data sets in one spec");
  YARD_TRY(MayUse(call, project));
  const control::DataSets* sets = call.server().context().data_sets;
  if (sets == nullptr) return Fail(Code::kUnavailable, "this server keeps no data sets");
  json::object pinned = *spec;
  for (json::value& item : pinned["storage"].as_object()["dataSets"].as_array()) {
    if (item.is_object()) YARD_TRY(Pin(*sets, project, item.get_object()));
  }
  return std::optional(std::move(pinned));
}

}  // namespace yard::api
