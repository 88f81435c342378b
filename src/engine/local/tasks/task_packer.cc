#include "engine/local/tasks/task_packer.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "base/file.h"
#include "base/log.h"
#include "engine/local/logs/log_reader.h"
#include "shim/format.h"
#include "shim/log_format.h"

namespace yard::engine {
namespace {

constexpr std::size_t kAtOnce = 100;  // tasks in one transaction
// Larger files stay in their folder: a row of such a size saves nothing.
constexpr off_t kLargestFile = 16 << 10;
constexpr int kLowest = 19;  // the priority of work that can wait

const std::string kOnlyPiece = PieceName(0);

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

// The names in the folder; absent if it cannot be read.
std::optional<std::vector<std::string>> NamesIn(const std::string& path) {
  const std::unique_ptr<DIR, CloseFolder> folder(::opendir(path.c_str()));
  if (!folder) return std::nullopt;
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

constexpr std::array kFolders = {shim::kWorkName, shim::kTmpName, shim::kFilesName,
                                 shim::kMountsName, shim::kOutputsName};

bool IsFolderName(std::string_view name) {
  return std::ranges::find(kFolders, name) != kFolders.end();
}

bool IsSmallFile(const TaskFolder& folder, const std::string& name) {
  struct stat about{};
  const bool known = name == shim::kSpecName || name == shim::kStateName || name == kOnlyPiece ||
                     name == shim::kLogTimesName;
  return known && ::lstat(folder.File(name).c_str(), &about) == 0 && S_ISREG(about.st_mode) &&
         about.st_size <= kLargestFile;
}

// False if something is in it.
bool RemoveEmpty(const std::string& path) {
  return ::rmdir(path.c_str()) == 0 || errno == ENOENT;
}

bool RemoveEmptyOutputs(const TaskFolder& folder) {
  const std::string outputs = folder.File(shim::kOutputsName);
  const std::optional<std::vector<std::string>> names = NamesIn(outputs);
  if (!names) return RemoveEmpty(outputs);
  const bool empty = std::ranges::all_of(
      *names, [&](const std::string& name) { return RemoveEmpty(outputs + "/" + name); });
  return empty && RemoveEmpty(outputs);
}

// Another's folder below it is found only by trying: nothing in it is read.
bool RemoveEmptyFolders(const TaskFolder& folder) {
  if (!RemoveEmptyOutputs(folder)) return false;
  return std::ranges::all_of(kFolders,
                             [&](const char* name) { return RemoveEmpty(folder.File(name)); });
}

// Empty: there is no such file. Absent: it cannot be read.
std::optional<std::string> Contents(const TaskFolder& folder, const std::string& name) {
  Result<std::string> text = ReadFile(folder.File(name));
  if (text) return *std::move(text);
  if (text.error().code == Code::kNotFound) return std::string();
  return std::nullopt;
}

}  // namespace

std::optional<EndedFiles> TakeEndedFiles(const TaskFolder& folder) {
  const std::optional<std::vector<std::string>> names = NamesIn(folder.path());
  if (!names) return std::nullopt;
  const bool all_known = std::ranges::all_of(*names, [&](const std::string& name) {
    return name == shim::kTtyName || IsFolderName(name) || IsSmallFile(folder, name);
  });
  if (!all_known || !RemoveEmptyFolders(folder)) return std::nullopt;
  std::optional<std::string> spec = Contents(folder, shim::kSpecName);
  std::optional<std::string> state = Contents(folder, shim::kStateName);
  std::optional<std::string> log = Contents(folder, kOnlyPiece);
  std::optional<std::string> times = Contents(folder, shim::kLogTimesName);
  if (!spec || spec->empty() || !state || !log || !times) return std::nullopt;
  // An end that could not be written to a full disk is known to the table alone.
  if (!ParseTaskState(*state).end) return std::nullopt;
  return EndedFiles{*std::move(spec), *std::move(state), *std::move(log), *std::move(times)};
}

void RemovePacked(const TaskFolder& folder) {
  // The spec first: without it the folder counts as never taken, should the row be lost.
  for (const char* name :
       {shim::kSpecName, shim::kStateName, kOnlyPiece.c_str(), shim::kLogTimesName, shim::kTtyName})
    ::unlink(folder.File(name).c_str());
  if (RemoveEmptyFolders(folder)) ::rmdir(folder.path().c_str());
}

TaskPacker::TaskPacker(TaskTable& table, EndedTasks& ended, Options options)
    : table_(table), ended_(ended), options_(std::move(options)), thread_([this] { Run(); }) {}

TaskPacker::~TaskPacker() {
  {
    MutexLock hold(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void TaskPacker::Add(const TaskKey& key) {
  {
    MutexLock hold(mutex_);
    waiting_.push_back(key);
    if (waiting_.size() > 1) return;
  }
  changed_.notify_one();
}

void TaskPacker::Run() {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kLowest);
  const std::chrono::microseconds delay(options_.delay.value);
  MutexLock hold(mutex_);
  for (;;) {
    changed_.wait(hold, [this]() YARD_REQUIRES(mutex_) { return stop_ || !waiting_.empty(); });
    // Each of these waits for the whole delay; those that come meanwhile are the next ones.
    std::vector<TaskKey> due = std::exchange(waiting_, {});
    changed_.wait_for(hold, delay, [this]() YARD_REQUIRES(mutex_) { return stop_; });
    if (stop_) return;
    hold.unlock();
    Pack(std::move(due));
    hold.lock();
  }
}

void TaskPacker::Pack(std::vector<TaskKey> keys) {
  for (std::span<const TaskKey> rest = keys; !rest.empty();) {
    const std::span<const TaskKey> some = rest.first(std::min(kAtOnce, rest.size()));
    PackSome(some);
    rest = rest.subspan(some.size());
    MutexLock hold(mutex_);
    if (stop_) return;
  }
}

void TaskPacker::PackSome(std::span<const TaskKey> keys) {
  std::vector<EndedTask> packed;
  std::vector<KnownTaskPointer> tasks;
  for (const TaskKey& key : keys) {
    KnownTaskPointer task = table_.Find(key);
    if (!task || table_.StatusOf(key).state != TaskState::kEnded) continue;
    std::optional<EndedFiles> files = TakeEndedFiles(task->folder);
    if (!files) continue;
    packed.push_back({key, *std::move(files)});
    tasks.push_back(std::move(task));
  }
  Step("pack-folders");
  if (packed.empty()) return;
  if (Status added = ended_.Add(packed); !added) {
    // Their folders stay, and are looked at again after the next start.
    log::Warning("ended tasks keep their folders", {{"why", added.error().message}});
    return;
  }
  Step("pack-row");
  for (const KnownTaskPointer& task : tasks) {
    const TaskKey& key = task->spec.key;
    if (!table_.Find(key)) {
      (void)ended_.Remove(key);  // forgotten meanwhile
      continue;
    }
    table_.Remove(key);
    ::unlink(task->folder.File(shim::kSpecName).c_str());
    Step("pack-spec");
    RemovePacked(task->folder);
  }
}

void TaskPacker::Step(std::string_view step) const {
  if (options_.at_step) options_.at_step(step);
}

}  // namespace yard::engine
