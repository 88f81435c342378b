#include "engine/local/tasks/task_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "base/strings.h"
#include "base/uuid.h"
#include "engine/local/tasks/spec_text.h"
#include "shim/format.h"
#include "shim/tree.h"

namespace yard::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTasks = "/tasks/";

Status WriteWhole(int flags, const std::string& path, std::string_view text) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600));
  bool whole = static_cast<bool>(fd);
  while (whole && !text.empty()) {
    const ssize_t put = ::write(fd.get(), text.data(), text.size());
    whole = put > 0;
    if (whole) text.remove_prefix(static_cast<std::size_t>(put));
  }
  if (whole) return {};
  return Fail(Code::kUnavailable, fmt::format("cannot write {}: {}", path, std::strerror(errno)),
              "see whether the disk is full");
}

std::optional<std::string_view> ValueOf(std::string_view line, std::string_view key) {
  if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != '=') return {};
  return line.substr(key.size() + 1);
}

EndCause CauseNamed(std::string_view name) {
  for (EndCause cause :
       {EndCause::kCompleted, EndCause::kExit, EndCause::kSignal, EndCause::kOutOfMemory,
        EndCause::kLaunchFailed, EndCause::kTimeLimit, EndCause::kPreempted, EndCause::kCancelled})
    if (Name(cause) == name) return cause;
  return EndCause::kNodeLost;
}

void TakeState(std::string_view line, TaskRecord& record) {
  auto number = [&](std::string_view key) {
    std::optional<std::string_view> value = ValueOf(line, key);
    return value ? ParseInt(*value) : std::nullopt;
  };
  if (auto pid = number("shim")) record.shim = static_cast<std::int32_t>(*pid);
  if (auto pid = number("pid")) record.pid = static_cast<std::int32_t>(*pid);
  if (auto born = ValueOf(line, "born")) record.born = *born;
  if (auto at = number(shim::end::kStarted)) record.started_at = Time{*at};
}

// One line of an end; `cause` begins one.
void TakeEnd(std::string_view line, TaskEnd& end) {
  auto number = [&](std::string_view key) -> std::optional<std::int64_t> {
    std::optional<std::string_view> value = ValueOf(line, key);
    return value ? ParseInt(*value) : std::nullopt;
  };
  if (auto cause = ValueOf(line, shim::end::kCause)) end = {.cause = CauseNamed(*cause)};
  if (auto code = number(shim::end::kCode)) end.exit_code = static_cast<std::int32_t>(*code);
  if (auto signal = number(shim::end::kSignal)) end.signal = static_cast<std::int32_t>(*signal);
  if (auto at = number(shim::end::kAt)) end.at = Time{*at};
  if (auto message = ValueOf(line, shim::end::kMessage)) end.message = *message;
  if (auto cpu = number(shim::end::kCpu)) end.used.emplace().cpu = Micros(*cpu);
  if (!end.used) return;
  if (auto kib = number(shim::end::kMemory))
    end.used->memory_peak = Mebibytes((*kib + 1023) / 1024);
  if (auto bytes = number(shim::end::kRead)) end.used->read_bytes = *bytes;
  if (auto bytes = number(shim::end::kWrite)) end.used->write_bytes = *bytes;
}

// "0198…-….0"
std::optional<TaskKey> ParseName(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::optional<Uuid> attempt = ParseUuid(name.substr(0, dot));
  const std::optional<std::int64_t> rank = ParseInt(name.substr(dot + 1));
  if (!attempt || !rank) return std::nullopt;
  return TaskKey{AttemptId(*attempt), static_cast<std::int32_t>(*rank)};
}

}  // namespace

TaskRecord ParseTaskState(std::string_view rest) {
  TaskRecord record;
  record.shim = -1;  // unless it says so itself
  TaskEnd end;
  // What follows the last line end was being written when the machine went down, or is right now.
  for (std::size_t size = rest.find('\n'); size != std::string_view::npos; size = rest.find('\n')) {
    const std::string_view line = rest.substr(0, size);
    rest.remove_prefix(size + 1);
    TakeState(line, record);
    TakeEnd(line, end);
    if (!ValueOf(line, shim::end::kMessage)) continue;
    record.end = std::move(end);
    break;
  }
  return record;
}

std::string RenderTaskEnd(const TaskEnd& end) {
  // On a line of its own, whatever a shim that died has left.
  std::string text = fmt::format("\n{}={}\n", shim::end::kCause, Name(end.cause));
  if (end.exit_code) text += fmt::format("{}={}\n", shim::end::kCode, *end.exit_code);
  if (end.signal) text += fmt::format("{}={}\n", shim::end::kSignal, *end.signal);
  std::string message = end.message;
  for (char& c : message)
    if (c == '\n') c = ' ';
  return text +
         fmt::format("{}={}\n{}={}\n", shim::end::kAt, end.at.micros, shim::end::kMessage, message);
}

TaskFolder::TaskFolder(const std::string& root, const TaskKey& key)
    : key_(key),
      path_(fmt::format("{}{}{}.{}", root, kTasks, FormatUuid(key.attempt.value), key.rank)) {}

std::string TaskFolder::File(std::string_view name) const {
  return fmt::format("{}/{}", path_, name);
}

Status TaskFolder::Make() const {
  if (::mkdir(path_.c_str(), 0700) == 0) return {};
  return Fail(errno == EEXIST ? Code::kConflict : Code::kUnavailable,
              fmt::format("cannot make {}: {}", path_, std::strerror(errno)));
}

Status TaskFolder::WriteSpec(const TaskSpec& spec, const std::string& lines_for_shim) const {
  std::string text = EncodeSpec(spec) + lines_for_shim + shim::kSpecEnd;
  text.push_back('\0');
  return WriteWhole(O_EXCL, File(shim::kSpecName), text);
}

Result<TaskSpec> TaskFolder::ReadSpec() const {
  YARD_ASSIGN(std::string text, ReadFile(File(shim::kSpecName)));
  return DecodeSpec(text);
}

TaskRecord TaskFolder::ReadRecord() const {
  Result<std::string> state = ReadFile(File(shim::kStateName));
  return state ? ParseTaskState(*state) : TaskRecord();
}

Status TaskFolder::WriteEnd(const TaskEnd& end) const {
  return WriteWhole(O_APPEND, File(shim::kStateName), RenderTaskEnd(end));
}

bool TaskFolder::HasShim() const {
  UniqueFd fd(::open(File(shim::kSpecName).c_str(), O_RDONLY | O_CLOEXEC));
  return fd && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

void TaskFolder::RemoveScratch() const {
  shim::RemoveTree(AT_FDCWD, File(shim::kTmpName).c_str());
  shim::RemoveTree(AT_FDCWD, File(shim::kFilesName).c_str());
}

void TaskFolder::Remove() const {
  // Without its spec the folder counts as never taken, whatever happens from here on.
  ::unlink(File(shim::kSpecName).c_str());
  shim::RemoveTree(AT_FDCWD, path_.c_str());
}

std::vector<TaskFolder> ListTaskFolders(const std::string& root) {
  std::vector<TaskFolder> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root + std::string(kTasks), ignored))
    if (std::optional<TaskKey> key = ParseName(entry.path().filename().native()))
      found.push_back(TaskFolder(root, *key));
  return found;
}

}  // namespace yard::engine
