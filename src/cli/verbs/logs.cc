// logs, wait: what work says and how it ends.
#include <algorithm>
#include <fstream>
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
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
Outcome<bool> IsThere(Session& session, const LogsArguments& arguments,
                      const json::value& workload) {
  if (HasStarted(workload)) return true;
  YARD_ASSIGN(json::array attempts, AttemptsOf(session, TextAt(workload, "id")));
  if (!attempts.empty()) return true;
  session.Note(
      fmt::format("{} has not started: {}", arguments.name, TextAt(workload, "phaseMessage")));
  return false;
}

Outcome<void> WaitForStart(Session& session, const std::string& id) {
  return WatchWorkload(session, id, [](const json::value& workload) {
    return HasStarted(workload) ? Going::kEnough : Going::kOn;
  });
}

Outcome<void> PrintLog(Session& session, const LogsArguments& arguments,
                       const json::value& workload, std::ostream& out) {
  std::string id = TextAt(workload, "id");
  YARD_ASSIGN(bool there, IsThere(session, arguments, workload));
  if (!there && !arguments.follow) return {};
  if (!there) YARD_TRY(WaitForStart(session, id));
  YARD_ASSIGN(LogChoice choice, ChoiceOf(session, arguments, workload));
  LineFilter filter(arguments.grep, [&](std::string_view bytes) {
    out << bytes;
    if (arguments.follow) out << std::flush;
  });
  auto take = [&filter](std::string_view bytes) { filter.Take(bytes); };
  if (arguments.follow) {
    YARD_TRY(FollowLog(session, id, choice, take));
  } else {
    YARD_TRY(ReadLog(session, id, choice, take));
  }
  filter.Finish();
  return {};
}

Outcome<void> Logs(Session& session, const LogsArguments& arguments) {
  YARD_ASSIGN(json::value workload, FindWorkload(session, arguments.name, Existing::kEver));
  if (arguments.file.empty()) return PrintLog(session, arguments, workload, session.console().out);
  std::ofstream file(arguments.file, std::ios::binary | std::ios::trunc);
  YARD_TRY(PrintLog(session, arguments, workload, file));
  file.flush();
  if (!file) return std::unexpected(Failure({Code::kInvalid, "cannot write " + arguments.file}));
  session.Note(fmt::format("{} holds the log of {}", arguments.file, arguments.name));
  return {};
}

struct WaitArguments {
  std::vector<std::string> names;
  std::string timeout;
};

// Waits for one; its exit status.
Outcome<int> WaitOne(Session& session, const json::value& workload) {
  std::string id = TextAt(workload, "id");
  json::value last = workload;
  bool told = false;
  YARD_TRY(WatchWorkload(session, id, [&](const json::value& now) {
    if (!now.is_null()) last = now;
    if (TextAt(now, "phase") == "Stopped" && !std::exchange(told, true))
      session.Note(
          fmt::format("{} is suspended; waiting for somebody to resume it", TextAt(now, "name")));
    if (now.is_null()) last = now;
    return HasEnded(now) ? Going::kEnough : Going::kOn;
  }));
  YARD_ASSIGN(Ending ending, AskEnding(session, id, last));
  if (!ending.message.empty())
    session.Note(fmt::format("{}: {}", TextAt(workload, "name"), ending.message));
  return ending.status;
}

Outcome<void> Wait(Session& session, const WaitArguments& arguments) {
  int worst = 0;
  for (const std::string& name : arguments.names) {
    YARD_ASSIGN(std::vector<json::value> found, FindWorkloads(session, name, Existing::kEver));
    for (const json::value& workload : found) {
      YARD_ASSIGN(int status, WaitOne(session, workload));
      worst = std::max(worst, status);
    }
  }
  session.exit_code = static_cast<ExitCode>(worst);
  return {};
}

}  // namespace

void AddLogs(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<LogsArguments>();
  Verb verb = Verb(app, session).Add("logs", "Show what work has written, also after its end");
  verb.NeedsWord("NAME", arguments->name, "the workload")
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
