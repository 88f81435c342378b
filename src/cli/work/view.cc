#include "cli/work/view.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/output.h"
#include "cli/submit/parse.h"

namespace yard::cli {
namespace {

std::string OrDash(std::string text) {
  return text.empty() ? "-" : text;
}

std::string ArrayId(const json::value& workload) {
  return TextAt(workload, "array.id");
}

// "sweep" of "sweep-3" or, with a suffix of its own, of "sweep-3-k2x9a".
std::string ArrayName(const json::value& workload) {
  std::string name = TextAt(workload, "name");
  std::string mark = "-" + TextAt(workload, "array.index");
  std::size_t at = name.rfind(mark);
  return at == std::string::npos ? name : name.substr(0, at);
}

// "3 Running, 7 Pending", the commonest first.
std::string PhaseCounts(const std::vector<const json::value*>& items) {
  std::map<std::string, int> counts;
  for (const json::value* item : items) ++counts[TextAt(*item, "phase")];
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater{}, &std::pair<std::string, int>::second);
  std::vector<std::string> parts;
  for (const auto& [phase, count] : sorted) parts.push_back(fmt::format("{} {}", count, phase));
  return Join(parts, ", ");
}

std::vector<std::string> Row(const json::value& workload, Columns columns, Time now) {
  std::vector<std::string> row = {
      TextAt(workload, "name"), TextAt(workload, "phase"),         ReasonOf(workload),
      GpusOf(workload),         AgeOf(workload, "createdAt", now), NodesOf(workload)};
  if (columns == Columns::kAll) {
    for (const char* path : {"projectName", "submittedBy", "type", "id", "phaseMessage"})
      row.push_back(OrDash(TextAt(workload, path)));
  }
  return row;
}

// The first item speaks for all where they agree.
std::vector<std::string> ArrayRow(const std::vector<const json::value*>& items, Columns columns,
                                  Time now) {
  const json::value& first = *items.front();
  std::vector<std::string> row = Row(first, columns, now);
  row[0] = fmt::format("{}[{}]", ArrayName(first), items.size());
  row[1] = PhaseCounts(items);
  row[2] = "-";
  row[5] = "-";
  if (columns == Columns::kAll) {
    row[9] = ArrayId(first);
    row[10] = "-";
  }
  return row;
}

}  // namespace

std::string AgeOf(const json::value& object, std::string_view path, Time now) {
  std::optional<Time> then = ParseRfc3339(TextAt(object, path));
  return then ? FormatDuration(now - *then) : "-";
}

std::string GpusOf(const json::value& workload) {
  std::string count = TextAt(workload, "workloadRequestedResources.gpu.request");
  if (count.empty()) count = TextAt(workload, "workloadRequestedResources.gpuMemory.request");
  return count == "0" ? "-" : OrDash(count);
}

std::string ReasonOf(const json::value& workload) {
  const json::value& conditions = At(workload, "conditions");
  if (!conditions.is_array() || conditions.get_array().empty()) return "-";
  return OrDash(TextAt(conditions.get_array().front(), "reason"));
}

std::string NodesOf(const json::value& workload) {
  const json::value& nodes = At(workload, "nodes");
  if (!nodes.is_array() || nodes.get_array().empty()) return "-";
  std::size_t more = nodes.get_array().size() - 1;
  std::string first(nodes.get_array().front().as_string());
  return more == 0 ? first : fmt::format("{} +{}", first, more);
}

Table PsTable(std::span<const json::value> workloads, Columns columns, Time now) {
  Table table{.header = {"NAME", "PHASE", "REASON", "GPUS", "AGE", "NODE"}, .rows = {}};
  if (columns == Columns::kAll) {
    for (const char* name : {"PROJECT", "USER", "TYPE", "ID", "MESSAGE"})
      table.header.emplace_back(name);
  }
  std::map<std::string, std::vector<const json::value*>> arrays;
  for (const json::value& one : workloads) {
    if (std::string id = ArrayId(one); !id.empty()) arrays[id].push_back(&one);
  }
  for (const json::value& one : workloads) {
    auto array = arrays.find(ArrayId(one));
    if (array == arrays.end()) {
      table.rows.push_back(Row(one, columns, now));
    } else if (array->second.front() == &one) {
      table.rows.push_back(ArrayRow(array->second, columns, now));
    }
  }
  return table;
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
                          start ? FormatDuration(end.value_or(now) - *start) : "-",
                          end ? OrDash(TextAt(one, "cause")) : "-", OrDash(exit),
                          OrDash(TextAt(one, "nodes")), TextAt(one, "message")});
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

