#include "facade/farm/task_spec.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/strings.h"
#include "facade/farm/arguments.h"
#include "facade/farm/requirements.h"
#include "facade/farm/task.h"
#include "wire/fields.h"

namespace yard::facade::farm {
namespace {

using wire::ObjectOrEmpty;
using wire::TextOrEmpty;

constexpr std::size_t kMostBytes = 64 * 1024;
constexpr std::int64_t kUsualRetries = 3;
constexpr std::int64_t kMostRetries = 100;
constexpr std::int64_t kUrgent = 100;

std::unexpected<Error> Wrong(std::string_view field, std::string_view problem) {
  return Fail(Code::kInvalid, fmt::format("{}: {}", field, problem));
}

Result<std::string> ReadText(const json::object& body, std::string_view name, std::size_t most) {
  const json::value* value = wire::ValueIn(body, name);
  if (value == nullptr) return std::string();
  if (!value->is_string()) return Wrong(name, "must be a text");
  if (value->get_string().size() > most)
    return Wrong(name, fmt::format("has more than {} characters", most));
  return std::string(value->get_string());
}

Result<std::string> NeedText(const json::object& body, std::string_view name, std::size_t most) {
  YARD_ASSIGN(std::string text, ReadText(body, name, most));
  if (text.empty()) return Wrong(name, "is required");
  return text;
}

Result<json::object> ReadObject(const json::object& body, std::string_view name) {
  const json::value* value = wire::ValueIn(body, name);
  if (value == nullptr) return json::object();
  if (!value->is_object()) return Wrong(name, "must be an object");
  return value->get_object();
}

Status ReadNumbers(const json::object& body, TaskOrder& order) {
  order.priority = kUsualPriority;
  if (const json::value* priority = wire::ValueIn(body, "priority")) {
    if (!priority->is_int64() || priority->get_int64() < 0)
      return Wrong("priority", "must be a whole number, 0 or more");
    order.priority = priority->get_int64();
  }
  if (const json::value* labels = wire::ValueIn(body, "labels")) {
    if (!labels->is_array()) return Wrong("labels", "must be a list of texts");
    order.labels = labels->get_array();
  }
  YARD_ASSIGN(std::string status, ReadText(body, "status", 32));
  if (!status.empty() && status != "submitted" && status != "unscheduled")
    return Wrong("status", "a new task is submitted or unscheduled");
  order.hold = status == "unscheduled";
  return {};
}

// Values of variables belong into the spec's variables alone, where the audit log hides them.
json::object WithoutValues(json::object requirements) {
  json::array names;
  wire::EachObject(requirements, "env", [&](const json::object& item) {
    names.push_back(json::object{{"name", TextOrEmpty(item, "name")}});
  });
  if (requirements.contains("env")) requirements["env"] = std::move(names);
  return requirements;
}

std::string NoteText(const json::object& definition, const TaskOrder& order) {
  return JsonText(json::object{
      {"task_type", order.type},
      {"user", order.user},
      {"task_comment", order.comment},
      {"task_function", order.function},
      {"task_args", order.args},
      {"task_function_args", order.function_args},
      {"task_requirements", WithoutValues(order.requirements)},
      {"metadata", order.metadata},
      {"labels", order.labels},
      {"priority", order.priority},
      {"success_return_codes", wire::ListOrEmpty(definition, "success_return_codes")}});
}

// Farm's variables first, then the requirements' and the task's own, then the task's id.
Status AddVariables(const json::object& definition, const TaskOrder& order, json::object& spec) {
  json::array variables;
  for (const auto& pair : ObjectOrEmpty(definition, "env")) {
    std::optional<std::string> text = PlainText(pair.value());
    PutVariable(variables, {{"name", pair.key()}, {"value", text.value_or("")}});
  }
  for (const json::value& item : wire::ListOrEmpty(spec, "environmentVariables")) {
    PutVariable(variables, item.as_object());
  }
  if (const json::value* own = wire::ValueIn(order.requirements, "env")) {
    YARD_ASSIGN(json::array more, ReadVariables(*own, "task_requirements.env"));
    for (json::value& item : more) PutVariable(variables, std::move(item.as_object()));
  }
  PutVariable(variables, {{"name", "OV_FARM_TASK_ID"},
                          {"podFieldRef", json::object{{"path", "metadata.uid"}}}});
  spec["environmentVariables"] = std::move(variables);
  return {};
}

void AddRetries(const TaskOrder& order, json::object& spec) {
  const json::object& retry = ObjectOrEmpty(order.metadata, "_retry");
  if (!wire::FlagOrFalse(retry, "is_retryable")) return;
  const std::int64_t limit = wire::WholeOf(retry, "limit").value_or(kUsualRetries);
  spec["retry"] = json::object{
      {"limit", std::clamp<std::int64_t>(limit, 0, kMostRetries)},
      {"on", json::array{"Exit", "Signal", "OutOfMemory", "LaunchFailed", "NodeLost"}}};
}

}  // namespace

Result<TaskOrder> ReadTaskOrder(const json::object& body) {
  if (JsonText(body).size() > kMostBytes) {
    return Fail(Code::kTooLarge, "the task is too large",
                fmt::format("a task has at most {} bytes; put more into files", kMostBytes));
  }
  TaskOrder order;
  YARD_ASSIGN(order.type, NeedText(body, "task_type", 512));
  YARD_ASSIGN(order.user, NeedText(body, "user", 2048));
  YARD_ASSIGN(order.comment, ReadText(body, "task_comment", 16 * 1024));
  YARD_ASSIGN(order.function, ReadText(body, "task_function", 128));
  YARD_ASSIGN(order.args, ReadObject(body, "task_args"));
  YARD_ASSIGN(order.function_args, ReadObject(body, "task_function_args"));
  YARD_ASSIGN(order.requirements, ReadObject(body, "task_requirements"));
  YARD_ASSIGN(order.metadata, ReadObject(body, "metadata"));
  YARD_TRY(ReadNumbers(body, order));
  order.metadata["original_submitter"] = order.user;
  return order;
}

Result<TaskSpec> SpecOf(const json::object& definition, const TaskOrder& order) {
  YARD_ASSIGN(Requirements asked,
              ReadRequirements(ObjectOrEmpty(definition, "capacity_requirements")));
  YARD_ASSIGN(std::vector<std::string> arguments, ArgumentsOf(definition, order.args));
  TaskSpec made{std::move(asked.spec), std::move(asked.credentials)};
  json::object& spec = made.spec;
  spec["command"] = json::array{TextOrEmpty(definition, "command")};
  spec["args"] = json::array(arguments.begin(), arguments.end());
  std::string_view image = TextOrEmpty(definition, "container");
  if (image.empty()) {
    spec.erase("imagePullPolicy");
  } else {
    spec["image"] = image;
  }
  std::string_view folder = TextOrEmpty(definition, "working_directory");
  if (!folder.empty()) spec["workingDir"] = folder;
  YARD_TRY(AddVariables(definition, order, spec));
  AddRetries(order, spec);
  if (order.hold) spec["hold"] = true;
  std::string_view priority = PriorityClassOf(order.priority);
  if (!priority.empty()) spec["priorityClass"] = priority;
  spec["annotations"] =
      json::array{json::object{{"name", kTaskAnnotation}, {"value", NoteText(definition, order)}}};
  return made;
}

std::string WorkloadName(std::string_view task_type) {
  std::string name = Lower(task_type);
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!plain) c = '-';
  }
  if (name.empty() || name[0] < 'a' || name[0] > 'z') name = "task-" + name;
  while (name.ends_with('-')) name.pop_back();
  return name;
}

std::string_view PriorityClassOf(std::int64_t priority) {
  if (priority == kUsualPriority) return "";
  if (priority > kUsualPriority) return "low";
  return priority < kUrgent ? "train-critical" : "train-high";
}

}  // namespace yard::facade::farm
