#include "app/backup_records.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "base/fd.h"
#include "store/sqlite/backup.h"

namespace yard::app {
namespace {

namespace fs = std::filesystem;
using store::Database;
using store::OpenMode;
using store::Statement;

constexpr std::array<std::string_view, 3> kDatabases{"track/records.db", "track/series/series.db",
                                                     "study/records.db"};
constexpr std::string_view kSeries = "track/series/";
constexpr std::string_view kLogEnd = ".log";
// A value of the database holds a little less than 1 GB.
constexpr std::size_t kPiece = 256U << 20;
// Stands between the name of a file and the number of its piece.
constexpr char kApart = '@';

// One file in pieces "name@00000", "name@00001", …, which sort in their order.
Status CarryFile(Statement& insert, const std::string& path, std::string_view name) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return {};  // it is gone again
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  std::vector<char> piece(error || size == 0 ? 1 : std::min<std::uintmax_t>(kPiece, size));
  for (int number = 0; in && number < 100'000; ++number) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto got = static_cast<std::size_t>(in.gcount());
    if (got == 0 && number > 0) break;
    std::string row = fmt::format("{}{}{:05}", name, kApart, number);
    YARD_TRY(insert.Bind(std::string_view(row)).BindBlob({piece.data(), got}).Run());
  }
  return {};
}

Status CarryDatabase(Statement& insert, const std::string& path, std::string_view name,
                     const std::string& scratch) {
  if (::access(path.c_str(), F_OK) != 0) return {};
  YARD_ASSIGN(Database source, Database::Open(path, OpenMode::kExisting));
  YARD_TRY(store::WriteBackup(source, scratch));
  Status carried = CarryFile(insert, scratch, name);
  ::unlink(scratch.c_str());
  return carried;
}

// Points go to a log first and leave it for the database, so the logs are read before it: what has
// left them meanwhile is in the database, and what is in both is known there by its number.
Status CarryLogs(Statement& insert, const std::string& data_dir) {
  const std::string folder = fmt::format("{}/{}", data_dir, kSeries);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    std::error_code gone;
    const bool own = entry.symlink_status(gone).type() == fs::file_type::regular;
    if (!name.ends_with(kLogEnd) || !own) continue;
    YARD_TRY(CarryFile(insert, entry.path(), std::string(kSeries) + name));
  }
  return {};
}

// The path in the name, without the number of the piece.
std::string_view PathIn(std::string_view name) {
  return name.substr(0, name.rfind(kApart));
}

}  // namespace

Status CarryRecords(Statement& insert, const std::string& data_dir, const std::string& scratch) {
  YARD_TRY(CarryLogs(insert, data_dir));
  for (std::string_view name : kDatabases) {
    YARD_TRY(CarryDatabase(insert, fmt::format("{}/{}", data_dir, name), name, scratch));
  }
  return {};
}

bool IsOfRecords(std::string_view name) {
  if (!name.contains(kApart)) return false;
  const std::string_view path = PathIn(name);
  for (std::string_view database : kDatabases) {
    if (path == database) return true;
  }
  if (!path.starts_with(kSeries) || !path.ends_with(kLogEnd)) return false;
  const std::string_view file = path.substr(kSeries.size());
  return !file.starts_with('.') && file.find_first_of(std::string_view("/\0", 2)) == file.npos;
}

Status PutRecords(const std::string& data_dir, std::string_view name, std::string_view bytes) {
  const fs::path path = fs::path(data_dir) / PathIn(name);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  for (fs::path folder = path.parent_path(); folder.string().size() > data_dir.size();
       folder = folder.parent_path()) {
    fs::permissions(folder, fs::perms::owner_all, error);
  }
  const bool first = name.ends_with("@00000");
  UniqueFd file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (first ? O_TRUNC : O_APPEND), 0600));
  while (file && !bytes.empty()) {
    const ssize_t done = ::write(file.get(), bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  if (file && bytes.empty()) return {};
  return Fail(Code::kUnavailable,
              fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)),
              "check the free space and the permissions there");
}

}  // namespace yard::app
