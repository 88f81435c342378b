// What may be sent and what is answered, as data.
//
// Schemas are written in a small notation, one block per resource, under wire/schemas/. The same
// text validates requests and generates the OpenAPI document, so the two cannot drift apart.
//
//   ProjectDraft : OrgUnitDraft        a schema that extends another
//     name*      string(1..63)         * required
//     parentId   string?               ? may be null
//     resources* [Resources]           a list
//     labels     map<string>
//     mode       binpack|spread        one of the names (a lone name: `=Ready`)
//     ratio      number(1..5)          bounds of a number, or of a text's length
//
// Leaf types: string text variable int number bool time uuid quantity email label any object. A
// `string` is one line; `text` may be several; `variable` names an environment variable.
// Immutable after construction; thread-safe.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace yard::wire {

struct Schema;

struct SchemaType {
  enum class Kind {
    kString,
    kText,
    kVariable,
    kInt,
    kNumber,
    kBool,
    kTime,
    kUuid,
    kQuantity,
    kEmail,
    kLabel,
    kAny,
    kObject,
    kEnum,
    kList,
    kMap,
    kRef,
  };
  Kind kind = Kind::kAny;
  bool nullable = false;
  std::optional<double> min;
  std::optional<double> max;
  std::vector<std::string> names;    // kEnum
  std::string ref;                   // kRef
  const Schema* target = nullptr;    // kRef, once the set is complete
  std::shared_ptr<SchemaType> item;  // kList, kMap
};

struct SchemaField {
  std::string name;
  bool required = false;
  SchemaType type;
};

struct Schema {
  std::string name;
  std::vector<std::string> bases;
  std::vector<SchemaField> fields;  // own fields only

  // Filled in when the set is complete, so that validation looks nothing up by name twice.
  std::vector<const SchemaField*> all = {};      // own and inherited fields, bases first
  std::vector<const SchemaField*> by_name = {};  // the same, sorted

  // The field of that name, or null.
  const SchemaField* Find(std::string_view field) const;
};

// What validation found.
struct Findings {
  std::vector<FieldIssue> issues;    // the value is refused
  std::vector<std::string> unknown;  // fields no schema knows, as dotted paths, with a suggestion
};

class SchemaSet {
 public:
  SchemaSet(SchemaSet&&) = default;  // schemas point at each other, so a set is never copied
  SchemaSet& operator=(SchemaSet&&) = default;

  // Parses blocks of notation; fails with the line that is wrong or the name that is missing.
  static Result<SchemaSet> Parse(std::span<const std::string_view> blocks);

  // Every schema of the product's API. A mistake in them stops the process.
  static const SchemaSet& Api();

  bool Has(std::string_view name) const { return schemas_.contains(name); }
  // The schema of that name, or null.
  const Schema* Find(std::string_view name) const {
    auto found = schemas_.find(name);
    return found == schemas_.end() ? nullptr : &found->second;
  }

  // Checks `value` against a type expression such as "ProjectDraft" or "[Resources]".
  Findings Validate(std::string_view type, const json::value& value) const;

  // The OpenAPI "components/schemas" object, and the schema of one type expression.
  json::object OpenApiSchemas() const;
  json::object OpenApiType(std::string_view type) const;

 private:
  SchemaSet() = default;
  std::vector<const SchemaField*> FieldsOf(const Schema& schema) const;
  Status CheckReferences() const;
  // Resolves references and inherited fields; after CheckReferences.
  void Connect();
  void Connect(SchemaType& type) const;

  std::map<std::string, Schema, std::less<>> schemas_;
};

// A type expression alone; nothing if it is malformed.
std::optional<SchemaType> ParseSchemaType(std::string_view text);

}  // namespace yard::wire
