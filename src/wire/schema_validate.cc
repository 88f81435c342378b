#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/quantity.h"
#include "base/strings.h"
#include "base/time.h"
#include "base/uuid.h"
#include "wire/schema.h"

namespace yard::wire {
namespace {

using Kind = SchemaType::Kind;

bool IsNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// A DNS label: lower-case letters, digits and dashes, starting with a letter.
bool IsLabel(std::string_view text) {
  if (text.empty() || text.size() > 63 || text.front() < 'a' || text.front() > 'z') return false;
  return text.back() != '-' &&
         std::ranges::all_of(text, [](char c) { return IsNameChar(c) || c == '-'; });
}

bool IsMailChar(char c) {
  return IsNameChar(c) || (c >= 'A' && c <= 'Z') ||
         std::string_view("._%+-").find(c) != std::string_view::npos;
}

bool IsHostChar(char c) {
  return IsNameChar(c) || (c >= 'A' && c <= 'Z') || c == '.' || c == '-';
}

bool IsEmail(std::string_view text) {
  std::size_t at = text.find('@');
  if (at == 0 || at == std::string_view::npos || text.size() > 254) return false;
  std::string_view host = text.substr(at + 1);
  std::size_t dot = host.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || host.size() - dot < 3) return false;
  bool letters = std::ranges::all_of(host.substr(dot + 1), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  return letters && std::ranges::all_of(text.substr(0, at), IsMailChar) &&
         std::ranges::all_of(host, IsHostChar);
}

std::string Bounds(const SchemaType& type, std::string_view unit) {
  if (type.min && type.max) return fmt::format("between {} and {}{}", *type.min, *type.max, unit);
  if (type.min) return fmt::format("at least {}{}", *type.min, unit);
  return fmt::format("at most {}{}", *type.max, unit);
}

bool Outside(const SchemaType& type, double value) {
  return (type.min && value < *type.min) || (type.max && value > *type.max);
}

// What a text must look like, or nothing if it does.
std::optional<std::string> TextProblem(const SchemaType& type, std::string_view text) {
  switch (type.kind) {
    case Kind::kTime:
      if (!ParseRfc3339(text)) return "must be a time such as 2026-11-15T08:30:00Z";
      return std::nullopt;
    case Kind::kUuid:
      if (!ParseUuid(text)) return "must be a UUID";
      return std::nullopt;
    case Kind::kQuantity:
      if (!ParseMebibytes(text)) return "must be a quantity such as 20M or 1.5Gi";
      return std::nullopt;
    case Kind::kEmail:
      if (!IsEmail(text)) return "must be an e-mail address";
      return std::nullopt;
    case Kind::kLabel:
      if (!IsLabel(text)) {
        return "must be lower-case letters, digits and dashes, start with a letter, at most 63 "
               "characters";
      }
      return std::nullopt;
    default:
      break;
  }
  if (Outside(type, static_cast<double>(text.size())))
    return "must be " + Bounds(type, " characters long");
  return std::nullopt;
}

}  // namespace

class SchemaSet::Validator {
 public:
  Validator(const SchemaSet& set, Findings& findings) : set_(set), findings_(findings) {}

  void Check(const SchemaType& type, const json::value& value, const std::string& path) {
    if (value.is_null()) {
      // Clients send null for "not set": the required fields are checked by their object.
      return;
    }
    switch (type.kind) {
      case Kind::kAny:
        return;
      case Kind::kObject:
        return Expect(value.is_object(), path, "an object");
      case Kind::kBool:
        return Expect(value.is_bool(), path, "true or false");
      case Kind::kInt:
      case Kind::kNumber:
        return CheckNumber(type, value, path);
      case Kind::kEnum:
        return CheckEnum(type, value, path);
      case Kind::kList:
        return CheckList(type, value, path);
      case Kind::kMap:
        return CheckMap(type, value, path);
      case Kind::kRef:
        return CheckObject(set_.schemas_.find(type.ref)->second, value, path);
      default:
        return CheckText(type, value, path);
    }
  }

 private:
  void Add(const std::string& path, std::string problem) {
    findings_.issues.push_back({path.empty() ? "body" : path, std::move(problem)});
  }
  void Expect(bool holds, const std::string& path, std::string_view what) {
    if (!holds) Add(path, fmt::format("must be {}", what));
  }
  static std::string Inside(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
  }

  void CheckNumber(const SchemaType& type, const json::value& value, const std::string& path) {
    json::error_code error;
    double number = value.to_number<double>(error);
    if (error) return Add(path, "must be a number");
    if (type.kind == Kind::kInt && (number != std::floor(number) || std::abs(number) > 9e15)) {
      return Add(path, "must be a whole number");
    }
    if (Outside(type, number)) Add(path, "must be " + Bounds(type, ""));
  }

  void CheckText(const SchemaType& type, const json::value& value, const std::string& path) {
    const json::string* text = value.if_string();
    if (text == nullptr) return Add(path, "must be a string");
    if (auto problem = TextProblem(type, {text->data(), text->size()})) Add(path, *problem);
  }

  void CheckEnum(const SchemaType& type, const json::value& value, const std::string& path) {
    const json::string* text = value.if_string();
    bool known = text != nullptr &&
                 std::ranges::find(type.names, std::string_view(text->data(), text->size())) !=
                     type.names.end();
    if (!known) Add(path, fmt::format("must be one of {}", fmt::join(type.names, ", ")));
  }

  void CheckList(const SchemaType& type, const json::value& value, const std::string& path) {
    const json::array* array = value.if_array();
    if (array == nullptr) return Add(path, "must be a list");
    for (std::size_t i = 0; i < array->size(); ++i) {
      Check(*type.item, (*array)[i], fmt::format("{}[{}]", path, i));
    }
  }

  void CheckMap(const SchemaType& type, const json::value& value, const std::string& path) {
    const json::object* object = value.if_object();
    if (object == nullptr) return Add(path, "must be an object");
    for (const auto& [key, member] : *object) {
      Check(*type.item, member, Inside(path, {key.data(), key.size()}));
    }
  }

  void CheckObject(const Schema& schema, const json::value& value, const std::string& path) {
    const json::object* object = value.if_object();
    if (object == nullptr) return Add(path, "must be an object");
    std::vector<const SchemaField*> fields = set_.FieldsOf(schema);
    for (const SchemaField* field : fields) {
      const json::value* member = object->if_contains(field->name);
      bool missing = member == nullptr || (member->is_null() && !field->type.nullable);
      if (missing && field->required) Add(Inside(path, field->name), "is required");
      if (!missing) Check(field->type, *member, Inside(path, field->name));
    }
    for (const auto& [key, member] : *object) NoteUnknown(fields, {key.data(), key.size()}, path);
  }

  void NoteUnknown(const std::vector<const SchemaField*>& fields, std::string_view key,
                   const std::string& path) {
    std::vector<std::string_view> names;
    for (const SchemaField* field : fields) {
      if (field->name == key) return;
      names.push_back(field->name);
    }
    std::optional<std::string_view> near = Nearest(key, names);
    std::string hint = near ? fmt::format(" (did you mean '{}'?)", *near) : "";
    findings_.unknown.push_back(Inside(path, key) + hint);
  }

  const SchemaSet& set_;
  Findings& findings_;
};

Findings SchemaSet::Validate(std::string_view type_text, const json::value& value) const {
  Findings findings;
  std::optional<SchemaType> type = ParseSchemaType(type_text);
  if (value.is_null()) {
    findings.issues.push_back({"body", "is required"});
  } else if (type) {
    Validator(*this, findings).Check(*type, value, "");
  }
  return findings;
}

}  // namespace yard::wire
