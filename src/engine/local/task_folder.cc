#include "engine/local/task_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/uuid.h"
#include "engine/local/spec_text.h"
#include "shim/format.h"

namespace yard::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTasks = "/tasks/";

Result<std::string> ReadWhole(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about{};
  if (!fd || ::fstat(fd.get(), &about) != 0)
    return Fail(Code::kNotFound, fmt::format("{}: {}", path, std::strerror(errno)));
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  const ssize_t got = ::pread(fd.get(), text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

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
  for (EndCause cause : {EndCause::kCompleted, EndCause::kExit, EndCause::kSignal,
                         EndCause::kOutOfMemory, EndCause::kLaunchFailed})
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
  if (auto at = number(shim::end::kStarted)) record.started_at = Time{*at};
}

void TakeEnd(std::string_view line, TaskEnd& end) {
  auto number = [&](std::string_view key) -> std::optional<std::int64_t> {
    std::optional<std::string_view> value = ValueOf(line, key);
    return value ? ParseInt(*value) : std::nullopt;
  };
  if (auto cause = ValueOf(line, shim::end::kCause)) end.cause = CauseNamed(*cause);
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

std::string RenderEnd(const TaskEnd& end) {
  std::string text = fmt::format("{}={}\n", shim::end::kCause, Name(end.cause));
  if (end.exit_code) text += fmt::format("{}={}\n", shim::end::kCode, *end.exit_code);
  if (end.signal) text += fmt::format("{}={}\n", shim::end::kSignal, *end.signal);
  std::string message = end.message;
  for (char& c : message)
    if (c == '\n') c = ' ';
  return text +
         fmt::format("{}={}\n{}={}\n", shim::end::kAt, end.at.micros, shim::end::kMessage, message);
}

// 0 or the reason.
int MakeFolderAt(const std::string& path) {
  return ::mkdir(path.c_str(), 0711) == 0 ? 0 : errno;
}

}  // namespace

TaskFolder::TaskFolder(const std::string& root, const TaskKey& key)
    : key_(key),
      path_(fmt::format("{}{}{}/{}", root, kTasks, FormatUuid(key.attempt.value), key.rank)) {}

std::string TaskFolder::File(std::string_view name) const {
  return fmt::format("{}/{}", path_, name);
}

Status TaskFolder::Make() const {
  int error = MakeFolderAt(path_);
  if (error == ENOENT) {
    MakeFolderAt(path_.substr(0, path_.rfind('/')));  // another rank may just have made it
    error = MakeFolderAt(path_);
  }
  if (error == 0) return {};
  return Fail(error == EEXIST ? Code::kConflict : Code::kUnavailable,
              fmt::format("cannot make {}: {}", path_, std::strerror(error)));
}

Status TaskFolder::WriteSpec(const TaskSpec& spec, const std::string& lines_for_shim) const {
  std::string text = EncodeSpec(spec) + lines_for_shim + shim::kSpecEnd;
  text.push_back('\0');
  return WriteWhole(O_EXCL, File(shim::kSpecName), text);
}

Result<TaskSpec> TaskFolder::ReadSpec() const {
  YARD_ASSIGN(std::string text, ReadWhole(File(shim::kSpecName)));
  return DecodeSpec(text);
}

TaskRecord TaskFolder::ReadRecord() const {
  TaskRecord record;
  if (Result<std::string> state = ReadWhole(File(shim::kStateName))) {
    record.shim = -1;  // unless it says so itself
    for (std::string_view line : Split(*state, '\n')) TakeState(line, record);
  }
  Result<std::string> exit = ReadWhole(File(shim::kExitName));
  // A record without its last line is none: the machine went down while it was written.
  if (!exit || !exit->contains("\nmessage=")) return record;
  record.end.emplace();
  for (std::string_view line : Split(*exit, '\n')) {
    TakeEnd(line, *record.end);
    if (auto at = ValueOf(line, shim::end::kStarted); at && ParseInt(*at))
      record.started_at = Time{*ParseInt(*at)};
  }
  return record;
}

Status TaskFolder::WriteStarted(Time at) const {
  return WriteWhole(O_APPEND, File(shim::kStateName),
                    fmt::format("{}={}\n", shim::end::kStarted, at.micros));
}

Status TaskFolder::WriteEnd(const TaskEnd& end) const {
  const std::string tmp = File("exit.server");
  YARD_TRY(WriteWhole(O_TRUNC, tmp, RenderEnd(end)));
  // link, not rename: the first end stays.
  const bool linked = ::link(tmp.c_str(), File(shim::kExitName).c_str()) == 0 || errno == EEXIST;
  const int error = errno;
  ::unlink(tmp.c_str());
  if (linked) return {};
  return Fail(Code::kUnavailable,
              fmt::format("cannot record the end in {}: {}", path_, std::strerror(error)));
}

bool TaskFolder::HasShim() const {
  UniqueFd fd(::open(File(shim::kSpecName).c_str(), O_RDONLY | O_CLOEXEC));
  return fd && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

void TaskFolder::RemoveScratch() const {
  std::error_code ignored;
  fs::remove_all(File(shim::kTmpName), ignored);
  fs::remove_all(File(shim::kFilesName), ignored);
}

void TaskFolder::Remove() const {
  std::error_code ignored;
  // Without its spec the folder counts as never taken, whatever happens from here on.
  ::unlink(File(shim::kSpecName).c_str());
  fs::remove_all(path_, ignored);
  ::rmdir(path_.substr(0, path_.rfind('/')).c_str());  // fails while other ranks are there
}

std::vector<TaskFolder> ListTaskFolders(const std::string& root) {
  std::vector<TaskFolder> found;
  std::error_code ignored;
  for (const auto& attempt : fs::directory_iterator(root + std::string(kTasks), ignored)) {
    std::optional<Uuid> uuid = ParseUuid(attempt.path().filename().native());
    if (!uuid) continue;
    for (const auto& rank : fs::directory_iterator(attempt.path(), ignored)) {
      std::optional<std::int64_t> number = ParseInt(rank.path().filename().native());
      if (number) found.push_back(TaskFolder(root, {AttemptId(*uuid), static_cast<int>(*number)}));
    }
  }
  return found;
}

}  // namespace yard::engine
