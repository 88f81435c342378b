#include "wire/tracking.h"

#include <array>

#include <fmt/format.h>

#include "base/trusted_json.h"
#include "wire/reader.h"
#include "wire/visit.h"
#include "wire/writer.h"

namespace yard::wire {
namespace {

template <class E, std::size_t N>
using Table = std::array<EnumName<E>, N>;

constexpr Table<Lifecycle, 2> kLifecycles{
    {{Lifecycle::kActive, "active"}, {Lifecycle::kDeleted, "deleted"}}};
constexpr Table<RunStatus, 5> kRunStatuses{{{RunStatus::kRunning, "RUNNING"},
                                            {RunStatus::kScheduled, "SCHEDULED"},
                                            {RunStatus::kFinished, "FINISHED"},
                                            {RunStatus::kFailed, "FAILED"},
                                            {RunStatus::kKilled, "KILLED"}}};
constexpr Table<ModelStatus, 3> kModelStatuses{
    {{ModelStatus::kPending, "LOGGED_MODEL_PENDING"},
     {ModelStatus::kReady, "LOGGED_MODEL_READY"},
     {ModelStatus::kFailed, "LOGGED_MODEL_UPLOAD_FAILED"}}};
constexpr Table<ViewPage, 2> kViewPages{
    {{ViewPage::kRuns, "runs"}, {ViewPage::kCompare, "compare"}}};

}  // namespace

template <>
std::span<const EnumName<Lifecycle>> NamesOf() {
  return kLifecycles;
}
template <>
std::span<const EnumName<RunStatus>> NamesOf() {
  return kRunStatuses;
}
template <>
std::span<const EnumName<ModelStatus>> NamesOf() {
  return kModelStatuses;
}
template <>
std::span<const EnumName<ViewPage>> NamesOf() {
  return kViewPages;
}

template <class V, Is<Experiment> T>
void Visit(V& v, T& e) {
  v("id", e.id);
  v("project", e.project);
  v("name", e.name);
  v("artifactLocation", e.artifact_location);
  v("lifecycle", e.lifecycle);
  v("createdAt", e.created_at);
  v("updatedAt", e.updated_at);
  v("tags", e.tags);
}

template <class V, Is<DatasetInput> T>
void Visit(V& v, T& d) {
  v("name", d.name);
  v("digest", d.digest);
  v("sourceType", d.source_type);
  v("source", d.source);
  v("schema", d.schema);
  v("profile", d.profile);
  v("tags", d.tags);
}

template <class V, Is<ModelOutput> T>
void Visit(V& v, T& o) {
  v("model", o.model);
  v("step", o.step);
}

template <class V, Is<TrackedRun> T>
void Visit(V& v, T& r) {
  v("id", r.id);
  v("experiment", r.experiment);
  v("project", r.project);
  v("name", r.name);
  v("user", r.user);
  v("status", r.status);
  v("start", r.start);
  v("end", r.end);
  v("artifactUri", r.artifact_uri);
  v("lifecycle", r.lifecycle);
  v("params", r.params);
  v("tags", r.tags);
  v("datasets", r.datasets);
  v("modelInputs", r.model_inputs);
  v("modelOutputs", r.model_outputs);
}

template <class V, Is<RegisteredModel> T>
void Visit(V& v, T& m) {
  v("project", m.project);
  v("name", m.name);
  v("description", m.description);
  v("createdAt", m.created_at);
  v("updatedAt", m.updated_at);
  v("versions", m.versions);
  v("tags", m.tags);
  v("aliases", m.aliases);
}

template <class V, Is<ModelVersion> T>
void Visit(V& v, T& m) {
  v("project", m.project);
  v("name", m.name);
  v("version", m.version);
  v("stage", m.stage);
  v("description", m.description);
  v("user", m.user);
  v("source", m.source);
  v("run", m.run);
  v("runLink", m.run_link);
  v("model", m.model);
  v("createdAt", m.created_at);
  v("updatedAt", m.updated_at);
  v("tags", m.tags);
}

template <class V, Is<LoggedModel> T>
void Visit(V& v, T& m) {
  v("id", m.id);
  v("experiment", m.experiment);
  v("project", m.project);
  v("name", m.name);
  v("type", m.type);
  v("sourceRun", m.source_run);
  v("artifactUri", m.artifact_uri);
  v("status", m.status);
  v("statusMessage", m.status_message);
  v("lifecycle", m.lifecycle);
  v("createdAt", m.created_at);
  v("updatedAt", m.updated_at);
  v("params", m.params);
  v("tags", m.tags);
}

template <class V, Is<Report> T>
void Visit(V& v, T& r) {
  v("id", r.id);
  v("project", r.project);
  v("title", r.title);
  v("text", r.text);
  v("author", r.author);
  v("editor", r.editor);
  v("createdAt", r.created_at);
  v("updatedAt", r.updated_at);
  v("revision", r.revision);
}

template <class V, Is<SavedView> T>
void Visit(V& v, T& s) {
  v("id", s.id);
  v("project", s.project);
  v("name", s.name);
  v("page", s.page);
  v("query", s.query);
  v("author", s.author);
  v("createdAt", s.created_at);
}

template <class T>
std::string EncodeTracked(const T& thing) {
  std::string out;
  out.reserve(512);
  Writer(out).Value(thing);
  return out;
}

template <class T>
Result<T> DecodeTracked(std::string_view json) {
  YARD_ASSIGN(json::value value, ParseTrustedJson(json));
  if (!value.is_object()) return Fail(Code::kInternal, "a tracked record is no JSON object");
  T thing;
  std::vector<FieldIssue> issues;
  Reader reader(value.get_object(), "", issues);
  Visit(reader, thing);
  if (issues.empty()) return thing;
  return Fail(Code::kInternal, fmt::format("a tracked record is damaged: {} {}", issues[0].field,
                                           issues[0].problem));
}

template std::string EncodeTracked(const Experiment& thing);
template std::string EncodeTracked(const TrackedRun& thing);
template std::string EncodeTracked(const RegisteredModel& thing);
template std::string EncodeTracked(const ModelVersion& thing);
template std::string EncodeTracked(const LoggedModel& thing);
template std::string EncodeTracked(const Report& thing);
template std::string EncodeTracked(const SavedView& thing);
template Result<Experiment> DecodeTracked(std::string_view json);
template Result<TrackedRun> DecodeTracked(std::string_view json);
template Result<RegisteredModel> DecodeTracked(std::string_view json);
template Result<ModelVersion> DecodeTracked(std::string_view json);
template Result<LoggedModel> DecodeTracked(std::string_view json);
template Result<Report> DecodeTracked(std::string_view json);
template Result<SavedView> DecodeTracked(std::string_view json);

}  // namespace yard::wire
