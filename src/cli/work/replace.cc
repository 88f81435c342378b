#include "cli/work/replace.h"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/work/find.h"
#include "cli/work/orders.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

// What `over` says wins, object by object.
void Merge(json::object& into, const json::object& over) {
  for (const auto& [key, value] : over) {
    json::value* old = into.if_contains(key);
    if (old != nullptr && old->is_object() && value.is_object()) {
      Merge(old->get_object(), value.get_object());
    } else {
      into[key] = value;
    }
  }
}

// A number of whole GPUs takes back what a part of one was asked by.
void DropOldParts(json::object& spec, const Spec& changes) {
  json::value* compute = spec.if_contains("compute");
  if (compute == nullptr || !compute->is_object()) return;
  json::object& fields = compute->get_object();
  if (!changes.Has("compute.gpuDevicesRequest") && !changes.Has("compute.gpuRequestType")) return;
  for (const char* field :
       {"gpuRequestType", "gpuPortionRequest", "gpuMemoryRequest", "gpuPortionLimit"}) {
    if (!changes.Has(fmt::format("compute.{}", field))) fields.erase(field);
  }
}

// Limits that are the same as what was asked for.
std::vector<std::pair<const char*, const char*>> TiedLimits(const json::object& spec) {
  std::vector<std::pair<const char*, const char*>> tied;
  const json::value* compute = spec.if_contains("compute");
  if (compute == nullptr || !compute->is_object()) return tied;
  for (const auto& [request, limit] : {std::pair{"cpuCoreRequest", "cpuCoreLimit"},
                                       std::pair{"cpuMemoryRequest", "cpuMemoryLimit"}}) {
    const json::value* asked = compute->get_object().if_contains(request);
    const json::value* most = compute->get_object().if_contains(limit);
    if (asked != nullptr && most != nullptr && *asked == *most) tied.emplace_back(request, limit);
  }
  return tied;
}

}  // namespace

json::object Replaced(const json::object& record, const Replacement& replacement) {
  json::object body;
  for (const char* field :
       {"name", "projectId", "clusterId", "masterSpecSameAsWorker", "masterSpec"}) {
    if (const json::value* value = record.if_contains(field)) body[field] = *value;
  }
  body["numberNameIfTaken"] = true;
  json::object spec;
  if (const json::value* old = record.if_contains("spec"); old != nullptr && old->is_object()) {
    spec = old->get_object();
  }
  DropOldParts(spec, replacement.changes);
  const auto tied = TiedLimits(spec);
  Merge(spec, replacement.changes.ToJson());
  for (const auto& [request, limit] : tied) {
    json::object& compute = spec["compute"].as_object();
    compute[limit] = compute[request];
  }
  if (replacement.any_node_type) {
    for (const char* field : {"nodeType", "nodes", "excludeNodes"}) spec.erase(field);
  }
  body["spec"] = std::move(spec);
  return body;
}

Outcome<std::string> Replace(Session& session, const json::value& workload,
                             const Replacement& replacement) {
  if (TextAt(workload, "phase") != "Pending") {
    return std::unexpected(Failure(
        {Code::kPrecondition, fmt::format("'{}' does not wait any more", TextAt(workload, "name")),
         "only work that waits can ask for something else"}));
  }
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value record, server->Get(KindPathOf(workload, "")));
  std::string path = KindPathOf(workload, "");
  path.resize(path.rfind('/'));
  if (replacement.as_training) path = "/api/v1/workloads/trainings";
  YARD_ASSIGN(client::Reply reply,
              server->Send({.method = client::Method::kPost,
                            .path = path,
                            .body = json::serialize(Replaced(record.as_object(), replacement)),
                            .idempotency_key = session.NewKey()}));
  YARD_ASSIGN(json::value fresh, ParseJson(reply.body));
  YARD_TRY(Cancel(session, workload));
  return TextAt(fresh, "name");
}

}  // namespace yard::cli
