#include "store/sqlite/archive_sql.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/uuid.h"
#include "store/sqlite/entity_key.h"

namespace yard::store {
namespace {

enum class Kind { kText, kNumber, kTime, kUuid };

struct Column {
  std::string_view name;
  Kind kind = Kind::kText;
  bool nullable = false;
  bool counted = false;  // archive_count has it
  std::string_view index;
};

Column Describe(ArchiveField field) {
  switch (field) {
    case ArchiveField::kId:
      return {.name = "id", .kind = Kind::kUuid};
    case ArchiveField::kName:
      return {.name = "name", .index = "archive_name"};
    case ArchiveField::kType:
      return {.name = "type", .counted = true};
    case ArchiveField::kPhase:
      return {.name = "phase", .counted = true, .index = "archive_phase"};
    case ArchiveField::kCluster:
      return {.name = "cluster", .kind = Kind::kUuid, .counted = true};
    case ArchiveField::kProject:
      return {.name = "project", .kind = Kind::kNumber, .counted = true};
    case ArchiveField::kDepartment:
      return {.name = "department", .kind = Kind::kNumber, .counted = true};
    case ArchiveField::kCreated:
      return {.name = "created", .kind = Kind::kTime, .index = "archive_created"};
    case ArchiveField::kEnded:
      return {.name = "ended", .kind = Kind::kTime, .nullable = true, .index = "archive_ended"};
    case ArchiveField::kDeleted:
      return {.name = "deleted", .kind = Kind::kTime, .nullable = true};
    case ArchiveField::kOwner:
      return {.name = "owner", .counted = true, .index = "archive_owner"};
    case ArchiveField::kPool:
      return {.name = "pool", .nullable = true};
    case ArchiveField::kFramework:
      return {.name = "framework", .nullable = true};
    case ArchiveField::kPriorityClass:
      return {.name = "priority_class", .nullable = true};
  }
  std::unreachable();
}

// The column as people read it.
std::string TextOf(const Column& column) {
  switch (column.kind) {
    case Kind::kText:
      return column.nullable ? fmt::format("ifnull({},'')", column.name) : std::string(column.name);
    case Kind::kNumber:
      return fmt::format("CAST({} AS TEXT)", column.name);
    case Kind::kTime:
      return fmt::format("ifnull(strftime('%Y-%m-%dT%H:%M:%SZ',{}/1000000,'unixepoch'),'')",
                         column.name);
    case Kind::kUuid:
      return fmt::format(
          "lower(substr(hex({0}),1,8)||'-'||substr(hex({0}),9,4)||'-'||substr(hex({0}),13,4)||'-'||"
          "substr(hex({0}),17,4)||'-'||substr(hex({0}),21))",
          column.name);
  }
  std::unreachable();
}

std::string_view OperatorOf(ArchiveCompare compare) {
  switch (compare) {
    case ArchiveCompare::kNotEqual:
      return "<>";
    case ArchiveCompare::kAtMost:
      return "<=";
    case ArchiveCompare::kAtLeast:
      return ">=";
    default:
      return "=";
  }
}

// Whether the value can be compared with the column as it is stored.
bool IsStoredAs(const Column& column, const ArchiveValue& value) {
  if (column.kind == Kind::kText) return std::holds_alternative<std::string>(value);
  if (column.kind != Kind::kUuid) return std::holds_alternative<std::int64_t>(value);
  return false;
}

std::string Order(const Column& column, ArchiveCompare compare, const ArchiveValue& value) {
  if (!IsStoredAs(column, value)) return TextOf(column) + fmt::format(" {} ?", OperatorOf(compare));
  std::string term = fmt::format("{} {} ?", column.name, OperatorOf(compare));
  // An absent value reads as an empty text: below everything, and unequal to it.
  const bool below = compare == ArchiveCompare::kAtMost || compare == ArchiveCompare::kNotEqual;
  if (column.nullable && below) return fmt::format("({} OR {} IS NULL)", term, column.name);
  return term;
}

std::string Compare(const Column& column, ArchiveCompare compare, const ArchiveValue& value) {
  const std::string text = TextOf(column);
  switch (compare) {
    case ArchiveCompare::kContains:
      return fmt::format("instr(lower({}), lower(?)) > 0", text);
    case ArchiveCompare::kLacks:
      return fmt::format("instr(lower({}), lower(?)) = 0", text);
    default:
      return Order(column, compare, value);
  }
}

// Text with an escape before what LIKE reads as a pattern.
std::string Literally(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '%' || c == '_' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

// Beginnings and ends are patterns, with the letters of either case being equal.
Sql Pattern(const Column& column, const ArchiveTerm& term) {
  const auto* value = std::get_if<std::string>(&term.values[0]);
  std::string text = Literally(value != nullptr ? *value : "");
  const bool starts = term.compare == ArchiveCompare::kStarts;
  return {fmt::format("{} LIKE ? ESCAPE '\\'", TextOf(column)), {starts ? text + "%" : "%" + text}};
}

// The value as it is stored: a uuid as its 16 bytes, which an index can find.
ArchiveValue StoredValue(const Column& column, const ArchiveValue& value) {
  if (column.kind != Kind::kUuid) return value;
  const auto* text = std::get_if<std::string>(&value);
  std::optional<Uuid> uuid = text != nullptr ? ParseUuid(*text) : std::nullopt;
  return uuid ? std::string(BytesOf(*uuid)) : std::string();
}

Sql OneOf(const Column& column, const ArchiveTerm& term) {
  const std::string_view mark = column.kind == Kind::kUuid ? "CAST(? AS BLOB)" : "?";
  Sql sql{fmt::format("{} IN (", column.name), {}};
  for (const ArchiveValue& value : term.values) {
    sql.Add(sql.values.empty() ? "" : ",").Add(mark);
    sql.values.push_back(StoredValue(column, value));
  }
  return sql.Add(")");
}

Sql ByLetters(const ArchiveTerm& term, std::string letters) {
  return {
      "(body IN (SELECT rowid FROM archive_words WHERE archive_words MATCH ?) "
      "AND instr(lower(name), lower(?)) > 0)",
      {std::move(letters), term.values[0]}};
}

Sql TermOf(const ArchiveTerm& term, Names names = Names::kByRow) {
  const Column column = Describe(term.field);
  std::optional<std::string> letters = names == Names::kByLetters ? LettersOf(term) : std::nullopt;
  if (letters) return ByLetters(term, *std::move(letters));
  switch (term.compare) {
    case ArchiveCompare::kOneOf:
      return OneOf(column, term);
    case ArchiveCompare::kStarts:
    case ArchiveCompare::kEnds:
      return Pattern(column, term);
    default:
      return {Compare(column, term.compare, term.values[0]), {term.values[0]}};
  }
}

Sql AnyOf(const std::vector<ArchiveTerm>& terms, Names names = Names::kByRow) {
  Sql sql;
  for (const ArchiveTerm& term : terms) {
    sql.Add(sql.text.empty() ? " AND (" : " OR ").Add(TermOf(term, names));
  }
  return sql.Add(")");
}

void AddProjects(Sql& sql, const std::vector<ProjectId>& projects, std::string_view before) {
  sql.Add(before);
  for (std::size_t i = 0; i < projects.size(); ++i) {
    sql.Add(i == 0 ? "" : ",").Add(std::to_string(projects[i].value));
  }
  sql.Add(")");
}

void AddScope(Sql& sql, const ArchiveFilter& filter) {
  if (filter.projects) AddProjects(sql, *filter.projects, " AND project IN (");
  if (filter.without_inference.empty()) return;
  AddProjects(sql, filter.without_inference, " AND NOT (type='Inference' AND project IN (");
  sql.Add(")");
}

}  // namespace

Sql& Sql::Add(const Sql& more) {
  text += more.text;
  values.insert(values.end(), more.values.begin(), more.values.end());
  return *this;
}

void Sql::BindTo(Statement& statement) const {
  for (const ArchiveValue& value : values) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      statement.Bind(*number);
    } else if (const auto* word = std::get_if<std::string>(&value)) {
      statement.Bind(*word);
    } else {
      statement.BindNull();
    }
  }
}

