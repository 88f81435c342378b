// The log that makes appends durable: numbered files of frames, each with a checksum.
//
// A frame is written and synced as one; it is there after a crash, or it is the torn end of its
// file and was never acknowledged. A damaged frame that whole ones follow was acknowledged once: it
// is named, and its file is kept aside.
// A failed write leaves the file as it was before; a failed sync moves on to a new file, because
// what the kernel then holds of the old one is unknown.
// Thread rule: one thread at a time, but RemoveThrough from any.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace yard::store {

class SeriesLog {
 public:
  // `take` returns false if it cannot read a payload.
  using Take = std::function<bool(std::string_view payload)>;

  explicit SeriesLog(std::string directory) : directory_(std::move(directory)) {}

  // Removes files up to `flushed`, reads the others in order. Returns what is damaged, in words.
  Result<std::vector<std::string>> Replay(std::int64_t flushed, const Take& take);

  // Durable when it returns.
  Status Append(std::string_view payload);

  // Ends the current file. Returns its number; what comes next lies in greater ones.
  std::int64_t Rotate();
  void RemoveThrough(std::int64_t number);

 private:
  Status Start();
  Status Write(std::string_view frame);
  std::string PathOf(std::int64_t number) const;
  Result<std::vector<std::int64_t>> Numbers() const;
  // True if damaged.
  Result<bool> ReplayFile(std::int64_t number, const Take& take, std::vector<std::string>& damages);

  const std::string directory_;
  std::int64_t number_ = 0;  // of the current file, or of the last one
  UniqueFd file_;            // none: the next append starts a new file
  std::uint64_t size_ = 0;
};

}  // namespace yard::store
