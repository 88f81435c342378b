// A list's question about workloads, put to the archive.
//
// The archive knows ids where people know names: projects and departments are looked up here, and
// only those that the caller may see are asked for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/workloads/workload_views.h"
#include "model/archive.h"

namespace yard::api {

class ArchiveQuestion {
 public:
  // The directory must outlive it.
  static Result<ArchiveQuestion> Make(Call& call, ProjectDirectory& names, const ListQuery& query,
                                      Existence which);

  // Without offset and limit.
  const ArchiveQuery& query() const { return archive_; }
  // What a row is sorted by, as the list's own column shows it.
  Cell CellOf(const ArchiveKey& key) const;

 private:
  explicit ArchiveQuestion(const ListQuery& query) : list_(query) {}

  void TakeProjects(const std::vector<ArchiveCount>& counts, ProjectDirectory& names);
  void TakeCondition(const serve::Condition& condition);
  void TakeSearch();
  void TakeOrder();
  void Keep(const serve::Condition& condition, std::string ProjectNames::* name);
  std::vector<ArchiveValue> ProjectsNamedLike(std::string_view part) const;

  const ListQuery& list_;
  ArchiveQuery archive_;
  std::map<ProjectId, const ProjectNames*> projects_;  // that the caller may see
};

// The archived workloads of these projects, as far as the caller may see them.
ArchiveFilter VisibleInArchive(const std::vector<ArchiveCount>& counts, ProjectDirectory& names);

// The same of the whole archive within a span of time; `project`: of the one of this name only.
Result<ArchiveFilter> HeldInArchive(Call& call, ProjectDirectory& names,
                                    const ArchiveFilter::Span& span,
                                    std::optional<std::string_view> project);

}  // namespace yard::api
