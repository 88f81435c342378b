#include "engine/local/containers/id_ranges.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/sync_folder.h"

namespace yard::engine::containers {
namespace {

std::unexpected<Error> CannotKeep(std::string_view what) {
  return Fail(Code::kUnavailable, fmt::format("the ids of containers cannot be kept: {}: {}", what,
                                              std::strerror(errno)));
}

// FNV-1a: where a project's range was before ranges were kept, so that its volumes stay its own.
std::uint32_t UsualNumber(std::string_view project) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char c : project) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return static_cast<std::uint32_t>(hash % kIdRanges);
}

}  // namespace

Status IdRanges::Open() {
  if (file_) return {};
  UniqueFd file(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!file) return CannotKeep(path_);
  YARD_TRY(SyncFolder(std::filesystem::path(path_).parent_path()));
  file_ = std::move(file);
  Status loaded = Load();
  if (!loaded) file_.Reset();
  return loaded;
}

Status IdRanges::Load() {
  std::ifstream in(path_);
  std::streamoff whole = 0;
  for (std::string line; std::getline(in, line) && !in.eof(); whole = in.tellg()) {
    const std::size_t space = line.find(' ');
    const auto number = ParseInt(std::string_view(line).substr(0, space));
    if (space == line.npos || !number || *number < 0 || *number >= std::int64_t{kIdRanges})
      return Fail(Code::kInternal, fmt::format("{} is damaged: '{}'", path_, line),
                  "restore the file, or make every volume belong to its project again");
    std::string project = line.substr(space + 1);
    projects_[static_cast<std::uint32_t>(*number)] = project;
    numbers_[std::move(project)] = static_cast<std::uint32_t>(*number);
  }
  // A last line without an end was never acted on.
  if (::ftruncate(file_.get(), whole) != 0) return CannotKeep(path_);
  return {};
}

Result<std::uint32_t> IdRanges::Free(std::string_view project) const {
  const std::uint32_t usual = UsualNumber(project);
  for (std::uint32_t step = 0; step < kIdRanges; ++step) {
    const std::uint32_t number = (usual + step) % kIdRanges;
    if (!projects_.contains(number)) return number;
  }
  return Fail(
      Code::kUnavailable,
      fmt::format("all {} ranges of ids for containers are taken on this machine", kIdRanges),
      "ask an operator to remove projects that are gone from the file container-ids");
}

Result<IdRange> IdRanges::Of(std::string_view project) {
  std::lock_guard lock(mutex_);
  YARD_TRY(Open());
  auto known = numbers_.find(project);
  if (known == numbers_.end()) {
    YARD_ASSIGN(std::uint32_t number, Free(project));
    const std::string line = fmt::format("{} {}\n", number, project);
    const auto size = static_cast<ssize_t>(line.size());
    if (::write(file_.get(), line.data(), line.size()) != size || ::fdatasync(file_.get()) != 0)
      return CannotKeep("container-ids");
    projects_[number] = std::string(project);
    known = numbers_.emplace(std::string(project), number).first;
  }
  return IdRange{kFirstIdOfContainers + known->second * kIdsOfContainer};
}

}  // namespace yard::engine::containers
