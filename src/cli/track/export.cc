#include "cli/track/export.h"

#include <limits>
#include <ostream>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/output.h"

namespace yard::cli {
namespace {

constexpr std::string_view kParquet = "parquet";

// "NaN" and the infinities are numbers that JSON has no number for.
std::optional<double> NumberIn(const json::value& value) {
  if (value.is_number()) return value.to_number<double>();
  const json::string* text = value.if_string();
  if (text == nullptr) return std::nullopt;
  if (*text == "Infinity") return std::numeric_limits<double>::infinity();
  if (*text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

std::optional<double> MetricIn(const json::value& run, std::string_view name) {
  for (const json::value& metric : run.at("metrics").as_array()) {
    if (metric.at("name").as_string() == name) return NumberIn(metric.at("value"));
  }
  return std::nullopt;
}

std::optional<std::string> TextIn(const json::object& texts, std::string_view name) {
  const json::value* found = texts.if_contains(name);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return std::string(std::string_view(found->get_string()));
}

template <class Get>
auto Values(const std::vector<json::value>& runs, Get get) {
  ParquetValues<typename decltype(get(runs.front()))::value_type> values;
  for (const json::value& run : runs) values.push_back(get(run));
  return values;
}

// "params.lr", "metrics.loss", "tags.x", a time or another field of the run.
ParquetColumn ColumnOf(const std::vector<json::value>& runs, const std::string& field) {
  std::size_t dot = field.find('.');
  std::string section = field.substr(0, dot);
  std::string name = dot == std::string::npos ? "" : field.substr(dot + 1);
  if (section == "metrics" && !name.empty()) {
    return {field, Values(runs, [&](const json::value& run) { return MetricIn(run, name); })};
  }
  if ((section == "params" || section == "tags") && !name.empty()) {
    return {field, Values(runs, [&](const json::value& run) {
              return TextIn(run.at(section).as_object(), name);
            })};
  }
  if (field == "startedAt" || field == "endedAt") {
    return {field,
            Values(runs, [&](const json::value& run) { return ParseRfc3339(TextAt(run, field)); })};
  }
  return {field,
          Values(runs, [&](const json::value& run) { return TextIn(run.as_object(), field); })};
}

void AddKeys(const json::object& texts, std::string_view section, std::set<std::string>& fields) {
  for (const auto& [key, value] : texts) {
    fields.insert(fmt::format("{}.{}", section, std::string_view(key)));
  }
}

std::vector<std::string> EveryField(const std::vector<json::value>& runs) {
  std::set<std::string> logged;
  for (const json::value& run : runs) {
    AddKeys(run.at("params").as_object(), "params", logged);
    AddKeys(run.at("tags").as_object(), "tags", logged);
    for (const json::value& metric : run.at("metrics").as_array()) {
      logged.insert("metrics." + TextAt(metric, "name"));
    }
  }
  return {logged.begin(), logged.end()};
}

}  // namespace

void AddOutput(Verb& verb, bool& parquet) {
  auto take = [&verb_session = verb.session(), &parquet](const std::string& text) -> Status {
    parquet = text == kParquet;
    if (parquet) return {};
    std::optional<Format> format = ParseFormat(text);
    if (!format) {
      return Fail(Code::kInvalid,
                  fmt::format("'{}' is not one of {}|{}", text, kFormats, kParquet));
    }
    verb_session.SetFormat(*format);
    return {};
  };
  verb.Take("-o,--output", take, "output format [table]", fmt::format("{}|{}", kFormats, kParquet));
}

client::Outcome<void> PrintParquet(Session& session, const std::vector<ParquetColumn>& columns) {
  if (session.console().width != 0) {
    return std::unexpected(client::Failure({Code::kInvalid, "Parquet is no text for a terminal",
                                            "send it to a file: `> runs.parquet`"}));
  }
  session.console().out << RenderParquet(columns);
  return {};
}

std::vector<ParquetColumn> RunColumns(const std::vector<json::value>& runs,
                                      std::vector<std::string> fields) {
  if (fields.empty()) fields = EveryField(runs);
  constexpr std::string_view kFixed[] = {"id",          "name",           "status",
                                         "startedAt",   "endedAt",        "userName",
                                         "projectName", "experimentName", "workloadId"};
  fields.insert(fields.begin(), std::begin(kFixed), std::end(kFixed));
  std::vector<ParquetColumn> columns;
  std::set<std::string> named;
  for (const std::string& field : fields) {
    if (named.insert(field).second) columns.push_back(ColumnOf(runs, field));
  }
  return columns;
}

std::vector<ParquetColumn> PointColumns(const std::vector<NamedHistory>& histories) {
  ParquetValues<std::string> metrics;
  ParquetValues<std::int64_t> steps;
  ParquetValues<Time> times;
  ParquetValues<double> values;
  for (const auto& [name, points] : histories) {
    for (const json::value& point : points) {
      metrics.emplace_back(name);
      steps.emplace_back(point.at("step").to_number<std::int64_t>());
      times.push_back(ParseRfc3339(TextAt(point, "time")));
      values.push_back(NumberIn(point.at("value")));
    }
  }
  return {{"metric", std::move(metrics)},
          {"step", std::move(steps)},
          {"time", std::move(times)},
          {"value", std::move(values)}};
}

}  // namespace yard::cli
