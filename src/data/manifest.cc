#include "data/manifest.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace yard::data {
namespace {

constexpr std::string_view kMagic = "gydm1\n";
constexpr std::uint32_t kModeBits = 0777;
// A hole takes a byte, and a chunk must follow it: its id and a byte.
constexpr std::size_t kShortestPair = kIdBytes + 2;

std::unexpected<Error> Refuse(std::string_view path, std::string_view why) {
  return Fail(Code::kInvalid,
              fmt::format("'{}' cannot be in a data set: {}", Printable(path), why));
}

std::unexpected<Error> Broken(std::string_view why) {
  return Fail(Code::kInvalid, fmt::format("the manifest is not valid: {}", why));
}

int Rank(char c) {
  return c == '/' ? -1 : static_cast<unsigned char>(c);
}

void Append(std::string& out, const Segment& segment) {
  AppendVarint(out, segment.length << 1 | (segment.is_hole ? 1 : 0));
  if (!segment.is_hole) out.append(segment.id.view());
}

std::optional<Segment> TakeSegment(ByteReader& reader) {
  const auto coded = reader.Varint();
  if (!coded) return std::nullopt;
  Segment segment{.length = *coded >> 1, .is_hole = (*coded & 1) != 0, .id = {}};
  if (segment.is_hole) return segment;
  const auto id = reader.Take(kIdBytes);
  if (!id) return std::nullopt;
  segment.id = *IdFromBytes(*id);
  return segment;
}

Status TakeSegments(ByteReader& reader, Entry& entry) {
  const auto count = reader.Varint();
  // So a number alone costs no memory, and no part costs much more of it than it has bytes.
  if (!count || *count > 2 * (reader.left().size() / kShortestPair) + 1)
    return Broken("a file has too many parts");
  entry.segments.reserve(static_cast<std::size_t>(*count));
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto segment = TakeSegment(reader);
    if (!segment) return Broken("it ends inside a file");
    const std::uint64_t most = segment->is_hole ? kLargestFile : kLongestChunk;
    if (segment->length == 0 || segment->length > most)
      return Refuse(entry.path, "a part of it has an impossible length");
    if (segment->is_hole && !entry.segments.empty() && entry.segments.back().is_hole)
      return Refuse(entry.path, "a hole follows another one");
    sum += segment->length;
    if (sum > kLargestFile) return Refuse(entry.path, "it is too large");
    entry.segments.push_back(*segment);
  }
  if (sum != entry.size) return Refuse(entry.path, "its parts are not as long as it is");
  return {};
}

Result<Entry> TakeEntry(ByteReader& reader) {
  const auto kind = reader.Varint();
  const auto path = kind ? reader.Sized() : std::nullopt;
  const auto mode = path ? reader.Varint() : std::nullopt;
  const auto mtime = mode ? reader.Varint() : std::nullopt;
  if (!mtime) return Broken("it ends inside an entry");
  if (*kind > static_cast<std::uint64_t>(Kind::kLink)) return Broken("an entry has no known kind");
  if (*mode > kModeBits) return Refuse(*path, "its mode has more than permissions");
  YARD_TRY(CheckPath(*path));
  Entry entry{.path = std::string(*path),
              .kind = static_cast<Kind>(*kind),
              .mode = static_cast<std::uint32_t>(*mode),
              .mtime_ns = UnZigZag(*mtime),
              .size = 0,
              .target = {},
              .segments = {}};
  if (entry.kind == Kind::kFile) {
    const auto size = reader.Varint();
    if (!size || *size > kLargestFile) return Refuse(entry.path, "its size is not possible");
    entry.size = *size;
    YARD_TRY(TakeSegments(reader, entry));
  }
  if (entry.kind == Kind::kLink) {
    const auto target = reader.Sized();
    const bool sound = target && !target->empty() && target->size() <= kLongestPath &&
                       target->find('\0') == std::string_view::npos;
    if (!sound) return Refuse(entry.path, "it is a link to no path");
    entry.target = *target;
  }
  return entry;
}

