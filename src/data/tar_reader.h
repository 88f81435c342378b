// A tar stream, piece by piece: ustar with extended records, as gpuyard-shim packs it.
//
// The stream comes from a program that reads what strangers wrote, so nothing in it is believed: a
// damaged block, a record that is too long or a length that cannot be is kInvalid. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace yard::data {

enum class TarKind { kFile, kFolder, kLink, kOther };

struct TarEntry {
  std::string path;  // as it stands there
  TarKind kind = TarKind::kOther;
  std::uint32_t mode = 0;
  std::int64_t mtime = 0;  // in seconds
  std::uint64_t size = 0;  // of a file
  std::string target;      // of a link
};

// Whether the contents of files follow their headers.
enum class TarContents { kFollow, kLeftOut };

class TarReader {
 public:
  struct Take {
    std::function<Status(TarEntry&& entry)> entry;
    std::function<Status(std::string_view bytes)> bytes = nullptr;  // of the file that came last
    std::function<Status()> file_end = nullptr;
  };
  TarReader(TarContents contents, Take take) : contents_(contents), take_(std::move(take)) {}

  // Stops at the first failure, its own or one of `take`.
  Status Feed(std::string_view piece);
  // The end of the archive has come.
  bool ended() const { return ended_; }

 private:
  Status FeedContent(std::string_view& piece);
  Status TakeBlock();
  Status TakeRecords();
  Status Announce(const char* block);

  const TarContents contents_;
  const Take take_;
  std::string block_;  // a header, or extended records, on its way
  std::size_t wanted_ = 512;
  std::size_t records_ = 0;  // their length, while block_ collects them
  std::string path_;         // from records, of the next entry
  std::string target_;
  std::string size_;
  std::uint64_t content_ = 0;  // bytes of the file that are still to come
  std::size_t padding_ = 0;    // bytes to skip then
  bool ended_ = false;
};

}  // namespace yard::data
