// The dashboard's files, built into the program.
//
// The table is generated from web/dist when that was built, else it holds one page that says so.
// Constant data; thread-safe.
#pragma once

#include <span>
#include <string_view>

namespace yard::web {

enum class Lifetime {
  kForever,  // its name changes with its content
  kChecked,  // may change with the next version
};

struct File {
  std::string_view path;  // "/index.html"
  std::string_view content_type;
  std::string_view plain;
  std::string_view gzip;    // empty if that is no shorter
  std::string_view brotli;  // empty if that is no shorter, or was not built in
  std::string_view tag;     // of the content
  Lifetime lifetime = Lifetime::kChecked;
};

// Sorted by path; "/index.html" is always there.
std::span<const File> Files();

}  // namespace yard::web
