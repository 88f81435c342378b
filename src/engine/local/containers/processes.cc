#include "engine/local/containers/processes.h"

#include <unistd.h>

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "base/strings.h"
#include "engine/local/native/usage.h"

namespace yard::engine::containers {
namespace {

namespace fs = std::filesystem;

// "pid:[4026531836]"; empty if there is no such process or we may not look.
std::string SpaceOf(int pid) {
  std::error_code ignored;
  return fs::read_symlink(fmt::format("/proc/{}/ns/pid", pid), ignored);
}

}  // namespace

std::vector<int> ProcessesBeside(int first) {
  const std::string space = SpaceOf(first);
  if (space.empty() || space == SpaceOf(::getpid())) return SessionOf(first);
  std::vector<int> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::optional<std::int64_t> pid = ParseInt(entry.path().filename().native());
    if (pid && SpaceOf(static_cast<int>(*pid)) == space) found.push_back(static_cast<int>(*pid));
  }
  return found;
}

std::vector<int> ProcessesBeside(const TaskRecord& record) {
  std::vector<int> found = ProcessesBeside(record.pid);
  // Looked at last: until then the number was its own.
  if (!IsItself(record)) found.clear();
  return found;
}

}  // namespace yard::engine::containers
