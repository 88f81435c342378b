#include "tools/tidy/headers.h"

#include <set>
#include <string>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::tools {
namespace {

// What the whole tree says about includes.
struct Usage {
  std::set<std::string> included;
  std::set<std::string> included_first;
  std::set<std::string> modules_with_source;
};

Usage Collect(std::span<const Source> sources) {
  Usage usage;
  for (const Source& source : sources) {
    for (const Include& include : source.includes) usage.included.insert(include.path);
    if (IsHeader(source.path)) continue;
    usage.modules_with_source.insert(ModuleOf(source.path));
    if (!source.includes.empty()) usage.included_first.insert(source.includes.front().path);
  }
  return usage;
}

void CheckStart(const Source& header, std::vector<Finding>& findings) {
  if (header.lines.empty() || !header.lines.front().starts_with("//")) {
    findings.push_back(
        {header.path, 1, "head-comment", "start with a comment: purpose, invariants, thread rule"});
  }
  for (const std::string& line : header.code) {
    if (Trim(line) == "#pragma once") return;
  }
  findings.push_back({header.path, 1, "pragma-once", "'#pragma once' is missing"});
}

void CheckUse(const Source& header, const Usage& usage, std::vector<Finding>& findings) {
  if (!usage.modules_with_source.contains(ModuleOf(header.path))) return;
  std::string name = IncludePath(header.path);
  if (!usage.included.contains(name)) {
    findings.push_back({header.path, 1, "dead", "no file includes this header"});
  } else if (!header.path.starts_with("src/") && !usage.included_first.contains(name)) {
    findings.push_back({header.path, 1, "self-contained",
                        "make it the first include of a source file or test, which proves it"});
  }
}

// x.cc includes x.h before anything else.
void CheckOwnHeader(const Source& source, const std::set<std::string>& headers,
                    std::vector<Finding>& findings) {
  std::string own = source.path.substr(0, source.path.size() - 3) + ".h";
  if (!headers.contains(own)) return;
  if (!source.includes.empty() && source.includes.front().path == IncludePath(own)) return;
  findings.push_back(
      {source.path, 1, "self-contained", fmt::format("include \"{}\" first", IncludePath(own))});
}

}  // namespace

void CheckHeaders(std::span<const Source> sources, std::vector<Finding>& findings) {
  Usage usage = Collect(sources);
  std::set<std::string> headers;
  for (const Source& source : sources) {
    if (IsHeader(source.path)) headers.insert(source.path);
  }
  for (const Source& source : sources) {
    if (IsHeader(source.path)) {
      CheckStart(source, findings);
      CheckUse(source, usage, findings);
    } else {
      CheckOwnHeader(source, headers, findings);
    }
  }
}

}  // namespace yard::tools
