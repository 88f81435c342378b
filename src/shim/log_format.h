// The log of a task: a stream of bytes cut into pieces of equal size, and when they were written.
//
// Byte `offset` of the stream lies in file log.<offset / piece>, at offset % piece. The first
// pieces are kept for good, and of the rest the newest; a piece in between that is not there was
// dropped. `log.times` is an array of LogTime, in order, whose last element may still change.
//
// Invariants: never more than kLogPieces files; an offset keeps its meaning for good.
// Used by the shim, which has no C++ library: constants and arithmetic only.
#pragma once

#include <cstdint>

namespace yard::shim {

inline constexpr char kLogPrefix[] = "log.";
inline constexpr char kLogTimesName[] = "log.times";
inline constexpr std::int64_t kLogPieces = 16;     // files at most
inline constexpr std::int64_t kLogHeadPieces = 4;  // of them from the beginning
inline constexpr std::int64_t kLogPieceMin = 64 << 10;

// The bytes from `offset` on, up to the next element's, were written between `first` and `last`
// (microseconds since 1970).
struct LogTime {
  std::int64_t offset = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};
static_assert(sizeof(LogTime) == 24);

// The size of a piece for a log of which `limit` bytes are kept.
constexpr std::int64_t LogPiece(std::int64_t limit) {
  const std::int64_t piece = limit / kLogPieces;
  return piece < kLogPieceMin ? kLogPieceMin : piece;
}

// The piece that makes room for piece `index`; -1: none needs to.
constexpr std::int64_t LogDropped(std::int64_t index) {
  return index < kLogPieces ? -1 : index - (kLogPieces - kLogHeadPieces);
}

// How close in time two writes must be to share one LogTime: grows with the number there are, so
// that the file stays small (under 2 MiB in a month).
constexpr std::int64_t LogTimeSpan(std::int64_t count) {
  return count < 4096 ? 10'000 : count < 16'384 ? 100'000 : count < 32'768 ? 1'000'000 : 60'000'000;
}

}  // namespace yard::shim
