#include "control/track/run_links.h"

#include <algorithm>

namespace yard::control {
namespace {

constexpr std::size_t kDigits = 32;
constexpr std::size_t kHyphens[] = {8, 13, 18, 23};  // in the text of a UUID

}  // namespace

std::string OwnRunOf(WorkloadId workload) {
  std::string id = FormatUuid(workload.value);
  std::erase(id, '-');
  return id;
}

bool IsRunId(std::string_view text) {
  return text.size() == kDigits && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

WorkloadId OwnerOf(std::string_view run_id) {
  std::string text(run_id);
  for (std::size_t at : kHyphens) text.insert(std::min(at, text.size()), "-");
  return WorkloadId{ParseUuid(text).value_or(Uuid{})};
}

std::optional<WorkloadId> WorkloadOf(const TrackedRun& run) {
  auto tag = run.tags.find(std::string(kWorkloadTag));
  if (tag == run.tags.end()) return std::nullopt;
  std::optional<Uuid> id = ParseUuid(tag->second);
  if (!id) return std::nullopt;
  return WorkloadId{*id};
}

}  // namespace yard::control
