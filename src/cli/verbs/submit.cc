// submit, run, dev: three ways to start work from one set of flags.
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/enter/enter.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/submit/never.h"
#include "cli/submit/options.h"
#include "cli/submit/parse.h"
#include "cli/submit/send.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/ending.h"
#include "cli/work/logs.h"
#include "cli/work/orders.h"
#include "cli/work/watch.h"
#include "cli/work/why.h"
#include "model/workload_priority.h"

namespace yard::cli {
namespace {

using client::Outcome;

constexpr int kByInterrupt = 130;

void Print(Session& session, const SentWork& sent) {
  std::ostream& out = session.console().out;
  switch (session.format()) {
    case Format::kJson:
    case Format::kYaml: {
      json::array records;
      for (const std::string& text : sent.records) records.push_back(*ParseJson(text));
      PrintTree(session.console(), session.format(),
                records.size() == 1 ? records.front() : json::value(records));
      return;
    }
    case Format::kName:
      for (const Submitted& item : sent.items) out << "workload/" << item.name << '\n';
      return;
    case Format::kTable:
    case Format::kWide:
    case Format::kCsv:
      out << sent.name << '\n';
  }
}

void PrintHints(Session& session, const SentWork& sent) {
  std::string many = sent.items.size() > 1 ? fmt::format(" ({} items)", sent.items.size()) : "";
  session.Hint(fmt::format("submitted {}{} to project {}", sent.name, many, sent.project));
  session.Hint(fmt::format("  gpuyard logs -f {0}\n  gpuyard why {0}\n  gpuyard cancel {0}",
                           sent.items.size() > 1 ? sent.items[0].name : sent.name));
}

Outcome<void> ShowDryRun(Session& session, const Submission& submission) {
  YARD_ASSIGN(std::string text, DryRun(session, submission));
  YARD_ASSIGN(json::value why, ParseJson(text));
  if (session.format() != Format::kTable) {
    PrintTree(session.console(), session.format(), why);
    return {};
  }
  if (std::size_t count = CountOf(submission); count > 1)
    session.Note(fmt::format("{} items; this is about the first of them", count));
  session.console().out << RenderDryRun(why, session.around().clock.Now());
  return {};
}

// A project's rules may have shortened what was asked for, and a class has more effects than one.
void NoteChanges(Session& session, const Submission& submission, const SentWork& sent) {
  const Value* asked = submission.spec.Find("timeLimitSeconds");
  const auto* seconds = asked == nullptr ? nullptr : std::get_if<std::int64_t>(asked);
  Result<json::value> record = ParseJson(sent.records.front());
  if (seconds != nullptr && record) {
    std::optional<std::int64_t> given = ParseInt(TextAt(*record, "timeLimitSeconds"));
    if (given && *given < *seconds)
      session.Note(
          fmt::format("its time limit is {}: a rule of project {} or its department "
                      "allows no more",
                      FormatDuration(Seconds(*given)), sent.project));
  }
  std::string name = submission.spec.Text("priorityClass");
  std::optional<std::int64_t> priority = PriorityOf(name);
  bool said = submission.spec.Has("preemptibility");
  if (priority && !PreemptibleByDefault(*priority) && !said &&
      submission.kind != WorkKind::kWorkspace)
    session.Note(
        fmt::format("work of class {} is never preempted, so it starts within the project's quota "
                    "only; --preemptible lifts both",
                    name));
}

// As sbatch --wait: exits with the code of the work, the highest of several.
Outcome<void> WaitForAll(Session& session, const SentWork& sent) {
  YARD_ASSIGN(client::Client * server, session.Server());
  int worst = 0;
  for (const Submitted& item : sent.items) {
    YARD_ASSIGN(json::value workload, server->Get("/api/v1/workloads/" + item.id));
    YARD_ASSIGN(std::optional<int> status, WaitForEnd(session, workload));
    worst = std::max(worst, status.value_or(kByInterrupt));
    if (!status) break;
  }
  session.exit_code = static_cast<ExitCode>(worst);
  return {};
}

Outcome<void> Submit(Session& session, const SubmitArguments& arguments) {
  YARD_ASSIGN(Submission submission, Assemble(session, arguments));
  if (arguments.dry_run) return ShowDryRun(session, submission);
  YARD_ASSIGN(SentWork sent, Send(session, submission));
  Print(session, sent);
  NoteChanges(session, submission, sent);
  WarnOfNever(session, submission, sent);
  PrintHints(session, sent);
  if (arguments.wait) return WaitForAll(session, sent);
  return {};
}

struct RunArguments : SubmitArguments {
  bool keep = false;
};

// Ctrl-C ends what was started here, as it would without a cluster, unless it is to be kept.
Outcome<void> LeaveRun(Session& session, const RunArguments& arguments, const SentWork& sent,
                       const Watched& watched) {
  session.exit_code = static_cast<ExitCode>(kByInterrupt);
  std::string_view doing = watched.started ? "running" : "waiting to start";
  if (arguments.keep) {
    session.Note(
        fmt::format("\nleft {0} {1}; `gpuyard logs -f {0}` shows it again, `gpuyard cancel "
                    "{0}` ends it",
                    sent.name, doing));
    return {};
  }
  session.Note(fmt::format("\ncancelling {}, which is {} …", sent.name, doing));
  for (const Submitted& item : sent.items) {
    Outcome<void> done = CancelById(session, item.id);
    if (!done && done.error().error.code != Code::kPrecondition) return done;
  }
  session.Note(
      watched.started
          ? fmt::format("cancelled; `gpuyard logs {0}` shows what it wrote, `gpuyard rerun "
                        "{0}` starts it again",
                        sent.name)
          : fmt::format("cancelled; it never ran. `gpuyard rerun {}` submits it again", sent.name));
  return {};
}

// The items of an array run at once; their logs are shown one after the other.
Outcome<void> FollowAll(Session& session, const RunArguments& arguments, const SentWork& sent) {
  int worst = 0;
  auto print = [&session](std::string_view bytes) { session.console().out << bytes << std::flush; };
  for (const Submitted& item : sent.items) {
    if (sent.items.size() > 1) session.Note(fmt::format("== {}", item.name));
    YARD_ASSIGN(Watched watched, FollowToEnd(session, item.id, print));
    if (!watched.ending) return LeaveRun(session, arguments, sent, watched);
    const Ending& ending = *watched.ending;
    if (!ending.message.empty()) session.Note(fmt::format("{}: {}", item.name, ending.message));
    worst = std::max(worst, ending.status);
  }
  session.exit_code = static_cast<ExitCode>(worst);
  return {};
}

Outcome<void> Run(Session& session, const RunArguments& arguments) {
  YARD_ASSIGN(Submission submission, Assemble(session, arguments));
  if (arguments.dry_run) return ShowDryRun(session, submission);
  YARD_ASSIGN(SentWork sent, Send(session, submission));
  session.Hint(fmt::format("submitted {} to project {}; Ctrl-C {}", sent.name, sent.project,
                           arguments.keep ? "leaves it running" : "cancels it"));
  WarnOfNever(session, submission, sent);
  return FollowAll(session, arguments, sent);
}

struct DevArguments : SubmitArguments {
  bool remove = false;
  bool detach = false;
};

enum class Awaited { kRuns, kEnded, kInterrupted };

Outcome<Awaited> WaitUntilRunning(Session& session, const Submitted& item) {
  Awaited awaited = Awaited::kInterrupted;
  auto look = [&](const json::value& workload) {
    bool runs = TextAt(workload, "phase") == "Running";
    if (runs) awaited = Awaited::kRuns;
    if (!runs && HasEnded(workload)) awaited = Awaited::kEnded;
    if (!runs) {
      session.Hint(
          fmt::format("{}: {}", TextAt(workload, "phase"), TextAt(workload, "phaseMessage")));
    }
    return awaited == Awaited::kInterrupted ? Going::kOn : Going::kEnough;
  };
  Interrupt interrupt;
  YARD_TRY(WatchWorkload(session, item.id, look, [&interrupt] { return interrupt.came(); }));
  return awaited;
}

Outcome<void> Dev(Session& session, const DevArguments& arguments) {
  YARD_ASSIGN(Submission submission, Assemble(session, arguments));
  submission.kind = WorkKind::kWorkspace;
  bool idle = submission.command.empty() && !NamesImage(submission.spec);
  if (idle) submission.command = {"sleep", "infinity"};
  if (arguments.submission.name.empty() && idle) submission.name = "dev";
  if (arguments.dry_run) return ShowDryRun(session, submission);
  YARD_ASSIGN(SentWork sent, Send(session, submission));
  if (arguments.detach) {
    Print(session, sent);
    return {};
  }
  WarnOfNever(session, submission, sent);
  YARD_ASSIGN(Awaited awaited, WaitUntilRunning(session, sent.items[0]));
  if (awaited == Awaited::kInterrupted) {
    YARD_TRY(CancelById(session, sent.items[0].id));
    session.Note(fmt::format("\ncancelled {}; it never ran", sent.name));
    session.exit_code = static_cast<ExitCode>(kByInterrupt);
    return {};
  }
  if (awaited == Awaited::kEnded) {
    return std::unexpected(
        client::Failure({Code::kPrecondition, fmt::format("{} ended before it ran", sent.name),
                         fmt::format("see `gpuyard show {}`", sent.name)}));
  }
  session.Note(fmt::format("{} runs", sent.name));
  YARD_TRY(OpenShell(session, sent.items[0].id, 0));
  if (arguments.remove) return DeleteById(session, "workspaces", sent.items[0].id);
  session.Note(
      fmt::format("{0} goes on: `gpuyard shell {0}` enters again, `gpuyard cancel {0}` "
                  "ends it",
                  sent.name));
  return {};
}

}  // namespace

void AddSubmit(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<SubmitArguments>();
  Verb verb = Verb(app, session).Add("submit", "Start work and return at once");
  AddSubmitOptions(verb, *arguments);
  verb.Flag("-W,--wait", arguments->wait,
            "wait until it has ended; exit with its code, the highest of several");
  verb.Format();
  verb.Examples(
      "gpuyard submit --gpu 1 -- python train.py --lr 0.1\n"
      "gpuyard submit job.sh                  (its #SBATCH lines are read)\n"
      "gpuyard submit --gpu 0.5 -i pytorch:2 --pvc data:/data -e EPOCHS=3 -- python train.py\n"
      "gpuyard submit -a 0-9%2 -- ./task.sh   (GPUYARD_ARRAY_INDEX is 0 to 9, two at once)\n"
      "gpuyard submit --param lr=0.1,0.2 --param bs=16,32 -- python train.py {lr} {bs}\n"
      "gpuyard submit --gpu 8 --time 2h --dry-run -- python train.py\n"
      "gpuyard submit --after ok:prepare --retry 3 --retry-on node-lost,oom -- python train.py");
  verb.Run([arguments, &session] { return Submit(session, *arguments); });
}

void AddRun(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<RunArguments>();
  Verb verb = Verb(app, session).Add("run", "Start work, show its log, and end with its exit code");
  AddSubmitOptions(verb, *arguments);
  verb.Flag("--keep", arguments->keep, "Ctrl-C leaves the work running; without it, cancels it");
  verb.Examples(
      "gpuyard run --gpu 1 -- python train.py\n"
      "gpuyard run -i ubuntu:24.04 -- nvidia-smi\n"
      "gpuyard run make test && echo passed\n"
      "gpuyard run --keep --time 2h -- python train.py   (Ctrl-C only stops showing the log)");
  verb.Run([arguments, &session] { return Run(session, *arguments); });
}

void AddDev(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<DevArguments>();
  Verb verb = Verb(app, session).Add("dev", "Start a workspace and open a shell in it");
  AddSubmitOptions(verb, *arguments);
  verb.Flag("--rm", arguments->remove, "end the workspace when the shell ends");
  verb.Flag("--detach", arguments->detach, "open no shell");
  verb.Format();
  verb.Examples(
      "gpuyard dev --gpu 0.5\n"
      "gpuyard dev -i pytorch:2 --gpu 1 --mount /data:/data:ro --time 8h\n"
      "gpuyard dev --detach -n notebook --port 8888 -- jupyter lab --ip=0.0.0.0");
  verb.Run([arguments, &session] { return Dev(session, *arguments); });
}

}  // namespace yard::cli
