#include "store/sqlite/backup.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/sqlite/schema.h"

namespace yard::store {
namespace {

std::unexpected<Error> FailFile(std::string_view what, const std::string& path, int error) {
  return Fail(Code::kUnavailable, fmt::format("cannot {} {}: {}", what, path, std::strerror(error)),
              "check the free space and the permissions there, then try again");
}

Status Sync(const std::string& path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return FailFile("open", path, errno);
  int error = ::fsync(file) == 0 ? 0 : errno;
  ::close(file);
  if (error != 0) return FailFile("sync", path, error);
  return {};
}

Status SyncParent(const std::string& path) {
  return Sync(std::filesystem::absolute(path).parent_path());
}

// A file that is removed again unless it was put in place under its final name.
class PartFile {
 public:
  explicit PartFile(const std::string& target)
      : target_(target), path_(fmt::format("{}.{}.part", target, ::getpid())) {}
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

  // Makes the file empty and readable by its owner only.
  Status Create() {
    int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return FailFile("write", path_, errno);
    ::close(file);
    return {};
  }
  Status PutInPlace() {
    YARD_TRY(Sync(path_));
    if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) != 0) {
      if (errno == EEXIST) return Fail(Code::kConflict, fmt::format("{} exists already", target_));
      return FailFile("write", target_, errno);
    }
    return SyncParent(target_);
  }

 private:
  const std::string target_;
  const std::string path_;
};

// All pages in one step, under one read view: commits go on meanwhile and are not in the copy.
Status CopyPages(Database& source, Database& target) {
  sqlite3_backup* copy = sqlite3_backup_init(target.handle(), "main", source.handle(), "main");
  if (copy == nullptr) return Fail(DescribeFailure(target.handle()));
  int code = sqlite3_backup_step(copy, -1);
  sqlite3_backup_finish(copy);
  if (code == SQLITE_DONE) return {};
  Error error = DescribeFailure(target.handle());
  return Fail(error.code == Code::kInternal ? Code::kUnavailable : error.code,
              fmt::format("the backup failed: {}", sqlite3_errstr(code)), error.details);
}

std::unexpected<Error> FailBackup(const std::string& path, std::string_view reason) {
  return Fail(Code::kInvalid, fmt::format("{} is not a whole Gpuyard backup: {}", path, reason),
              "choose a file written by `gpuyard backup`");
}

Result<std::string> CheckIntegrity(Database& database) {
  YARD_ASSIGN(Statement check, database.Prepare("PRAGMA integrity_check(1)"));
  YARD_TRY(check.Step());
  return std::string(check.Text(0));
}

// What is wrong with the file as a backup; empty if nothing is.
Result<std::string> FindFault(const std::string& path) {
  YARD_ASSIGN(Database database, Database::Open(path, OpenMode::kExisting));
  YARD_ASSIGN(auto owner, database.QueryInt("PRAGMA application_id"));
  if (owner != kApplicationId) return "it was written by another program";
  YARD_ASSIGN(auto version, database.QueryInt("PRAGMA user_version"));
  if (version.value_or(0) > SchemaVersion()) {
    return Fail(Code::kUnsupported, fmt::format("the backup has schema version {}, newer than {}",
                                                *version, SchemaVersion()));
  }
  YARD_ASSIGN(std::string verdict, CheckIntegrity(database));
  return verdict == "ok" ? "" : verdict;
}

}  // namespace

Status WriteBackup(Database& source, const std::string& path) {
  if (std::filesystem::exists(path)) {
    return Fail(Code::kConflict, fmt::format("{} exists already", path),
                "backups never overwrite a file: choose another name");
  }
  PartFile part(path);
  YARD_TRY(part.Create());
  {
    YARD_ASSIGN(Database target, Database::Open(part.path(), OpenMode::kExisting));
    YARD_TRY(target.Execute("PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF"));
    YARD_TRY(CopyPages(source, target));
    // The copy says "WAL" in its header; a file that travels alone must not.
    YARD_TRY(target.Execute("PRAGMA journal_mode=DELETE"));
  }
  return part.PutInPlace();
}

Status InstallBackup(const std::string& backup_path, const std::string& database_path) {
  PartFile part(database_path);
  YARD_TRY(part.Create());
  std::error_code error;
  std::filesystem::copy_file(backup_path, part.path(),
                             std::filesystem::copy_options::overwrite_existing, error);
  if (error) return FailFile("copy", backup_path, error.value());
  Result<std::string> fault = FindFault(part.path());
  if (!fault && fault.error().code != Code::kInternal) return Fail(fault.error());
  if (!fault) return FailBackup(backup_path, "it is damaged or was cut short");
  if (!fault->empty()) return FailBackup(backup_path, *fault);
  return part.PutInPlace();
}

}  // namespace yard::store
