#include "store/memory_archive.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "model/spec/spec.h"
#include "wire/spec.h"

namespace yard::store {
namespace {

ArchiveValue OrNone(const std::optional<Time>& time) {
  return time ? ArchiveValue(time->micros) : ArchiveValue();
}

std::string TextOf(const ArchiveValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return "";
}

bool MatchesText(ArchiveCompare compare, std::string_view text, std::string_view part) {
  switch (compare) {
    case ArchiveCompare::kContains:
      return ContainsIgnoreCase(text, part);
    case ArchiveCompare::kLacks:
      return !ContainsIgnoreCase(text, part);
    case ArchiveCompare::kStarts:
      return text.size() >= part.size() && EqualsIgnoreCase(text.substr(0, part.size()), part);
    case ArchiveCompare::kEnds:
      return text.size() >= part.size() &&
             EqualsIgnoreCase(text.substr(text.size() - part.size()), part);
    default:
      return false;
  }
}

bool Matches(const ArchiveTerm& term, const Workload& workload) {
  const ArchiveValue value = ValueOf(workload, term.field);
  switch (term.compare) {
    case ArchiveCompare::kEqual:
    case ArchiveCompare::kOneOf:
      return std::ranges::find(term.values, value) != term.values.end();
    case ArchiveCompare::kNotEqual:
      return value != term.values[0];
    case ArchiveCompare::kAtMost:
      return value <= term.values[0];
    case ArchiveCompare::kAtLeast:
      return value >= term.values[0];
    default:
      return MatchesText(term.compare, TextOf(value), TextOf(term.values[0]));
  }
}

bool IsIn(const std::vector<ProjectId>& projects, ProjectId project) {
  return std::ranges::find(projects, project) != projects.end();
}

bool IsInScope(const ArchiveFilter& filter, const Workload& workload) {
  if (filter.deleted && *filter.deleted != workload.deleted_at.has_value()) return false;
  if (filter.projects && !IsIn(*filter.projects, workload.project)) return false;
  return workload.type != WorkloadType::kInference ||
         !IsIn(filter.without_inference, workload.project);
}

bool HeldWithin(const ArchiveFilter::Span& span, const ArchivedWorkload& past) {
  return std::ranges::any_of(past.attempts, [&](const Ptr<Attempt>& attempt) {
    return attempt->placed_at < span.to && attempt->end && attempt->end->at >= span.from;
  });
}

}  // namespace

ArchiveValue ValueOf(const Workload& workload, ArchiveField field) {
  switch (field) {
    case ArchiveField::kId:
      return IdText(workload.id);
    case ArchiveField::kName:
      return workload.name;
    case ArchiveField::kType:
      return std::string(Name(workload.type));
    case ArchiveField::kPhase:
      return std::string(Name(workload.phase()));
    case ArchiveField::kCluster:
      return IdText(workload.host());
    case ArchiveField::kProject:
      return workload.project.value;
    case ArchiveField::kDepartment:
      return workload.department.value;
    case ArchiveField::kCreated:
      return workload.stamp.created_at.micros;
    case ArchiveField::kEnded:
      return OrNone(workload.completed_at);
    case ArchiveField::kDeleted:
      return OrNone(workload.deleted_at);
    case ArchiveField::kOwner:
      return workload.stamp.created_by;
    case ArchiveField::kPool: {
      const std::vector<std::string>& pools = workload.spec->placement->node_pools;
      return pools.empty() ? ArchiveValue() : ArchiveValue(pools.front());
    }
    case ArchiveField::kFramework:
      return std::string(wire::NameOf(workload.spec->framework));
    case ArchiveField::kPriorityClass:
      return workload.priority_class;
  }
  std::unreachable();
}

bool Matches(const ArchiveFilter& filter, const ArchiveItem& item) {
  const Workload& workload = *item.past.workload;
  if (!IsInScope(filter, workload)) return false;
  if (filter.expired_by && (!item.expires || *item.expires > *filter.expired_by)) return false;
  if (filter.without_time && item.expires) return false;
  if (filter.held_within && !HeldWithin(*filter.held_within, item.past)) return false;
  auto meets = [&](const ArchiveTerm& term) { return Matches(term, workload); };
  return std::ranges::all_of(filter.all_of, meets) &&
         (filter.any_of.empty() || std::ranges::any_of(filter.any_of, meets));
}

}  // namespace yard::store
