// Files that hold many chunks each, so that small files do not become many inodes. A pack is only
// ever appended to, and goes as a whole.
//
// Append from one thread at a time; Read from any.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace yard::store {

struct PackPlace {
  std::int64_t pack = 0;
  std::int64_t at = 0;
  std::int64_t size = 0;
};

class Packs {
 public:
  explicit Packs(std::string folder) : folder_(std::move(folder)) {}

  // Goes on in this pack, at this offset: what lies behind it was never acknowledged.
  Status Continue(std::int64_t pack, std::int64_t at);
  Result<PackPlace> Append(std::string_view bytes);
  // Everything appended is on disk.
  Status Sync();
  // kNotFound if the pack is gone.
  Result<std::string> Read(const PackPlace& place) const;
  Status Remove(std::int64_t pack) const;
  std::int64_t current() const { return pack_; }

 private:
  std::string PathOf(std::int64_t pack) const;
  Status Begin(std::int64_t pack);

  const std::string folder_;
  std::int64_t pack_ = 0;
  std::int64_t end_ = 0;
  UniqueFd file_;
};

}  // namespace yard::store
