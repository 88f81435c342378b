#include "facade/mlflow/run_change.h"

#include <utility>

#include <fmt/format.h>

#include "control/track/experiments.h"

namespace yard::facade::mlflow {

std::string RunIdOf(Fields& fields) {
  std::string id = fields.Text("run_id");
  if (id.empty()) id = fields.Text("run_uuid");
  if (id.empty()) fields.Wrong("run_id", "is missing");
  return id;
}

Status CheckActive(const TrackedRun& run) {
  if (run.lifecycle == Lifecycle::kActive) return {};
  return Fail(Code::kInvalid, fmt::format("run '{}' is deleted", run.id), "restore it first");
}

Status AddParam(TrackedRun& run, const std::string& key, const std::string& value) {
  auto [at, added] = run.params.try_emplace(key, value);
  if (added || at->second == value) return {};
  return Fail(Code::kInvalid,
              fmt::format("parameter '{}' of run '{}' is '{}' already and cannot become '{}'", key,
                          run.id, at->second, value),
              "parameters are written once; use a tag for what changes");
}

Result<serve::Answer> ChangeRun(Ask& ask, std::string_view id, RunEdit edit) {
  YARD_ASSIGN(control::RunSlot * slot, ask.FindRun(id));
  YARD_TRY(control::CheckHome(ask.catalog(), *slot->Get()));
  return Store(ask,
               [key = slot->Get()->id,
                edit = std::move(edit)](TrackTxn& txn) mutable -> Result<std::string> {
                 TrackedRun run = *txn.Find<TrackedRun>(key);
                 YARD_TRY(edit(run));
                 txn.Put(std::move(run));
                 return "{}";
               });
}

}  // namespace yard::facade::mlflow
