#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/fd.h"

namespace yard {
namespace {

constexpr std::size_t kFirstRead = 4096;

std::unexpected<Error> Unreadable(const std::string& path, int error) {
  Code code = error == ENOENT ? Code::kNotFound : Code::kUnavailable;
  return Fail(code, path + ": " + std::strerror(error));
}

}  // namespace

Result<std::string> ReadFile(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about{};
  if (!fd || ::fstat(fd.get(), &about) != 0) return Unreadable(path, errno);
  // A size of nothing says nothing: those of /proc have it all.
  const auto known = static_cast<std::size_t>(about.st_size);
  std::string text(known > 0 ? known : kFirstRead, '\0');
  std::size_t size = 0;
  while (known == 0 || size < known) {
    const ssize_t got = ::read(fd.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Unreadable(path, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (known == 0 && size == text.size()) text.resize(2 * size);
  }
  text.resize(size);
  return text;
}

std::string ReadFileOrEmpty(const std::string& path) {
  return ReadFile(path).value_or("");
}

}  // namespace yard
