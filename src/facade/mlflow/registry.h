// What the routes of registered models and of their versions share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/track/query.h"
#include "facade/mlflow/ask.h"
#include "wire/writer.h"

namespace yard::facade::mlflow {

// The stages of old clients; newer ones use aliases.
inline constexpr std::string_view kNoStage = "None";
// In its usual spelling; nothing if there is no such stage.
std::optional<std::string> StageNamed(std::string_view name);

void WriteVersion(wire::Writer& w, const RegisteredModel& model, const ModelVersion& version);
void WriteRegistered(wire::Writer& w, const RegisteredModel& model,
                     const std::vector<Shared<ModelVersion>>& latest);

// Of one model, by number.
std::vector<Shared<ModelVersion>> VersionsOf(const control::Catalog& catalog,
                                             const RegisteredModel& model);
// The newest of each stage.
std::vector<Shared<ModelVersion>> LatestOf(const control::Catalog& catalog,
                                           const RegisteredModel& model);

// Clients leave prompts out by `tags.… != 'true'`, so here a missing tag differs from every text.
bool TagFulfils(const Tags& tags, const control::Condition& condition);

// As it stands in the transaction; kNotFound if it has just gone.
Result<RegisteredModel> RegisteredIn(const TrackTxn& txn, const RegisteredModel& known);

}  // namespace yard::facade::mlflow
