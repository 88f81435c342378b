#include "shim/log_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/text.h"

namespace yard::shim {
namespace {

Line PieceName(std::int64_t index) {
  Line name;
  name << kLogPrefix << index;
  return name;
}

}  // namespace

LogWriter::LogWriter(int folder, std::int64_t limit, std::int64_t written)
    : folder_(folder), piece_size_(LogPiece(limit)), written_(written) {}

LogWriter::~LogWriter() {
  if (piece_fd_ >= 0) close(piece_fd_);
  if (times_fd_ >= 0) close(times_fd_);
}

bool LogWriter::OpenPiece(std::int64_t index) {
  if (piece_ == index && piece_fd_ >= 0) return true;
  if (piece_fd_ >= 0) close(piece_fd_);
  const std::int64_t dropped = LogDropped(index);
  if (dropped >= 0) unlinkat(folder_, PieceName(dropped).text(), 0);
  piece_fd_ = openat(folder_, PieceName(index).text(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  piece_ = index;
  return piece_fd_ >= 0;
}

bool LogWriter::Append(const char* bytes, std::size_t size) {
  while (size > 0) {
    if (!OpenPiece(written_ / piece_size_)) return false;
    const std::int64_t at = written_ % piece_size_;
    const auto room = static_cast<std::size_t>(piece_size_ - at);
    const ssize_t put = pwrite(piece_fd_, bytes, size < room ? size : room, at);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      lost_ += static_cast<std::int64_t>(size);
      return false;
    }
    written_ += put;
    bytes += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

void LogWriter::NoteLoss() {
  const std::int64_t lost = lost_;
  Line note;
  note << "\n[gpuyard: " << lost << " bytes of the log were lost: the disk took no more]\n";
  lost_ = 0;
  if (!Append(note.text(), note.size())) lost_ = lost;
}

void LogWriter::NoteTime(std::int64_t offset, std::int64_t now_micros) {
  if (times_fd_ < 0) {
    times_fd_ = openat(folder_, kLogTimesName, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct stat about{};
    if (times_fd_ < 0 || fstat(times_fd_, &about) != 0) return;
    times_ = about.st_size / static_cast<std::int64_t>(sizeof(LogTime));
  }
  if (times_ == 0 || now_micros - newest_.first > LogTimeSpan(times_) ||
      now_micros < newest_.last) {
    newest_ = {offset, now_micros, now_micros};
    ++times_;
  }
  newest_.last = now_micros;
  const auto at = (times_ - 1) * static_cast<std::int64_t>(sizeof(LogTime));
  // A full disk costs the time of these bytes, nothing else.
  if (pwrite(times_fd_, &newest_, sizeof(newest_), at) < 0) return;
}

void LogWriter::Write(const char* bytes, std::size_t size, std::int64_t now_micros) {
  const std::int64_t offset = written_;
  if (lost_ > 0) NoteLoss();
  if (lost_ > 0) {
    lost_ += static_cast<std::int64_t>(size);
    return;
  }
  Append(bytes, size);
  if (written_ > offset) NoteTime(offset, now_micros);
}

}  // namespace yard::shim
