#include "shim/pack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

#include "shim/tar.h"
#include "shim/text.h"

namespace yard::shim {
namespace {

constexpr std::size_t kLongestName = 16 << 10;
constexpr std::size_t kPiece = 256 << 10;
constexpr int kDeepest = 200;  // each folder on the way is an open descriptor

class Packer {
 public:
  Packer(const PackStreams& streams, PackWhat what) : streams_(streams), what_(what) {}

  // `file` below `place`, packed under the name that name_ holds.
  void Add(int place, const char* file, int depth);
  bool Begin(const char* name) { return Append(name); }
  void AddEmptyFolder();
  int Finish();

 private:
  void AddFile(int fd, const struct stat& about);
  void AddFolder(int fd, const struct stat& about, int depth);
  void AddLink(int place, const char* file, const struct stat& about, int depth);
  bool PutHeader(tar::Type type, const struct stat& about, const char* link);
  bool PutExtended(const struct stat& about, std::uint64_t size, const char* link);
  bool Append(const char* part);
  bool Put(const void* bytes, std::size_t size);
  void Complain(const char* what, int error);
  void Miss(int error, int depth);

  const PackStreams streams_;
  const PackWhat what_;
  bool complained_ = false;
  bool broken_ = false;  // nobody takes the archive any more
  std::size_t name_size_ = 0;
  char name_[kLongestName] = {};
  char link_[kLongestName] = {};
  char records_[2 * kLongestName + 256] = {};
  char piece_[kPiece] = {};
};

void Packer::Complain(const char* what, int error) {
  complained_ = true;
  Line line;
  line << "gpuyard: " << what << " ";
  line.AddPrintable(name_);
  if (error != 0) line << ": " << strerrordesc_np(error);
  line.AddNewline();
  tar::WriteAll(streams_.words, line.text(), line.size());
}

bool Packer::Put(const void* bytes, std::size_t size) {
  if (!broken_ && !tar::WriteAll(streams_.bytes, bytes, size)) broken_ = true;
  return !broken_;
}

bool Packer::Append(const char* part) {
  const std::size_t size = strlen(part);
  if (name_size_ + size + 2 > kLongestName) return false;
  if (name_size_ > 0) name_[name_size_++] = '/';
  memcpy(name_ + name_size_, part, size + 1);
  name_size_ += size;
  return true;
}

bool Packer::PutExtended(const struct stat& about, std::uint64_t size, const char* link) {
  std::size_t used = 0;
  Line bytes;
  bytes << static_cast<std::int64_t>(size);
  tar::Header header = {};
  if (name_size_ >= sizeof(header.name)) used += tar::PutRecord(records_ + used, "path", name_);
  if (strlen(link) >= sizeof(header.link))
    used += tar::PutRecord(records_ + used, "linkpath", link);
  if (!tar::PutNumber(header.size, sizeof(header.size), size))
    used += tar::PutRecord(records_ + used, "size", bytes.text());
  if (used == 0) return true;
  strncpy(header.name, "extended", sizeof(header.name));
  tar::PutNumber(header.mode, sizeof(header.mode), 0644);
  tar::PutNumber(header.size, sizeof(header.size), used);
  tar::PutNumber(header.mtime, sizeof(header.mtime), static_cast<std::uint64_t>(about.st_mtime));
  header.type = static_cast<char>(tar::Type::kExtended);
  tar::Seal(&header);
  memset(records_ + used, 0, tar::Padding(used));
  return Put(&header, sizeof(header)) && Put(records_, used + tar::Padding(used));
}

bool Packer::PutHeader(tar::Type type, const struct stat& about, const char* link) {
  const auto size =
      type == tar::Type::kFile ? static_cast<std::uint64_t>(about.st_size) : std::uint64_t{0};
  if (!PutExtended(about, size, link)) return false;
  tar::Header header = {};
  memcpy(header.name, name_, strnlen(name_, sizeof(header.name)));
  memcpy(header.link, link, strnlen(link, sizeof(header.link)));
  tar::PutNumber(header.mode, sizeof(header.mode), about.st_mode & 07777);
  tar::PutNumber(header.uid, sizeof(header.uid), about.st_uid);
  tar::PutNumber(header.gid, sizeof(header.gid), about.st_gid);
  tar::PutNumber(header.size, sizeof(header.size), size);
  const std::int64_t time = about.st_mtime < 0 ? 0 : about.st_mtime;
  tar::PutNumber(header.mtime, sizeof(header.mtime), static_cast<std::uint64_t>(time));
  header.type = static_cast<char>(type);
  tar::Seal(&header);
  return Put(&header, sizeof(header));
}

// As many bytes as the header says, whatever happens to the file meanwhile.
void Packer::AddFile(int fd, const struct stat& about) {
  if (!PutHeader(tar::Type::kFile, about, "") || what_ == PackWhat::kHeaders) return;
  const auto size = static_cast<std::uint64_t>(about.st_size);
  for (std::uint64_t left = size; left > 0 && !broken_;) {
    const std::size_t wanted = left < kPiece ? static_cast<std::size_t>(left) : kPiece;
    const std::int64_t got = tar::ReadAll(fd, piece_, wanted);
    if (got < 0) Complain("cannot read", errno);
    // One that became shorter is filled up with zeros; one that grew is cut.
    const std::size_t valid = got < 0 ? 0 : static_cast<std::size_t>(got);
    memset(piece_ + valid, 0, wanted - valid);
    Put(piece_, wanted);
    left -= wanted;
  }
  memset(piece_, 0, tar::kBlock);
  Put(piece_, tar::Padding(size));
}

void Packer::AddEmptyFolder() {
  struct stat about = {};
  about.st_mode = S_IFDIR | 0700;
  about.st_uid = geteuid();
  about.st_gid = getegid();
  about.st_mtime = NowMicros() / 1'000'000;
  PutHeader(tar::Type::kFolder, about, "");
}

void Packer::AddFolder(int fd, const struct stat& about, int depth) {
  PutHeader(tar::Type::kFolder, about, "");
  if (depth >= kDeepest) return Complain("too deep:", 0);
  DIR* folder = fdopendir(dup(fd));
  if (folder == nullptr) return Complain("cannot read", errno);
  const std::size_t own_size = name_size_;
  while (const dirent* entry = broken_ ? nullptr : readdir(folder)) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (Append(entry->d_name))
      Add(fd, entry->d_name, depth + 1);
    else
      Complain("too long a name in", 0);
    name_size_ = own_size;
    name_[name_size_] = '\0';
  }
  closedir(folder);
}

// The owner goes on working meanwhile: what is gone, or something else by now, is left out. Asked
// for by its own name it is missing.
void Packer::Miss(int error, int depth) {
  const bool changed = error == ENOENT || error == ELOOP || error == EINVAL || error == ESTALE;
  if (depth == 0 || !changed) Complain("cannot read", error);
}

void Packer::AddLink(int place, const char* file, const struct stat& about, int depth) {
  const ssize_t size = readlinkat(place, file, link_, sizeof(link_) - 1);
  if (size < 0) return Miss(errno, depth);
  link_[size] = '\0';
  PutHeader(tar::Type::kLink, about, link_);
}

void Packer::Add(int place, const char* file, int depth) {
  struct stat about = {};
  if (fstatat(place, file, &about, AT_SYMLINK_NOFOLLOW) != 0) return Miss(errno, depth);
  if (S_ISLNK(about.st_mode)) return AddLink(place, file, about, depth);
  if (S_ISFIFO(about.st_mode)) return void(PutHeader(tar::Type::kPipe, about, ""));
  if (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) return;
  const int fd = openat(place, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return Miss(errno, depth);
  // Another may stand there by now.
  if (fstat(fd, &about) != 0)
    Complain("cannot read", errno);
  else if (S_ISDIR(about.st_mode))
    AddFolder(fd, about, depth);
  else if (S_ISREG(about.st_mode))
    AddFile(fd, about);
  close(fd);
}

int Packer::Finish() {
  memset(piece_, 0, 2 * tar::kBlock);
  Put(piece_, 2 * tar::kBlock);
  return complained_ || broken_ ? 1 : 0;
}

// The last part of the path; "." where that says nothing.
const char* BaseOf(char* path) {
  std::size_t size = strlen(path);
  while (size > 1 && path[size - 1] == '/') path[--size] = '\0';
  const char* slash = strrchr(path, '/');
  const char* base = slash == nullptr ? path : slash + 1;
  return *base == '\0' || strcmp(base, "..") == 0 ? "." : base;
}

// Too large for a stack, and there is no C++ library to ask for room.
Packer* MakePacker(const PackStreams& streams, PackWhat what) {
  alignas(Packer) static char room[sizeof(Packer)];
  return new (room) Packer(streams, what);
}

}  // namespace

int Pack(const char* path, const PackStreams& streams, PackWhat what) {
  static char whole[kLongestName];
  strncpy(whole, *path == '\0' ? "." : path, sizeof(whole) - 1);
  Packer* packer = MakePacker(streams, what);
  if (packer->Begin(BaseOf(whole))) packer->Add(AT_FDCWD, whole, 0);
  return packer->Finish();
}

int PackEmpty(const PackStreams& streams) {
  Packer* packer = MakePacker(streams, PackWhat::kHeaders);
  if (packer->Begin(".")) packer->AddEmptyFolder();
  return packer->Finish();
}

}  // namespace yard::shim
