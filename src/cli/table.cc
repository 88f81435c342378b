#include "cli/table.h"

#include <algorithm>
#include <numeric>

namespace yard::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 6;

bool StartsCodePoint(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, StartsCodePoint));
}

// At most `width` code points, the last one "…" if some are missing.
std::string Cut(std::string_view text, std::size_t width) {
  if (Width(text) <= width) return std::string(text);
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < text.size(); ++bytes) {
    if (StartsCodePoint(text[bytes]) && ++seen == width) break;
  }
  return std::string(text.substr(0, bytes)) + "…";
}

std::vector<std::size_t> NaturalWidths(const Table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& name : table.header) widths.push_back(Width(name));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  }
  return widths;
}

void Shrink(std::vector<std::size_t>& widths, std::size_t limit) {
  std::size_t gaps = kGap * (widths.size() - 1);
  std::size_t total = std::accumulate(widths.begin(), widths.end(), gaps);
  while (total > limit) {
    auto widest = std::ranges::max_element(widths);
    if (*widest <= kNarrowest) return;
    --*widest;
    --total;
  }
}

// A line break or tab inside a cell would break the table.
std::string OneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

void AppendRow(std::string& out, const std::vector<std::string>& row,
               const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::string cell = Cut(row[i], widths[i]);
    std::size_t padding = widths[i] - Width(cell) + kGap;
    line += cell;
    if (i + 1 < row.size()) line.append(padding, ' ');
  }
  out += line.substr(0, line.find_last_not_of(' ') + 1);
}

void AppendCsvCell(std::string& out, std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (char c : cell) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

}  // namespace

std::string RenderTable(const Table& table, std::size_t width, Colour colour) {
  Table shown = table;
  for (auto& row : shown.rows) {
    for (std::string& cell : row) cell = OneLine(std::move(cell));
  }
  std::vector<std::size_t> widths = NaturalWidths(shown);
  if (width > 0) Shrink(widths, width);
  std::string out = colour == Colour::kYes ? "\x1b[1m" : "";
  AppendRow(out, shown.header, widths);
  out += colour == Colour::kYes ? "\x1b[0m\n" : "\n";
  for (const auto& row : shown.rows) {
    AppendRow(out, row, widths);
    out += '\n';
  }
  return out;
}

std::string RenderCsv(const Table& table) {
  std::string out;
  auto append = [&out](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) out += ',';
      // For people a dash stands for nothing; programs read an empty cell so, also among numbers.
      AppendCsvCell(out, row[i] == "-" ? std::string() : row[i]);
    }
    out += '\n';
  };
  append(table.header);
  for (const auto& row : table.rows) append(row);
  return out;
}

}  // namespace yard::cli
