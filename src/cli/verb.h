// One verb while it is declared: its flags, words and examples. The argument parser stays behind
// it, so that a verb's file compiles fast and every verb looks the same.
//
// A handle, cheap to copy. Targets must live as long as the program's command line: verbs keep
// their arguments in a shared pointer that the run function holds.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/session.h"
#include "client/client.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace yard::cli {

class Verb {
 public:
  Verb(CLI::App& app, Session& session) : app_(&app), session_(&session) {}

  // A verb below this one.
  Verb Add(const std::string& name, const std::string& summary) const;
  Verb& Alias(const std::string& name);
  Verb& Hidden();
  // Followed by exactly one of its own verbs.
  Verb& NeedsVerb();
  // Its own options may also stand after the verbs below it.
  Verb& Everywhere();
  // Options declared after this stand under this heading of the help.
  Verb& Heading(std::string heading);

  // "-p,--project"; `value` names what follows in the help.
  Verb& Text(const std::string& flags, std::string& target, const std::string& help,
             const std::string& value = "TEXT");
  // May be given several times, one value each.
  Verb& Texts(const std::string& flags, std::vector<std::string>& target, const std::string& help,
              const std::string& value = "TEXT");
  // At least one.
  Verb& NeedsTexts(const std::string& flags, std::vector<std::string>& target,
                   const std::string& help, const std::string& value = "TEXT");
  Verb& Flag(const std::string& flags, bool& target, const std::string& help);
  Verb& Number(const std::string& flags, std::int64_t& target, const std::string& help);
  // Read by a function, once per occurrence; its error becomes a usage error that names the flag.
  using Reader = std::function<Status(const std::string&)>;
  Verb& Take(const std::string& flags, Reader read, const std::string& help,
             const std::string& value = "TEXT");
  Verb& TakeFlag(const std::string& flags, std::function<void(bool)> take, const std::string& help);
  // Accepted so that old command lines work, and left out of the help.
  Verb& HiddenText(const std::string& flags, std::string& target);
  Verb& HiddenFlag(const std::string& flags, bool& target);

  // Positional words.
  Verb& Word(const std::string& name, std::string& target, const std::string& help);
  Verb& NeedsWord(const std::string& name, std::string& target, const std::string& help);
  Verb& Words(const std::string& name, std::vector<std::string>& target, const std::string& help);
  Verb& NeedsWords(const std::string& name, std::vector<std::string>& target,
                   const std::string& help);
  // The rest of the line is a command: whatever follows the other words, or "--".
  Verb& Command(std::vector<std::string>& target);
  // -o
  Verb& Format();

  // What stands below the options in the help; "  gpuyard …" lines.
  Verb& Examples(const std::string& text);
  // The same with more to say than examples.
  Verb& Footer(const std::string& text);

  // Runs when the verb was chosen. A kInvalid of our own is a usage error.
  void Run(std::function<client::Outcome<void>()> run);

  Session& session() const { return *session_; }

 private:
  CLI::Option* Placed(CLI::Option* option);

  CLI::App* app_;
  Session* session_;
  std::string heading_;
  std::vector<std::string>* command_ = nullptr;
};

}  // namespace yard::cli
