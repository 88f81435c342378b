#include "api/track/run_query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/time.h"
#include "control/track/run_links.h"

namespace yard::api {
namespace {

using control::Comparison;
using control::Field;
using control::FieldKind;
using serve::Compare;

// An attribute, and what the search calls it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kAttributes{
    {{"id", "run_id"},
     {"name", "run_name"},
     {"userName", "user_id"},
     {"status", "status"},
     {"experimentId", "experiment_id"},
     {"startedAt", "start_time"},
     {"endedAt", "end_time"}}};

constexpr std::array<std::pair<std::string_view, FieldKind>, 3> kSections{
    {{"metrics.", FieldKind::kMetric}, {"params.", FieldKind::kParam}, {"tags.", FieldKind::kTag}}};

Result<Field> ReadField(std::string_view parameter, std::string_view name) {
  for (const auto& [prefix, kind] : kSections) {
    if (name.starts_with(prefix) && name.size() > prefix.size()) {
      return Field{kind, std::string(name.substr(prefix.size()))};
    }
  }
  for (const auto& [ours, key] : kAttributes) {
    if (name == ours) return Field{FieldKind::kAttribute, std::string(key)};
  }
  return Fail(Code::kInvalid, fmt::format("{}: there is no field '{}'", parameter, name),
              "fields are id, name, userName, status, experimentId, startedAt, endedAt, and "
              "metrics.NAME, params.NAME, tags.NAME");
}

// Texts are matched whatever their case; % and _ stand for themselves nowhere else.
struct Matching {
  Comparison comparison;
  std::string_view before = "";
  std::string_view behind = "";
};

Result<Matching> MatchingOf(const serve::Condition& condition) {
  switch (condition.compare) {
    case Compare::kEqual:
      return Matching{Comparison::kEqual};
    case Compare::kNotEqual:
      return Matching{Comparison::kNotEqual};
    case Compare::kAtMost:
      return Matching{Comparison::kLessOrEqual};
    case Compare::kAtLeast:
      return Matching{Comparison::kGreaterOrEqual};
    case Compare::kContains:
      return Matching{Comparison::kLikeFold, "%", "%"};
    case Compare::kStarts:
      return Matching{Comparison::kLikeFold, "", "%"};
    case Compare::kEnds:
      return Matching{Comparison::kLikeFold, "%", ""};
    case Compare::kLacks:
      break;
  }
  return Fail(Code::kInvalid,
              fmt::format("filterBy: '{}' takes no !@ in a list of runs", condition.field),
              "operators are == != <= >= =@ =^ =$");
}

// A number as it stands; a time as the milliseconds that searches compare.
double NumberIn(std::string_view text) {
  if (std::optional<Time> time = ParseRfc3339(text)) {
    return static_cast<double>(time->micros) / 1000;
  }
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Result<control::Condition> ReadCondition(const serve::Condition& condition) {
  YARD_ASSIGN(Field field, ReadField("filterBy", condition.field));
  YARD_ASSIGN(Matching matching, MatchingOf(condition));
  return control::Condition{
      .field = std::move(field),
      .comparison = matching.comparison,
      .number = NumberIn(condition.value),
      .texts = {fmt::format("{}{}{}", matching.before, condition.value, matching.behind)}};
}

control::Condition TextIs(Field field, Comparison comparison, std::string text) {
  return {.field = std::move(field), .comparison = comparison, .texts = {std::move(text)}};
}

Status TakeFilter(std::string_view value, control::RunSearch& search) {
  YARD_ASSIGN(std::vector<serve::Condition> conditions, serve::ParseFilter(value));
  for (const serve::Condition& condition : conditions) {
    YARD_ASSIGN(control::Condition read, ReadCondition(condition));
    search.conditions.push_back(std::move(read));
  }
  return {};
}

Status TakeOwn(const std::string& name, const std::string& value, control::RunSearch& search) {
  if (name == "filterBy") return TakeFilter(value, search);
  if (name == "search") {
    search.conditions.push_back(TextIs({FieldKind::kAttribute, "run_name"}, Comparison::kLikeFold,
                                       fmt::format("%{}%", value)));
  } else if (name == "workloadId") {
    search.conditions.push_back(TextIs({FieldKind::kTag, std::string(control::kWorkloadTag)},
                                       Comparison::kEqual, Lower(value)));
  } else if (name == "view") {
    search.view = value == "deleted" ? control::LifecycleView::kDeleted
                  : value == "all"   ? control::LifecycleView::kAll
                                     : control::LifecycleView::kActive;
  }
  return {};
}

}  // namespace

Result<control::RunSearch> ReadRunSearch(const serve::QueryPairs& query) {
  control::RunSearch search;
  serve::QueryPairs paging;
  std::string sort;
  for (const auto& [name, value] : query) {
    if (value.empty()) continue;
    if (name == "sortBy") sort = value;
    if (name == "offset" || name == "limit" || name == "sortOrder")
      paging.emplace_back(name, value);
    YARD_TRY(TakeOwn(name, value, search));
  }
  YARD_ASSIGN(serve::ListQuery list, serve::ParseListQuery(paging, {}));
  search.offset = list.offset;
  search.limit = list.limit;
  if (sort.empty()) return search;
  YARD_ASSIGN(Field field, ReadField("sortBy", sort));
  search.orders.push_back({.field = std::move(field),
                           .direction = list.descending ? control::Direction::kDescending
                                                        : control::Direction::kAscending,
                           .numbers = control::Numbers::kRead});
  return search;
}

}  // namespace yard::api
