#include "cli/tune/study_view.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "cli/output.h"

namespace yard::cli {
namespace {

constexpr std::int64_t kBarWidth = 20;

std::int64_t CountAt(const json::value& object, std::string_view path) {
  const json::value& value = At(object, path);
  return value.is_number() ? value.to_number<std::int64_t>() : 0;
}

std::int64_t EndedOf(const json::value& study) {
  return CountAt(study, "trials.complete") + CountAt(study, "trials.pruned") +
         CountAt(study, "trials.failed");
}

// Runs in all, if the budget counts trials, and those that are no part of it.
std::int64_t WantedOf(const json::value& study) {
  std::int64_t repeats = std::max<std::int64_t>(CountAt(study, "spec.repeats"), 1);
  const std::int64_t wanted = CountAt(study, "budget.maxTrials") * repeats;
  return wanted == 0 ? 0 : wanted + CountAt(study, "trials.extra");
}

std::string NumberText(const json::value& value) {
  return value.is_number() ? fmt::format("{:.6g}", value.to_number<double>()) : "";
}

std::string ValuesText(const json::value& trial) {
  const json::value& values = At(trial, "values");
  std::string text;
  if (!values.is_array()) return text;
  for (const json::value& value : values.get_array()) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", NumberText(value));
  }
  return text;
}

std::string BestCell(const json::value& study) {
  const json::value& best = At(study, "best");
  if (!best.is_object()) return "";
  return fmt::format("{} (trial {})", ValuesText(best), CountAt(best, "number"));
}

}  // namespace

std::string ParametersText(const json::value& trial) {
  std::string text;
  const json::value& parameters = At(trial, "parameters");
  if (!parameters.is_object()) return text;
  for (const auto& [name, value] : parameters.get_object()) {
    std::string shown = value.is_string() ? std::string(value.get_string()) : NumberText(value);
    if (value.is_bool()) shown = value.get_bool() ? "true" : "false";
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", std::string_view(name), shown);
  }
  return text;
}

Table StudyTable(const std::vector<json::value>& studies) {
  Table table{{"NAME", "PROJECT", "STATE", "RUNNING", "ENDED", "FAILED", "BEST", "BY", "ID"}, {}};
  for (const json::value& study : studies) {
    std::int64_t wanted = WantedOf(study);
    std::string ended = std::to_string(EndedOf(study));
    if (wanted > 0) ended += fmt::format("/{}", wanted);
    table.rows.push_back({TextAt(study, "name"), TextAt(study, "projectId"), TextAt(study, "state"),
                          TextAt(study, "trials.running"), ended, TextAt(study, "trials.failed"),
                          BestCell(study), TextAt(study, "createdBy"), TextAt(study, "id")});
  }
  return table;
}

Table TrialTable(const std::vector<json::value>& trials) {
  Table table{{"TRIAL", "STATE", "VALUE", "PARAMETERS", "FROM", "REPORTS", "MESSAGE"}, {}};
  for (const json::value& trial : trials) {
    const json::value& reports = At(trial, "reports");
    std::string from = TextAt(trial, "origin");
    if (At(trial, "resumesFrom").is_number()) {
      from = fmt::format("{} from {}, for {}", from, TextAt(trial, "resumesFrom"),
                         TextAt(trial, "continues"));
    } else if (from == "repeat") {
      from += " of " + TextAt(trial, "repeatOf");
    }
    table.rows.push_back({TextAt(trial, "number"), TextAt(trial, "state"), ValuesText(trial),
                          ParametersText(trial), from,
                          std::to_string(reports.is_array() ? reports.get_array().size() : 0),
                          TextAt(trial, "message")});
  }
  return table;
}

std::string ProgressOf(const json::value& study) {
  std::int64_t ended = EndedOf(study);
  std::int64_t wanted = WantedOf(study);
  std::string line = fmt::format("{}  {}  ", TextAt(study, "name"), TextAt(study, "state"));
  if (wanted > 0) {
    auto full = static_cast<std::size_t>(std::min(ended, wanted) * kBarWidth / wanted);
    line +=
        fmt::format("[{}{}] {}/{}", std::string(full, '#'),
                    std::string(static_cast<std::size_t>(kBarWidth) - full, '.'), ended, wanted);
  } else {
    line += fmt::format("{} ended", ended);
  }
  line += fmt::format("  {} running", CountAt(study, "trials.running"));
  if (std::int64_t failed = CountAt(study, "trials.failed"); failed > 0) {
    line += fmt::format("  {} failed", failed);
  }
  if (std::string best = BestCell(study); !best.empty()) line += "  best " + best;
  return line;
}

void PrintStudy(Session& session, const json::value& study) {
  if (session.format() != Format::kTable && session.format() != Format::kWide) {
    PrintTree(session.console(), session.format(), study);
    return;
  }
  std::ostream& out = session.console().out;
  out << ProgressOf(study) << '\n';
  if (std::string message = TextAt(study, "message"); !message.empty()) out << message << '\n';
  const json::value& best = At(study, "best");
  if (best.is_object()) out << "best parameters: " << ParametersText(best) << '\n';
  out << fmt::format("seed {}  GPU hours {:.3f}  by {} at {}\n", TextAt(study, "seed"),
                     At(study, "gpuHours").to_number<double>(), TextAt(study, "createdBy"),
                     TextAt(study, "createdAt"));
}

std::string BestText(const json::value& best, const json::value& importances) {
  std::string text = TextAt(best, "message") + "\n";
  for (const json::value& trial : At(best, "trials").as_array()) {
    text += fmt::format("  trial {}: {}  {}\n", TextAt(trial, "number"), ValuesText(trial),
                        ParametersText(trial));
  }
  const json::array& shares = At(importances, "importances").as_array();
  if (shares.empty()) return text;
  text += "What matters:\n";
  for (const json::value& share : shares) {
    text += fmt::format("  {:5.1f} %  {}\n", At(share, "importance").to_number<double>() * 100,
                        TextAt(share, "parameter"));
  }
  return text;
}

}  // namespace yard::cli
