// Objects in the format that was asked for with -o.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "cli/console.h"
#include "cli/kinds.h"
#include "cli/table.h"

namespace yard::cli {

enum class Format { kTable, kWide, kJson, kYaml, kCsv, kName };

std::optional<Format> ParseFormat(std::string_view text);
inline constexpr std::string_view kFormats = "table|wide|json|yaml|csv|name";

// The value at a dotted path ("status.phase"), or null.
const json::value& At(const json::value& object, std::string_view path);
// As people read it: texts bare, lists joined, null empty.
std::string TextAt(const json::value& object, std::string_view path);

// The value as it is: JSON for kJson, else YAML.
void PrintTree(Console& console, Format format, const json::value& value);

// "Ready", "NotReady"; of a node that an administrator drained "Drained".
std::string NodeStatusOf(const json::value& node);

// Objects of one kind as a table; every column unless the format is kTable.
Table TableOf(const Kind& kind, Format format, std::span<const json::value> objects);

enum class Shape { kOne, kMany };

// Prints objects of one kind. `shape` says whether JSON and YAML show an object or a list.
void PrintObjects(Console& console, const Kind& kind, Format format,
                  std::span<const json::value> objects, Shape shape);
// Prints one object that is of no kind, as name and value lines in tables.
void PrintRecord(Console& console, Format format, const json::value& record);

}  // namespace yard::cli
