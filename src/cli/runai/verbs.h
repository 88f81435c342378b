// The command line of Run:ai, both grammars: `runai submit …` and `runai workspace submit …`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/session.h"

namespace CLI {
class App;
}

namespace yard::cli::runai {

// All verbs, below `app`: the program itself when it is called `runai`, or `gpuyard runai`.
void AddRunai(CLI::App& app, Session& session);

// Takes --config-file FILE and --config-path FOLDER out of the words. The file they name, in which
// this program keeps what it remembers; nothing: they are not there.
std::optional<std::string> TakeProfilePath(std::vector<std::string>& words);

}  // namespace yard::cli::runai
