#include "store/datasets/packs.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/sync_folder.h"

namespace yard::store {
namespace {

constexpr std::int64_t kPackBytes = 64 << 20;

std::unexpected<Error> Cannot(std::string_view what, const std::string& path, int error) {
  const bool gone = error == ENOENT;
  return Fail(
      gone ? Code::kNotFound : Code::kUnavailable,
      fmt::format("cannot {} {}: {}", what, path, std::strerror(error)),
      error == ENOSPC || error == EDQUOT ? "free space on the server's disk, then try again" : "");
}

}  // namespace

std::string Packs::PathOf(std::int64_t pack) const {
  return fmt::format("{}/{:08}.pack", folder_, pack);
}

Status Packs::Begin(std::int64_t pack) {
  const std::string path = PathOf(pack);
  file_ = UniqueFd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file_) return Cannot("make", path, errno);
  pack_ = pack;
  end_ = 0;
  return SyncFolder(folder_);
}

Status Packs::Continue(std::int64_t pack, std::int64_t at) {
  YARD_TRY(Begin(pack));
  if (::ftruncate(file_.get(), at) != 0) return Cannot("cut", PathOf(pack), errno);
  end_ = at;
  return {};
}

Result<PackPlace> Packs::Append(std::string_view bytes) {
  if (end_ >= kPackBytes) {
    YARD_TRY(Sync());
    YARD_TRY(Begin(pack_ + 1));
  }
  const PackPlace place{pack_, end_, static_cast<std::int64_t>(bytes.size())};
  std::int64_t at = end_;
  while (!bytes.empty()) {
    const ssize_t wrote = ::pwrite(file_.get(), bytes.data(), bytes.size(), at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return Cannot("write", PathOf(pack_), errno);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
    at += wrote;
  }
  end_ = at;
  return place;
}

Status Packs::Sync() {
  return ::fdatasync(file_.get()) == 0 ? Status() : Cannot("write", PathOf(pack_), errno);
}

Result<std::string> Packs::Read(const PackPlace& place) const {
  const std::string path = PathOf(place.pack);
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return Cannot("open", path, errno);
  std::string bytes(static_cast<std::size_t>(place.size), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::pread(file.get(), bytes.data() + filled, bytes.size() - filled,
                                place.at + static_cast<std::int64_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Cannot("read", path, errno);
    if (got == 0) return Fail(Code::kUnavailable, fmt::format("{} is cut off", path));
    filled += static_cast<std::size_t>(got);
  }
  return bytes;
}

Status Packs::Remove(std::int64_t pack) const {
  const std::string path = PathOf(pack);
  return ::unlink(path.c_str()) == 0 || errno == ENOENT ? Status() : Cannot("remove", path, errno);
}

}  // namespace yard::store
