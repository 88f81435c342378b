// What may stand at the end of a command line, from the same declarations as --help.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace yard::cli {

// What the last word can be. Live names are asked for by the caller.
struct Completion {
  std::vector<std::string> words;  // verbs and flags that begin with it
  bool wants_workload = false;     // names of workloads, too
  bool wants_kind = false;         // "projects", "nodes" …
  std::string names_of = {};       // a kind: names of such objects
  std::string before = {};         // stands before each name: "ok:"
  std::string after = {};          // and after it: ":"
};
// `words` is the line without the program; its last word is being typed and may be empty. Pure.
Completion Complete(const CLI::App& app, const std::vector<std::string>& words);

// The script that makes a shell ask; empty for a shell that is not known.
std::string CompletionScript(std::string_view shell, std::string_view program);

}  // namespace yard::cli
