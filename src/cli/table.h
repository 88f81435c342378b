// Rows for people: aligned columns that fit the terminal.
//
// A pure function. Widths count code points. When the line is too long for the width, the widest
// columns give way first and cut texts end in "…"; with width 0 nothing is cut.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yard::cli {

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // each as long as the header
};

enum class Colour { kNo, kYes };

std::string RenderTable(const Table& table, std::size_t width, Colour colour);

// RFC 4180: quoted where needed, lines end in "\n".
std::string RenderCsv(const Table& table);

}  // namespace yard::cli
