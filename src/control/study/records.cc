#include "control/study/records.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "wire/study.h"

namespace yard::control {
namespace {

constexpr std::string_view kStudyKind = "study";
constexpr std::string_view kTrialKind = "trial";

// Sorts by number, so that trials are loaded in their order.
std::string TrialKey(StudyId study, std::int64_t number) {
  return fmt::format("{}/{:010}", FormatUuid(study.value), number);
}

using Found = std::map<StudyId, StudyView>;

Status TakeTrial(std::string_view id, std::string_view body, Found& found) {
  std::optional<Uuid> study = ParseUuid(id.substr(0, id.find('/')));
  auto owner = study ? found.find(StudyId{*study}) : found.end();
  if (owner == found.end()) {
    return Fail(Code::kInternal, fmt::format("the record of trial {} has no study", id));
  }
  YARD_ASSIGN(StudyTrial trial, wire::DecodeTrial(body));
  owner->second.trials.push_back(std::make_shared<const StudyTrial>(std::move(trial)));
  return {};
}

}  // namespace

store::RecordChange RowOf(const Study& study) {
  return {.kind = std::string(kStudyKind),
          .id = FormatUuid(study.id.value),
          .body = wire::EncodeStudy(study)};
}

store::RecordChange RowOf(const Study& study, const StudyTrial& trial) {
  return {.kind = std::string(kTrialKind),
          .id = TrialKey(study.id, trial.number),
          .body = wire::EncodeTrial(trial)};
}

void AddRemoval(const Study& study, std::size_t trials, std::vector<store::RecordChange>& rows) {
  rows.push_back(
      {.kind = std::string(kStudyKind), .id = FormatUuid(study.id.value), .body = std::nullopt});
  for (std::size_t i = 0; i < trials; ++i) {
    rows.push_back({.kind = std::string(kTrialKind),
                    .id = TrialKey(study.id, static_cast<std::int64_t>(i)),
                    .body = std::nullopt});
  }
}

// Records come by kind, and studies before trials.
Result<std::vector<StudyView>> LoadStudies(store::RecordStore& records, StudyJournals& journals) {
  Found found;
  YARD_TRY(records.Load(
      [&](std::string_view kind, std::string_view id, std::string_view body) -> Status {
        if (kind == kTrialKind) return TakeTrial(id, body, found);
        if (kind == kJournalKind) return journals.Take(id, body);
        if (kind != kStudyKind) {
          return Fail(Code::kUnsupported, fmt::format("study records of kind '{}' exist", kind),
                      "start the newer program that wrote them");
        }
        YARD_ASSIGN(Study study, wire::DecodeStudy(body));
        found[study.id].study = std::move(study);
        return {};
      }));
  std::vector<StudyView> views;
  for (auto& [id, view] : found) views.push_back(std::move(view));
  return views;
}

}  // namespace yard::control
