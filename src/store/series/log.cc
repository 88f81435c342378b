#include "store/series/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "base/file.h"
#include "base/strings.h"

namespace yard::store {
namespace {

constexpr std::string_view kPrefix = "series-";
constexpr std::string_view kSuffix = ".log";
constexpr std::uint32_t kMagic = 0x31475953;  // "SYG1"
constexpr std::size_t kHeader = 12;           // magic, checksum of the rest, length

std::unexpected<Error> FailWrite(const std::string& path, int error) {
  std::string next = fmt::format("free some space on the file system of {}, then try again", path);
  if (error == ENOSPC || error == EDQUOT) {
    return Fail(Code::kUnavailable, "the disk of the data directory is full; nothing was stored",
                next);
  }
  return Fail(Code::kUnavailable,
              fmt::format("cannot write {}: {}; nothing was stored", path, std::strerror(error)),
              "check the file system of the data directory");
}

std::string MakeFrame(std::string_view payload) {
  std::string frame;
  frame.reserve(kHeader + payload.size());
  AppendFixed32(frame, kMagic);
  AppendFixed32(frame, 0);
  AppendFixed32(frame, static_cast<std::uint32_t>(payload.size()));
  frame += payload;
  std::uint32_t crc = Crc32c(std::string_view(frame).substr(8));
  std::memcpy(frame.data() + 4, &crc, sizeof crc);
  return frame;
}

// The payload of the frame that begins here, if it is whole.
std::optional<std::string_view> WholeFrame(std::string_view bytes) {
  if (bytes.size() < kHeader || LoadFixed32(bytes.data()) != kMagic) return std::nullopt;
  std::uint64_t length = LoadFixed32(bytes.data() + 8);
  if (length > bytes.size() - kHeader) return std::nullopt;
  if (Crc32c(bytes.substr(8, 4 + length)) != LoadFixed32(bytes.data() + 4)) return std::nullopt;
  return bytes.substr(kHeader, length);
}

// Where the next whole frame begins, after something that is none.
std::optional<std::size_t> NextFrame(std::string_view bytes, std::size_t from) {
  std::string magic;
  AppendFixed32(magic, kMagic);
  for (std::size_t at = bytes.find(magic, from); at != std::string_view::npos;
       at = bytes.find(magic, at + 1)) {
    if (WholeFrame(bytes.substr(at))) return at;
  }
  return std::nullopt;
}

// A new name in a directory is on disk only once the directory is.
Status SyncDirectory(const std::string& directory) {
  UniqueFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0) return FailWrite(directory, errno);
  return {};
}

}  // namespace

std::string SeriesLog::PathOf(std::int64_t number) const {
  return fmt::format("{}/{}{}{}", directory_, kPrefix, number, kSuffix);
}

Result<std::vector<std::int64_t>> SeriesLog::Numbers() const {
  std::vector<std::int64_t> numbers;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory_, error)) {
    std::string name = entry.path().filename();
    std::string_view middle = name;
    if (!middle.starts_with(kPrefix) || !middle.ends_with(kSuffix)) continue;
    middle.remove_prefix(kPrefix.size());
    middle.remove_suffix(kSuffix.size());
    if (auto number = ParseInt(middle)) numbers.push_back(*number);
  }
  if (error) {
    return Fail(Code::kUnavailable, fmt::format("cannot read {}: {}", directory_, error.message()));
  }
  std::ranges::sort(numbers);
  return numbers;
}

Result<bool> SeriesLog::ReplayFile(std::int64_t number, const Take& take,
                                   std::vector<std::string>& damages) {
  std::string path = PathOf(number);
  YARD_ASSIGN(std::string text, ReadFile(path));
  std::string_view bytes = text;
  std::size_t found = damages.size();
  for (std::size_t at = 0; at < bytes.size();) {
    auto payload = WholeFrame(bytes.substr(at));
    if (payload && take(*payload)) {
      at += kHeader + payload->size();
      continue;
    }
    auto next = NextFrame(bytes, at + 1);
    if (!next && !payload) break;  // the torn end
    std::size_t end = next.value_or(bytes.size());
    damages.push_back(fmt::format("{}: bytes {} to {} are damaged", path, at, end));
    at = end;
  }
  return damages.size() > found;
}

Result<std::vector<std::string>> SeriesLog::Replay(std::int64_t flushed, const Take& take) {
  std::vector<std::string> damages;
  YARD_ASSIGN(std::vector<std::int64_t> numbers, Numbers());
  number_ = flushed;
  for (std::int64_t number : numbers) {
    number_ = std::max(number_, number);
    std::string path = PathOf(number);
    if (number <= flushed) {
      ::unlink(path.c_str());
      continue;
    }
    YARD_ASSIGN(bool damaged, ReplayFile(number, take, damages));
    if (!damaged) continue;
    std::error_code error;
    std::filesystem::copy_file(path, path + ".damaged",
                               std::filesystem::copy_options::overwrite_existing, error);
  }
  return damages;
}

Status SeriesLog::Start() {
  std::string path = PathOf(number_ + 1);
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file) return FailWrite(path, errno);
  YARD_TRY(SyncDirectory(directory_));
  ++number_;
  file_ = std::move(file);
  size_ = 0;
  return {};
}

Status SeriesLog::Write(std::string_view frame) {
  std::uint64_t at = size_;
  while (!frame.empty()) {
    ssize_t written = ::pwrite(file_.get(), frame.data(), frame.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FailWrite(PathOf(number_), errno);
    frame.remove_prefix(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
  return {};
}

Status SeriesLog::Append(std::string_view payload) {
  if (!file_) YARD_TRY(Start());
  std::string frame = MakeFrame(payload);
  Status written = Write(frame);
  bool synced = written && ::fdatasync(file_.get()) == 0;
  if (synced) {
    size_ += frame.size();
    return {};
  }
  int error = errno;
  bool undone = ::ftruncate(file_.get(), static_cast<off_t>(size_)) == 0;
  if (written || !undone) file_.Reset();
  return written ? Status(FailWrite(PathOf(number_), error)) : written;
}

std::int64_t SeriesLog::Rotate() {
  file_.Reset();
  return number_;
}

void SeriesLog::RemoveThrough(std::int64_t number) {
  auto numbers = Numbers();
  if (!numbers) return;  // they are removed at the next start
  for (std::int64_t old : *numbers) {
    if (old <= number) ::unlink(PathOf(old).c_str());
  }
}

}  // namespace yard::store
