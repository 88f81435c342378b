#include "cli/work/story.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/quantity.h"
#include "base/strings.h"
#include "cli/data/chunk_server.h"
#include "cli/output.h"
#include "cli/submit/parse.h"
#include "cli/work/view.h"
#include "cli/work/watch.h"

namespace yard::cli {
namespace {

// One "Label   text" line each; nothing is no line.
class Lines {
 public:
  void Add(std::string_view label, const std::string& text) {
    if (!text.empty() && text != "-" && text != "0") out_ += fmt::format("{:<12}{}\n", label, text);
  }
  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

std::string PriorityOf(const json::value& one) {
  return fmt::format("{} ({}){}", TextAt(one, "priorityClassName"), TextAt(one, "priority"),
                     TextAt(one, "preemptible") == "true" ? ", preemptible" : "");
}

std::string AttemptCount(const Story& story) {
  if (story.attempts->empty()) return "";
  std::string limit = TextAt(*story.spec, "retry.limit");
  std::string retries =
      limit.empty() || limit == "0" ? "" : fmt::format(", {} retries allowed", limit);
  return std::to_string(story.attempts->size()) + retries;
}

// How long the GPUs of an attempt were not its own.
Micros AwayOf(const json::value& attempt) {
  return Seconds(ParseInt(TextAt(attempt, "awaySeconds")).value_or(0));
}

// The same of the newest attempt.
Micros AwayOf(const Story& story) {
  return story.attempts->empty() ? Micros(0) : AwayOf(story.attempts->front());
}

std::string RenderAway(const Story& story) {
  Micros away = AwayOf(story);
  return away.value > 0 ? FormatDuration(away) + " off its GPUs" : "";
}

void AddRequest(const Story& story, Time now, Lines& lines) {
  const json::value& one = *story.workload;
  lines.Add("GPUs", GpusOf(one));
  lines.Add("CPUs", TextAt(one, "workloadRequestedResources.cpu.request"));
  lines.Add("Memory", RenderMemory(TextAt(one, "workloadRequestedResources.cpuMemory.request")));
  lines.Add("Time limit", RenderTimeLimit(story, now));
  lines.Add("Stops at", TextAt(one, "stopAt"));
  lines.Add("Priority", PriorityOf(one));
  lines.Add("Pools", TextAt(one, "requestedNodePools"));
  lines.Add("Cluster", TextAt(one, "clusterName"));
  lines.Add("Nodes", NodesOf(one));
  lines.Add("Tool", TextAt(one, "urls"));
  lines.Add("Image", TextAt(one, "images"));
  std::string command = TextAt(*story.spec, "command");
  lines.Add("Command", command.empty() ? TextAt(one, "command") : command);
  lines.Add("Arguments", TextAt(one, "arguments"));
  lines.Add("Directory", TextAt(*story.spec, "workingDir"));
}

// How it ended, and which work has its place now.
std::string MessageOf(const json::value& attempt) {
  std::string message = TextAt(attempt, "message");
  const std::string by = TextAt(attempt, "stop.by");
  const bool gave_way = TextAt(attempt, "stop.cause") == "Preempted" && !by.empty();
  if (!gave_way || message.contains(by)) return message;
  return fmt::format("{}{}Gave way to {} by the rule {}.", message, message.empty() ? "" : " ", by,
                     TextAt(attempt, "stop.rule"));
}

}  // namespace

std::string RenderMemory(const std::string& quantity) {
  std::optional<Mebibytes> amount = ParseMebibytes(quantity);
  if (!amount) return quantity;
  if (amount->value == 0) return "";
  if (amount->value % 1024 != 0) return fmt::format("{} MiB", amount->value);
  return fmt::format("{} GiB", amount->value / 1024);
}

std::string RenderTimeLimit(const Story& story, Time now) {
  std::optional<std::int64_t> seconds = ParseInt(TextAt(*story.workload, "timeLimitSeconds"));
  if (!seconds) return "";
  std::string limit = FormatDuration(Seconds(*seconds));
  if (story.attempts->empty() || HasEnded(*story.workload)) return limit;
  const json::value& newest = story.attempts->front();
  std::optional<Time> start = ParseRfc3339(TextAt(newest, "startedAt"));
  if (!start || !TextAt(newest, "endedAt").empty()) return limit;
  Micros left = *start + Seconds(*seconds) + AwayOf(story) - now;
  return fmt::format("{}, {} left", limit, FormatDuration(left.value > 0 ? left : Micros(0)));
}

Table AttemptTable(const json::array& attempts, Time now) {
  Table table{.header = {"ATTEMPT", "STARTED", "TOOK", "END", "EXIT", "NODES", "MESSAGE"},
              .rows = {}};
  for (const json::value& one : attempts) {
    std::optional<Time> start = ParseRfc3339(TextAt(one, "startedAt"));
    std::optional<Time> end = ParseRfc3339(TextAt(one, "endedAt"));
    std::string exit = TextAt(one, "exitCode");
    if (std::string signal = TextAt(one, "signal"); exit.empty() && !signal.empty())
      exit = "signal " + signal;
    table.rows.push_back({TextAt(one, "number"),
                          start ? AgeOf(one, "startedAt", now) + " ago" : "-",
                          start ? FormatDuration(end.value_or(now) - *start - AwayOf(one)) : "-",
                          end ? OrDash(TextAt(one, "cause")) : "-", OrDash(exit),
                          OrDash(TextAt(one, "nodes")), MessageOf(one)});
  }
  return table;
}

Table EventTable(const json::array& events, Time now) {
  Table table{.header = {"AGE", "TYPE", "REASON", "MESSAGE"}, .rows = {}};
  for (const json::value& one : events) {
    table.rows.push_back({AgeOf(one, "createdAt", now), TextAt(one, "type"), TextAt(one, "reason"),
                          TextAt(one, "message")});
  }
  return table;
}

Table SavedTable(const json::array& saved) {
  Table table{.header = {"ATTEMPT", "SAVED AS", "VERSION", "FILES", "SIZE", "NOT SAVED"},
              .rows = {}};
  for (const json::value& one : saved) {
    const std::string version = TextAt(one, "version");
    const auto bytes = ParseInt(TextAt(one, "bytes")).value_or(0);
    table.rows.push_back(
        {TextAt(one, "attempt"), fmt::format("{}:{}", TextAt(one, "name"), TextAt(one, "tag")),
         OrDash(version.substr(0, 12)), TextAt(one, "files"),
         BytesText(static_cast<std::uint64_t>(bytes)), OrDash(TextAt(one, "problem"))});
  }
  return table;
}

std::string RenderStory(const Story& story, std::size_t width, Time now) {
  const json::value& one = *story.workload;
  Lines lines;
  lines.Add("Name", TextAt(one, "name"));
  lines.Add("Project", TextAt(one, "projectName"));
  lines.Add("Type", TextAt(one, "type"));
  lines.Add("Phase", fmt::format("{} for {}", PhaseOf(one), AgeOf(one, "phaseUpdatedAt", now)));
  lines.Add("Reason", ReasonOf(one));
  lines.Add("Message", TextAt(one, "phaseMessage"));
  AddRequest(story, now, lines);
  if (!TextAt(one, "array.id").empty())
    lines.Add("Array", fmt::format("index {}, one of {}", TextAt(one, "array.index"),
                                   TextAt(one, "array.size")));
  lines.Add("By",
            fmt::format("{}, {} ago", TextAt(one, "submittedBy"), AgeOf(one, "createdAt", now)));
  lines.Add("Attempts", AttemptCount(story));
  lines.Add("Away", RenderAway(story));
  lines.Add("Id", TextAt(one, "id"));
  std::string out = lines.Take();
  if (!story.attempts->empty())
    out += "\n" + RenderTable(AttemptTable(*story.attempts, now), width, Colour::kNo);
  if (const json::value& saved = At(one, "savedOutputs"); saved.is_array())
    out += "\n" + RenderTable(SavedTable(saved.get_array()), width, Colour::kNo);
  if (!story.events->empty())
    out += "\n" + RenderTable(EventTable(*story.events, now), width, Colour::kNo);
  return out;
}

}  // namespace yard::cli
