#include "app/backup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/backup_records.h"
#include "base/file.h"
#include "base/uuid.h"
#include "engine/local/tasks/ended_tasks.h"
#include "store/sqlite/backup.h"
#include "store/sqlite/sqlite_db.h"
#include "store/sqlite/sqlite_store.h"

namespace yard::app {
namespace {

namespace fs = std::filesystem;
using store::Database;
using store::OpenMode;
using store::Statement;
using store::Transaction;

// Keys, certificates, and the courses of work that has ended, one file each.
constexpr const char* kCarriedFolders[] = {"keys", "tls", "usage"};
constexpr std::string_view kUnfinished = ".new";
constexpr std::string_view kTasks = "tasks/";         // what the names of tasks' files begin with
constexpr std::uintmax_t kLargestFile = 900'000'000;  // a value of the database holds a little more
constexpr const char* kHoldMark = "/hold-queue";

std::unexpected<Error> FailFile(std::string_view what, const std::string& path, int error) {
  return Fail(Code::kUnavailable, fmt::format("cannot {} {}: {}", what, path, std::strerror(error)),
              "check the free space and the permissions there");
}

// A file that is gone again unless it was kept.
class Staged {
 public:
  explicit Staged(const std::string& target)
      : target_(target), path_(fmt::format("{}.{}.new", target, getpid())) {}
  Staged(const Staged&) = delete;
  Staged& operator=(const Staged&) = delete;
  ~Staged() { unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

  Status Keep() {
    int file = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return FailFile("open", path_, errno);
    int error = fsync(file) == 0 ? 0 : errno;
    close(file);
    if (error != 0) return FailFile("sync", path_, error);
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) == 0)
      return {};
    if (errno == EEXIST) return Fail(Code::kConflict, fmt::format("{} exists already", target_));
    return FailFile("write", target_, errno);
  }

 private:
  const std::string target_;
  const std::string path_;
};

// The backup may be made by root, who can read what a link leads to.
bool IsOwnFile(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.symlink_status(error).type() == fs::file_type::regular;
}

Status CarryFolder(Statement& insert, const std::string& data_dir, const std::string& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(data_dir + "/" + folder, error)) {
    std::string name = folder + "/" + entry.path().filename().string();
    if (!IsOwnFile(entry) || name.ends_with(kUnfinished)) continue;
    Result<std::string> bytes = ReadFile(entry.path());
    // The server goes on meanwhile: what it has just forgotten is not missed.
    if (!bytes && bytes.error().code == Code::kNotFound) continue;
    if (!bytes) return Fail(bytes.error());
    YARD_TRY(insert.Bind(std::string_view(name)).BindBlob(*bytes).Run());
  }
  return {};
}

// A task that runs belongs to this machine: a copy must not take it for its own.
bool HasTaskEnded(const fs::path& task) {
  Result<std::string> state = ReadFile(task / "state");
  return state && state->contains("\ncause=");
}

// The log and the record of one task; not its working folder.
bool IsCarriedOfTask(std::string_view file) {
  return file == "spec" || file == "state" || file.starts_with("log.");
}

Status CarryTask(Statement& insert, const fs::path& task) {
  if (!HasTaskEnded(task)) return {};
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(task, error)) {
    std::string file = entry.path().filename().string();
    bool fits = IsOwnFile(entry) && entry.file_size(error) <= kLargestFile;
    if (!fits || !IsCarriedOfTask(file)) continue;
    Result<std::string> bytes = ReadFile(entry.path());
    if (!bytes && bytes.error().code == Code::kNotFound) continue;
    if (!bytes) return Fail(bytes.error());
    std::string name = std::string(kTasks) + task.filename().string() + "/" + file;
    YARD_TRY(insert.Bind(std::string_view(name)).BindBlob(*bytes).Run());
  }
  return {};
}

