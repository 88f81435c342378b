// A folder that comes as a tar stream and becomes a version of a data set: its entries, and its
// files cut into chunks.
//
// What cannot be in a manifest is left out and named: pipes, names that are not UTF-8, what lies
// too deep. Runs of zeros become holes. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "data/chunk.h"
#include "data/manifest.h"
#include "data/tar_reader.h"

namespace yard::data {

struct IntakeLimits {
  std::uint64_t bytes = std::uint64_t{1} << 40;  // of all files, holes included
  std::size_t entries = 1'000'000;
  std::size_t name_bytes = 64 << 20;  // of all paths and targets
};

struct TakenFolder {
  std::string manifest;
  std::vector<ChunkId> chunks;  // of the manifest
  std::int64_t files = 0;
  std::int64_t bytes = 0;
  std::vector<std::string> left_out;  // the first of them, made printable
  std::size_t left_out_count = 0;
};

class FolderIntake {
 public:
  // Takes a chunk and answers with its id.
  using Keep = std::function<Result<ChunkId>(std::string_view chunk)>;
  FolderIntake(IntakeLimits limits, Keep keep);
  FolderIntake(const FolderIntake&) = delete;
  FolderIntake& operator=(const FolderIntake&) = delete;

  // kTooLarge says what is too much.
  Status Feed(std::string_view piece) { return reader_.Feed(piece); }
  bool ended() const { return reader_.ended(); }
  Result<TakenFolder> Finish();

 private:
  enum class More { kComes, kDoesNot };
  Status Begin(TarEntry&& tar);
  Status Add(Entry entry);
  Status Cut(More more);
  void LeaveOut(std::string_view path);
  void Arrange();

  const IntakeLimits limits_;
  const Keep keep_;
  TarReader reader_;
  bool begun_ = false;
  std::string root_;  // what the paths of the stream begin with
  std::vector<Entry> entries_;
  bool wanted_ = false;  // the file that comes is the last entry
  std::string buffer_;
  std::size_t name_bytes_ = 0;
  std::uint64_t bytes_ = 0;  // of all files so far
  TakenFolder taken_;
};

}  // namespace yard::data
