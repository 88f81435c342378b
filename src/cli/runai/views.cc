#include "cli/runai/views.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/output.h"
#include "cli/work/story.h"
#include "cli/work/view.h"

namespace yard::cli::runai {
namespace {

std::string Or(std::string text, std::string_view other) {
  return text.empty() ? std::string(other) : text;
}

std::string PodsRunning(const json::value& workload) {
  return Or(TextAt(workload, "runningPods"), "0");
}

// Those asked for that do not run.
std::string PodsPending(const json::value& workload) {
  std::int64_t asked = ParseInt(TextAt(workload, "requestedPods.number")).value_or(1);
  std::int64_t running = ParseInt(PodsRunning(workload)).value_or(0);
  std::string phase = TextAt(workload, "phase");
  bool waits = phase == "Pending" || phase == "Creating" || phase == "Initializing" ||
               phase == "Resuming" || phase == "Running";
  return std::to_string(waits ? std::max<std::int64_t>(asked - running, 0) : 0);
}

std::string Allocated(const json::value& workload) {
  return Or(TextAt(workload, "allocatedResources.gpu"), "0");
}

std::string Requested(const json::value& workload) {
  std::string gpus = GpusOf(workload);
  return gpus == "-" ? "0" : gpus;
}

std::string Duration(const json::value& workload, Time now) {
  std::optional<Time> end = ParseRfc3339(TextAt(workload, "completedAt"));
  return AgeOf(workload, "createdAt", end.value_or(now));
}

class Lines {
 public:
  void Add(std::string_view label, const std::string& text) {
    out_ += fmt::format("{}: {}\n", label, text);
  }
  void Section(std::string_view title, const Table& table) {
    out_ += fmt::format("\n{}:\n{}", title, RenderTable(table, 0, Colour::kNo));
  }
  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

Table PodTable(const Described& described, Time now) {
  Table table{.header = {"POD", "STATUS", "TYPE", "AGE", "NODE"}, .rows = {}};
  const json::value& workload = *described.workload;
  for (const json::value& pod : *described.pods) {
    table.rows.push_back({TextAt(pod, "name"), TextAt(pod, "k8sPhase"), OldType(workload),
                          AgeOf(pod, "createdAt", now), TextAt(pod, "nodeName")});
  }
  return table;
}

Table OldEvents(const json::array& events, Time now) {
  Table table{.header = {"SOURCE", "TYPE", "AGE", "MESSAGE"}, .rows = {}};
  for (const json::value& event : events) {
    table.rows.push_back(
        {TextAt(event, "source"), TextAt(event, "type"), AgeOf(event, "createdAt", now),
         fmt::format("[{}] {}", TextAt(event, "reason"), TextAt(event, "message"))});
  }
  return table;
}

std::string CommandLine(const json::value& workload) {
  std::string command = TextAt(workload, "command");
  std::string args = TextAt(workload, "arguments");
  return command + (command.empty() || args.empty() ? "" : " ") + args;
}

std::string CountPods(const Described& described, std::string_view phase) {
  auto count = std::ranges::count_if(
      *described.pods, [&](const json::value& pod) { return TextAt(pod, "k8sPhase") == phase; });
  return std::to_string(count);
}

std::string IsPreemptible(const json::value& workload) {
  return TextAt(workload, "preemptible") == "true" ? "Yes" : "No";
}

}  // namespace

std::string OldStatus(const json::value& workload) {
  std::string phase = TextAt(workload, "phase");
  std::string reason = ReasonOf(workload);
  if (!At(workload, "deletedAt").is_null()) return "Deleted";
  if (phase == "Creating" || phase == "Resuming") return "Pending";
  if (phase == "Initializing") return "ContainerCreating";
  if (phase == "Completed") return "Succeeded";
  if (phase == "Deleting" || phase == "Stopping") return "Terminating";
  if (phase == "Stopped") return reason == "Cancelled" ? "Cancelled" : "Suspended";
  if (phase != "Failed") return phase;
  if (reason == "TimeLimit" || reason == "Idle") return "TimedOut";
  if (reason == "Preempted") return "Preempted";
  bool image = TextAt(workload, "phaseMessage").contains("no image") ||
               TextAt(workload, "phaseMessage").contains("no such image");
  if (reason == "LaunchFailed") return image ? "ErrImagePull" : "ContainerCannotRun";
  return "Fail";
}

std::string OldType(const json::value& workload) {
  std::string type = TextAt(workload, "type");
  if (type == "Workspace") return "Interactive";
  return type == "Inference" ? type : "Train";
}

Table OldList(std::span<const json::value> workloads, Time now) {
  Table table{.header = {"NAME", "STATUS", "AGE", "NODE", "IMAGE", "TYPE", "PROJECT", "USER",
                         "GPUs Allocated (Requested)", "PODs Running (Pending)", "SERVICE URL(S)"},
              .rows = {}};
  std::vector<const json::value*> sorted;
  for (const json::value& one : workloads) sorted.push_back(&one);
  std::ranges::sort(sorted, {}, [](const json::value* one) {
    return std::tuple(TextAt(*one, "projectName"), TextAt(*one, "name"));
  });
  for (const json::value* one : sorted) {
    std::string node = NodesOf(*one);
    table.rows.push_back({TextAt(*one, "name"), OldStatus(*one), AgeOf(*one, "createdAt", now),
                          node == "-" ? "" : node, TextAt(*one, "images"), OldType(*one),
                          TextAt(*one, "projectName"), TextAt(*one, "submittedBy"),
                          fmt::format("{} ({})", Allocated(*one), Requested(*one)),
                          fmt::format("{} ({})", PodsRunning(*one), PodsPending(*one)),
                          TextAt(*one, "urls")});
  }
  return table;
}

std::string OldDescribe(const Described& described, Time now) {
  const json::value& one = *described.workload;
  Lines lines;
  lines.Add("NAME", TextAt(one, "name"));
  lines.Add("NAMESPACE", TextAt(one, "namespace"));
  lines.Add("TYPE", OldType(one));
  lines.Add("STATUS", OldStatus(one));
  if (TextAt(one, "phase") == "Pending") {
    lines.Add("STATUS REASON", ReasonOf(one));
    lines.Add("STATUS MESSAGE", TextAt(one, "phaseMessage"));
  }
  lines.Add("TRAINING DURATION", Duration(one, now));
  lines.Add("GPUS", Requested(one));
  lines.Add("TOTAL REQUESTED GPUS", Requested(one));
  lines.Add("ALLOCATED GPUS", Allocated(one));
  lines.Add("ALLOCATED GPUS MEMORY", Or(TextAt(one, "allocatedResources.gpuMemory"), "N/A"));
  lines.Add("RUNNING PODS", PodsRunning(one));
  lines.Add("PENDING PODS", PodsPending(one));
  lines.Add("PARALLELISM", Or(TextAt(one, "requestedPods.parallelism"), "1"));
  lines.Add("COMPLETIONS", Or(TextAt(one, "requestedPods.completions"), "1"));
  lines.Add("SUCCEEDED PODS", CountPods(described, "Succeeded"));
  lines.Add("FAILED PODS", CountPods(described, "Failed"));
  bool distributed = TextAt(one, "type") == "Distributed";
  lines.Add("IS DISTRIBUTED WORKLOAD", distributed ? "true" : "false");
  lines.Add("CREATED BY CLI", TextAt(one, "source") == "CLI" ? "true" : "false");
  lines.Add("SERVICE URL(S)", TextAt(one, "urls"));
  lines.Add("COMMAND LINE", CommandLine(one));
  lines.Section("Pods", PodTable(described, now));
  lines.Section("Events", OldEvents(*described.events, now));
  return lines.Take();
}

Table NewList(std::span<const json::value> workloads) {
  Table table{.header = {"Workload", "Type", "Status", "Project", "Preemptible", "Running/Req.Pods",
                         "GPU Alloc."},
              .rows = {}};
  for (const json::value& one : workloads) {
    table.rows.push_back(
        {TextAt(one, "name"), TextAt(one, "type"), TextAt(one, "phase"), TextAt(one, "projectName"),
         IsPreemptible(one),
         fmt::format("{}/{}", PodsRunning(one), Or(TextAt(one, "requestedPods.number"), "1")),
         Allocated(one)});
  }
  return table;
}

std::string NewDescribe(const Described& described, const Parts& parts, Time now) {
  const json::value& one = *described.workload;
  Lines lines;
  if (parts.general) {
    lines.Add("Name", TextAt(one, "name"));
    lines.Add("Id", TextAt(one, "id"));
    lines.Add("Project", TextAt(one, "projectName"));
    lines.Add("Type", TextAt(one, "type"));
    lines.Add("Status", TextAt(one, "phase"));
    if (std::string why = TextAt(one, "phaseMessage"); !why.empty()) {
      std::string reason = ReasonOf(one);
      lines.Add("Reason", reason.empty() ? why : fmt::format("{} ({})", why, reason));
    }
    lines.Add("Preemptible", IsPreemptible(one));
    lines.Add("Created by", TextAt(one, "submittedBy"));
    lines.Add("Age", AgeOf(one, "createdAt", now));
    lines.Add("Image", TextAt(one, "images"));
    lines.Add("Command", CommandLine(one));
  }
  if (parts.compute) {
    lines.Add("GPU request", Requested(one));
    lines.Add("GPU allocation", Allocated(one));
    lines.Add("CPU request", TextAt(one, "workloadRequestedResources.cpu.request"));
    lines.Add("CPU memory request", TextAt(one, "workloadRequestedResources.cpuMemory.request"));
  }
  if (parts.networks && !TextAt(one, "urls").empty()) lines.Add("URLs", TextAt(one, "urls"));
  if (parts.pods) lines.Section("Pods", PodTable(described, now));
  if (parts.events) lines.Section("Events", EventTable(*described.events, now));
  return lines.Take();
}

}  // namespace yard::cli::runai