// Those that were packed away, as the files that they were. Read after the folders: a task that is
// packed meanwhile comes twice and not never.
Status CarryPackedTasks(Database& copy, const std::string& task_dir) {
  YARD_ASSIGN(std::unique_ptr<engine::EndedTasks> packed,
              engine::OpenEndedTasks(task_dir, engine::EndedMode::kRead));
  if (!packed) return {};
  YARD_ASSIGN(Statement insert, copy.Prepare("INSERT OR IGNORE INTO carried_file VALUES (?, ?)"));
  return packed->Each([&](const engine::EndedTask& task) -> Status {
    const engine::EndedFiles& files = task.files;
    const std::string folder =
        fmt::format("{}{}.{}/", kTasks, FormatUuid(task.key.attempt.value), task.key.rank);
    const std::pair<const char*, const std::string*> parts[] = {{"spec", &files.spec},
                                                                {"state", &files.state},
                                                                {"log.0", &files.log},
                                                                {"log.times", &files.log_times}};
    for (const auto& [name, bytes] : parts) {
      if (bytes->empty()) continue;
      const std::string path = folder + name;
      YARD_TRY(insert.Bind(std::string_view(path)).BindBlob(*bytes).Run());
    }
    return {};
  });
}

Status Carry(Database& copy, const DataFolders& from, const std::string& scratch) {
  YARD_TRY(copy.Execute("CREATE TABLE carried_file (name TEXT PRIMARY KEY, bytes BLOB NOT NULL)"));
  YARD_ASSIGN(Statement insert, copy.Prepare("INSERT INTO carried_file VALUES (?, ?)"));
  YARD_ASSIGN(Transaction all, Transaction::Begin(copy, Transaction::Kind::kWrite));
  for (const char* folder : kCarriedFolders) YARD_TRY(CarryFolder(insert, from.data_dir, folder));
  YARD_TRY(CarryRecords(insert, from.data_dir, scratch));
  std::error_code error;
  if (!from.task_dir.empty()) {
    for (const fs::directory_entry& task : fs::directory_iterator(from.task_dir + "/tasks", error))
      YARD_TRY(CarryTask(insert, task.path()));
    YARD_TRY(CarryPackedTasks(copy, from.task_dir));
  }
  return all.Commit();
}

Status WriteFile(const std::string& path, std::string_view bytes) {
  mode_t mode = path.ends_with(".crt") ? 0644 : 0600;
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (file < 0) return FailFile("write", path, errno);
  ssize_t written = write(file, bytes.data(), bytes.size());
  int error = written == static_cast<ssize_t>(bytes.size()) ? 0 : written < 0 ? errno : ENOSPC;
  close(file);
  if (error != 0) return FailFile("write", path, error);
  return {};
}

