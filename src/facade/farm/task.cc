#include "facade/farm/task.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "model/spec/spec.h"
#include "wire/fields.h"

namespace yard::facade::farm {
namespace {

constexpr std::array<std::string_view, 14> kStatuses{
    "unscheduled", "unschedulable", "submitted", "waiting",  "starting",   "running", "finished",
    "errored",     "paused",        "cancelled", "archived", "cancelling", "pausing", "pending"};

bool IsSuccess(const json::object& note, std::int64_t code) {
  const json::array& codes = wire::ListOrEmpty(note, "success_return_codes");
  if (codes.empty()) return code == 0;
  return std::ranges::any_of(
      codes, [code](const json::value& one) { return one.is_int64() && one.get_int64() == code; });
}

// A definition may count other exit codes than 0 as a success.
std::string_view EndOf(const Workload& workload, const Attempt* newest, const json::object& note) {
  if (workload.life == Life::kCompleted) return IsSuccess(note, 0) ? "finished" : "errored";
  const bool exited = newest != nullptr && newest->end && newest->end->cause == EndCause::kExit;
  if (!exited || !newest->end->exit_code) return "errored";
  return IsSuccess(note, *newest->end->exit_code) ? "finished" : "errored";
}

json::value OrEmpty(const json::object& note, std::string_view field, json::value empty) {
  const json::value* said = wire::ValueIn(note, field);
  return said != nullptr && said->kind() == empty.kind() ? *said : std::move(empty);
}

double Seconds(Time time) {
  return static_cast<double>(time.micros) / 1e6;
}

std::string DetailsOf(const TaskView& view) {
  if (view.newest != nullptr && view.newest->end && !view.newest->end->message.empty() &&
      HasEnded(view.workload->life))
    return view.newest->end->message;
  return view.workload->phase_message;
}

}  // namespace

bool IsTask(const Workload& workload) {
  return workload.type == WorkloadType::kTraining &&
         workload.spec->document.json.contains(kTaskAnnotation);
}

json::object NoteOf(const Workload& workload) {
  Result<json::value> spec = ParseJson(workload.spec->document.json);
  if (!spec || !spec->is_object()) return {};
  json::object note;
  wire::EachObject(spec->get_object(), "annotations", [&](const json::object& item) {
    if (wire::TextOrEmpty(item, "name") != kTaskAnnotation) return;
    Result<json::value> said = ParseJson(wire::TextOrEmpty(item, "value"));
    if (said && said->is_object()) note = said->get_object();
  });
  return note;
}

std::string_view StatusOf(const Workload& workload, const Attempt* newest,
                          const json::object& note) {
  if (workload.deleted_at) return "archived";
  switch (workload.life) {
    case Life::kNew:
    case Life::kWaiting:
      return workload.rules.hold ? "unscheduled" : "submitted";
    case Life::kResuming:
      return "submitted";
    case Life::kStarting:
      return "starting";
    case Life::kReturning:
    case Life::kRunning:
    case Life::kLeaving:
      return "running";
    case Life::kSuspending:
      return "pausing";
    case Life::kParked:
    case Life::kSuspended:
      return "paused";
    case Life::kCancelling:
      return "cancelling";
    case Life::kCancelled:
      return "cancelled";
    case Life::kCompleted:
    case Life::kFailed:
      return EndOf(workload, newest, note);
    case Life::kDeleting:
      return "archived";
  }
  return "errored";
}

bool IsStatus(std::string_view word) {
  return std::ranges::find(kStatuses, word) != kStatuses.end();
}

json::object TaskJson(const TaskView& view) {
  const Workload& workload = *view.workload;
  const json::object note = NoteOf(workload);
  json::object task;
  task["task_id"] = FormatUuid(workload.id.value);
  task["task_type"] = OrEmpty(note, "task_type", json::value(workload.name));
  task["task_args"] = OrEmpty(note, "task_args", json::object());
  task["task_function"] = OrEmpty(note, "task_function", "");
  task["task_function_args"] = OrEmpty(note, "task_function_args", json::object());
  task["task_requirements"] = OrEmpty(note, "task_requirements", json::object());
  task["status"] = StatusOf(workload, view.newest, note);
  task["userid"] = OrEmpty(note, "user", json::value(workload.stamp.created_by));
  task["task_comment"] = OrEmpty(note, "task_comment", "");
  task["task_details"] = DetailsOf(view);
  task["metrics"] = "";
  task["progress"] = json::object();
  task["task_submission_time"] = Seconds(workload.stamp.created_at);
  task["priority"] = OrEmpty(note, "priority", kUsualPriority);
  task["metadata"] = OrEmpty(note, "metadata", json::object());
  task["labels"] = OrEmpty(note, "labels", json::array());
  task["workload"] = workload.name;
  task["project"] = view.project;
  task["submitted_by"] = workload.stamp.created_by;
  return task;
}

}  // namespace yard::facade::farm
