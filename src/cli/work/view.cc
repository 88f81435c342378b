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

std::string ArrayId(const json::value& workload) {
  return TextAt(workload, "array.id");
}

std::vector<std::string> Row(const json::value& workload, Columns columns, Time now) {
  std::vector<std::string> row = {
      TextAt(workload, "name"),          PhaseOf(workload), ReasonOf(workload), GpusOf(workload),
      AgeOf(workload, "createdAt", now), NodesOf(workload)};
  if (columns == Columns::kPeople) row.push_back(OrDash(TextAt(workload, "submittedBy")));
  if (columns == Columns::kAll) {
    for (const char* path :
         {"projectName", "submittedBy", "type", "clusterName", "id", "phaseMessage"})
      row.push_back(OrDash(TextAt(workload, path)));
  }
  return row;
}

// The first item speaks for all where they agree.
std::vector<std::string> ArrayRow(const std::vector<const json::value*>& items, Columns columns,
                                  Time now) {
  const json::value& first = *items.front();
  std::vector<std::string> row = Row(first, columns, now);
  const std::optional<std::int64_t> summed = ParseInt(TextAt(first, "array.items"));
  row[0] = fmt::format("{}[{}]", ArrayName(first),
                       summed.value_or(static_cast<std::int64_t>(items.size())));
  row[1] = PhaseCounts(items);
  row[2] = "-";
  row[5] = "-";
  if (columns == Columns::kAll) {
    row[9] = "-";
    row[10] = ArrayId(first);
    row[11] = "-";
  }
  return row;
}

}  // namespace

std::string OrDash(const std::string& text) {
  return text.empty() ? "-" : text;
}

std::string PhaseOf(const json::value& workload) {
  return At(workload, "deletedAt").is_null() ? TextAt(workload, "phase") : "Deleted";
}

std::string EndOf(const json::value& workload) {
  bool deleted = !At(workload, "deletedAt").is_null();
  std::string end = TextAt(workload, "completedAt");
  return end.empty() && deleted ? TextAt(workload, "deletedAt") : end;
}

std::string ArrayName(const json::value& workload) {
  std::string name = TextAt(workload, "name");
  std::string mark = "-" + TextAt(workload, "array.index");
  if (name.ends_with(mark)) return name.substr(0, name.size() - mark.size());
  std::size_t at = name.rfind(mark + "-");
  return at == std::string::npos ? name : name.substr(0, at);
}

std::string PhaseCounts(const std::vector<const json::value*>& items) {
  std::map<std::string, std::int64_t> counts;
  for (const json::value* item : items) {
    const json::object* summed = At(*item, "array.phases").if_object();
    if (summed == nullptr) ++counts[PhaseOf(*item)];
    for (const auto& [phase, count] : summed == nullptr ? json::object() : *summed)
      counts[std::string(phase)] += count.to_number<std::int64_t>();
  }
  std::vector<std::pair<std::string, std::int64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater{}, &std::pair<std::string, std::int64_t>::second);
  std::vector<std::string> parts;
  parts.reserve(sorted.size());
  for (const auto& [phase, count] : sorted) parts.push_back(fmt::format("{} {}", count, phase));
  return Join(parts, ", ");
}

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
  if (columns == Columns::kPeople) table.header.emplace_back("USER");
  if (columns == Columns::kAll) {
    for (const char* name : {"PROJECT", "USER", "TYPE", "CLUSTER", "ID", "MESSAGE"})
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

Table WorkRecords(std::span<const json::value> workloads) {
  constexpr std::pair<const char*, const char*> kPlain[] = {{"CREATED", "createdAt"},
                                                            {"PROJECT", "projectName"},
                                                            {"USER", "submittedBy"},
                                                            {"TYPE", "type"},
                                                            {"ID", "id"},
                                                            {"MESSAGE", "phaseMessage"}};
  Table table{.header = {"NAME", "PHASE", "REASON", "GPUS", "ENDED", "NODES"}, .rows = {}};
  for (const auto& [header, path] : kPlain) table.header.emplace_back(header);
  auto plain = [](const std::string& text) { return text == "-" ? std::string() : text; };
  for (const json::value& one : workloads) {
    std::vector<std::string> row = {TextAt(one, "name"), PhaseOf(one), plain(ReasonOf(one)),
                                    plain(GpusOf(one)),  EndOf(one),   TextAt(one, "nodes")};
    for (const auto& [header, path] : kPlain) row.push_back(TextAt(one, path));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string ParametersOf(const json::value& workload) {
  constexpr std::string_view kMark = "PARAM_";
  const json::object* variables = At(workload, "environmentVariables").if_object();
  std::vector<std::string> parts;
  for (const auto& [name, value] : variables == nullptr ? json::object() : *variables) {
    if (!std::string_view(name).starts_with(kMark) || !value.is_string()) continue;
    parts.push_back(fmt::format("{}={}", std::string_view(name).substr(kMark.size()),
                                std::string_view(value.get_string())));
  }
  return Join(parts, " ");
}

Table MemberTable(std::span<const json::value> items, Time now) {
  const bool grid =
      std::ranges::any_of(items, [](const json::value& one) { return !ParametersOf(one).empty(); });
  Table table{.header = {"INDEX", "NAME", "PHASE", "REASON", "AGE", "NODE", "MESSAGE"}, .rows = {}};
  if (grid) table.header.insert(table.header.begin() + 1, "PARAMETERS");
  for (const json::value& one : items) {
    std::vector<std::string> row{OrDash(TextAt(one, "array.index")),
                                 TextAt(one, "name"),
                                 PhaseOf(one),
                                 ReasonOf(one),
                                 AgeOf(one, "createdAt", now),
                                 NodesOf(one),
                                 OrDash(TextAt(one, "phaseMessage"))};
    if (grid) row.insert(row.begin() + 1, OrDash(ParametersOf(one)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace yard::cli
