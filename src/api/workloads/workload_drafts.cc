#include "api/workloads/workload_drafts.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/mask.h"
#include "control/commands/compute_rules.h"
#include "control/policy/masked_urls.h"
#include "control/policy/policy.h"
#include "wire/workload.h"

namespace yard::api {
namespace {

using control::Replica;

// One spec of a submission after the policies of its project, as text and as a value.
struct Spec {
  Document text;
  json::value changed;          // by a policy
  const json::object* as_sent;  // null if a policy changed it
  const json::object& value() const { return as_sent ? *as_sent : changed.get_object(); }
};
Result<Spec> Comply(const Call& call, const control::Submission& submission,
                    const json::object* spec) {
  std::string sent = spec == nullptr ? "{}" : json::serialize(*spec);
  std::string_view root = submission.replica == Replica::kMaster ? "masterSpec" : "spec";
  if (HoldsMask(sent)) YARD_TRY(control::RefuseMasks(json::value(*spec), root));
  YARD_ASSIGN(std::string complied, control::ApplyPolicy(call.state(), submission, sent));
  if (complied == sent && spec != nullptr) {
    YARD_TRY(control::RequireSound(*spec, root));
    return Spec{{std::move(complied)}, nullptr, spec};
  }
  YARD_ASSIGN(json::value value, ParseJson(complied));
  YARD_TRY(control::RequireSound(value.as_object(), root));
  return Spec{{std::move(complied)}, std::move(value), nullptr};
}

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
  control::Submission submission{control::PolicyTypeOf(type), head.project};
  YARD_ASSIGN(Spec spec, Comply(call, submission, Object(body, "spec")));
  std::optional<Spec> master;
  if (const json::object* own = Object(body, "masterSpec"); own && !head.master_as_worker) {
    submission.replica = Replica::kMaster;
    YARD_ASSIGN(master, Comply(call, submission, own));
    workload.master_spec = std::move(master->text);
  }
  YARD_TRY(wire::ReadSpec(workload, spec.value(), master ? &master->value() : nullptr));
  workload.spec = std::move(spec.text);
  return draft;
}

}  // namespace yard::api