std::string RenderStory(const Story& story, std::size_t width, Time now) {
  const json::value& one = *story.workload;
  std::string out;
  auto line = [&out](std::string_view label, const std::string& text) {
    if (!text.empty() && text != "-") out += fmt::format("{:<12}{}\n", label, text);
  };
  line("Name", TextAt(one, "name"));
  line("Project", TextAt(one, "projectName"));
  line("Type", TextAt(one, "type"));
  line("Phase", fmt::format("{} for {}", TextAt(one, "phase"), AgeOf(one, "phaseUpdatedAt", now)));
  line("Reason", ReasonOf(one));
  line("Message", TextAt(one, "phaseMessage"));
  line("GPUs", GpusOf(one));
  line("CPUs", TextAt(one, "workloadRequestedResources.cpu.request"));
  line("Memory", TextAt(one, "workloadRequestedResources.cpuMemory.request"));
  line("Priority",
       fmt::format("{} ({}){}", TextAt(one, "priorityClassName"), TextAt(one, "priority"),
                   TextAt(one, "preemptible") == "true" ? ", preemptible" : ""));
  line("Pools", TextAt(one, "requestedNodePools"));
  line("Nodes", NodesOf(one));
  line("Image", TextAt(one, "images"));
  line("Command", TextAt(one, "command"));
  line("Arguments", TextAt(one, "arguments"));
  line("Array",
       TextAt(one, "array.id").empty()
           ? ""
           : fmt::format("item {} of {}", TextAt(one, "array.index"), TextAt(one, "array.size")));
  line("By", fmt::format("{}, {} ago", TextAt(one, "submittedBy"), AgeOf(one, "createdAt", now)));
  line("Id", TextAt(one, "id"));
  if (!story.attempts->empty())
    out += "\n" + RenderTable(AttemptTable(*story.attempts, now), width, Colour::kNo);
  if (!story.events->empty())
    out += "\n" + RenderTable(EventTable(*story.events, now), width, Colour::kNo);
  return out;
}

std::string RenderStart(const json::value& why, Time now) {
  std::optional<Time> earliest = ParseRfc3339(TextAt(why, "earliest"));
  std::optional<Time> latest = ParseRfc3339(TextAt(why, "latest"));
  auto from_now = [now](Time at) { return at <= now ? "now" : FormatDuration(at - now); };
  if (earliest && latest && *earliest != *latest)
    return fmt::format("in {} to {}", from_now(*earliest), from_now(*latest));
  if (earliest) return fmt::format("in {}", from_now(*earliest));
  if (latest) return fmt::format("within {}", from_now(*latest));
  return {};
}

std::string RenderWhy(const json::value& why, Time now) {
  std::string out = fmt::format("{}: {}\n", TextAt(why, "reason"), TextAt(why, "message"));
  auto list = [&](const char* path, auto&& show) {
    const json::value& items = At(why, path);
    if (!items.is_array()) return;
    for (const json::value& item : items.get_array()) out += fmt::format("  {}\n", show(item));
  };
  list("further", [](const json::value& item) { return std::string(item.as_string()); });
  list("nodes", [](const json::value& item) {
    return fmt::format("{}: {}", TextAt(item, "node"), TextAt(item, "missing"));
  });
  if (std::string place = TextAt(why, "position"); !place.empty())
    out += fmt::format("position {} in its queue\n", place);
  if (std::string ahead = TextAt(why, "ahead"); !ahead.empty())
    out += fmt::format("ahead of it: {}\n", ahead);
  if (std::string start = RenderStart(why, now); !start.empty()) {
    std::string basis = TextAt(why, "basis");
    out += fmt::format("starts {}{}\n", start, basis.empty() ? "" : fmt::format(" ({})", basis));
  }
  list("alternatives", [](const json::value& item) {
    return fmt::format("{}: {}", TextAt(item, "change"), TextAt(item, "outcome"));
  });
  return out;
}

}  // namespace yard::cli
