#include "control/track/artifact_quota.h"

#include <algorithm>

#include <fmt/format.h>

namespace yard::control {

ArtifactQuota::Use& ArtifactQuota::UseOf(ProjectId project) {
  std::lock_guard guard(mutex_);
  return uses_[project];
}

Status ArtifactQuota::Reserve(ProjectId project, std::uint64_t bytes) {
  if (!most_) return {};
  Use& use = UseOf(project);
  std::lock_guard guard(use.mutex);
  if (!use.stored) use.stored = count_(project);
  const std::uint64_t taken = *use.stored + use.coming;
  if (taken > *most_ || bytes > *most_ - taken) {
    return Fail(Code::kTooLarge,
                fmt::format("the files of the project's runs take {} of {} MiB, and {} MiB more do "
                            "not fit",
                            taken >> 20, *most_ >> 20, (bytes >> 20) + 1),
                "delete files of runs, or ask an administrator to raise artifacts-mib");
  }
  use.coming += bytes;
  return {};
}

void ArtifactQuota::Release(ProjectId project, std::uint64_t bytes) {
  if (!most_) return;
  Use& use = UseOf(project);
  std::lock_guard guard(use.mutex);
  use.coming -= std::min(use.coming, bytes);
}

void ArtifactQuota::Store(ProjectId project, std::uint64_t bytes, std::uint64_t replaced) {
  if (!most_) return;
  Use& use = UseOf(project);
  std::lock_guard guard(use.mutex);
  use.coming -= std::min(use.coming, bytes);
  if (!use.stored) return;
  const std::uint64_t with = *use.stored + bytes;
  use.stored = with - std::min(with, replaced);
}

void ArtifactQuota::Recount(ProjectId project) {
  if (!most_) return;
  Use& use = UseOf(project);
  std::lock_guard guard(use.mutex);
  use.stored.reset();
}

}  // namespace yard::control