// That each entry comes after the one before it and lies in a folder of the manifest.
class Order {
 public:
  Status Take(const Entry& entry) {
    if (!last_.empty() && !ComesBefore(last_, entry.path))
      return Refuse(entry.path, "it comes twice or out of order");
    last_ = entry.path;
    const std::size_t slash = entry.path.rfind('/');
    const std::string_view parent =
        slash == std::string::npos ? std::string_view() : std::string_view(last_).substr(0, slash);
    while (!folders_.empty() && folders_.back() != parent) folders_.pop_back();
    if (!parent.empty() && folders_.empty())
      return Refuse(entry.path, "it lies in something that is not a folder");
    if (entry.kind == Kind::kFolder) folders_.push_back(entry.path);
    return {};
  }

 private:
  std::string last_;
  std::vector<std::string> folders_;  // those around the next entry, outermost first
};

}  // namespace

std::string Printable(std::string_view name) {
  const bool text = IsUtf8(name);
  std::string out;
  for (char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool odd = byte < 0x20 || byte == 0x7f || (!text && byte >= 0x80);
    odd ? out += fmt::format("\\x{:02x}", byte) : out += c;
  }
  return out;
}

Status CheckPath(std::string_view path) {
  if (path.empty()) return Refuse(path, "its path is empty");
  if (path.size() > kLongestPath)
    return Refuse(path.substr(0, 100),
                  fmt::format("its path is longer than {} bytes", kLongestPath));
  if (!IsUtf8(path)) return Refuse(path, "its name is not UTF-8; rename it");
  if (path.find('\0') != std::string_view::npos) return Refuse(path, "its name has a zero byte");
  const std::vector<std::string_view> parts = Split(path, '/');
  if (parts.size() > kDeepest) return Refuse(path.substr(0, 100), "it lies too deep");
  for (std::string_view part : parts) {
    if (part.empty()) return Refuse(path, "it is absolute or has an empty part");
    if (part == "." || part == "..") return Refuse(path, "it leads out of its folder");
    if (part.size() > kLongestName) return Refuse(path.substr(0, 100), "a part of it is too long");
  }
  return {};
}

bool ComesBefore(std::string_view a, std::string_view b) {
  const std::size_t both = std::min(a.size(), b.size());
  const auto [x, y] =
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(both), b.begin());
  if (x == a.begin() + static_cast<std::ptrdiff_t>(both)) return a.size() < b.size();
  return Rank(*x) < Rank(*y);
}

std::string WriteManifest(const std::vector<Entry>& entries) {
  std::string out(kMagic);
  for (const Entry& entry : entries) {
    AppendVarint(out, static_cast<std::uint64_t>(entry.kind));
    AppendSized(out, entry.path);
    AppendVarint(out, entry.mode);
    AppendVarint(out, ZigZag(entry.mtime_ns));
    if (entry.kind == Kind::kFile) {
      AppendVarint(out, entry.size);
      AppendVarint(out, entry.segments.size());
      for (const Segment& segment : entry.segments) Append(out, segment);
    }
    if (entry.kind == Kind::kLink) AppendSized(out, entry.target);
  }
  return out;
}

Status ReadManifest(std::string_view bytes, const VisitEntry& visit) {
  if (bytes.size() > kMostManifestBytes) return Broken("it is too long");
  if (!bytes.starts_with(kMagic)) return Broken("it does not begin like one");
  ByteReader reader(bytes.substr(kMagic.size()));
  Order order;
  for (std::size_t count = 0; !reader.empty(); ++count) {
    if (count == kMostEntries)
      return Broken(fmt::format("it has more than {} entries", kMostEntries));
    YARD_ASSIGN(Entry entry, TakeEntry(reader));
    YARD_TRY(order.Take(entry));
    YARD_TRY(visit(std::move(entry)));
  }
  return {};
}

Result<std::vector<Entry>> ReadManifest(std::string_view bytes) {
  std::vector<Entry> entries;
  YARD_TRY(ReadManifest(bytes, [&](Entry&& entry) -> Status {
    entries.push_back(std::move(entry));
    return {};
  }));
  return entries;
}

}  // namespace yard::data
