#include "control/policy/comply.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/mask.h"
#include "control/policy/masked_urls.h"
#include "control/policy/policy.h"
#include "wire/spec.h"
#include "wire/spec_rules.h"
#include "wire/workload.h"

namespace yard::control {
namespace {

// Fields that change how much there is of a service and where, not what it runs.
constexpr std::array<std::string_view, 3> kHarmless{"autoscaling", "compute", "servingPort"};

// One spec after the policies of its project.
struct Complied {
  std::string text;
  json::value changed;                    // by a policy
  const json::object* as_sent = nullptr;  // null if a policy changed it

  wire::SentSpec Take() {
    return {as_sent != nullptr ? *as_sent : changed.get_object(), std::move(text)};
  }
};

// A client may send back a URL that it read with its credentials masked.
enum class Origin { kClient, kStored };

Result<Complied> ComplyOne(const State& state, const Submission& submission,
                           const json::object& sent, Origin origin) {
  std::string text = JsonText(sent);
  std::string_view root = submission.replica == Replica::kMaster ? "masterSpec" : "spec";
  if (origin == Origin::kClient && HoldsMask(text)) {
    YARD_TRY(RefuseMasks(json::value(sent), root));
  }
  Complied out;
  YARD_ASSIGN(out.text, ApplyPolicy(state, submission, text));
  if (out.text == text) {
    out.as_sent = &sent;
  } else {
    YARD_ASSIGN(out.changed, ParseJson(out.text));
  }
  YARD_TRY(wire::RequireSound(out.as_sent ? sent : out.changed.as_object(), root));
  return out;
}

Submission SubmissionOf(const Workload& workload) {
  return {PolicyTypeOf(workload.type), workload.project};
}

Status TakeComplied(const State& state, Workload& workload, const SentSpecs& sent, Origin origin) {
  static const json::object kNothing;
  Submission submission = SubmissionOf(workload);
  YARD_ASSIGN(Complied spec,
              ComplyOne(state, submission, sent.spec ? *sent.spec : kNothing, origin));
  if (sent.master == nullptr) return wire::TakeSpec(workload, spec.Take());
  submission.replica = Replica::kMaster;
  YARD_ASSIGN(Complied master, ComplyOne(state, submission, *sent.master, origin));
  return wire::TakeSpec(workload, spec.Take(), master.Take());
}

}  // namespace

Status Comply(const State& state, Workload& workload, const SentSpecs& sent) {
  return TakeComplied(state, workload, sent, Origin::kClient);
}

Status ComplyAgain(const State& state, Workload& workload) {
  YARD_ASSIGN(json::value spec, ParseJson(workload.spec->document.json));
  bool own_master = workload.request.master && !workload.master_as_worker;
  if (!own_master)
    return TakeComplied(state, workload, {.spec = &spec.as_object()}, Origin::kStored);
  YARD_ASSIGN(json::value master, ParseJson(workload.master_spec->document.json));
  return TakeComplied(state, workload, {&spec.as_object(), &master.as_object()}, Origin::kStored);
}

Status ChangeSpec(const State& state, Workload& workload, const SpecChange& change) {
  YARD_ASSIGN(json::value spec, ParseJson(workload.spec->document.json));
  wire::ChangeSpec(spec.as_object(), change);
  if (change.gpu_portion_limit || change.gpu_memory_limit) {
    YARD_TRY(wire::RequireSound(spec.as_object(), "spec"));
  }
  YARD_ASSIGN(std::string text, ApplyPolicy(state, SubmissionOf(workload), JsonText(spec)));
  workload.spec = wire::ReadSpecText(std::move(text));
  return {};
}

Status PatchSpec(const State& state, Workload& workload, const Document& fields,
                 const MayChange& may_change) {
  YARD_ASSIGN(json::value spec, ParseJson(workload.spec->document.json));
  YARD_ASSIGN(json::value changes, ParseJson(fields.json));
  for (const auto& [name, value] : changes.as_object()) {
    bool harmless = std::ranges::find(kHarmless, std::string_view(name)) != kHarmless.end();
    if (!value.is_null() && !harmless) YARD_TRY(may_change(name));
  }
  YARD_TRY(Unmask(changes, &spec, "spec"));
  for (auto& [key, value] : changes.as_object()) {
    if (!value.is_null()) spec.as_object()[key] = value;
  }
  return TakeComplied(state, workload, {.spec = &spec.as_object()}, Origin::kStored);
}

}  // namespace yard::control
