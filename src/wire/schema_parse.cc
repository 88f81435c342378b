#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/check.h"
#include "base/strings.h"
#include "wire/schema.h"
#include "wire/schemas/blocks.h"

namespace yard::wire {
namespace {

using Kind = SchemaType::Kind;

std::optional<Kind> LeafKind(std::string_view name) {
  static const std::map<std::string_view, Kind> kinds{
      {"string", Kind::kString},     {"text", Kind::kText},     {"variable", Kind::kVariable},
      {"int", Kind::kInt},           {"number", Kind::kNumber}, {"bool", Kind::kBool},
      {"time", Kind::kTime},         {"uuid", Kind::kUuid},     {"any", Kind::kAny},
      {"quantity", Kind::kQuantity}, {"email", Kind::kEmail},   {"label", Kind::kLabel},
      {"object", Kind::kObject}};
  auto found = kinds.find(name);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

bool TakeSuffix(std::string_view& text, char suffix) {
  if (text.empty() || text.back() != suffix) return false;
  text.remove_suffix(1);
  return true;
}

// "1..5", "..250" or "0..".
bool ParseBounds(std::string_view text, SchemaType& type) {
  std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return false;
  auto read = [](std::string_view part, std::optional<double>& out) {
    if (part.empty()) return true;
    double value = 0;
    auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    out = value;
    return error == std::errc{} && end == part.data() + part.size();
  };
  return read(text.substr(0, dots), type.min) && read(text.substr(dots + 2), type.max);
}

std::optional<SchemaType> ParseNested(std::string_view inner, Kind kind) {
  std::optional<SchemaType> item = ParseSchemaType(inner);
  if (!item) return std::nullopt;
  SchemaType type{.kind = kind};
  type.item = std::make_shared<SchemaType>(std::move(*item));
  return type;
}

std::optional<SchemaType> ParseNamed(std::string_view text) {
  SchemaType type;
  if (text.front() == '=' || text.find('|') != std::string_view::npos) {
    type.kind = Kind::kEnum;
    if (text.front() == '=') text.remove_prefix(1);
    for (std::string_view name : Split(text, '|')) type.names.emplace_back(name);
    return type;
  }
  std::size_t open = text.find('(');
  std::string_view name = text.substr(0, open);
  if (open != std::string_view::npos) {
    if (text.back() != ')') return std::nullopt;
    if (!ParseBounds(text.substr(open + 1, text.size() - open - 2), type)) return std::nullopt;
  }
  if (auto leaf = LeafKind(name)) {
    type.kind = *leaf;
  } else if (name.front() >= 'A' && name.front() <= 'Z' && open == std::string_view::npos) {
    type.kind = Kind::kRef;
    type.ref = name;
  } else {
    return std::nullopt;
  }
  return type;
}

// "name*  type" with an optional "# remark".
std::optional<SchemaField> ParseField(std::string_view line) {
  line = Trim(line.substr(0, line.find(" #")));
  std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  SchemaField field;
  std::string_view name = line.substr(0, space);
  field.required = TakeSuffix(name, '*');
  field.name = name;
  std::optional<SchemaType> type = ParseSchemaType(Trim(line.substr(space)));
  if (!type || field.name.empty()) return std::nullopt;
  field.type = std::move(*type);
  return field;
}

Schema ParseHead(std::string_view line) {
  Schema schema;
  std::size_t colon = line.find(':');
  schema.name = Trim(line.substr(0, colon));
  if (colon != std::string_view::npos) {
    for (std::string_view base : Split(line.substr(colon + 1), ' ')) {
      if (!Trim(base).empty()) schema.bases.emplace_back(Trim(base));
    }
  }
  return schema;
}

void CollectReferences(const SchemaType& type, std::vector<std::string_view>& out) {
  if (type.kind == Kind::kRef) out.push_back(type.ref);
  if (type.item) CollectReferences(*type.item, out);
}

}  // namespace

std::optional<SchemaType> ParseSchemaType(std::string_view text) {
  bool nullable = TakeSuffix(text, '?');
  if (text.empty()) return std::nullopt;
  std::optional<SchemaType> type;
  if (text.front() == '[' && text.back() == ']') {
    type = ParseNested(text.substr(1, text.size() - 2), Kind::kList);
  } else if (text.starts_with("map<") && text.back() == '>') {
    type = ParseNested(text.substr(4, text.size() - 5), Kind::kMap);
  } else {
    type = ParseNamed(text);
  }
  if (type) type->nullable = nullable;
  return type;
}

Result<SchemaSet> SchemaSet::Parse(std::span<const std::string_view> blocks) {
  SchemaSet set;
  for (std::string_view block : blocks) {
    Schema* current = nullptr;
    for (std::string_view line : Split(block, '\n')) {
      if (Trim(line).empty() || Trim(line).front() == '#') continue;
      if (line.front() != ' ') {
        Schema head = ParseHead(line);
        auto [at, fresh] = set.schemas_.emplace(head.name, head);
        if (!fresh)
          return Fail(Code::kInternal, fmt::format("schema '{}' stands twice", head.name));
        current = &at->second;
        continue;
      }
      std::optional<SchemaField> field = ParseField(line);
      if (!field || current == nullptr) {
        return Fail(Code::kInternal, fmt::format("schema line not understood: '{}'", Trim(line)));
      }
      current->fields.push_back(std::move(*field));
    }
  }
  YARD_TRY(set.CheckReferences());
  set.Connect();
  return set;
}

Status SchemaSet::CheckReferences() const {
  for (const auto& [name, schema] : schemas_) {
    std::vector<std::string_view> references(schema.bases.begin(), schema.bases.end());
    for (const SchemaField& field : schema.fields) CollectReferences(field.type, references);
    for (std::string_view reference : references) {
      if (!Has(reference)) {
        return Fail(Code::kInternal,
                    fmt::format("schema '{}' names '{}', which is not there", name, reference));
      }
    }
  }
  return {};
}

void SchemaSet::Connect(SchemaType& type) const {
  if (type.kind == Kind::kRef) {
    auto found = schemas_.find(type.ref);
    type.target = found == schemas_.end() ? nullptr : &found->second;
  }
  if (type.item) Connect(*type.item);
}

void SchemaSet::Connect() {
  for (auto& [name, schema] : schemas_) {
    for (SchemaField& field : schema.fields) Connect(field.type);
    schema.all = FieldsOf(schema);
    schema.by_name = schema.all;
    std::ranges::sort(schema.by_name, {}, &SchemaField::name);
  }
}

const SchemaField* Schema::Find(std::string_view field) const {
  auto at = std::ranges::lower_bound(
      by_name, field, {}, [](const SchemaField* f) { return std::string_view(f->name); });
  return at != by_name.end() && (*at)->name == field ? *at : nullptr;
}

const SchemaSet& SchemaSet::Api() {
  static const SchemaSet set = [] {
    Result<SchemaSet> parsed = Parse(schemas::Blocks());
    if (!parsed) CheckFailed(parsed.error().message, __FILE__, __LINE__);
    return *std::move(parsed);
  }();
  return set;
}

std::vector<const SchemaField*> SchemaSet::FieldsOf(const Schema& schema) const {
  std::vector<const SchemaField*> fields;
  for (const std::string& base : schema.bases) {
    for (const SchemaField* field : FieldsOf(schemas_.find(base)->second)) fields.push_back(field);
  }
  for (const SchemaField& field : schema.fields) {
    std::erase_if(fields, [&](const SchemaField* f) { return f->name == field.name; });
    fields.push_back(&field);
  }
  return fields;
}

}  // namespace yard::wire
