#include "engine/local/logs/log_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/strings.h"
#include "shim/log_format.h"

namespace yard::engine {
namespace {

namespace fs = std::filesystem;

// Shorter values are too common to hide: a port number would make the log unreadable.
constexpr std::size_t kSecretMin = 6;

class FolderFiles final : public LogFiles {
 public:
  explicit FolderFiles(std::string folder) : folder_(std::move(folder)) {}

  std::vector<std::int64_t> Pieces() const override {
    std::vector<std::int64_t> pieces;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder_, ignored))
      if (auto number = PieceNumber(entry.path().filename().native())) pieces.push_back(*number);
    return pieces;
  }
  std::int64_t PieceLength(std::int64_t index) const override {
    struct stat about{};
    return ::stat(Path(PieceName(index)).c_str(), &about) == 0 ? about.st_size : -1;
  }
  std::string Read(const std::string& name, std::int64_t offset, std::size_t limit) const override {
    std::string bytes;
    UniqueFd fd(::open(Path(name).c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return bytes;
    bytes.resize(limit);
    const ssize_t got = ::pread(fd.get(), bytes.data(), bytes.size(), offset);
    bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return bytes;
  }

 private:
  std::string Path(const std::string& name) const { return fmt::format("{}/{}", folder_, name); }

  const std::string folder_;
};

}  // namespace

std::optional<std::int64_t> PieceNumber(std::string_view name) {
  if (!name.starts_with(shim::kLogPrefix)) return std::nullopt;
  return ParseInt(name.substr(std::strlen(shim::kLogPrefix)));
}

std::string PieceName(std::int64_t index) {
  return fmt::format("{}{}", shim::kLogPrefix, index);
}

LogReader::LogReader(std::string folder, const TaskSpec& spec)
    : LogReader(std::make_shared<FolderFiles>(std::move(folder)), spec) {}

LogReader::LogReader(std::shared_ptr<const LogFiles> files, const TaskSpec& spec)
    : files_(std::move(files)), piece_(shim::LogPiece(spec.limits.log.value << 20)) {
  for (const Variable& variable : spec.variables)
    if (variable.secret && variable.value.size() >= kSecretMin) secrets_.push_back(variable.value);
}

std::int64_t LogReader::NextPiece(std::int64_t index) const {
  std::int64_t next = -1;
  for (const std::int64_t number : files_->Pieces())
    if (number > index && (next < 0 || number < next)) next = number;
  return next;
}

std::int64_t LogReader::NewestPiece() const {
  std::int64_t newest = -1;
  for (const std::int64_t number : files_->Pieces()) newest = std::max(newest, number);
  return newest;
}

std::int64_t LogReader::End() const {
  const std::int64_t newest = NewestPiece();
  return newest < 0 ? 0 : newest * piece_ + std::max<std::int64_t>(files_->PieceLength(newest), 0);
}

std::string LogReader::ReadBytes(std::int64_t offset, std::size_t limit) const {
  const auto rest = static_cast<std::size_t>(piece_ - offset % piece_);
  return files_->Read(PieceName(offset / piece_), offset % piece_, std::min(limit, rest));
}

std::string LogReader::ReadAcross(std::int64_t offset, std::size_t limit) const {
  std::string bytes;
  while (bytes.size() < limit) {
    const std::int64_t at = offset + static_cast<std::int64_t>(bytes.size());
    const std::string more = ReadBytes(at, limit - bytes.size());
    if (more.empty()) break;
    bytes += more;
  }
  return bytes;
}

Result<LogChunk> LogReader::Read(std::int64_t offset, std::size_t limit) const {
  LogChunk chunk;
  chunk.offset = std::max<std::int64_t>(offset, 0);
  if (files_->PieceLength(chunk.offset / piece_) < 0) {
    const std::int64_t next = NextPiece(chunk.offset / piece_);
    if (next >= 0) chunk.offset = next * piece_;
  }
  chunk.bytes = ReadAcross(chunk.offset, limit);
  chunk.next = chunk.offset + static_cast<std::int64_t>(chunk.bytes.size());
  chunk.at_end = chunk.bytes.size() < limit && NextPiece(chunk.next / piece_) < 0;
  // Behind the end (a mistaken caller), or the piece went away while it was read.
  if (chunk.at_end && chunk.bytes.empty()) chunk.offset = chunk.next = std::min(offset, End());
  Mask(chunk);
  return chunk;
}

void LogReader::Mask(LogChunk& chunk) const {
  if (secrets_.empty() || chunk.bytes.empty()) return;
  std::size_t longest = 0;
  for (const std::string& secret : secrets_) longest = std::max(longest, secret.size() - 1);
  // A secret may lie across the border of this chunk, and that of a piece.
  auto before = std::min(static_cast<std::int64_t>(longest), chunk.offset);
  if (files_->PieceLength((chunk.offset - before) / piece_) < 0)
    before = chunk.offset % piece_;  // dropped
  std::string text = ReadAcross(chunk.offset - before, static_cast<std::size_t>(before));
  if (text.size() != static_cast<std::size_t>(before))
    text.assign(static_cast<std::size_t>(before), ' ');
  text += chunk.bytes + ReadAcross(chunk.next, longest);
  for (const std::string& secret : secrets_)
    for (std::size_t at = text.find(secret); at != std::string::npos;
         at = text.find(secret, at + secret.size()))
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), secret.size(), '*');
  chunk.bytes = text.substr(static_cast<std::size_t>(before), chunk.bytes.size());
}

Result<std::int64_t> LogReader::OffsetAt(Time at) const {
  constexpr std::size_t kBatch = 1024 * sizeof(shim::LogTime);
  for (std::int64_t place = 0;;) {
    const std::string bytes = files_->Read(shim::kLogTimesName, place, kBatch);
    shim::LogTime time;
    for (std::size_t from = 0; from + sizeof(time) <= bytes.size(); from += sizeof(time)) {
      std::memcpy(&time, bytes.data() + from, sizeof(time));
      if (time.last >= at.micros) return time.offset;
    }
    if (bytes.size() < kBatch) return End();
    place += static_cast<std::int64_t>(kBatch);
  }
}

}  // namespace yard::engine
