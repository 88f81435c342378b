#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "cli/verbs.h"

namespace yard::cli {
namespace {

struct Arguments {
  std::vector<std::string> words;
  bool yes = false;
  bool ignore_not_found = false;
};

struct Target {
  const Kind* kind;
  std::string name;
};

// "project a b" or "project/a user/b", as `get -o name` prints them.
Result<std::vector<Target>> TargetsOf(const std::vector<std::string>& words) {
  std::vector<Target> targets;
  if (words.front().contains('/')) {
    for (const std::string& word : words) {
      std::size_t slash = word.find('/');
      if (slash == std::string::npos)
        return Fail(Code::kInvalid, fmt::format("'{}' is not KIND/NAME", word));
      YARD_ASSIGN(const Kind* kind, FindKind(word.substr(0, slash)));
      targets.push_back({kind, word.substr(slash + 1)});
    }
    return targets;
  }
  Result<const Kind*> found = FindKind(words.front());
  if (!found && words.size() == 1)
    return Fail(
        Code::kInvalid, fmt::format("'{}' is not a kind", words.front()),
        fmt::format("`gpuyard delete workload/{}` takes work of this name away", words.front()));
  YARD_ASSIGN(const Kind* kind, std::move(found));
  for (std::size_t i = 1; i < words.size(); ++i) targets.push_back({kind, words[i]});
  if (targets.empty())
    return Fail(Code::kInvalid, fmt::format("which {}?", kind->singular), "name at least one");
  return targets;
}

Status CheckDeletable(const std::vector<Target>& targets) {
  for (const Target& target : targets) {
    if (target.kind->delete_path.empty())
      return Fail(Code::kInvalid, fmt::format("{} cannot be deleted", target.kind->plural));
  }
  return {};
}

bool Confirmed(Session& session, const std::vector<Target>& targets) {
  Console& console = session.console();
  for (const Target& target : targets)
    console.err << "  " << target.kind->singular << ' ' << target.name << '\n';
  console.err << "delete " << (targets.size() == 1 ? "it" : "them") << "? [y/N] " << std::flush;
  std::string answer;
  std::getline(console.in, answer);
  return EqualsIgnoreCase(Trim(answer), "y") || EqualsIgnoreCase(Trim(answer), "yes");
}

client::Outcome<void> DeleteOne(Session& session, const Target& target) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value object, FindObject(*server, *target.kind, target.name));
  YARD_TRY(
      server->Send({.method = client::Method::kDelete, .path = DeletePath(*target.kind, object)}));
  session.console().out << target.kind->singular << '/' << target.name << " deleted\n";
  return {};
}

// Goes on after a failure, so that one missing name does not keep the rest.
void Delete(Session& session, const Arguments& arguments) {
  Result<std::vector<Target>> targets = TargetsOf(arguments.words);
  Status deletable = targets ? CheckDeletable(*targets) : std::unexpected(targets.error());
  if (!deletable) {
    session.Usage(deletable.error());
    return;
  }
  if (!arguments.yes && !session.console().interactive) {
    session.Usage({Code::kInvalid, "nobody is there to confirm", "say --yes"});
    return;
  }
  if (!arguments.yes && !Confirmed(session, *targets)) {
    session.console().err << "nothing was deleted\n";
    session.exit_code = ExitCode::kError;
    return;
  }
  for (const Target& target : *targets) {
    auto done = DeleteOne(session, target);
    if (done || (arguments.ignore_not_found && done.error().error.code == Code::kNotFound))
      continue;
    session.Report(done.error());
  }
}

}  // namespace

void AddDelete(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<Arguments>();
  Verb verb = Verb(app, session).Add("delete", "Delete objects");
  verb.NeedsWords("KIND", arguments->words, "KIND NAME…, or KIND/NAME…")
      .Flag("-y,--yes", arguments->yes, "do not ask")
      .Flag("--ignore-not-found", arguments->ignore_not_found, "what is gone already is no error")
      .Examples(
          "gpuyard delete project vision\n"
          "gpuyard delete --yes project/vision user/ann@lab.org\n"
          "gpuyard get workloads -p vision -o name | xargs gpuyard delete --yes");
  verb.Run([arguments, &session]() -> client::Outcome<void> {
    Delete(session, *arguments);
    return {};
  });
}

}  // namespace yard::cli
