// Clusters beside the server's own, as the configuration file names them under `clusters:`.
//
// They name hosts, keys and commands, so they come from the operator's file alone: never from a
// flag, a variable or the API. Values only; nothing here reads a file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace yard::app {

struct ClusterSettings {
  std::string name;
  std::map<std::string, std::string, std::less<>> values;  // by option, those that are set
  std::string origin;                                      // "/etc/x.yaml:12"

  // Empty if it is not set.
  const std::string& Text(std::string_view option) const;
};

// The value of `clusters`; the first problem with its place.
Result<std::vector<ClusterSettings>> ReadClusters(const std::string& place,
                                                  const json::value& value);

}  // namespace yard::app
