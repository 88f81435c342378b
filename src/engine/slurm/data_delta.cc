#include "engine/slurm/data_delta.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace yard::engine::slurm {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> Cannot(const std::string& path, const std::string& why) {
  return Fail(Code::kUnavailable, fmt::format("cannot read {}: {}", path, why));
}

Result<DataItem> Look(const fs::path& path) {
  struct stat about{};
  if (::lstat(path.c_str(), &about) != 0) return Cannot(path.string(), std::strerror(errno));
  DataItem item{.kind = S_ISDIR(about.st_mode)   ? DataItem::Kind::kFolder
                        : S_ISLNK(about.st_mode) ? DataItem::Kind::kLink
                                                 : DataItem::Kind::kFile,
                .inode = about.st_ino,
                .size = static_cast<std::uint64_t>(about.st_size),
                .mode = about.st_mode & 0777,
                .mtime = about.st_mtim.tv_sec};
  if (item.kind != DataItem::Kind::kLink) return item;
  std::error_code error;
  item.target = fs::read_symlink(path, error).string();
  if (error) return Cannot(path.string(), error.message());
  return item;
}

}  // namespace

bool DataItem::IsSameAs(const DataItem& other) const {
  if (kind != other.kind) return false;
  if (kind == Kind::kFile) return inode == other.inode;
  return kind == Kind::kFolder || target == other.target;
}

Result<DataItems> ListDataFolder(const std::string& path) {
  DataItems items;
  std::error_code error;
  const std::size_t prefix = path.size() + 1;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end;
       at.increment(error)) {
    YARD_ASSIGN(DataItem item, Look(at->path()));
    items.emplace(at->path().string().substr(prefix), std::move(item));
  }
  if (error) return Cannot(path, error.message());
  return items;
}

DataDelta Compare(const DataItems& base, const DataItems& wanted) {
  DataDelta delta;
  for (const auto& [path, item] : base) {
    const auto now = wanted.find(path);
    // A changed file is replaced by the one that is sent.
    const bool stays = now != wanted.end() && now->second.kind == item.kind;
    if (!stays) delta.removed.push_back(path);
  }
  for (const auto& [path, item] : wanted) {
    const auto before = base.find(path);
    const bool same = before != base.end() && item.IsSameAs(before->second);
    if (item.kind != DataItem::Kind::kFolder) {
      if (same) ++delta.shared;
      if (!same) delta.sent.push_back(path);
    } else if (!same) {
      delta.folders.push_back(path);
    }
  }
  return delta;
}

}  // namespace yard::engine::slurm
