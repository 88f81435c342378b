// Folders of the machine as entries of a manifest: reading them and cutting their files.
//
// No symbolic link is followed: a link is an entry of its own. Every call does input and output.
// Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "data/manifest.h"

namespace yard::data {

struct FoundFolder {
  std::vector<Entry> entries;        // in order; files without their segments
  std::vector<std::string> skipped;  // sockets, pipes and devices, made printable
  std::uint64_t bytes = 0;           // of all files
};

// Whether a path stays out, with all below it. Asked for a folder before what it holds.
using SkipPath = std::function<bool(const std::string& path, Kind kind)>;

// kInvalid for a name that cannot be in a manifest, with that name.
Result<FoundFolder> WalkFolder(const std::string& path, const SkipPath& skip = nullptr);

// Whether the entry is a link to something that is not in its folder.
bool LeadsOut(const Entry& entry);

// A path below an open folder; kInvalid if a link is on the way.
Result<UniqueFd> OpenBelow(int folder, const std::string& path, int flags);
Result<UniqueFd> OpenFolder(const std::string& path);

// The content of an open file in order: chunks as CutAt has them, and holes of the file system.
struct TakeParts {
  std::function<Status(std::string_view chunk)> chunk;
  std::function<Status(std::uint64_t length)> hole;
};
Status CutFile(int file, std::uint64_t size, const TakeParts& take);

// What the kernel says of an open file now; the segments are untouched.
Result<Entry> Look(int file, const std::string& path);

}  // namespace yard::data
