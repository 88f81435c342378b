// A manifest: everything that one version of a data set holds, as a sorted list of entries. The
// version's id is the hash of the manifest's bytes.
//
// The reader trusts nobody. It refuses paths that are absolute, have `..` or empty parts, are not
// UTF-8, come twice or out of order, or lie below something that is not a folder: so no entry leads
// out of the folder that a manifest is written to. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "data/chunk.h"

namespace yard::data {

inline constexpr std::size_t kMostEntries = 2'000'000;
inline constexpr std::size_t kMostManifestBytes = 256 << 20;
inline constexpr std::size_t kLongestPath = 4095;
inline constexpr std::size_t kLongestName = 255;
inline constexpr std::size_t kDeepest = 128;
inline constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 50;

enum class Kind : std::uint8_t { kFolder = 0, kFile = 1, kLink = 2 };

// A part of a file: a chunk, or a hole that reads as zeros.
struct Segment {
  std::uint64_t length = 0;
  bool is_hole = false;
  ChunkId id;
  bool operator==(const Segment&) const = default;
};

struct Entry {
  std::string path;  // relative, parts joined by '/'
  Kind kind = Kind::kFile;
  std::uint32_t mode = 0;  // the nine bits of permissions
  std::int64_t mtime_ns = 0;
  std::uint64_t size = 0;         // of a file
  std::string target;             // of a link
  std::vector<Segment> segments;  // of a file
  bool operator==(const Entry&) const = default;
};

// Why the path cannot be in a manifest, with the path made printable.
Status CheckPath(std::string_view path);

// Control characters and bytes that are no text as \xNN.
std::string Printable(std::string_view name);

// The order of entries: a folder, what it holds, then its next neighbour.
bool ComesBefore(std::string_view a, std::string_view b);

// Entries must be in order.
std::string WriteManifest(const std::vector<Entry>& entries);

using VisitEntry = std::function<Status(Entry&&)>;
// Stops at the first failure of `visit`.
Status ReadManifest(std::string_view bytes, const VisitEntry& visit);
Result<std::vector<Entry>> ReadManifest(std::string_view bytes);

}  // namespace yard::data
