#include "api/track/run_records.h"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "wire/fields.h"

namespace yard::api {
namespace {

// As for MLflow's clients. A program is not stopped by a long text: it is cut.
constexpr std::size_t kMostKeyBytes = 250;
constexpr std::size_t kMostTextBytes = 6000;
constexpr double kMostSeconds = 4e9;  // in 2096

std::string Cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most));
}

// Texts as they are, numbers as people write them, everything else as JSON.
std::string TextOf(const json::value& value) {
  if (const json::string* text = value.if_string()) return Cut(*text, kMostTextBytes);
  if (const double* number = value.if_double()) return fmt::format("{}", *number);
  return Cut(JsonText(value), kMostTextBytes);
}

std::optional<double> NumberOf(const json::value& value) {
  if (value.is_number()) return value.to_number<double>();
  const json::string* text = value.if_string();
  if (text == nullptr) return std::nullopt;
  if (*text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (*text == "Infinity") return std::numeric_limits<double>::infinity();
  if (*text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

// {"opt": {"lr": 1}} becomes opt/lr.
void Flatten(const std::string& prefix, const json::object& values, Tags& texts) {
  for (const auto& [key, value] : values) {
    std::string name = prefix + std::string(key);
    if (name.empty()) continue;
    if (const json::object* inner = value.if_object()) {
      Flatten(name + "/", *inner, texts);
    } else {
      texts[Cut(name, kMostKeyBytes)] = TextOf(value);
    }
  }
}

class Reading {
 public:
  Status Take(const json::object& record) {
    YARD_ASSIGN(Time at, TimeOf(record));
    std::string_view kind = wire::TextOrEmpty(record, "kind");
    const json::object& values = wire::ObjectOrEmpty(record, "values");
    if (kind == "start") TakeStart(record, at);
    if (kind == "config") Flatten("", values, read_.params);
    if (kind == "metrics") return TakeMetrics(record, values, at);
    if (kind == "summary") TakeSummary(values, at);
    if (kind == "text") Tag("text/", wire::TextOrEmpty(record, "name"), record, "text");
    if (kind == "alert") Tag("alert/", wire::TextOrEmpty(record, "title"), record, "text");
    if (kind == "finish") {
      bool well = wire::WholeOf(record, "exit_code").value_or(0) == 0;
      read_.end = RunEnd{well ? RunStatus::kFinished : RunStatus::kFailed, at};
    }
    return {};
  }

  RunRecords Done() { return std::move(read_); }

 private:
  static Result<Time> TimeOf(const json::object& record) {
    double seconds = wire::NumberOf(record, "time").value_or(-1);
    if (seconds < 0 || seconds > kMostSeconds) {
      return Fail(Code::kInvalid, "'time' must be seconds since 1970");
    }
    return Time{static_cast<std::int64_t>(std::llround(seconds * 1e6))};
  }

  void TakeStart(const json::object& record, Time at) {
    read_.start = RunStart{.project = std::string(wire::TextOrEmpty(record, "project")),
                           .workload = std::string(wire::TextOrEmpty(record, "workload")),
                           .name = Cut(wire::TextOrEmpty(record, "name"), kMostKeyBytes),
                           .at = at};
    Tag("", "notes", record, "notes");
    Tag("", "group", record, "group");
    Tag("", "job_type", record, "job_type");
    Tag("", "command", record, "command");
    // As MLflow's clients name them.
    Tag("", "mlflow.source.git.commit", record, "commit");
    Tag("", "mlflow.source.git.branch", record, "branch");
    Tag("", "mlflow.source.git.repoURL", record, "repository");
    Tag("", "gpuyard.python", record, "python");
    for (const std::string& tag : wire::TextsOf(record, "tags")) {
      if (!tag.empty()) read_.tags[Cut(tag, kMostKeyBytes)] = "true";
    }
  }

  Status TakeMetrics(const json::object& record, const json::object& values, Time at) {
    std::optional<std::int64_t> step = wire::WholeOf(record, "step");
    if (!step) return Fail(Code::kInvalid, "a record of metrics has no 'step' of 64 bits");
    for (const auto& [name, value] : values) {
      std::optional<double> number = NumberOf(value);
      if (!number || name.empty()) {
        return Fail(Code::kInvalid, fmt::format("metric '{}' is not a number",
                                                Cut(std::string(name), kMostKeyBytes)));
      }
      Add(std::string(name), {.step = *step, .time = at, .value = *number});
    }
    return {};
  }

  // Numbers can be ordered and searched by: they are metrics of one step, of which the newest
  // counts.
  void TakeSummary(const json::object& values, Time at) {
    for (const auto& [name, value] : values) {
      std::string full = Cut("summary/" + std::string(name), kMostKeyBytes);
      if (std::optional<double> number = NumberOf(value)) {
        Add(full, {.step = 0, .time = at, .value = *number});
      } else {
        read_.tags[full] = TextOf(value);
      }
    }
  }

  void Add(const std::string& name, const MetricPoint& point) {
    read_.points[Cut(name, kMostKeyBytes)].push_back(point);
  }

  void Tag(std::string_view prefix, std::string_view name, const json::object& record,
           std::string_view field) {
    const json::value* value = wire::ValueIn(record, field);
    if (value == nullptr || name.empty()) return;
    read_.tags[Cut(fmt::format("{}{}", prefix, name), kMostKeyBytes)] = TextOf(*value);
  }

  RunRecords read_;
};

}  // namespace

Result<RunRecords> ReadRunRecords(const json::array& records) {
  Reading reading;
  for (std::size_t i = 0; i < records.size(); ++i) {
    Status taken = reading.Take(records[i].get_object());
    if (taken) continue;
    return Fail(taken.error().code, fmt::format("record {}: {}", i, taken.error().message));
  }
  return reading.Done();
}

}  // namespace yard::api
