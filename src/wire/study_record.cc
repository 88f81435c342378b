// The disk form of studies and trials. A study may have many thousand trials, so their names are
// short.
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/trusted_json.h"
#include "wire/fields.h"
#include "wire/reader.h"
#include "wire/study.h"
#include "wire/visit.h"

namespace yard::wire {

template <class V, Is<StudyBudget> T>
void Visit(V& v, T& b) {
  v("trials", b.trials);
  v("seconds", b.seconds);
  v("gpuHours", b.gpu_hours);
}

template <class V, Is<Study> T>
void Visit(V& v, T& s) {
  v("id", s.id);
  v("project", s.project);
  v("name", s.name);
  v("spec", s.document);
  v("budget", s.budget);
  v("ownerType", s.owner_type);
  v("owner", s.owner);
  v("ownerUser", s.owner_user);
  v("state", s.state);
  v("message", s.message);
  v("failures", s.failures);
  v("stamp", s.stamp);
  v("endedAt", s.ended_at);
}

namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

// JSON has no word for what is not finite.
void WriteNumber(Writer& w, double value) {
  if (std::isnan(value)) return w.Null();
  if (std::isinf(value)) return w.Value(value > 0 ? "inf" : "-inf");
  w.Value(value);
}

double NumberOfValue(const json::value& value) {
  if (const json::string* text = value.if_string()) {
    return *text == "inf" ? std::numeric_limits<double>::infinity()
                          : -std::numeric_limits<double>::infinity();
  }
  json::error_code error;
  double number = value.to_number<double>(error);
  return error ? kAbsent : number;
}

void WriteNumbers(Writer& w, std::string_view name, const std::vector<double>& values) {
  if (values.empty()) return;
  w.Key(name);
  w.BeginList();
  for (double value : values) {
    w.Item();
    WriteNumber(w, value);
  }
  w.EndList();
}

std::vector<double> ReadNumbers(const json::object& object, std::string_view name) {
  std::vector<double> values;
  for (const json::value& value : ListOrEmpty(object, name)) {
    values.push_back(NumberOfValue(value));
  }
  return values;
}

void WriteMaybe(Writer& w, const std::optional<double>& value) {
  w.Item();
  if (!value) return w.Value(false);  // null is a value that is not a number
  WriteNumber(w, *value);
}

std::optional<double> ReadMaybe(const json::value& value) {
  if (value.is_bool()) return std::nullopt;
  return NumberOfValue(value);
}

void WriteReported(Writer& w, const StudyTrial& trial) {
  w.Key("l");
  w.BeginList();
  for (const ReportedValue& value : trial.reported) {
    WriteMaybe(w, value.last);
    WriteMaybe(w, value.best);
  }
  w.EndList();
  if (trial.reports.empty()) return;
  w.Key("r");
  w.BeginList();
  for (const TrialReport& report : trial.reports) {
    w.Item();
    w.Value(report.step);
    w.Item();
    WriteNumber(w, report.value);
  }
  w.EndList();
}

void ReadReported(const json::object& object, StudyTrial& trial) {
  const json::array& last = ListOrEmpty(object, "l");
  for (std::size_t i = 0; i + 1 < last.size(); i += 2) {
    trial.reported.push_back({ReadMaybe(last[i]), ReadMaybe(last[i + 1])});
  }
  const json::array& reports = ListOrEmpty(object, "r");
  for (std::size_t i = 0; i + 1 < reports.size(); i += 2) {
    trial.reports.push_back({reports[i].to_number<std::int64_t>(), NumberOfValue(reports[i + 1])});
  }
}

void ReadWork(const json::object& object, StudyTrial& trial) {
  if (std::optional<Uuid> id = ParseUuid(TextOrEmpty(object, "w")))
    trial.workload = WorkloadId{*id};
  trial.submitted = FlagOrFalse(object, "m");
  trial.attempt = static_cast<std::int32_t>(WholeOf(object, "a").value_or(0));
  trial.log_offset = WholeOf(object, "p").value_or(0);
  trial.stop_reason = TextOrEmpty(object, "stop");
  trial.successor_from = WholeOf(object, "next");
  trial.message = TextOrEmpty(object, "why");
  trial.gpu_time = GpuTime(WholeOf(object, "g").value_or(0));
  trial.created_at = {WholeOf(object, "t").value_or(0)};
  if (std::optional<std::int64_t> end = WholeOf(object, "e")) trial.ended_at = Time{*end};
}

void WriteWork(Writer& w, const StudyTrial& trial) {
  w("w", trial.workload);
  if (trial.submitted) w("m", true);
  if (trial.attempt > 0) w("a", trial.attempt);
  if (trial.log_offset > 0) w("p", trial.log_offset);
  if (!trial.stop_reason.empty()) w("stop", trial.stop_reason);
  w("next", trial.successor_from);
  if (!trial.message.empty()) w("why", trial.message);
  if (trial.gpu_time.value > 0) w("g", trial.gpu_time);
  w("t", trial.created_at.micros);
  if (trial.ended_at) w("e", trial.ended_at->micros);
}

}  // namespace

