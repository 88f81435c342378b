// help, man, completion and __complete: the command line about itself.
#include <memory>
#include <ostream>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/help/complete.h"
#include "cli/help/man.h"
#include "cli/help/verbs.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "cli/verbs.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

struct ManArguments {
  std::vector<std::string> words;
  std::string folder;
};

Outcome<void> Man(const CLI::App& root, Session& session, const ManArguments& arguments) {
  if (!arguments.folder.empty()) {
    YARD_TRY(WriteManPages(root, arguments.folder));
    session.Note("the pages are in " + arguments.folder);
    return {};
  }
  YARD_ASSIGN(std::string page, ManPageOf(root, arguments.words));
  session.console().out << page;
  return {};
}

Outcome<void> PrintScript(Session& session, const std::string& shell) {
  std::string script = CompletionScript(shell, session.around().program);
  if (script.empty())
    return std::unexpected(
        Failure({Code::kInvalid, fmt::format("'{}' is not a shell that is known", shell),
                 "bash, zsh or fish"}));
  session.console().out << script;
  return {};
}

// Names of live objects. Silent when the server cannot be asked: a shell is waiting.
void PrintNames(Session& session, const Completion& completion, std::string_view begun) {
  const std::string plural = completion.names_of.empty() ? "workloads" : completion.names_of;
  Result<const Kind*> kind = FindKind(plural);
  Outcome<client::Client*> server = session.Server();
  if (!kind || !server) return;
  client::Options options = (*server)->options();
  options.timeout = Seconds(2);
  options.connect_timeout = Seconds(1);
  options.retries = 0;
  client::Client quick(std::move(options));
  Outcome<std::vector<json::value>> found = ListObjects(quick, **kind, {});
  if (!found) return;
  for (const json::value& one : *found) {
    std::string name = TextAt(one, (*kind)->name);
    std::string word = completion.before + name + completion.after;
    if (!name.empty() && word.starts_with(begun)) session.console().out << word << '\n';
  }
}

Outcome<void> PrintCompletion(const CLI::App& root, Session& session) {
  Completion completion = Complete(root, session.tail);
  std::string begun = session.tail.empty() ? "" : session.tail.back();
  for (const std::string& word : completion.words) session.console().out << word << '\n';
  if (completion.wants_workload || !completion.names_of.empty())
    PrintNames(session, completion, begun);
  if (completion.wants_kind) {
    for (const Kind& kind : Kinds()) {
      if (kind.plural.starts_with(begun)) session.console().out << kind.plural << '\n';
    }
  }
  return {};
}

}  // namespace

void AddHelp(CLI::App& app, Session& session) {
  Verb root(app, session);
  auto about = std::make_shared<std::vector<std::string>>();
  Verb help = root.Add("help", "Explain a verb, or list them all");
  help.Words("VERB", *about, "the verb; default: all")
      .Examples("gpuyard help\ngpuyard help submit");
  help.Run([about, &app, &session]() -> Outcome<void> {
    YARD_ASSIGN(std::string text, HelpOf(app, *about));
    session.console().out << text;
    return {};
  });
  auto man = std::make_shared<ManArguments>();
  Verb verb = root.Add("man", "Print a manual page, or write all of them");
  verb.Words("VERB", man->words, "the verb; default: the program")
      .Text("--dir", man->folder, "write every page into this folder", "PATH")
      .Examples("gpuyard man submit | man -l -\ngpuyard man --dir /usr/local/share/man/man1");
  verb.Run([man, &app, &session] { return Man(app, session, *man); });
  auto shell = std::make_shared<std::string>();
  verb = root.Add("completion", "Print a script that completes verbs, flags and live names");
  verb.NeedsWord("SHELL", *shell, "bash, zsh or fish")
      .Examples(
          "source <(gpuyard completion bash)\n"
          "gpuyard completion fish > ~/.config/fish/completions/gpuyard.fish");
  verb.Run([shell, &session] { return PrintScript(session, *shell); });
  verb = root.Add("__complete", "Answers completion scripts");
  verb.Hidden();
  verb.Run([&app, &session] { return PrintCompletion(app, session); });
}

}  // namespace yard::cli
