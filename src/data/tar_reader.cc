#include "data/tar_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/strings.h"

namespace yard::data {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kMostRecords = 64 << 10;
constexpr std::uint64_t kMostSize = std::uint64_t{1} << 62;
constexpr std::uint64_t kLatest = std::uint64_t{1} << 33;  // seconds: some year after 2200

struct Field {
  std::size_t at;
  std::size_t size;
};
constexpr Field kName{0, 100};
constexpr Field kMode{100, 8};
constexpr Field kSize{124, 12};
constexpr Field kTime{136, 12};
constexpr Field kSum{148, 8};
constexpr Field kLink{157, 100};
constexpr std::size_t kType = 156;

std::unexpected<Error> Damaged() {
  return Fail(Code::kInvalid, "the archive is damaged");
}

std::string TextOf(const char* block, Field field) {
  const std::string_view text(block + field.at, field.size);
  return std::string(text.substr(0, text.find('\0')));
}

// Octal digits, or binary if the first bit says so.
std::uint64_t NumberOf(const char* block, Field field) {
  const auto* at = reinterpret_cast<const unsigned char*>(block + field.at);
  std::uint64_t value = 0;
  if ((*at & 0x80) != 0) {
    for (std::size_t i = 1; i < field.size; ++i) value = value << 8 | at[i];
    return value;
  }
  for (std::size_t i = 0; i < field.size && at[i] != 0; ++i) {
    if (at[i] >= '0' && at[i] <= '7') value = value << 3 | static_cast<std::uint64_t>(at[i] - '0');
  }
  return value;
}

bool IsSealed(const std::string& block) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const bool is_sum = i >= kSum.at && i < kSum.at + kSum.size;
    sum += is_sum ? ' ' : static_cast<unsigned char>(block[i]);
  }
  return NumberOf(block.data(), kSum) == sum;
}

std::size_t PaddingOf(std::uint64_t size) {
  return static_cast<std::size_t>((kBlock - size % kBlock) % kBlock);
}

TarKind KindOf(char type) {
  switch (type) {
    case '0':
    case '\0':
      return TarKind::kFile;
    case '2':
      return TarKind::kLink;
    case '5':
      return TarKind::kFolder;
    default:
      return TarKind::kOther;
  }
}

// "LENGTH KEY=VALUE\n", where LENGTH counts itself. Nothing: it is damaged.
struct Record {
  std::string_view key;
  std::string_view value;
};
std::optional<Record> TakeRecord(std::string_view& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::optional<std::int64_t> length = ParseInt(text.substr(0, space));
  const auto size = static_cast<std::size_t>(length.value_or(0));
  if (!length || *length <= 0 || size > text.size() || size < space + 3 || text[size - 1] != '\n')
    return std::nullopt;
  const std::string_view body = text.substr(space + 1, size - space - 2);
  const std::size_t equals = body.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  text.remove_prefix(size);
  return Record{body.substr(0, equals), body.substr(equals + 1)};
}

}  // namespace

Status TarReader::Feed(std::string_view piece) {
  while (!piece.empty() && !ended_) {
    if (content_ > 0 || padding_ > 0) {
      YARD_TRY(FeedContent(piece));
      continue;
    }
    const std::size_t part = std::min(wanted_ - block_.size(), piece.size());
    block_ += piece.substr(0, part);
    piece.remove_prefix(part);
    if (block_.size() < wanted_) continue;
    YARD_TRY(records_ > 0 ? TakeRecords() : TakeBlock());
  }
  return {};
}

Status TarReader::FeedContent(std::string_view& piece) {
  const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(content_, piece.size()));
  if (part > 0) {
    if (take_.bytes) YARD_TRY(take_.bytes(piece.substr(0, part)));
    content_ -= part;
    piece.remove_prefix(part);
    if (content_ == 0 && take_.file_end) YARD_TRY(take_.file_end());
  }
  if (content_ > 0) return {};
  const std::size_t skipped = std::min(padding_, piece.size());
  padding_ -= skipped;
  piece.remove_prefix(skipped);
  return {};
}

Status TarReader::TakeBlock() {
  const std::string block = std::exchange(block_, {});
  if (block.find_first_not_of('\0') == std::string::npos) {
    ended_ = true;
    return {};
  }
  if (!IsSealed(block)) return Damaged();
  if (block[kType] != 'x') return Announce(block.data());
  const std::uint64_t size = NumberOf(block.data(), kSize);
  if (size == 0 || size > kMostRecords) return Damaged();
  records_ = static_cast<std::size_t>(size);
  wanted_ = records_ + PaddingOf(size);
  return {};
}

Status TarReader::TakeRecords() {
  std::string_view text(block_.data(), records_);
  while (!text.empty()) {
    const std::optional<Record> record = TakeRecord(text);
    if (!record) return Damaged();
    if (record->key == "path") path_ = record->value;
    if (record->key == "linkpath") target_ = record->value;
    if (record->key == "size") size_ = record->value;
  }
  block_.clear();
  records_ = 0;
  wanted_ = kBlock;
  return {};
}

Status TarReader::Announce(const char* block) {
  TarEntry entry{.path = path_.empty() ? TextOf(block, kName) : std::exchange(path_, {}),
                 .kind = KindOf(block[kType]),
                 .mode = static_cast<std::uint32_t>(NumberOf(block, kMode)),
                 .mtime = static_cast<std::int64_t>(std::min(NumberOf(block, kTime), kLatest)),
                 .size = NumberOf(block, kSize),
                 .target = target_.empty() ? TextOf(block, kLink) : std::exchange(target_, {})};
  if (!size_.empty()) {
    const std::optional<std::int64_t> size = ParseInt(std::exchange(size_, {}));
    if (!size || *size < 0) return Damaged();
    entry.size = static_cast<std::uint64_t>(*size);
  }
  if (entry.kind != TarKind::kFile) entry.size = 0;
  if (entry.size > kMostSize) return Damaged();
  const bool is_file = entry.kind == TarKind::kFile;
  const std::uint64_t size = entry.size;
  YARD_TRY(take_.entry(std::move(entry)));
  if (contents_ == TarContents::kFollow) {
    content_ = size;
    padding_ = PaddingOf(size);
  }
  const bool is_over = is_file && content_ == 0 && contents_ == TarContents::kFollow;
  return is_over && take_.file_end ? take_.file_end() : Status();
}

}  // namespace yard::data
