#include "api/workloads/archive_question.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "base/strings.h"

namespace yard::api {
namespace {

using serve::Compare;
using serve::Condition;

constexpr std::array<std::pair<std::string_view, ArchiveField>, 14> kFields{{
    {"name", ArchiveField::kName},
    {"id", ArchiveField::kId},
    {"type", ArchiveField::kType},
    {"phase", ArchiveField::kPhase},
    {"clusterId", ArchiveField::kCluster},
    {"projectId", ArchiveField::kProject},
    {"departmentId", ArchiveField::kDepartment},
    {"createdAt", ArchiveField::kCreated},
    {"completedAt", ArchiveField::kEnded},
    {"deletedAt", ArchiveField::kDeleted},
    {"submittedBy", ArchiveField::kOwner},
    {"nodepool", ArchiveField::kPool},
    {"distributedFramework", ArchiveField::kFramework},
    {"priorityClassName", ArchiveField::kPriorityClass},
}};

std::optional<ArchiveField> FieldNamed(std::string_view name) {
  const auto* found = std::ranges::find(kFields, name, &decltype(kFields)::value_type::first);
  return found == kFields.end() ? std::nullopt : std::optional(found->second);
}

ArchiveCompare CompareOf(Compare compare) {
  switch (compare) {
    case Compare::kEqual:
      return ArchiveCompare::kEqual;
    case Compare::kNotEqual:
      return ArchiveCompare::kNotEqual;
    case Compare::kAtMost:
      return ArchiveCompare::kAtMost;
    case Compare::kAtLeast:
      return ArchiveCompare::kAtLeast;
    case Compare::kContains:
      return ArchiveCompare::kContains;
    case Compare::kLacks:
      return ArchiveCompare::kLacks;
    case Compare::kStarts:
      return ArchiveCompare::kStarts;
    case Compare::kEnds:
      return ArchiveCompare::kEnds;
  }
  std::unreachable();
}

bool IsTime(ArchiveField field) {
  return field == ArchiveField::kCreated || field == ArchiveField::kEnded ||
         field == ArchiveField::kDeleted;
}

// Numbers and times compare by value if the text can be read as one, else as texts.
ArchiveValue ValueOf(ArchiveField field, const Condition& condition) {
  if (condition.compare > Compare::kAtLeast) return condition.value;
  if (IsTime(field)) {
    std::optional<Time> time = ParseRfc3339(condition.value);
    return time ? ArchiveValue(time->micros) : ArchiveValue(condition.value);
  }
  if (field == ArchiveField::kProject || field == ArchiveField::kDepartment) {
    std::optional<std::int64_t> number = ParseInt(condition.value);
    return number ? ArchiveValue(*number) : ArchiveValue(condition.value);
  }
  return condition.value;
}

// An id that is equal is found by its bytes.
ArchiveTerm TermOf(ArchiveField field, const Condition& condition) {
  const bool is_uuid = field == ArchiveField::kId || field == ArchiveField::kCluster;
  ArchiveCompare compare = CompareOf(condition.compare);
  if (is_uuid && compare == ArchiveCompare::kEqual) compare = ArchiveCompare::kOneOf;
  return {.field = field, .compare = compare, .values = {ValueOf(field, condition)}};
}

}  // namespace

ArchiveFilter VisibleInArchive(const std::vector<ArchiveCount>& counts, ProjectDirectory& names) {
  std::set<ProjectId> seen;
  std::set<ProjectId> without_inference;
  for (const ArchiveCount& count : counts) {
    Workload of_project;
    of_project.cluster = count.cluster;
    of_project.department = count.department;
    of_project.project = count.project;
    const ProjectNames& project = names.Of(of_project);
    if (!project.visible) continue;
    seen.insert(count.project);
    if (!project.inferences_visible) without_inference.insert(count.project);
  }
  ArchiveFilter filter;
  filter.projects.emplace(seen.begin(), seen.end());
  filter.without_inference.assign(without_inference.begin(), without_inference.end());
  return filter;
}

Result<ArchiveFilter> HeldInArchive(Call& call, ProjectDirectory& names,
                                    const ArchiveFilter::Span& span,
                                    std::optional<std::string_view> project) {
  YARD_ASSIGN(std::vector<ArchiveCount> counts, call.state().archive().Counts());
  ArchiveFilter filter = VisibleInArchive(counts, names);
  filter.held_within = span;
  if (!project) return filter;
  std::erase_if(*filter.projects, [&](ProjectId id) {
    Workload of_project;
    of_project.project = id;
    return names.Of(of_project).project != *project;
  });
  return filter;
}

Result<ArchiveQuestion> ArchiveQuestion::Make(Call& call, ProjectDirectory& names,
                                              const ListQuery& query, Existence which) {
  YARD_ASSIGN(std::vector<ArchiveCount> counts, call.state().archive().Counts());
  ArchiveQuestion question(query);
  question.TakeProjects(counts, names);
  question.archive_.filter.deleted = which == Existence::kDeleted;
  for (const Condition& condition : query.filter) question.TakeCondition(condition);
  if (!query.search.empty()) question.TakeSearch();
  if (!query.sort_by.empty()) question.TakeOrder();
  return question;
}

void ArchiveQuestion::TakeProjects(const std::vector<ArchiveCount>& counts,
                                   ProjectDirectory& names) {
  archive_.filter = VisibleInArchive(counts, names);
  for (ProjectId id : *archive_.filter.projects) {
    Workload of_project;
    of_project.project = id;
    projects_.emplace(id, &names.Of(of_project));  // known by now
  }
}

void ArchiveQuestion::TakeCondition(const Condition& condition) {
  if (condition.field == "projectName") return Keep(condition, &ProjectNames::project);
  if (condition.field == "departmentName") return Keep(condition, &ProjectNames::department);
  if (std::optional<ArchiveField> field = FieldNamed(condition.field)) {
    archive_.filter.all_of.push_back(TermOf(*field, condition));
    return;
  }
  // Ended work holds no GPU, and so leaves none idle.
  const Cell cell = condition.field == "allocatedGPU" ? Cell(0.0) : Cell();
  if (!serve::Matches(condition, cell)) archive_.filter.projects->clear();
}

void ArchiveQuestion::Keep(const Condition& condition, std::string ProjectNames::* name) {
  const serve::Matcher matcher(condition);
  std::erase_if(*archive_.filter.projects, [&](ProjectId id) {
    return !matcher.Matches(std::string_view(projects_.at(id)->*name));
  });
}

std::vector<ArchiveValue> ArchiveQuestion::ProjectsNamedLike(std::string_view part) const {
  std::vector<ArchiveValue> ids;
  for (const auto& [id, names] : projects_) {
    if (ContainsIgnoreCase(names->project, part) || ContainsIgnoreCase(names->department, part)) {
      ids.emplace_back(id.value);
    }
  }
  return ids;
}

void ArchiveQuestion::TakeSearch() {
  std::vector<ArchiveTerm>& any_of = archive_.filter.any_of;
  for (ArchiveField field :
       {ArchiveField::kName, ArchiveField::kOwner, ArchiveField::kType, ArchiveField::kPhase}) {
    any_of.push_back(
        {.field = field, .compare = ArchiveCompare::kContains, .values = {list_.search}});
  }
  std::vector<ArchiveValue> projects = ProjectsNamedLike(list_.search);
  if (projects.empty()) return;
  any_of.push_back({.field = ArchiveField::kProject,
                    .compare = ArchiveCompare::kOneOf,
                    .values = std::move(projects)});
}

void ArchiveQuestion::TakeOrder() {
  archive_.descending = list_.descending;
  if (std::optional<ArchiveField> field = FieldNamed(list_.sort_by)) archive_.sort_by = *field;
  auto name =
      list_.sort_by == "departmentName" ? &ProjectNames::department : &ProjectNames::project;
  if (list_.sort_by != "departmentName" && list_.sort_by != "projectName") return;
  std::set<std::string_view> names;
  for (const auto& [id, project] : projects_) names.insert(project->*name);
  for (const auto& [id, project] : projects_) {
    const auto rank = std::distance(names.begin(), names.find(project->*name));
    archive_.project_ranks.emplace_back(id, rank);
  }
}

Cell ArchiveQuestion::CellOf(const ArchiveKey& key) const {
  if (const auto* text = std::get_if<std::string>(&key.key)) return *text;
  const auto* number = std::get_if<std::int64_t>(&key.key);
  if (number == nullptr) return Cell();
  if (list_.sort_by == "projectName") return projects_.at(ProjectId(*number))->project;
  if (list_.sort_by == "departmentName") return projects_.at(ProjectId(*number))->department;
  return IsTime(archive_.sort_by) ? Cell(Time{*number}) : Cell(*number);
}

}  // namespace yard::api