// There may be very many files: they are brought to disk together.
Status SyncAll(const std::string& data_dir) {
  int folder = open(data_dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int error = folder >= 0 && syncfs(folder) == 0 ? 0 : errno;
  if (folder >= 0) close(folder);
  if (error != 0) return FailFile("sync", data_dir, error);
  return {};
}

// A name from the file must stay inside the directory: "keys/x", "tls/x" or "usage/x".
bool IsCarriedName(std::string_view name) {
  for (std::string_view folder : kCarriedFolders) {
    if (!name.starts_with(folder) || name.size() < folder.size() + 2) continue;
    std::string_view rest = name.substr(folder.size());
    if (rest[0] == '/' && rest[1] != '.' && rest.rfind('/') == 0) return true;
  }
  return false;
}

// "tasks/ATTEMPT.RANK/log.0" as a path below the folder of tasks; empty if it is no such name.
std::string TaskFileOf(std::string_view name) {
  if (!name.starts_with(kTasks)) return {};
  std::string_view rest = name.substr(kTasks.size());
  std::size_t slash = rest.find('/');
  bool plain = slash != rest.npos && slash > 0 && rest[0] != '.' && rest.rfind('/') == slash;
  return plain && IsCarriedOfTask(rest.substr(slash + 1)) ? std::string(name) : std::string();
}

Status WriteTaskFile(const std::string& task_dir, const std::string& name, std::string_view bytes) {
  fs::path path = fs::path(task_dir) / name;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  for (fs::path folder = path.parent_path(); folder != fs::path(task_dir).parent_path();
       folder = folder.parent_path()) {
    fs::permissions(folder, fs::perms(0711), error);
  }
  return WriteFile(path.string(), bytes);
}

Status UnpackOne(const DataFolders& into, const std::string& name, std::string_view bytes) {
  if (IsCarriedName(name)) return WriteFile(into.data_dir + "/" + name, bytes);
  if (IsOfRecords(name)) return PutRecords(into.data_dir, name, bytes);
  std::string task = TaskFileOf(name);
  if (task.empty()) return Fail(Code::kInvalid, "the backup names a foreign file");
  return into.task_dir.empty() ? Status() : WriteTaskFile(into.task_dir, task, bytes);
}

Status Unpack(Database& database, const DataFolders& into) {
  for (const char* folder : kCarriedFolders) mkdir((into.data_dir + "/" + folder).c_str(), 0700);
  {
    YARD_ASSIGN(Statement rows,
                database.Prepare("SELECT name, bytes FROM carried_file ORDER BY name"));
    while (true) {
      YARD_ASSIGN(bool more, rows.Step());
      if (!more) break;
      YARD_TRY(UnpackOne(into, std::string(rows.Text(0)), rows.Text(1)));
    }
  }
  YARD_TRY(SyncAll(into.data_dir));
  return database.Execute("DROP TABLE carried_file");
}

Status FinishRestoreInto(const DataFolders& into) {
  std::string path = into.data_dir + "/gpuyard.db";
  if (access(path.c_str(), F_OK) != 0) return {};
  // A database that cannot be read is for the store to tell of.
  Result<Database> database = Database::Open(path, OpenMode::kExisting);
  if (!database) return {};
  Result<std::optional<std::int64_t>> carries =
      database->QueryInt("SELECT 1 FROM sqlite_master WHERE name = 'carried_file'");
  if (!carries || !*carries) return {};
  return Unpack(*database, into);
}

}  // namespace

Status BackUp(const DataFolders& from, const std::string& file) {
  std::string database = from.data_dir + "/gpuyard.db";
  if (access(database.c_str(), F_OK) != 0) {
    return Fail(Code::kNotFound, fmt::format("there is no server's data in {}", from.data_dir),
                "name the directory with --data-dir");
  }
  if (fs::exists(file)) {
    return Fail(Code::kConflict, fmt::format("{} exists already", file),
                "backups never overwrite a file: choose another name");
  }
  Staged staged(file);
  {
    YARD_ASSIGN(Database source, Database::Open(database, OpenMode::kExisting));
    YARD_TRY(store::WriteBackup(source, staged.path()));
    YARD_ASSIGN(Database copy, Database::Open(staged.path(), OpenMode::kExisting));
    YARD_TRY(Carry(copy, from, staged.path() + ".part"));
  }
  return staged.Keep();
}

Status Restore(const std::string& file, const DataFolders& into, RestoredQueue queue) {
  if (access(file.c_str(), R_OK) != 0) {
    return Fail(Code::kNotFound, fmt::format("cannot read {}: {}", file, std::strerror(errno)));
  }
  Status restored = store::RestoreSqlite(file, into.data_dir);
  if (restored && queue == RestoredQueue::kHeld)
    YARD_TRY(WriteFile(into.data_dir + kHoldMark, "restored\n"));
  if (restored) return FinishRestoreInto(into);
  // The directory stays as it was found: fit for another try, or for nobody.
  bool others =
      restored.error().code == Code::kConflict || fs::exists(into.data_dir + "/gpuyard.db");
  if (!others) unlink((into.data_dir + "/gpuyard.lock").c_str());
  return restored;
}

// The tasks' folder belongs to the engine, which may have other rights: logs are left out here.
Status FinishRestore(const std::string& data_dir) {
  return FinishRestoreInto({.data_dir = data_dir});
}

bool MustHoldQueue(const std::string& data_dir) {
  return access((data_dir + kHoldMark).c_str(), F_OK) == 0;
}

void QueueIsHeld(const std::string& data_dir) {
  unlink((data_dir + kHoldMark).c_str());
}

}  // namespace yard::app