std::string EncodeStudy(const Study& study) {
  std::string out;
  Writer w(out);
  w.Begin();
  Visit(w, study);
  // As text: it may be beyond what a signed number holds.
  w("seed", std::to_string(study.seed));
  w.End();
  return out;
}

Result<Study> DecodeStudy(std::string_view text) {
  YARD_ASSIGN(json::value value, ParseTrustedJson(text));
  if (!value.is_object()) return Fail(Code::kInternal, "the record of a study is no JSON object");
  Study study;
  std::vector<FieldIssue> issues;
  Reader reader(value.get_object(), "", issues);
  Visit(reader, study);
  std::string seed(TextOrEmpty(value.get_object(), "seed"));
  study.seed = std::strtoull(seed.c_str(), nullptr, 10);
  if (!issues.empty()) {
    return Fail(Code::kInternal, fmt::format("the record of study '{}' is damaged: {} {}",
                                             study.name, issues[0].field, issues[0].problem));
  }
  YARD_ASSIGN(study.spec, ReadStudySpec(ObjectOrEmpty(value.get_object(), "spec")));
  return study;
}

std::string EncodeTrial(const StudyTrial& trial) {
  std::string out;
  out.reserve(512);
  Writer w(out);
  w.Begin();
  w("n", trial.number);
  w("s", trial.phase);
  WriteNumbers(w, "x", trial.values);
  WriteNumbers(w, "d", trial.derived);
  WriteNumbers(w, "v", trial.results);
  WriteReported(w, trial);
  w("of", trial.repeat_of);
  w("c", trial.continues);
  w("from", trial.resumes_from);
  w("o", trial.origin);
  WriteNumbers(w, "z", trial.latent);
  w("b", trial.endings_before);
  w("f", trial.finished);
  WriteWork(w, trial);
  w.End();
  return out;
}

Result<StudyTrial> DecodeTrial(std::string_view text) {
  YARD_ASSIGN(json::value value, ParseTrustedJson(text));
  if (!value.is_object()) return Fail(Code::kInternal, "the record of a trial is no JSON object");
  const json::object& object = value.get_object();
  StudyTrial trial{
      .number = WholeOf(object, "n").value_or(0),
      .phase = FromName<TrialPhase>(TextOrEmpty(object, "s")).value_or(TrialPhase::kFailed),
      .values = ReadNumbers(object, "x"),
      .derived = ReadNumbers(object, "d"),
      .results = ReadNumbers(object, "v"),
      .reported = {},
      .reports = {},
      .repeat_of = WholeOf(object, "of"),
      .continues = WholeOf(object, "c"),
      .resumes_from = WholeOf(object, "from"),
      .origin = std::string(TextOrEmpty(object, "o")),
      .latent = ReadNumbers(object, "z"),
      .endings_before = WholeOf(object, "b").value_or(0),
      .finished = WholeOf(object, "f")};
  ReadReported(object, trial);
  ReadWork(object, trial);
  return trial;
}

}  // namespace yard::wire
