// job: the folder somebody stands in, as a job.
#include <filesystem>
#include <memory>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "cli/job/job.h"
#include "cli/job/verbs.h"
#include "cli/output.h"
#include "cli/submit/never.h"
#include "cli/submit/options.h"
#include "cli/submit/send.h"
#include "cli/verb.h"
#include "cli/work/find.h"
#include "cli/work/logs.h"

namespace yard::cli {
namespace {

namespace fs = std::filesystem;
using client::Failure;
using client::Outcome;

constexpr int kByInterrupt = 130;

struct JobArguments : SubmitArguments {
  std::string folder;
  std::string profile;
  std::string into;
  std::vector<std::string> outputs;
  bool detach = false;
};

EnvLookup LookupOf(Session& session) {
  auto known = session.around().variables ? session.around().variables()
                                          : std::vector<std::pair<std::string, std::string>>();
  return [known = std::move(known)](const std::string& name) -> std::optional<std::string> {
    for (const auto& [own, value] : known)
      if (own == name) return value;
    return std::nullopt;
  };
}

// The profile that was asked for; the first word is one only if there is a profile of that name.
Result<JobProfile> TakeJobProfile(Session& session, const JobArguments& arguments,
                                  const std::string& folder, std::vector<std::string>& words) {
  YARD_ASSIGN(JobProfiles profiles, JobProfiles::Read(folder, LookupOf(session)));
  std::string name = arguments.profile;
  if (name.empty() && !words.empty() && profiles.Has(words.front())) {
    name = words.front();
    words.erase(words.begin());
  }
  YARD_ASSIGN(JobProfile profile, profiles.Find(name));
  for (const std::string& output : arguments.outputs) {
    YARD_TRY(CheckOutput(output));
    profile.outputs.push_back(output);
  }
  for (const std::string& note : profile.notes) session.Note(note);
  words.insert(words.begin(), profile.command.begin(), profile.command.end());
  if (words.empty())
    return Fail(Code::kInvalid, fmt::format("profile '{}' has no command", profile.name),
                fmt::format("say one after the options, or 'command' in {}", kJobFile));
  return profile;
}

Outcome<void> Follow(Session& session, const SentWork& sent, const JobProfile& profile,
                     const std::string& into) {
  auto print = [&session](std::string_view bytes) { session.console().out << bytes << std::flush; };
  const std::string& id = sent.items.front().id;
  YARD_ASSIGN(Watched watched, FollowToEnd(session, id, print));
  if (!watched.ending) {
    session.exit_code = static_cast<ExitCode>(kByInterrupt);
    session.Note(
        fmt::format("\nleft {0} in the cluster; `gpuyard logs -f {0}` shows it again, "
                    "`gpuyard cp {0}:PATH .` brings its outputs, `gpuyard cancel {0}` ends it",
                    sent.name));
    return {};
  }
  if (!watched.ending->message.empty())
    session.Note(fmt::format("{}: {}", sent.name, watched.ending->message));
  session.exit_code = static_cast<ExitCode>(watched.ending->status);
  Outcome<void> brought = BringOutputs(session, id, profile.outputs, into);
  if (brought || watched.ending->status == 0) return brought;
  // How the job ended counts more.
  session.Note(fmt::format("its outputs did not come back: {}", brought.error().error.message));
  return {};
}

Outcome<void> RunJob(Session& session, const JobArguments& arguments) {
  const std::string& here = session.around().working_dir;
  const std::string folder = (fs::path(here) / arguments.folder).lexically_normal().string();
  const std::string into =
      arguments.into.empty() ? folder : (fs::path(here) / arguments.into).string();
  SubmitArguments asked = arguments;
  YARD_ASSIGN(JobProfile profile, TakeJobProfile(session, arguments, folder, asked.command));
  profile.work.Overlay(asked.submission);
  YARD_ASSIGN(ProjectInUse project, FindProject(session, profile.work.project));
  YARD_ASSIGN(Snapshot snapshot, TakeSnapshot(session, {.folder = folder,
                                                        .project_id = project.id,
                                                        .outputs = profile.outputs}));
  asked.submission = JobOf(profile, snapshot, std::exchange(asked.command, {}));
  // What is activated here is not there.
  asked.no_venv = true;
  YARD_ASSIGN(Submission submission, Assemble(session, asked));
  if (arguments.dry_run) {
    YARD_ASSIGN(std::string text, DryRun(session, submission));
    session.console().out << text << '\n';
    return {};
  }
  YARD_ASSIGN(SentWork sent, Send(session, submission));
  WarnOfNever(session, submission, sent);
  if (arguments.detach) {
    session.console().out << sent.name << '\n';
    return {};
  }
  session.Hint(fmt::format("submitted {} to project {}; Ctrl-C leaves it in the cluster", sent.name,
                           sent.project));
  return Follow(session, sent, profile, into);
}

}  // namespace

void AddJob(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<JobArguments>();
  Verb verb =
      Verb(app, session).Add("job", "Run this folder, as it is now, as a job; outputs come back");
  verb.Heading("The folder")
      .Text("-C,--folder", arguments->folder, "the folder to run; default: this one", "DIR")
      .Text("--profile", arguments->profile,
            "a profile of gpuyard-job.yaml or docker/.env.NAME; the first word may name it [base]",
            "NAME")
      .Texts("--output", arguments->outputs,
             "a path of the folder where the job writes; it comes back at the end", "PATH")
      .Text("--into", arguments->into, "where outputs come to; default: the folder", "DIR")
      .Flag("--detach", arguments->detach, "submit, and return at once");
  AddSubmitOptions(verb, *arguments);
  verb.Examples(
      "gpuyard job --output logs -- python3 train.py --epochs 5\n"
      "gpuyard job base --task Cartpole        (profile `base` of gpuyard-job.yaml)\n"
      "gpuyard job --detach -- ./run.sh");
  verb.Run([arguments, &session] { return RunJob(session, *arguments); });
}

}  // namespace yard::cli
