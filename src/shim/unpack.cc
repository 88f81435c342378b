#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

#include "shim/pack.h"
#include "shim/tar.h"
#include "shim/text.h"

namespace yard::shim {
namespace {

constexpr std::size_t kLongestRecords = 1 << 20;
constexpr std::size_t kLongestName = 16 << 10;
constexpr std::size_t kPiece = 256 << 10;

class Unpacker {
 public:
  Unpacker(int folder, const PackStreams& streams) : folder_(folder), streams_(streams) {}

  int Run();
  // Says that the step failed on the entry in hand, or on `thing`.
  void Complain(const char* what, int error, const char* thing = nullptr);

 private:
  enum class Step { kGoOn, kEnd };
  Step Next();
  bool TakeExtended(tar::Type type);
  void TakeRecords(char* at, char* end);
  void ReadNames();
  void Make(tar::Type type);
  bool MakeParents();
  void MakeFile();
  void Stamp(int fd);
  bool Take(std::uint64_t most);
  bool CopyTo(int fd);
  bool Skip();

  const int folder_;
  const PackStreams streams_;
  bool complained_ = false;
  tar::Header header_ = {};
  // Of the entry in hand. An extended header before it may have set the first three.
  char name_[kLongestName] = {};
  char link_[kLongestName] = {};
  bool has_size_ = false;
  std::uint64_t size_ = 0;
  std::uint64_t rest_ = 0;  // of its bytes and the padding after them, not yet read
  std::size_t taken_ = 0;   // bytes in piece_
  char piece_[kPiece] = {};
};

void CopyName(char* into, const char* text, std::size_t size) {
  const std::size_t length = strnlen(text, size < kLongestName - 1 ? size : kLongestName - 1);
  memcpy(into, text, length);
  into[length] = '\0';
}

// Below the folder: without a slash at the front, and never up.
bool IsInside(const char* name) {
  for (const char* part = name; part != nullptr && *part != '\0';) {
    if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return false;
    part = strchr(part, '/');
    if (part != nullptr) ++part;
  }
  return true;
}

void Unpacker::Complain(const char* what, int error, const char* thing) {
  complained_ = true;
  Line line;
  line << "gpuyard: " << what << " ";
  line.AddPrintable(thing != nullptr ? thing : name_);
  if (error != 0) line << ": " << strerrordesc_np(error);
  line.AddNewline();
  tar::WriteAll(streams_.words, line.text(), line.size());
}

int Unpacker::Run() {
  while (Next() == Step::kGoOn) {
  }
  return complained_ ? 1 : 0;
}

Unpacker::Step Unpacker::Next() {
  const std::int64_t got = tar::ReadAll(streams_.bytes, &header_, sizeof(header_));
  if (got == 0) return Step::kEnd;
  if (got != static_cast<std::int64_t>(sizeof(header_))) {
    Complain("the archive", got < 0 ? errno : 0, "ends in the middle");
    return Step::kEnd;
  }
  if (tar::IsEnd(header_)) return Step::kEnd;
  if (!tar::IsSealed(header_)) {
    Complain("the archive", 0, "is damaged");
    return Step::kEnd;
  }
  const auto type = static_cast<tar::Type>(header_.type == '\0' ? '0' : header_.type);
  const std::uint64_t size = tar::ReadNumber(header_.size, sizeof(header_.size));
  if (!has_size_) size_ = size;
  if (type == tar::Type::kExtended || type == tar::Type::kExtendedForAll ||
      type == tar::Type::kLongName || type == tar::Type::kLongLink)
    return TakeExtended(type) ? Step::kGoOn : Step::kEnd;
  ReadNames();
  rest_ = size_ + tar::Padding(size_);
  Make(type);
  const bool whole = Skip();
  if (!whole) Complain("the archive", 0, "ends in the middle");
  name_[0] = link_[0] = '\0';
  has_size_ = false;
  return whole ? Step::kGoOn : Step::kEnd;
}

bool Unpacker::TakeExtended(tar::Type type) {
  const std::uint64_t size = tar::ReadNumber(header_.size, sizeof(header_.size));
  char* text = size < kLongestRecords ? static_cast<char*>(calloc(1, size + tar::kBlock)) : nullptr;
  const std::size_t all = size + tar::Padding(size);
  const bool whole =
      text != nullptr && tar::ReadAll(streams_.bytes, text, all) == static_cast<std::int64_t>(all);
  if (!whole) Complain("the archive", 0, "has a name that cannot be read");
  if (whole && type == tar::Type::kLongName) CopyName(name_, text, size);
  if (whole && type == tar::Type::kLongLink) CopyName(link_, text, size);
  if (whole && type == tar::Type::kExtended) TakeRecords(text, text + size);
  free(text);
  return whole;
}

void Unpacker::TakeRecords(char* at, char* end) {
  tar::Record record = {};
  const auto is = [&](const char* key) {
    return record.key_size == strlen(key) && memcmp(record.key, key, record.key_size) == 0;
  };
  while (tar::NextRecord(&at, end, &record)) {
    if (is("path")) CopyName(name_, record.value, kLongestName);
    if (is("linkpath")) CopyName(link_, record.value, kLongestName);
    const std::int64_t size = is("size") ? ParseNumber(record.value) : -1;
    if (size < 0) continue;
    has_size_ = true;
    size_ = static_cast<std::uint64_t>(size);
  }
}

void Unpacker::ReadNames() {
  if (name_[0] == '\0') {
    const bool split = memcmp(header_.magic, "ustar\0", 6) == 0 && header_.prefix[0] != '\0';
    if (split) {
      CopyName(name_, header_.prefix, sizeof(header_.prefix));
      strcat(name_, "/");
    }
    CopyName(name_ + strlen(name_), header_.name, sizeof(header_.name));
  }
  if (link_[0] == '\0') CopyName(link_, header_.link, sizeof(header_.link));
  const std::size_t slashes = strspn(name_, "/");
  memmove(name_, name_ + slashes, strlen(name_ + slashes) + 1);
  for (std::size_t size = strlen(name_); size > 1 && name_[size - 1] == '/';) name_[--size] = '\0';
}

bool Unpacker::MakeParents() {
  for (char* slash = strchr(name_, '/'); slash != nullptr; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    const bool made = mkdirat(folder_, name_, 0777) == 0 || errno == EEXIST;
    *slash = '/';
    if (!made) return false;
  }
  return true;
}

// Whatever stands there gives way, but for a folder.
void Unpacker::Make(tar::Type type) {
  if (!IsInside(name_)) return Complain("is not inside the folder:", 0);
  if (!MakeParents()) return Complain("cannot make the folders of", errno);
  const auto mode = static_cast<mode_t>(tar::ReadNumber(header_.mode, sizeof(header_.mode)) & 0777);
  if (type == tar::Type::kFolder) {
    struct stat about = {};
    if (mkdirat(folder_, name_, mode) == 0) return void(fchmodat(folder_, name_, mode, 0));
    if (fstatat(folder_, name_, &about, 0) == 0 && S_ISDIR(about.st_mode)) return;
    return Complain("cannot make the folder", EEXIST);
  }
  unlinkat(folder_, name_, 0);
  if (type == tar::Type::kFile) return MakeFile();
  int made = 0;
  if (type == tar::Type::kLink) made = symlinkat(link_, folder_, name_);
  if (type == tar::Type::kHardLink && !IsInside(link_))
    return Complain("is not inside the folder:", 0, link_);
  if (type == tar::Type::kHardLink) made = linkat(folder_, link_, folder_, name_, 0);
  if (type == tar::Type::kPipe) made = mkfifoat(folder_, name_, mode);
  if (made != 0) Complain("cannot write", errno);
}

void Unpacker::MakeFile() {
  const int fd = openat(folder_, name_, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return Complain("cannot write", errno);
  if (!CopyTo(fd)) Complain("cannot write", errno);
  Stamp(fd);
  close(fd);
}

void Unpacker::Stamp(int fd) {
  fchmod(fd, static_cast<mode_t>(tar::ReadNumber(header_.mode, sizeof(header_.mode)) & 0777));
  timespec times[2] = {};
  times[0].tv_nsec = UTIME_NOW;
  times[1].tv_sec = static_cast<time_t>(tar::ReadNumber(header_.mtime, sizeof(header_.mtime)));
  futimens(fd, times);
}

// The next bytes of the entry into piece_; false: the archive ends.
bool Unpacker::Take(std::uint64_t most) {
  taken_ = most < kPiece ? static_cast<std::size_t>(most) : kPiece;
  rest_ -= taken_;
  return tar::ReadAll(streams_.bytes, piece_, taken_) == static_cast<std::int64_t>(taken_);
}

bool Unpacker::CopyTo(int fd) {
  for (std::uint64_t left = size_; left > 0; left -= taken_)
    if (!Take(left) || !tar::WriteAll(fd, piece_, taken_)) return false;
  return true;
}

bool Unpacker::Skip() {
  while (rest_ > 0)
    if (!Take(rest_)) return false;
  return true;
}

}  // namespace

int Unpack(const char* folder, const PackStreams& streams) {
  const int fd = open(*folder == '\0' ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Too large for a stack, and there is no C++ library to ask for room.
  alignas(Unpacker) static char room[sizeof(Unpacker)];
  auto* unpacker = new (room) Unpacker(fd, streams);
  int code = 1;
  if (fd < 0)
    unpacker->Complain("cannot open", errno, folder);
  else
    code = unpacker->Run();
  if (fd >= 0) close(fd);
  return code;
}

}  // namespace yard::shim
