#include "facade/farm/definition.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/mask.h"
#include "facade/farm/arguments.h"
#include "facade/farm/requirements.h"
#include "wire/fields.h"
#include "wire/setting.h"

namespace yard::facade::farm {
namespace {

constexpr std::size_t kMostBytes = 64 * 1024;
constexpr std::string_view kRequirements = "capacity_requirements";
constexpr std::string_view kVariables =
    "environmentVariables";  // the name that the audit log knows

enum class Form { kText, kFlag, kTexts, kObject, kCodes };

struct Field {
  std::string_view name;
  Form form;
  std::string_view usual;  // as JSON
};

// In the order in which Farm gives them back.
constexpr std::array kFields{Field{"name", Form::kText, "null"},
                             Field{"job_type", Form::kText, R"("base")"},
                             Field{"command", Form::kText, "null"},
                             Field{"args", Form::kTexts, "[]"},
                             Field{"task_function", Form::kText, R"("")"},
                             Field{"env", Form::kObject, "{}"},
                             Field{"log_to_stdout", Form::kFlag, "true"},
                             Field{"extension_paths", Form::kTexts, "[]"},
                             Field{"allowed_args", Form::kObject, "{}"},
                             Field{"job_spec_path", Form::kText, "null"},
                             Field{"headless", Form::kFlag, "true"},
                             Field{"active", Form::kFlag, "true"},
                             Field{"unresolved_command_path", Form::kText, "null"},
                             Field{"success_return_codes", Form::kCodes, "[0]"},
                             Field{kRequirements, Form::kObject, "{}"},
                             Field{"working_directory", Form::kText, "null"},
                             Field{"container", Form::kText, R"("")"}};

std::unexpected<Error> Wrong(std::string_view field, std::string_view problem,
                             std::string details = {}) {
  return Fail(Code::kInvalid, fmt::format("{}: {}", field, problem), std::move(details));
}

bool IsCode(const json::value& value) {
  return value.is_int64() && value.get_int64() >= 0 && value.get_int64() <= 255;
}

bool Fits(const json::value& value, Form form) {
  auto all = [&](auto is) {
    return value.is_array() && std::ranges::all_of(value.get_array(), is);
  };
  switch (form) {
    case Form::kText:
      return value.is_string();
    case Form::kFlag:
      return value.is_bool();
    case Form::kTexts:
      return all([](const json::value& item) { return item.is_string(); });
    case Form::kObject:
      return value.is_object();
    case Form::kCodes:
      return all(IsCode);
  }
  return false;
}

std::string_view Describe(Form form) {
  switch (form) {
    case Form::kText:
      return "must be a text";
    case Form::kFlag:
      return "must be true or false";
    case Form::kTexts:
      return "must be a list of texts";
    case Form::kObject:
      return "must be an object";
    case Form::kCodes:
      return "must be a list of exit codes from 0 to 255";
  }
  return "";
}

bool IsEmptyList(const json::value& value) {
  return value.is_array() && value.get_array().empty();
}

Result<json::object> TakeFields(const json::object& body) {
  json::object taken;
  for (const Field& field : kFields) {
    const json::value* sent = wire::ValueIn(body, field.name);
    if (sent == nullptr || IsEmptyList(*sent)) {
      YARD_ASSIGN(taken[field.name], ParseJson(field.usual));
      continue;
    }
    if (!Fits(*sent, field.form)) return Wrong(field.name, Describe(field.form));
    taken[field.name] = *sent;
  }
  return taken;
}

std::vector<std::string> UnknownFields(const json::object& body) {
  std::vector<std::string> unknown;
  for (const auto& pair : body) {
    const std::string_view name = pair.key();
    if (std::ranges::find(kFields, name, &Field::name) == kFields.end()) unknown.emplace_back(name);
  }
  return unknown;
}

Status CheckOwn(const json::object& definition) {
  if (wire::TextOrEmpty(definition, "job_type") != "base") {
    return Wrong("job_type",
                 "only 'base' is served here: what an agent does for the others is not there",
                 "name the program as command, with its arguments as args");
  }
  if (wire::TextOrEmpty(definition, "command").empty())
    return Wrong("command", "must name a program");
  for (const auto& pair : wire::ObjectOrEmpty(definition, "env")) {
    if (!PlainText(pair.value()))
      return Wrong(fmt::format("env.{}", std::string_view(pair.key())), "must be a text");
  }
  return CheckAllowedArguments(definition);
}

}  // namespace

Result<ReadDefinition> CheckDefinition(const json::object& body) {
  ReadDefinition read{.ignored = UnknownFields(body)};
  YARD_ASSIGN(read.definition, TakeFields(body));
  YARD_TRY(CheckOwn(read.definition));
  const std::string text = JsonText(read.definition);
  if (text.size() > kMostBytes) {
    return Fail(Code::kTooLarge, fmt::format("the job definition has {} bytes", text.size()),
                fmt::format("one has at most {}", kMostBytes));
  }
  if (HoldsMask(text)) {
    return Fail(Code::kInvalid, "an address in the job definition has *** instead of a password",
                "write the password again: it is not given back");
  }
  YARD_ASSIGN(Requirements asked,
              ReadRequirements(wire::ObjectOrEmpty(read.definition, kRequirements)));
  for (std::string& name : asked.ignored) {
    read.ignored.push_back(fmt::format("{}.{}", kRequirements, name));
  }
  return read;
}

Document StoredForm(const json::object& definition) {
  json::object rest = definition;
  json::object variables;
  json::array own;
  for (const auto& pair : wire::ObjectOrEmpty(definition, "env")) {
    own.push_back(json::object{{"name", pair.key()}, {"value", pair.value()}});
  }
  variables["own"] = std::move(own);
  rest.erase("env");
  json::object& requirements = rest[kRequirements].as_object();
  if (const json::value* asked = requirements.if_contains("env")) {
    variables["required"] = *asked;
    requirements["env"] = nullptr;  // keeps its place
  }
  return wire::SettingDocument(json::object{{"definition", rest}, {kVariables, variables}});
}

json::object DefinitionOf(const Setting& setting) {
  const json::value stored = wire::SettingValue(setting);
  static const json::object kNothing;
  const json::object& whole = stored.is_object() ? stored.get_object() : kNothing;
  const json::object& variables = wire::ObjectOrEmpty(whole, kVariables);
  json::object kept = wire::ObjectOrEmpty(whole, "definition");
  json::object env;
  wire::EachObject(variables, "own", [&](const json::object& item) {
    if (const json::value* value = wire::ValueIn(item, "value"))
      env[wire::TextOrEmpty(item, "name")] = *value;
  });
  kept["env"] = std::move(env);
  const json::value* required = wire::ValueIn(variables, "required");
  json::value* requirements = kept.if_contains(kRequirements);
  if (required != nullptr && requirements != nullptr && requirements->is_object())
    requirements->get_object()["env"] = *required;
  json::object definition;  // in Farm's order, complete whatever is stored
  for (const Field& field : kFields) {
    const json::value* value = kept.if_contains(field.name);
    definition[field.name] = value != nullptr ? *value : json::value();
  }
  return definition;
}

}  // namespace yard::facade::farm
