// What the program finds around itself: variables, folders, terminal. Read once, at the start, and
// passed on as values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/settings.h"

namespace yard::app {

struct Environment {
  NamedTexts variables;    // those that start with GPUYARD_, and the few named in environment.cc
  std::string data_dir;    // of a single machine: $XDG_DATA_HOME/gpuyard
  std::string config_dir;  // of a person: $XDG_CONFIG_HOME/gpuyard

  // An empty variable counts as absent.
  std::optional<std::string> Find(std::string_view variable) const;
  // Only the GPUYARD_ ones.
  NamedTexts Ours() const;
};

Environment ReadEnvironment();

// Where the program was started; empty if nobody can say.
std::string WorkingDirectory();
// Everything in the environment, for work that takes it along.
std::vector<std::pair<std::string, std::string>> AllVariables();

}  // namespace yard::app