std::string_view ColumnOf(ArchiveField field) {
  return Describe(field).name;
}

std::string_view IndexOf(ArchiveField field) {
  return Describe(field).index;
}

WholeDays WholeDaysOf(const ArchiveFilter::Span& span) {
  const std::int64_t day = Days(1).value;
  return {.first = (span.from.micros + day - 1) / day, .past_last = span.to.micros / day};
}

Sql ScopeOf(const ArchiveFilter& filter) {
  Sql sql;
  AddScope(sql, filter);
  return sql;
}

// Each three letters that follow each other, in any place: names with all of them are looked at.
std::optional<std::string> LettersOf(const ArchiveTerm& term) {
  constexpr std::size_t kLetters = 3;
  if (term.field != ArchiveField::kName || term.compare != ArchiveCompare::kContains) return {};
  const auto* part = std::get_if<std::string>(&term.values[0]);
  const bool plain = part != nullptr && part->size() >= kLetters &&
                     std::ranges::all_of(*part, [](char c) { return c > ' ' && c < 127; });
  if (!plain) return std::nullopt;
  std::string query;
  for (std::size_t i = 0; i + kLetters <= part->size(); ++i) {
    query += i == 0 ? "\"" : " AND \"";
    for (char c : part->substr(i, kLetters))
      query += c == '"' ? std::string("\"\"") : std::string(1, c);
    query += '"';
  }
  return query;
}

