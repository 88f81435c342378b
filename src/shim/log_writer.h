// Writes a task's log in pieces, see shim/log_format.h.
//
// When the disk takes no more, bytes are lost but the task goes on; how many is said in the log as
// soon as there is room again. One thread; one writer per folder.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shim/log_format.h"

namespace yard::shim {

class LogWriter {
 public:
  // `folder` is a descriptor of the task's folder and stays the caller's. A log that is there
  // already is gone on with from `written`.
  LogWriter(int folder, std::int64_t limit, std::int64_t written = 0);
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  void Write(const char* bytes, std::size_t size, std::int64_t now_micros);
  std::int64_t written() const { return written_; }

 private:
  bool OpenPiece(std::int64_t index);
  bool Append(const char* bytes, std::size_t size);
  void NoteLoss();
  void NoteTime(std::int64_t offset, std::int64_t now_micros);

  const int folder_;
  const std::int64_t piece_size_;
  std::int64_t written_;
  std::int64_t lost_ = 0;
  std::int64_t piece_ = -1;
  int piece_fd_ = -1;
  int times_fd_ = -1;
  std::int64_t times_ = 0;  // elements in log.times
  LogTime newest_;
};

}  // namespace yard::shim
