#include "cli/help/verbs.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/strings.h"

namespace yard::cli {
namespace {

struct Group {
  const char* heading;
  std::string_view verbs;  // separated by spaces, with one around each
};
constexpr Group kGroups[] = {
    {"Work",
     " submit run job dev tune studies wait cancel hold release suspend resume rerun update "
     "extend "},
    {"Look",
     " ps show why logs top queue history eff report quota runs compare metrics artifacts "
     "reports outputs import notify "},
    {"Enter", " exec shell attach ssh ssh-proxy forward cp data ftps vpn "},
    {"Cluster", " nodes gpus node cluster up server simulate demo "},
    {"Organisation",
     " login logout whoami passwd user token setting config get apply delete reservation "
     "host-access audit "},
};
constexpr const char* kOtherwise = "Care";

// What people have in their fingers from elsewhere.
struct Habit {
  std::string_view words;  // separated by spaces
  const char* instead;
};
constexpr Habit kHabits[] = {
    {"sbatch", "`gpuyard submit job.sh` takes the script with its #SBATCH lines"},
    {"srun", "`gpuyard run -- COMMAND` runs it, shows its output and ends with its code"},
    {"salloc", "`gpuyard dev --gpu 1` starts a workspace and opens a shell in it"},
    {"scontrol", "`gpuyard show NAME`, `gpuyard hold`, `gpuyard release` and `gpuyard update`"},
    {"sinfo", "`gpuyard nodes` and `gpuyard gpus`"},
    {"drain undrain cordon uncordon", "`gpuyard node drain NODE` and `gpuyard node resume NODE`"},
    {"password", "`gpuyard passwd`, or `gpuyard user reset-password EMAIL`"},
    {"settings", "`gpuyard setting list` and `gpuyard setting set KEY VALUE`"},
    {"sstat sprio", "`gpuyard why NAME` and `gpuyard queue`"},
    {"list ls status jobs qstat pods", "`gpuyard ps` lists work"},
    {"kill stop rm qdel",
     "`gpuyard cancel NAME` ends work, `gpuyard delete workload/NAME` also "
     "takes its record away"},
    {"start create qsub", "`gpuyard submit -- COMMAND` starts work"},
    {"bash sh enter", "`gpuyard shell NAME` opens a shell inside work"},
    {"log tail", "`gpuyard logs -f NAME` follows what it writes"},
    {"kubectl docker",
     "`gpuyard ps`, `gpuyard logs`, `gpuyard exec` and `gpuyard get KIND` do "
     "the same here"},
    {"nvidia-smi", "`gpuyard gpus` shows the GPUs and who has them"},
    {"workspace training pytorch mpi", "`gpuyard runai …` takes Run:ai's command line"},
};

bool HasWord(std::string_view words, std::string_view word) {
  std::vector<std::string_view> all = Split(words, ' ');
  return std::ranges::find(all, word) != all.end();
}

const CLI::App* VerbNamed(const CLI::App& app, const std::string& word) {
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->check_name(word)) return verb;
  }
  return nullptr;
}

// `title` is what leads to `app`: "gpuyard", "runai workspace".
Error NoSuchVerb(const CLI::App& app, const std::string& title, const std::string& word) {
  bool first = app.get_parent() == nullptr;
  bool ours = first && title != "runai";
  Error error{Code::kInvalid, fmt::format("there is no verb '{}'", word),
              ours ? "`gpuyard help` lists them" : fmt::format("`{} --help` lists them", title)};
  for (const Habit& habit : kHabits) {
    if (!ours || !HasWord(habit.words, word)) continue;
    error.details = habit.instead;
    return error;
  }
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (!verb->get_group().empty()) names.push_back(verb->get_name());
    for (const std::string& alias : verb->get_aliases()) names.push_back(alias);
  }
  std::vector<std::string_view> views(names.begin(), names.end());
  if (std::optional<std::string_view> near = Nearest(word, views))
    error.message += fmt::format("; did you mean '{}'?", *near);
  return error;
}

}  // namespace

void GroupVerbs(CLI::App& app) {
  for (CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_group().empty()) continue;  // hidden
    auto has = [verb](const Group& group) {
      return group.verbs.contains(fmt::format(" {} ", verb->get_name()));
    };
    const Group* group = std::ranges::find_if(kGroups, has);
    verb->group(group == std::end(kGroups) ? kOtherwise : group->heading);
  }
}

Status CheckVerb(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  std::string title = app.get_name();
  for (const std::string& word : words) {
    if (word.starts_with('-') || at->get_require_subcommand_min() == 0) return {};
    const CLI::App* next = VerbNamed(*at, word);
    if (next == nullptr) return Fail(NoSuchVerb(*at, title, word));
    title += " " + next->get_name();
    at = next;
  }
  return {};
}

Error UnexpectedWords(const CLI::App& app) {
  const CLI::App* at = &app;
  std::string title = app.get_name();
  for (auto chosen = at->get_subcommands(); !chosen.empty(); chosen = at->get_subcommands()) {
    at = chosen.front();
    title += " " + at->get_name();
  }
  std::vector<std::string> words = app.remaining(true);
  Error error{Code::kInvalid, fmt::format("`{}` does not take '{}'", title, Join(words, " ")),
              fmt::format("see `{} --help`", title)};
  std::string word = words.empty() ? "" : words.front().substr(0, words.front().find('='));
  if (word == "-p" || word == "--project") {
    error.details = "the project stands before a name: PROJECT/NAME";
    return error;
  }
  std::vector<std::string> flags;
  for (const CLI::Option* option : at->get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  std::vector<std::string_view> views(flags.begin(), flags.end());
  std::optional<std::string_view> near =
      word.starts_with("--") ? Nearest(word, views) : std::nullopt;
  if (near) error.message += fmt::format("; did you mean '{}'?", *near);
  return error;
}

Result<std::string> HelpOf(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  std::string title = app.get_name();
  for (const std::string& word : words) {
    const CLI::App* next = VerbNamed(*at, word);
    if (next == nullptr) return Fail(NoSuchVerb(*at, title, word));
    title += " " + next->get_name();
    at = next;
  }
  return at->get_formatter()->make_help(at, title, CLI::AppFormatMode::Normal);
}

}  // namespace yard::cli
