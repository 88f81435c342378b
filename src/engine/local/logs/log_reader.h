// Reads a task's log from its folder, see shim/log_format.h. Thread-safe: no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "engine/engine.h"
#include "engine/task.h"

namespace yard::engine {

class LogReader {
 public:
  // `spec` tells how much is kept and what is secret.
  LogReader(std::string folder, const TaskSpec& spec);

  // `at_end` says only that nothing more is there now. The values of secret variables are masked,
  // byte for byte, so that offsets keep their meaning.
  Result<LogChunk> Read(std::int64_t offset, std::size_t limit) const;
  Result<std::int64_t> OffsetAt(Time at) const;
  // Where the log ends now.
  std::int64_t End() const;

 private:
  std::string PiecePath(std::int64_t index) const;
  std::int64_t PieceLength(std::int64_t index) const;                   // -1: not there
  std::int64_t NewestPiece() const;                                     // -1: none
  std::int64_t NextPiece(std::int64_t index) const;                     // -1: none after it
  std::string ReadBytes(std::int64_t offset, std::size_t limit) const;  // of one piece
  std::string ReadAcross(std::int64_t offset, std::size_t limit) const;
  void Mask(LogChunk& chunk) const;

  const std::string folder_;
  const std::int64_t piece_;
  std::vector<std::string> secrets_;
};

}  // namespace yard::engine
