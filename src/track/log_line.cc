#include "track/log_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "base/strings.h"

namespace yard::track {
namespace {

constexpr std::array<std::string_view, 4> kStepNames{"step", "_step", "global_step", "iteration"};
constexpr std::array<std::string_view, 4> kTimeNames{"time", "_timestamp", "timestamp",
                                                     "wall_time"};
constexpr std::size_t kLeastWork = 10'000;
constexpr std::size_t kWorkPerByte = 64;
constexpr double kMostStep = 9.2e18;
constexpr double kMostSeconds = 9e12;

bool OneOf(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void Put(LineMetrics& metrics, const std::string& name, double value) {
  if (OneOf(kStepNames, name) && !metrics.step && std::abs(value) < kMostStep) {
    metrics.step = static_cast<std::int64_t>(value);
  } else if (OneOf(kTimeNames, name) && !metrics.time && std::abs(value) < kMostSeconds) {
    metrics.time = Time{std::llround(value * 1e6)};
  } else {
    metrics.values.emplace_back(name, value);
  }
}

std::optional<double> NotFinite(std::string_view text) {
  if (text == "NaN" || text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity" || text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity" || text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

std::optional<double> NumberOf(const json::value& value) {
  if (value.is_double()) return value.get_double();
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (value.is_bool()) return value.get_bool() ? 1 : 0;
  if (value.is_string()) return NotFinite(std::string_view(value.get_string()));
  return std::nullopt;
}

void PutObject(LineMetrics& metrics, const json::object& object, const std::string& prefix) {
  for (const auto& member : object) {
    std::string name = prefix + std::string(std::string_view(member.key()));
    if (member.value().is_object()) {
      PutObject(metrics, member.value().get_object(), name + "/");
    } else if (member.value().is_int64() && prefix.empty() && OneOf(kStepNames, name) &&
               !metrics.step) {
      metrics.step = member.value().get_int64();  // exactly, also beyond 2^53
    } else if (auto number = NumberOf(member.value())) {
      Put(metrics, name, *number);
    }
  }
}

// Bare words that JSON does not have become texts.
std::string QuoteNotFinite(std::string_view line) {
  constexpr std::array<std::string_view, 3> kWords{"NaN", "-Infinity", "Infinity"};
  std::string out;
  bool quoted = false;
  while (!line.empty()) {
    const auto* word = std::ranges::find_if(
        kWords, [&](std::string_view candidate) { return line.starts_with(candidate); });
    if (!quoted && word != kWords.end()) {
      out += fmt::format("\"{}\"", *word);
      line.remove_prefix(word->size());
      continue;
    }
    if (line.front() == '"') quoted = !quoted;
    std::size_t taken = quoted && line.front() == '\\' && line.size() > 1 ? 2 : 1;
    out += line.substr(0, taken);
    line.remove_prefix(taken);
  }
  return out;
}

bool IsBlank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view SkipBlanks(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  return text;
}

// Takes a number from the front of `line`.
std::optional<double> TakeNumber(std::string_view& line) {
  std::string_view digits = line.starts_with('+') ? line.substr(1) : line;
  double value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) value = std::numeric_limits<double>::infinity();
  if (error == std::errc::invalid_argument) return std::nullopt;
  line = digits.substr(static_cast<std::size_t>(end - digits.data()));
  return value;
}

}  // namespace

std::optional<LineMetrics> JsonLineMetrics(std::string_view line) {
  line = Trim(line);
  if (!line.starts_with('{') || !line.ends_with('}')) return std::nullopt;
  auto value = ParseJson(QuoteNotFinite(line));
  if (!value || !value->is_object()) return std::nullopt;
  LineMetrics metrics;
  PutObject(metrics, value->get_object(), "");
  if (metrics.values.empty()) return std::nullopt;
  return metrics;
}

Result<LinePattern> LinePattern::Parse(std::string_view text) {
  LinePattern pattern;
  bool has_number = false;
  while (!text.empty()) {
    if (IsBlank(text.front())) {
      pattern.parts_.push_back({.kind = Kind::kBlank, .text = {}});
      text = SkipBlanks(text);
      continue;
    }
    if (text.front() != '{') {
      std::size_t end = std::min(text.find_first_of("{ \t"), text.size());
      pattern.parts_.push_back({.kind = Kind::kText, .text = std::string(text.substr(0, end))});
      text.remove_prefix(end);
      continue;
    }
    std::size_t end = text.find('}');
    if (end == std::string_view::npos || end < 2) {
      return Fail(Code::kInvalid, "the pattern has a '{' without a name and '}'",
                  "write a metric as {name}, for example: step {step} loss={loss}");
    }
    std::string name(text.substr(1, end - 1));
    Kind kind = name == "*" ? Kind::kAny : Kind::kNumber;
    has_number = has_number || (kind == Kind::kNumber && name != "step" && name != "time");
    pattern.parts_.push_back({.kind = kind, .text = std::move(name)});
    text.remove_prefix(end + 1);
  }
  if (has_number) return pattern;
  return Fail(Code::kInvalid, "the pattern names no metric",
              "write a metric as {name}, for example: step {step} loss={loss}");
}

bool LinePattern::MatchAt(std::string_view line, LineMetrics& metrics, std::size_t& work) const {
  constexpr std::size_t kComparedAtOnce = 32;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    const std::size_t before = line.size();
    work += 1 + part.text.size() / kComparedAtOnce;
    if (part.kind == Kind::kBlank) {
      line = SkipBlanks(line);
    } else if (part.kind == Kind::kText) {
      if (!line.starts_with(part.text)) return false;
      line.remove_prefix(part.text.size());
    } else if (part.kind == Kind::kNumber) {
      auto number = TakeNumber(line);
      if (!number) return false;
      Put(metrics, part.text, *number);
    } else if (i + 1 < parts_.size() && parts_[i + 1].kind == Kind::kText) {
      std::size_t next = line.find(parts_[i + 1].text);  // the nearest, never looked at again
      work += std::min(next, line.size());
      if (next == std::string_view::npos) return false;
      line.remove_prefix(next);
    }
    work += before - line.size();
  }
  return true;
}

std::optional<LineMetrics> LinePattern::Match(std::string_view line) const {
  // A line that was written against the pattern is given up.
  const std::size_t most = kLeastWork + kWorkPerByte * line.size();
  std::size_t work = 0;
  for (std::size_t at = 0; at < line.size() && work <= most; ++at) {
    LineMetrics metrics;
    if (MatchAt(line.substr(at), metrics, work)) return metrics;
  }
  return std::nullopt;
}

}  // namespace yard::track
