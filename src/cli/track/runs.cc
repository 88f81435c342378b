#include "cli/track/runs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/output.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr std::size_t kIdDigits = 32;
constexpr std::size_t kShownMetrics = 3;

bool IsHex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

Outcome<std::vector<json::value>> Matching(client::Client& server, const std::string& filter) {
  YARD_ASSIGN(json::value found,
              server.Get("/api/v1/runs", {{"filterBy", filter}, {"view", "all"}, {"limit", "20"}}));
  const json::array& list = found.at("runs").as_array();
  return std::vector<json::value>(list.begin(), list.end());
}

const json::value* MetricOf(const json::value& run, std::string_view name) {
  for (const json::value& metric : run.at("metrics").as_array()) {
    if (metric.at("name").as_string() == name) return &metric.at("value");
  }
  return nullptr;
}

std::string ParamOf(const json::value& run, std::string_view section, std::string_view name) {
  const json::value* found = run.at(section).as_object().if_contains(name);
  return found == nullptr ? "" : std::string(std::string_view(found->as_string()));
}

// "metrics.loss", "params.lr", "tags.x" or a field of the run.
std::string FieldOf(const json::value& run, std::string_view field) {
  for (std::string_view section : {"params", "tags"}) {
    if (field.starts_with(section) && field.substr(section.size()).starts_with('.')) {
      return ParamOf(run, section, field.substr(section.size() + 1));
    }
  }
  if (field.starts_with("metrics.")) {
    const json::value* value = MetricOf(run, field.substr(8));
    return value == nullptr ? "" : MetricText(*value);
  }
  return TextAt(run, field);
}

// Those of most runs first.
std::vector<std::string> MetricNames(const std::vector<json::value>& runs) {
  std::map<std::string, std::size_t> counts;
  for (const json::value& run : runs) {
    for (const json::value& metric : run.at("metrics").as_array()) {
      ++counts[std::string(std::string_view(metric.at("name").as_string()))];
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, count] : counts) names.push_back(name);
  std::ranges::stable_sort(
      names, [&](const auto& a, const auto& b) { return counts.at(a) > counts.at(b); });
  return names;
}

std::string Ago(const json::value& run, Time now) {
  std::optional<Time> start = ParseRfc3339(TextAt(run, "startedAt"));
  if (!start) return "";
  std::int64_t seconds = std::max<std::int64_t>(0, (now.micros - start->micros) / 1'000'000);
  if (seconds < 120) return fmt::format("{}s", seconds);
  if (seconds < 7200) return fmt::format("{}m", seconds / 60);
  if (seconds < 172'800) return fmt::format("{}h", seconds / 3600);
  return fmt::format("{}d", seconds / 86'400);
}

}  // namespace

Outcome<json::value> FindRun(client::Client& server, const std::string& word) {
  if (word.size() == kIdDigits && IsHex(word)) return server.Get("/api/v1/runs/" + word);
  YARD_ASSIGN(std::vector<json::value> found, Matching(server, "name==" + word));
  if (found.empty() && word.size() >= 4 && IsHex(word)) {
    YARD_ASSIGN(found, Matching(server, "id=^" + word));
  }
  if (found.size() == 1) return server.Get("/api/v1/runs/" + TextAt(found.front(), "id"));
  if (found.empty()) {
    return std::unexpected(Failure({Code::kNotFound, fmt::format("there is no run '{}'", word),
                                    "see `gpuyard runs` for their names and ids"}));
  }
  std::vector<std::string> ids;
  for (const json::value& run : found) ids.push_back(TextAt(run, "id"));
  return std::unexpected(
      Failure({Code::kInvalid, fmt::format("{} runs are called '{}'", found.size(), word),
               "say which by its id: " + Join(ids, ", ")}));
}

std::string MetricText(const json::value& value) {
  if (value.is_string()) return std::string(std::string_view(value.get_string()));
  return fmt::format("{:.6g}", value.to_number<double>());
}

Table RunTable(const std::vector<json::value>& runs, std::vector<std::string> columns, Time now) {
  if (columns.empty()) {
    for (const std::string& name : MetricNames(runs)) {
      if (columns.size() < kShownMetrics) columns.push_back("metrics." + name);
    }
  }
  Table table{.header = {"NAME", "ID", "STATUS", "STARTED", "BY", "EXPERIMENT"}};
  for (const std::string& column : columns) {
    table.header.push_back(column.substr(column.find('.') + 1));
  }
  for (const json::value& run : runs) {
    std::vector<std::string> row{TextAt(run, "name"),     TextAt(run, "id").substr(0, 8),
                                 TextAt(run, "status"),   Ago(run, now),
                                 TextAt(run, "userName"), TextAt(run, "experimentName")};
    for (const std::string& column : columns) row.push_back(FieldOf(run, column));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table CompareTable(const std::vector<json::value>& runs) {
  Table table{.header = {"FIELD"}};
  std::set<std::string> params;
  for (const json::value& run : runs) {
    table.header.push_back(TextAt(run, "name"));
    for (const auto& [key, value] : run.at("params").as_object())
      params.emplace(key.data(), key.size());
  }
  auto add = [&](const std::string& label, const std::string& field) {
    std::vector<std::string> row{label};
    for (const json::value& run : runs) row.push_back(FieldOf(run, field));
    bool differs = std::ranges::any_of(row.begin() + 2, row.end(),
                                       [&](const std::string& text) { return text != row[1]; });
    if (differs || !field.starts_with("params.")) table.rows.push_back(std::move(row));
  };
  add("status", "status");
  for (const std::string& name : params) add(name, "params." + name);
  for (const std::string& name : MetricNames(runs)) add(name, "metrics." + name);
  return table;
}

}  // namespace yard::cli
