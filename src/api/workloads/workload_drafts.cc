#include "api/workloads/workload_drafts.h"

#include <boost/json/value.hpp>

#include "control/policy/comply.h"
#include "wire/workload.h"

namespace yard::api {
namespace {

const json::object* Object(const json::object& body, std::string_view name) {
  const json::value* value = body.if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

// Before policies are applied, so that nobody learns those of a project out of reach. One that is
// not there is refused alike, so that nobody can count them.
Status RequireCreate(Call& call, WorkloadType type, ProjectId id) {
  ScopePath where{.project = id};
  if (Ptr<Project> project = call.state().Find<Project>(id)) where = call.state().PathOf(*project);
  if (call.route().need.kind == Need::Kind::kByKind) return call.RequireKind(type, where);
  return call.Require(where);
}

}  // namespace

Result<control::WorkloadDraft> ReadDraft(Call& call, WorkloadType type, const json::object& body) {
  YARD_ASSIGN(wire::WorkloadHead head, wire::ReadWorkloadHead(body));
  YARD_TRY(RequireCreate(call, type, head.project));
  control::WorkloadDraft draft;
  if (head.number_if_taken) draft.naming = control::Naming::kNumber;
  if (head.name_is_prefix) draft.naming = control::Naming::kSuffix;
  Workload& workload = draft.workload;
  workload.type = type;
  workload.name = std::move(head.name);
  workload.project = head.project;
  workload.cluster = head.cluster;
  workload.master_as_worker = head.master_as_worker;
  const json::object* master = head.master_as_worker ? nullptr : Object(body, "masterSpec");
  YARD_TRY(control::Comply(call.state(), workload, {Object(body, "spec"), master}));
  return draft;
}

}  // namespace yard::api
