// Studies and their trials on the wire and on disk.
//
// The spec of a study has one form for both: the JSON object that the client sent. Field names of
// records are part of the disk format: add, never rename.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "model/study.h"
#include "wire/enums.h"
#include "wire/writer.h"

namespace yard::wire {

template <>
std::span<const EnumName<StudyState>> NamesOf();
template <>
std::span<const EnumName<TrialPhase>> NamesOf();
template <>
std::span<const EnumName<ParameterKind>> NamesOf();
template <>
std::span<const EnumName<StudySampler>> NamesOf();
template <>
std::span<const EnumName<PrunerKind>> NamesOf();
template <>
std::span<const EnumName<Aim>> NamesOf();
template <>
std::span<const EnumName<ResultRule>> NamesOf();

// `spec` is valid against its schema. Refuses what a schema cannot say about single fields.
Result<StudySpec> ReadStudySpec(const json::object& spec);

// The body of a creation, valid against its schema.
struct StudyHead {
  std::string name;
  ProjectId project;
  Document document;
  StudySpec spec;
};
Result<StudyHead> ReadStudyHead(const json::object& body);

// Values by parameter of the spec, from an object of names; absent ones are not a number.
Result<std::vector<double>> ReadParameters(const StudySpec& spec, const json::object& values);

std::string EncodeStudy(const Study& study);
Result<Study> DecodeStudy(std::string_view json);
std::string EncodeTrial(const StudyTrial& trial);
Result<StudyTrial> DecodeTrial(std::string_view json);

// The value of a parameter as text ("0.01", "adam") and as JSON.
std::string ParameterText(const StudyParameter& parameter, double value);
std::string ParameterJson(const StudyParameter& parameter, double value);
// Every parameter that exists and every derived value, as one JSON object.
std::string ParametersJson(const StudySpec& spec, const StudyTrial& trial);

// The spec of a trial's workload: `${name}` replaced in every text, and the variables that tell a
// program of its study added.
std::string TrialSpec(const Study& study, const StudyTrial& trial);

// How many trials are in each phase, and the best one.
struct StudyCounts {
  std::int64_t running = 0;
  std::int64_t complete = 0;
  std::int64_t pruned = 0;
  std::int64_t failed = 0;
  std::int64_t configurations = 0;
  std::int64_t extra = 0;  // of running, complete, pruned and failed: no part of the budget
  GpuTime gpu_time;
  const StudyTrial* best = nullptr;
};
void WriteStudy(Writer& w, const Study& study, const StudyCounts& counts);
// The members of the object alone, so that more may follow.
void WriteTrial(Writer& w, const Study& study, const StudyTrial& trial);

}  // namespace yard::wire
