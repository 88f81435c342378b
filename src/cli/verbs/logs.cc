// logs, wait: what work says and how it ends.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/submit/parse.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/ending.h"
#include "cli/work/find.h"
#include "cli/work/logs.h"
#include "cli/work/watch.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr int kInterrupted = 130;

struct LogsArguments {
  std::string name;
  LogChoice choice;
  std::string since;
  std::string grep;
  std::string file;
  std::int64_t attempt = 0;
  std::int64_t tail = -1;
  bool follow = false;
  bool previous = false;
};

// "10m" ago, or a time.
Result<std::string> SinceTime(std::string_view text, Time now) {
  if (std::optional<Time> at = ParseRfc3339(text)) return FormatRfc3339(*at);
  YARD_ASSIGN(Micros span, ParseDuration(text));
  return FormatRfc3339(now - span);
}

Outcome<LogChoice> ChoiceOf(Session& session, const LogsArguments& arguments,
                            const json::value& workload) {
  LogChoice choice = arguments.choice;
  if (arguments.tail >= 0) choice.tail = arguments.tail;
  if (arguments.attempt > 0) choice.attempt = arguments.attempt;
  if (!arguments.since.empty()) {
    YARD_ASSIGN(choice.since, SinceTime(arguments.since, session.around().clock.Now()));
  }
  if (!arguments.previous) return choice;
  YARD_ASSIGN(json::array attempts, AttemptsOf(session, TextAt(workload, "id")));
  if (attempts.size() < 2)
    return std::unexpected(Failure({Code::kNotFound, "there was no attempt before this one"}));
  choice.attempt = ParseInt(TextAt(attempts[1], "number"));
  return choice;
}

// A log of work that has not started is empty, and the person should know why.
Outcome<bool> IsThere(Session& session, const json::value& workload) {
  YARD_ASSIGN(json::array attempts, AttemptsOf(session, TextAt(workload, "id")));
  if (!attempts.empty() && TextAt(attempts.front(), "cause") == "LaunchFailed")
    session.Note(fmt::format("{} never ran: {}", TextAt(workload, "name"),
                             TextAt(attempts.front(), "message")));
  if (!attempts.empty()) return true;
  std::string_view state = HasEnded(workload) ? "never started" : "has not started";
  session.Note(
      fmt::format("{} {}: {}", TextAt(workload, "name"), state, TextAt(workload, "phaseMessage")));
  return false;
}

Outcome<void> WaitForStart(Session& session, const std::string& id) {
  return WatchWorkload(session, id, [](const json::value& workload) {
    return HasStarted(workload) ? Going::kEnough : Going::kOn;
  });
}

Outcome<void> PrintLog(Session& session, const LogsArguments& arguments,
                       const json::value& workload, const LogSink& out) {
  std::string id = TextAt(workload, "id");
  YARD_ASSIGN(bool there, IsThere(session, workload));
  if (!there && (!arguments.follow || HasEnded(workload))) return {};
  if (!there) YARD_TRY(WaitForStart(session, id));
  YARD_ASSIGN(LogChoice choice, ChoiceOf(session, arguments, workload));
  LineFilter filter(arguments.grep, out);
  auto take = [&filter](std::string_view bytes) { filter.Take(bytes); };
  if (arguments.follow) {
    YARD_ASSIGN(Followed followed, FollowLog(session, id, choice, take));
    if (followed == Followed::kInterrupted)
      session.Hint(fmt::format("\n{} goes on", TextAt(workload, "name")));
  } else {
    YARD_TRY(ReadLog(session, id, choice, take));
  }
  filter.Finish();
  return {};
}

// Of one, or of each of several with its name before each line.
Outcome<void> PrintLogs(Session& session, const LogsArguments& arguments, const Several& found,
                        std::ostream& out) {
  auto print = [&](std::string_view bytes) {
    out << bytes;
    if (arguments.follow) out << std::flush;
  };
  if (found.items.size() == 1) return PrintLog(session, arguments, found.items[0], print);
  std::string first = TextAt(found.items[0], "name");
  if (arguments.follow)
    return std::unexpected(
        Failure({Code::kInvalid, fmt::format("{}; one log can be followed", SummaryOf(found)),
                 fmt::format("for example `gpuyard logs -f {}`", first)}));
  for (const json::value& one : found.items) {
    LinePrefix prefix(TextAt(one, "name") + ": ", print);
    auto take = [&prefix](std::string_view bytes) { prefix.Take(bytes); };
    Outcome<void> shown = PrintLog(session, arguments, one, take);
    prefix.Finish();
    if (!shown && shown.error().error.code != Code::kPrecondition) return shown;
    if (!shown) session.Note(shown.error().error.message);
  }
  return {};
}

