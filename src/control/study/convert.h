// From the records of a study to the search library, and back.
//
// Pure functions; any thread.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "model/study.h"
#include "tune/pruners/pbt.h"
#include "tune/pruners/pruner.h"
#include "tune/study.h"

namespace yard::control {

// Says by field what is wrong with the parameters, constraints and derived values.
Result<tune::Space> SpaceOf(const StudySpec& spec);
tune::StudyOptions OptionsOf(const Study& study);
// Null: nothing is pruned.
std::unique_ptr<tune::Pruner> PrunerOf(const Study& study);
tune::PbtOptions PbtOf(const StudySpec& spec);

tune::Configuration ConfigurationOf(const std::vector<double>& values);
// What the search library needs of a trial, and what a new trial of it records.
tune::Trial ToTune(const StudyTrial& trial);
StudyTrial FromTune(const tune::Trial& trial, std::size_t objectives);

// A study as its records say; its next suggestion is the same for the same records.
Result<tune::Study> RestoreStudy(const Study& study, const std::vector<StudyTrial>& trials);

}  // namespace yard::control
