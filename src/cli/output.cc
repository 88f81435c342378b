#include "cli/output.h"

#include <ostream>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/table.h"
#include "cli/yaml.h"

namespace yard::cli {
namespace {

std::string Flat(const json::value& value) {
  if (value.is_null()) return "";
  if (const json::string* text = value.if_string()) return std::string(*text);
  if (const json::array* array = value.if_array()) {
    std::string joined;
    for (const json::value& item : *array) {
      if (!joined.empty()) joined += ',';
      joined += Flat(item);
    }
    return joined;
  }
  // 2.0 is shown as 2, which is what people wrote.
  if (const double* number = value.if_double()) return fmt::format("{}", *number);
  return json::serialize(value);
}

std::string Cell(const json::value& object, std::string_view path, std::string_view absent) {
  std::string text = Flat(At(object, path));
  return text.empty() ? std::string(absent) : text;
}

std::string CellOf(const json::value& object, const KindColumn& column, std::string_view absent) {
  const bool drained = column.path == "status" && At(object, "drain").is_object();
  return drained ? NodeStatusOf(object) : Cell(object, column.path, absent);
}

json::value Whole(std::span<const json::value> objects, Shape shape) {
  if (shape == Shape::kOne && objects.size() == 1) return objects[0];
  return json::array(objects.begin(), objects.end());
}

}  // namespace

std::string NodeStatusOf(const json::value& node) {
  std::string status = Flat(At(node, "status"));
  if (!At(node, "drain").is_object()) return status;
  return status == "Ready" ? "Drained" : status + ", drained";
}

Table TableOf(const Kind& kind, Format format, std::span<const json::value> objects) {
  Table table;
  bool all = format != Format::kTable;
  std::string_view absent = format == Format::kCsv ? "" : "-";
  for (const KindColumn& column : kind.columns) {
    if (all || !column.wide) table.header.emplace_back(column.header);
  }
  for (const json::value& object : objects) {
    std::vector<std::string> row;
    for (const KindColumn& column : kind.columns) {
      if (all || !column.wide) row.push_back(CellOf(object, column, absent));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::optional<Format> ParseFormat(std::string_view text) {
  constexpr Format kInOrder[] = {Format::kTable, Format::kWide, Format::kJson,
                                 Format::kYaml,  Format::kCsv,  Format::kName};
  std::vector<std::string_view> names = Split(kFormats, '|');
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return kInOrder[i];
  }
  return std::nullopt;
}

const json::value& At(const json::value& object, std::string_view path) {
  static const json::value null;
  const json::value* at = &object;
  for (std::string_view key : Split(path, '.')) {
    const json::object* inside = at->if_object();
    at = inside == nullptr ? nullptr : inside->if_contains(key);
    if (at == nullptr) return null;
  }
  return *at;
}

std::string TextAt(const json::value& object, std::string_view path) {
  return Flat(At(object, path));
}

void PrintTree(Console& console, Format format, const json::value& value) {
  console.out << (format == Format::kJson ? PrettyJson(value) + "\n" : WriteYaml(value));
}

void PrintObjects(Console& console, const Kind& kind, Format format,
                  std::span<const json::value> objects, Shape shape) {
  switch (format) {
    case Format::kJson:
    case Format::kYaml:
      return PrintTree(console, format, Whole(objects, shape));
    case Format::kName:
      for (const json::value& object : objects)
        console.out << kind.singular << '/' << TextAt(object, kind.name) << '\n';
      return;
    case Format::kCsv:
      console.out << RenderCsv(TableOf(kind, format, objects));
      return;
    case Format::kTable:
    case Format::kWide:
      if (objects.empty()) {
        console.err << "no " << kind.plural << '\n';
        return;
      }
      console.out << RenderTable(TableOf(kind, format, objects), console.width,
                                 console.colour ? Colour::kYes : Colour::kNo);
  }
}

void PrintRecord(Console& console, Format format, const json::value& record) {
  if (format == Format::kJson || format == Format::kYaml) {
    return PrintTree(console, format, record);
  }
  Table table{.header = {"FIELD", "VALUE"}, .rows = {}};
  for (const auto& [key, value] : record.as_object()) table.rows.push_back({key, Flat(value)});
  if (format == Format::kCsv) {
    console.out << RenderCsv(table);
  } else if (format == Format::kName && !table.rows.empty()) {
    console.out << table.rows[0][1] << '\n';
  } else {
    console.out << RenderTable(table, console.width, console.colour ? Colour::kYes : Colour::kNo);
  }
}

}  // namespace yard::cli