// Written beside the file and put in its place when it is whole, so that a failure costs nothing.
// What somebody may be reading meanwhile (-f, a pipe) is written directly.
Outcome<void> Download(Session& session, const LogsArguments& arguments, const Several& found) {
  namespace fs = std::filesystem;
  std::error_code error;
  bool replaces = !fs::exists(arguments.file, error) || fs::is_regular_file(arguments.file, error);
  bool beside = replaces && !arguments.follow;
  std::string place = beside ? arguments.file + ".part" : arguments.file;
  std::ofstream file(place, std::ios::binary | std::ios::trunc);
  Outcome<void> printed = PrintLogs(session, arguments, found, file);
  file.close();
  if (printed && file && beside) fs::rename(place, arguments.file, error);
  bool written = file && !error;
  if (beside && !(printed && written)) fs::remove(place, error);
  if (!printed) return printed;
  if (!written) return std::unexpected(Failure({Code::kInvalid, "cannot write " + arguments.file}));
  session.Note(fmt::format("{} holds the log of {}", arguments.file, arguments.name));
  return {};
}

Outcome<void> Logs(Session& session, const LogsArguments& arguments) {
  YARD_ASSIGN(Several found, FindSeveral(session, arguments.name, Existing::kEver));
  if (!arguments.file.empty()) return Download(session, arguments, found);
  return PrintLogs(session, arguments, found, session.console().out);
}

struct WaitArguments {
  std::vector<std::string> names;
  std::string timeout;
};

Outcome<void> Wait(Session& session, const WaitArguments& arguments) {
  int worst = 0;
  YARD_ASSIGN(auto found, FindEach(session, arguments.names, Existing::kEver));
  for (const json::value& workload : found) {
    YARD_ASSIGN(std::optional<int> status, WaitForEnd(session, workload));
    worst = std::max(worst, status.value_or(kInterrupted));
    if (status) continue;
    session.exit_code = static_cast<ExitCode>(kInterrupted);
    return {};
  }
  session.exit_code = static_cast<ExitCode>(worst);
  return {};
}

}  // namespace

void AddLogs(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<LogsArguments>();
  Verb verb = Verb(app, session).Add("logs", "Show what work has written, also after its end");
  verb.NeedsWord("NAME", arguments->name, "the workload; of an array's name the logs of all items")
      .Flag("-f,--follow", arguments->follow, "go on until it ends")
      .Number("-n,-t,--tail", arguments->tail, "only the last N lines")
      .Text("--since", arguments->since, "only what is newer: 10m, 2h, or a time", "SPAN")
      .Text("--grep", arguments->grep, "only lines that contain this", "TEXT")
      .Flag("--previous", arguments->previous, "of the attempt before the newest")
      .Number("--attempt", arguments->attempt, "of this attempt")
      .Number("--rank", arguments->choice.rank, "of this task of distributed work [0]")
      .Text("--download", arguments->file, "into a file", "FILE")
      .Examples(
          "gpuyard logs train\ngpuyard logs -f train\ngpuyard logs --tail 64 --grep loss train\n"
          "gpuyard logs --previous train\ngpuyard logs --rank 3 --since 10m big\n"
          "gpuyard logs --download train.log train");
  verb.Run([arguments, &session] { return Logs(session, *arguments); });
}

void AddWait(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<WaitArguments>();
  Verb verb = Verb(app, session).Add("wait", "Wait until work has ended; exit with its code");
  verb.NeedsWords("NAME", arguments->names, "workloads, or the name of an array")
      .Examples("gpuyard wait train && gpuyard submit evaluate.sh\ngpuyard wait 'sweep*'");
  verb.Run([arguments, &session] { return Wait(session, *arguments); });
}

}  // namespace yard::cli
