// Reads a task's log from its files, see shim/log_format.h. Thread-safe: no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/engine.h"
#include "engine/task.h"

namespace yard::engine {

// The files of one log, wherever they lie.
class LogFiles {
 public:
  virtual ~LogFiles() = default;
  // In no order.
  virtual std::vector<std::int64_t> Pieces() const = 0;
  virtual std::int64_t PieceLength(std::int64_t index) const = 0;  // -1: not there
  // What is there of those bytes.
  virtual std::string Read(const std::string& name, std::int64_t offset,
                           std::size_t limit) const = 0;
};

// The number of a piece's file; absent: the name is none of a piece.
std::optional<std::int64_t> PieceNumber(std::string_view name);
std::string PieceName(std::int64_t index);

class LogReader {
 public:
  // `spec` tells how much is kept and what is secret.
  LogReader(std::string folder, const TaskSpec& spec);
  LogReader(std::shared_ptr<const LogFiles> files, const TaskSpec& spec);

  // `at_end` says only that nothing more is there now. The values of secret variables are masked,
  // byte for byte, so that offsets keep their meaning.
  Result<LogChunk> Read(std::int64_t offset, std::size_t limit) const;
  Result<std::int64_t> OffsetAt(Time at) const;
  // Where the log ends now.
  std::int64_t End() const;

 private:
  std::int64_t NewestPiece() const;                                     // -1: none
  std::int64_t NextPiece(std::int64_t index) const;                     // -1: none after it
  std::string ReadBytes(std::int64_t offset, std::size_t limit) const;  // of one piece
  std::string ReadAcross(std::int64_t offset, std::size_t limit) const;
  void Mask(LogChunk& chunk) const;

  const std::shared_ptr<const LogFiles> files_;
  const std::int64_t piece_;
  std::vector<std::string> secrets_;
};

}  // namespace yard::engine
