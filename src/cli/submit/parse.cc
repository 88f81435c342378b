#include "cli/submit/parse.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/quantity.h"
#include "base/strings.h"
#include "model/attempt.h"

namespace yard::cli {
namespace {

std::unexpected<Error> Refuse(std::string_view text, std::string_view problem,
                              std::string_view right) {
  return Fail(Code::kInvalid, fmt::format("'{}' {}", text, problem), std::string(right));
}

std::unexpected<Error> NoDuration(std::string_view text) {
  return Refuse(text, "is not a time span", "write 30s, 5m, 2h, 3d, 1h30m, HH:MM:SS or D-HH:MM:SS");
}

std::optional<std::int64_t> UnitSeconds(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 60;
    case 'h':
      return 3600;
    case 'd':
      return 86400;
    case 'w':
      return 7 * 86400;
    default:
      return std::nullopt;
  }
}

// "1h30m" in seconds.
std::optional<std::int64_t> UnitSum(std::string_view text) {
  std::int64_t sum = 0;
  while (!text.empty()) {
    std::size_t end = text.find_first_not_of("0123456789");
    if (end == 0 || end == std::string_view::npos) return std::nullopt;
    std::optional<std::int64_t> count = ParseInt(text.substr(0, end));
    std::optional<std::int64_t> unit = UnitSeconds(text[end]);
    if (!count || !unit || *count > 1'000'000'000) return std::nullopt;
    sum += *count * *unit;
    text.remove_prefix(end + 1);
  }
  return sum;
}

// Slurm's clock forms in seconds: "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS".
std::optional<std::int64_t> ClockSum(std::string_view text) {
  std::int64_t days = 0;
  std::size_t dash = text.find('-');
  bool has_days = dash != std::string_view::npos;
  if (has_days) {
    std::optional<std::int64_t> count = ParseInt(text.substr(0, dash));
    if (!count || *count < 0 || *count > 100'000) return std::nullopt;
    days = *count;
    text.remove_prefix(dash + 1);
  }
  std::vector<std::int64_t> parts;
  for (std::string_view part : Split(text, ':')) {
    std::optional<std::int64_t> number = ParseInt(part);
    if (!number || *number < 0 || *number > 1'000'000) return std::nullopt;
    parts.push_back(*number);
  }
  if (parts.size() > 3 || (!has_days && parts.size() < 2)) return std::nullopt;
  // With days the first part is hours; without, the last part is seconds.
  std::size_t fill = has_days ? 0 : 3 - parts.size();
  parts.insert(parts.begin(), fill, 0);
  parts.resize(3, 0);
  return days * 86400 + parts[0] * 3600 + parts[1] * 60 + parts[2];
}

std::optional<double> ParseNumber(std::string_view text) {
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

Result<std::int64_t> Index(std::string_view text, std::string_view whole) {
  std::optional<std::int64_t> number = ParseInt(text);
  if (!number || *number < 0 || *number > 10'000'000)
    return Refuse(whole, "is not a list of indices", "write 0-9, 1,3,7 or 0-20:5, and %N after it");
  return *number;
}

// "3", "0-9" or "0-20:5".
Status AddRange(std::string_view part, std::string_view whole, std::vector<std::int64_t>& out) {
  constexpr std::size_t kMost = 100'000;
  std::size_t colon = part.find(':');
  std::string_view range = part.substr(0, colon);
  std::size_t dash = range.find('-');
  YARD_ASSIGN(std::int64_t first, Index(range.substr(0, dash), whole));
  std::int64_t last = first;
  if (dash != std::string_view::npos) {
    YARD_ASSIGN(last, Index(range.substr(dash + 1), whole));
  }
  std::int64_t step = 1;
  if (colon != std::string_view::npos) {
    YARD_ASSIGN(step, Index(part.substr(colon + 1), whole));
  }
  if (step < 1 || last < first) return Refuse(whole, "counts backwards", "write 0-9, not 9-0");
  for (std::int64_t i = first; i <= last; i += step) {
    if (out.size() >= kMost) return Refuse(whole, "has too many items", "at most 100000");
    out.push_back(i);
  }
  return {};
}

bool IsSizeLike(std::string_view text) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9' && ParseSize(text, "").has_value();
}

Status CheckMountTarget(std::string_view target, std::string_view whole) {
  if (target.starts_with('/')) return {};
  return Refuse(whole, fmt::format("mounts at '{}'", target), "the target must start with /");
}

}  // namespace

Result<Micros> ParseDuration(std::string_view text) {
  std::optional<std::int64_t> seconds;
  if (std::optional<std::int64_t> minutes = ParseInt(text)) {
    if (*minutes < 0 || *minutes > 100'000'000) return NoDuration(text);
    seconds = *minutes * 60;
  } else if (text.find_first_of(":-") != std::string_view::npos) {
    seconds = ClockSum(text);
  } else if (!text.empty()) {
    seconds = UnitSum(text);
  }
  if (!seconds || *seconds < 0 || *seconds > 3'000'000'000) return NoDuration(text);
  return Seconds(*seconds);
}

std::string FormatDuration(Micros span) {
  std::int64_t seconds = span.value / 1'000'000;
  if (seconds < 0) seconds = 0;
  if (seconds < 60) return fmt::format("{}s", seconds);
  if (seconds < 3600) {
    return seconds % 60 == 0 || seconds >= 600 ? fmt::format("{}m", seconds / 60)
                                               : fmt::format("{}m{}s", seconds / 60, seconds % 60);
  }
  if (seconds < 86400) {
    return seconds / 60 % 60 == 0 ? fmt::format("{}h", seconds / 3600)
                                  : fmt::format("{}h{}m", seconds / 3600, seconds / 60 % 60);
  }
  return seconds / 3600 % 24 == 0 || seconds >= 10 * 86400
             ? fmt::format("{}d", seconds / 86400)
             : fmt::format("{}d{}h", seconds / 86400, seconds / 3600 % 24);
}

Result<std::string> ParseSize(std::string_view text, std::string_view unit) {
  std::size_t end = text.find_first_not_of("0123456789.");
  std::string_view number = text.substr(0, end);
  std::string suffix(end == std::string_view::npos ? unit : text.substr(end));
  if (suffix.size() > 1 && (suffix.ends_with('B') || suffix.ends_with('b'))) suffix.pop_back();
  if (suffix.size() == 1 && std::string_view("mgtp").contains(suffix[0]))
    suffix[0] = static_cast<char>(suffix[0] - 'a' + 'A');
  if (suffix == "K") suffix = "k";
  std::string quantity = std::string(number) + suffix;
  if (!ParseNumber(number) || !ParseMebibytes(quantity))
    return Refuse(text, "is not an amount of memory", "write 16G, 16GB, 16Gi or 16000M");
  return quantity;
}

Result<std::pair<std::string, std::string>> ParseAssignment(std::string_view text) {
  std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return Refuse(text, "is not NAME=VALUE", "for example -e EPOCHS=10");
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

std::vector<std::pair<std::string, std::string>> ParseCsv(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::string_view part : Split(text, ',')) {
    if (Trim(part).empty()) continue;
    std::size_t equals = part.find('=');
    std::string_view value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    pairs.emplace_back(Trim(part.substr(0, equals)), value);
  }
  return pairs;
}

Result<GpuAmount> ParseGpus(std::string_view text) {
  std::string_view number = text;
  if (std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    return Refuse(text, "names a type of GPU", "choose GPUs by their pool: --pool NAME");
  }
  std::optional<double> amount = ParseNumber(number);
  if (!amount || *amount < 0 || *amount > 1'000'000)
    return Refuse(text, "is not a number of GPUs", "write 2 for two GPUs, 0.5 for half of one");
  if (*amount == std::floor(*amount)) return GpuAmount{static_cast<std::int64_t>(*amount), {}};
  if (*amount < 1) return GpuAmount{1, *amount};
  return Refuse(text, "is neither whole nor less than one GPU",
                "ask for whole GPUs, or for the same part of several: --gpu 2 --gpu-part 0.75");
}

Result<IndexList> ParseIndices(std::string_view text) {
  IndexList list;
  std::string_view indices = text;
  if (std::size_t percent = text.find('%'); percent != std::string_view::npos) {
    YARD_ASSIGN(list.throttle, Index(text.substr(percent + 1), text));
    if (list.throttle < 1) return Refuse(text, "lets nothing run", "write %1 or more");
    indices = text.substr(0, percent);
  }
  for (std::string_view part : Split(indices, ',')) {
    YARD_TRY(AddRange(part, text, list.indices));
  }
  std::vector<std::int64_t> sorted = list.indices;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    return Refuse(text, "names an index twice", "each index once");
  return list;
}

std::string FormatIndices(const IndexList& list) {
  std::string text;
  for (std::size_t i = 0; i < list.indices.size();) {
    std::size_t last = i;
    while (last + 1 < list.indices.size() && list.indices[last + 1] == list.indices[last] + 1)
      ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", list.indices[i]);
    if (last > i) text += fmt::format("-{}", list.indices[last]);
    i = last + 1;
  }
  return list.throttle > 0 ? fmt::format("{}%{}", text, list.throttle) : text;
}

Result<Parameter> ParseParameter(std::string_view text) {
  YARD_ASSIGN(auto assignment, ParseAssignment(text));
  Parameter parameter{assignment.first, {}};
  for (std::string_view value : Split(assignment.second, ',')) parameter.values.emplace_back(value);
  return parameter;
}

Result<Item> ParseHostMount(std::string_view text) {
  std::vector<std::string_view> parts = Split(text, ':');
  bool read_only = parts.size() == 3 && parts[2] == "ro";
  bool read_write = parts.size() == 3 && parts[2] == "rw";
  if (parts.size() < 2 || parts[0].empty() || (parts.size() > 2 && !read_only && !read_write))
    return Refuse(text, "is not SRC:DST[:ro]", "for example --mount /data:/data:ro");
  YARD_TRY(CheckMountTarget(parts[1], text));
  return Item{{{"path", std::string(parts[0])},
               {"mountPath", std::string(parts[1])},
               {"readOnly", read_only}}};
}

Result<Item> ParsePvc(std::string_view text) {
  std::vector<std::string_view> parts = Split(text, ':');
  bool read_only = parts.size() > 2 && parts.back() == "ro";
  if (parts.size() < 2 || parts.size() > 4 || (parts.size() == 4 && !read_only))
    return Refuse(text, "is not NAME:PATH[:ro]", "or [CLASS]:SIZE:PATH[:ro] for a new volume");
  bool fresh =
      parts.size() == 4 || (parts.size() == 3 && (parts[0].empty() || IsSizeLike(parts[1])));
  std::string_view path = fresh ? parts[2] : parts[1];
  if (parts.size() == 3 && !fresh && !read_only)
    return Refuse(text, "is not NAME:PATH[:ro]", "the third part may only be ro");
  YARD_TRY(CheckMountTarget(path, text));
  Item item{{{"path", std::string(path)}, {"existingPvc", !fresh}}};
  if (!fresh) item.Set("claimName", std::string(parts[0]));
  if (read_only) item.Set("readOnly", true);
  if (fresh) {
    YARD_ASSIGN(std::string size, ParseSize(parts[1], ""));
    item.Set("claimInfo.size", size);
    if (!parts[0].empty()) item.Set("claimInfo.storageClass", std::string(parts[0]));
  }
  return item;
}

Result<Item> ParseDataSet(std::string_view text) {
  std::string_view said = text;
  if (said.starts_with("data:")) said.remove_prefix(5);
  std::vector<std::string_view> parts = Split(said, ':');
  std::string_view target = parts.size() > 1 && parts.back().starts_with('/') ? parts.back() : "";
  if (!target.empty()) parts.pop_back();
  if (parts.size() > 2 || parts[0].empty() || (parts.size() == 2 && parts[1].empty()))
    return Refuse(text, "is not NAME[:TAG][:DST]", "for example --data images:v2:/data/images");
  Item item{{{"name", std::string(parts[0])}}};
  if (parts.size() == 2) item.Set("tag", std::string(parts[1]));
  if (target.empty()) return item;
  YARD_TRY(CheckMountTarget(target, text));
  item.Set("mountPath", std::string(target));
  return item;
}

Result<Item> ParseSave(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::vector<std::string_view> parts = Split(text.substr(0, equals), ':');
  if (parts.size() > 2 || parts[0].empty() || (parts.size() == 2 && parts[1].empty()))
    return Refuse(text, "is not NAME[:TAG][=PATH]",
                  "for example --save model, or --save model:v2=/work/checkpoints");
  Item item{{{"name", std::string(parts[0])}}};
  if (parts.size() == 2) item.Set("tag", std::string(parts[1]));
  if (equals == std::string_view::npos) return item;
  const std::string_view path = text.substr(equals + 1);
  if (path.empty()) return Refuse(text, "has no path after '='", "leave '=' out for all outputs");
  if (path.starts_with('/')) YARD_TRY(CheckMountTarget(path, text));
  item.Set("path", std::string(path));
  return item;
}

Result<Item> ParseAfter(std::string_view text) {
  std::size_t colon = text.find(':');
  std::string condition =
      colon == std::string_view::npos ? "ok" : std::string(text.substr(0, colon));
  std::string_view name = colon == std::string_view::npos ? text : text.substr(colon + 1);
  if (name.empty() || (condition != "ok" && condition != "any" && condition != "fail"))
    return Refuse(text, "is not ok:NAME, any:NAME or fail:NAME", "for example --after ok:prepare");
  return Item{{{"workload", std::string(name)}, {"condition", condition}}};
}

Result<std::vector<Item>> ParseDependency(std::string_view text) {
  std::vector<Item> items;
  for (std::string_view clause : Split(text, ',')) {
    std::vector<std::string_view> parts = Split(clause, ':');
    std::string condition = parts[0] == "afterok"      ? "ok"
                            : parts[0] == "afterany"   ? "any"
                            : parts[0] == "afternotok" ? "fail"
                                                       : "";
    if (condition.empty() || parts.size() < 2)
      return Refuse(text, "is not a dependency that is known",
                    "write afterok:ID, afterany:ID or afternotok:ID, separated by commas");
    for (std::size_t i = 1; i < parts.size(); ++i)
      items.push_back({{{"workload", std::string(parts[i])}, {"condition", condition}}});
  }
  return items;
}

Result<RetryCauses> ParseRetryOn(std::string_view text) {
  constexpr EndCause kCauses[] = {
      EndCause::kExit,      EndCause::kSignal,    EndCause::kOutOfMemory, EndCause::kLaunchFailed,
      EndCause::kTimeLimit, EndCause::kPreempted, EndCause::kNodeLost};
  RetryCauses found;
  for (std::string_view word : Split(text, ',')) {
    if (std::optional<std::int64_t> code = ParseInt(word)) {
      found.exit_codes.push_back(*code);
      continue;
    }
    std::string plain(word);
    std::erase_if(plain, [](char c) { return c == '-' || c == '_'; });
    const auto* cause = std::ranges::find_if(kCauses, [&](EndCause known) {
      return EqualsIgnoreCase(Name(known), plain) ||
             (known == EndCause::kOutOfMemory && EqualsIgnoreCase(plain, "oom"));
    });
    if (cause == std::end(kCauses))
      return Refuse(word, "is no cause of an end",
                    "causes are exit, signal, oom, launch-failed, time-limit, preempted, "
                    "node-lost, or an exit code");
    found.causes.emplace_back(Name(*cause));
  }
  return found;
}

}  // namespace yard::cli
