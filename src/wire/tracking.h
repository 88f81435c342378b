// The form in which tracked things lie on disk: one JSON object each.
//
// Field names are part of the disk format: add, never rename. A field that is missing in an old
// record keeps its default.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/tracking.h"
#include "wire/enums.h"

namespace yard::wire {

template <>
std::span<const EnumName<Lifecycle>> NamesOf();
// The names that MLflow's clients use.
template <>
std::span<const EnumName<RunStatus>> NamesOf();
template <>
std::span<const EnumName<ModelStatus>> NamesOf();
template <>
std::span<const EnumName<ViewPage>> NamesOf();

// For Experiment, TrackedRun, RegisteredModel, ModelVersion, LoggedModel, Report and SavedView.
template <class T>
std::string EncodeTracked(const T& thing);
template <class T>
Result<T> DecodeTracked(std::string_view json);

}  // namespace yard::wire
