#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/quantity.h"
#include "base/strings.h"
#include "base/time.h"
#include "base/uuid.h"
#include "wire/schema.h"
#include "wire/text_rule.h"

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
  TextShape shape = type.kind == Kind::kText ? TextShape::kLines : TextShape::kLine;
  if (auto problem = CharacterProblem(text, shape)) return std::string(*problem);
  switch (type.kind) {
    case Kind::kVariable:
      if (auto problem = VariableProblem(text)) return std::string(*problem);
      return std::nullopt;
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

// Where in the body a value stands. Made on the stack, written out only for a finding.
struct Place {
  const Place* parent = nullptr;
  std::string_view name;
  std::optional<std::size_t> index = std::nullopt;
};

std::string PathOf(const Place& place) {
  if (place.parent == nullptr) return "";
  std::string path = PathOf(*place.parent);
  if (place.index) return fmt::format("{}[{}]", path, *place.index);
  return path.empty() ? std::string(place.name) : fmt::format("{}.{}", path, place.name);
}

class Validator {
 public:
  explicit Validator(Findings& findings) : findings_(findings) {}

  void Check(const SchemaType& type, const json::value& value, const Place& place) {
    // Clients send null for "not set": the required fields are checked by their object.
    if (value.is_null()) return;
    switch (type.kind) {
      case Kind::kAny:
        return CheckFree(value, place);
      case Kind::kObject:
        Expect(value.is_object(), place, "an object");
        return CheckFree(value, place);
      case Kind::kBool:
        return Expect(value.is_bool(), place, "true or false");
      case Kind::kInt:
      case Kind::kNumber:
        return CheckNumber(type, value, place);
      case Kind::kEnum:
        return CheckEnum(type, value, place);
      case Kind::kList:
        return CheckList(type, value, place);
      case Kind::kMap:
        return CheckMap(type, value, place);
      case Kind::kRef:
        return CheckObject(*type.target, value, place);
      default:
        return CheckText(type, value, place);
    }
  }

  void CheckObject(const Schema& schema, const json::value& value, const Place& place) {
    const json::object* object = value.if_object();
    if (object == nullptr) return Add(place, "must be an object");
    for (const auto& [key, member] : *object) {
      std::string_view name(key.data(), key.size());
      const SchemaField* field = schema.Find(name);
      if (field == nullptr) {
        if (CheckKey(name, place)) NoteUnknown(schema, name, place);
      } else {
        Check(field->type, member, {&place, name});
      }
    }
    for (const SchemaField* field : schema.all) {
      if (!field->required) continue;
      const json::value* member = object->if_contains(field->name);
      bool missing = member == nullptr || (member->is_null() && !field->type.nullable);
      if (missing) Add({&place, field->name}, "is required");
    }
  }

 private:
  void Add(const Place& place, std::string problem) {
    std::string path = PathOf(place);
    findings_.issues.push_back({path.empty() ? "body" : path, std::move(problem)});
  }
  void Expect(bool holds, const Place& place, std::string_view what) {
    if (!holds) Add(place, fmt::format("must be {}", what));
  }

  // What no schema describes: only the characters of its texts are looked at.
  void CheckFree(const json::value& value, const Place& place) {
    if (const json::string* text = value.if_string()) {
      auto problem = CharacterProblem({text->data(), text->size()}, TextShape::kLines);
      if (problem) Add(place, std::string(*problem));
    } else if (const json::array* array = value.if_array()) {
      for (std::size_t i = 0; i < array->size(); ++i) CheckFree((*array)[i], {&place, "", i});
    } else if (const json::object* object = value.if_object()) {
      for (const auto& [key, member] : *object) {
        if (CheckKey({key.data(), key.size()}, place)) CheckFree(member, {&place, key});
      }
    }
  }

  bool CheckKey(std::string_view key, const Place& place) {
    auto problem = CharacterProblem(key, TextShape::kLine);
    if (problem) Add(place, fmt::format("has a key that {}", *problem));
    return !problem;
  }

  void CheckNumber(const SchemaType& type, const json::value& value, const Place& place) {
    json::error_code error;
    double number = value.to_number<double>(error);
    if (error || !std::isfinite(number)) return Add(place, "must be a number");
    if (type.kind == Kind::kInt && (number != std::floor(number) || std::abs(number) > 9e15)) {
      return Add(place, "must be a whole number");
    }
    if (Outside(type, number)) Add(place, "must be " + Bounds(type, ""));
  }

  void CheckText(const SchemaType& type, const json::value& value, const Place& place) {
    const json::string* text = value.if_string();
    if (text == nullptr) return Add(place, "must be a string");
    if (auto problem = TextProblem(type, {text->data(), text->size()})) Add(place, *problem);
  }

  void CheckEnum(const SchemaType& type, const json::value& value, const Place& place) {
    const json::string* text = value.if_string();
    bool known = text != nullptr &&
                 std::ranges::find(type.names, std::string_view(text->data(), text->size())) !=
                     type.names.end();
    if (!known) Add(place, fmt::format("must be one of {}", fmt::join(type.names, ", ")));
  }

  void CheckList(const SchemaType& type, const json::value& value, const Place& place) {
    const json::array* array = value.if_array();
    if (array == nullptr) return Add(place, "must be a list");
    for (std::size_t i = 0; i < array->size(); ++i) {
      const json::value& item = (*array)[i];
      Place here{&place, "", i};
      if (item.is_null() && !type.item->nullable && type.item->kind != Kind::kAny) {
        Add(here, "must not be null");
      } else {
        Check(*type.item, item, here);
      }
    }
  }

  void CheckMap(const SchemaType& type, const json::value& value, const Place& place) {
    const json::object* object = value.if_object();
    if (object == nullptr) return Add(place, "must be an object");
    for (const auto& [key, member] : *object) {
      std::string_view name(key.data(), key.size());
      if (CheckKey(name, place)) Check(*type.item, member, {&place, name});
    }
  }

  void NoteUnknown(const Schema& schema, std::string_view key, const Place& place) {
    std::vector<std::string_view> names;
    for (const SchemaField* field : schema.all) names.push_back(field->name);
    std::optional<std::string_view> near = Nearest(key, names);
    std::string hint = near ? fmt::format(" (did you mean '{}'?)", *near) : "";
    findings_.unknown.push_back(PathOf({&place, key}) + hint);
  }

  Findings& findings_;
};

}  // namespace

Findings SchemaSet::Validate(std::string_view type_text, const json::value& value) const {
  Findings findings;
  if (value.is_null()) {
    findings.issues.push_back({"body", "is required"});
    return findings;
  }
  Validator validator(findings);
  if (auto named = schemas_.find(type_text); named != schemas_.end()) {
    validator.CheckObject(named->second, value, {});
  } else if (std::optional<SchemaType> type = ParseSchemaType(type_text)) {
    Connect(*type);
    validator.Check(*type, value, {});
  }
  return findings;
}

}  // namespace yard::wire
