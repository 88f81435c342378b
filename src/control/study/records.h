// Studies and trials as rows of the record store.
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "control/study/journals.h"
#include "control/study/view.h"
#include "store/records.h"

namespace yard::control {

store::RecordChange RowOf(const Study& study);
store::RecordChange RowOf(const Study& study, const StudyTrial& trial);
// The study and its first `trials` trials go.
void AddRemoval(const Study& study, std::size_t trials, std::vector<store::RecordChange>& rows);

// Every study with its trials in the order of their numbers, and the journals.
Result<std::vector<StudyView>> LoadStudies(store::RecordStore& records, StudyJournals& journals);

}  // namespace yard::control
