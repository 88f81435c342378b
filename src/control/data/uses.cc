#include "control/data/uses.h"

#include "model/life.h"
#include "model/spec/spec.h"

namespace yard::control {

namespace {

// Deleted work may have tasks that are still being stopped.
bool MayRead(const State& state, const Workload& workload) {
  if (!workload.deleted_at) return !HasEnded(workload.life);
  Ptr<Attempt> newest = workload.attempt ? state.Find<Attempt>(*workload.attempt) : nullptr;
  return newest && !newest->end;
}

}  // namespace

std::set<DataUse> DataUsesOf(const State& state) {
  std::set<DataUse> uses;
  auto add = [&](ProjectId project, const WorkloadSpec& spec) {
    for (const DataSetMount& mount : spec.storage->data_sets) {
      if (auto version = data::ParseHex(mount.version)) uses.insert({project, *version});
    }
  };
  state.Of<Workload>().Each([&](const Workload& workload) {
    if (!MayRead(state, workload)) return;
    add(workload.project, *workload.spec);
    if (workload.request.master && !workload.master_as_worker)
      add(workload.project, *workload.master_spec);
  });
  return uses;
}

}  // namespace yard::control