Sql ConditionOf(const ArchiveFilter& filter, Names names) {
  Sql sql{"1", {}};
  if (filter.deleted) {
    sql.Add(*filter.deleted ? " AND deleted IS NOT NULL" : " AND deleted IS NULL");
  }
  AddScope(sql, filter);
  for (const ArchiveTerm& term : filter.all_of) sql.Add(" AND ").Add(TermOf(term, names));
  if (!filter.any_of.empty()) sql.Add(AnyOf(filter.any_of, names));
  if (filter.held_within) {
    sql.Add(" AND held_from < ? AND held_to >= ?");
    sql.values.emplace_back(filter.held_within->to.micros);
    sql.values.emplace_back(filter.held_within->from.micros);
  }
  if (filter.held_within && filter.beyond_whole_days) {
    const WholeDays days = WholeDaysOf(*filter.held_within);
    sql.Add(" AND NOT (held_from >= ? AND held_to < ?)");
    sql.values.emplace_back(days.first * Days(1).value);
    sql.values.emplace_back(days.past_last * Days(1).value);
  }
  if (filter.without_time) sql.Add(" AND expires IS NULL");
  if (filter.expired_by) {
    sql.Add(" AND expires IS NOT NULL AND expires <= ?");
    sql.values.emplace_back(filter.expired_by->micros);
  }
  return sql;
}

CountCondition CountConditionOf(const ArchiveFilter& filter) {
  CountCondition counted{.sql = {"1", {}}};
  Sql& sql = counted.sql;
  if (filter.deleted) sql.Add(*filter.deleted ? " AND deleted=1" : " AND deleted=0");
  AddScope(sql, filter);
  auto known = [](const ArchiveTerm& term) { return Describe(term.field).counted; };
  for (const ArchiveTerm& term : filter.all_of) {
    if (known(term)) {
      sql.Add(" AND ").Add(TermOf(term));
    } else {
      counted.exact = false;
    }
  }
  if (!filter.any_of.empty() && std::ranges::all_of(filter.any_of, known)) {
    sql.Add(AnyOf(filter.any_of));
  } else if (!filter.any_of.empty()) {
    counted.exact = false;
  }
  counted.exact =
      counted.exact && !filter.held_within && !filter.expired_by && !filter.without_time;
  return counted;
}

}  // namespace yard::store
