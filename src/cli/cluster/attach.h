// A cluster as the server's configuration file names it, under `clusters:`. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace yard::cli {

struct ClusterEntry {
  std::string name;
  std::map<std::string, std::string> options;  // as docs/configuration.md has them
};

// As a file of its own would have it: "clusters:" and the section.
std::string EntryText(const ClusterEntry& entry);

// The file's text with the section in it; the same text if it is there already. kConflict: there is
// another one of that name; kUnsupported: the file is written so that no place for it is found.
Result<std::string> WithEntry(std::string_view file, const ClusterEntry& entry);

}  // namespace yard::cli
