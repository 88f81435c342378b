// The signing key's file. Apart from the codec, which knows no files.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/sync_folder.h"
#include "control/auth/tokens.h"

namespace yard::control {
namespace {

class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

std::unexpected<Error> Broken(const std::string& path, std::string_view what) {
  return Fail(Code::kUnavailable, fmt::format("signing key {}: {}", path, what),
              "restore the file from a backup, or remove it: everybody then signs in again");
}

Status MakeFile(const std::string& path, const TokenKey::Seed& seed) {
  // Written beside and renamed, so that a crash leaves a whole file or none.
  std::string fresh = path + ".new";
  File file(open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (file.fd() < 0) return Broken(path, std::strerror(errno));
  ssize_t written = write(file.fd(), seed.data(), seed.size());
  if (written != static_cast<ssize_t>(seed.size())) return Broken(path, "could not be written");
  if (fsync(file.fd()) != 0 || rename(fresh.c_str(), path.c_str()) != 0) {
    return Broken(path, std::strerror(errno));
  }
  return SyncFolder(path.substr(0, path.rfind('/')));
}

}  // namespace

Result<TokenKey> LoadTokenKey(const std::string& path, Random& random) {
  TokenKey::Seed seed{};
  File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd() < 0) {
    if (errno != ENOENT) return Broken(path, std::strerror(errno));
    random.Fill(seed);
    YARD_TRY(MakeFile(path, seed));
    return TokenKey(seed);
  }
  struct stat about{};
  if (fstat(file.fd(), &about) != 0) return Broken(path, std::strerror(errno));
  if ((about.st_mode & 077) != 0) return Broken(path, "others may read it; set its mode to 0600");
  bool whole = about.st_size == static_cast<off_t>(seed.size()) &&
               read(file.fd(), seed.data(), seed.size()) == static_cast<ssize_t>(seed.size());
  if (!whole) return Broken(path, "is not 32 bytes long");
  return TokenKey(seed);
}

}  // namespace yard::control
