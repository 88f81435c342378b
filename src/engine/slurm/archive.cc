#include "engine/slurm/archive.h"

#include <cstdint>
#include <optional>

namespace yard::engine::slurm {
namespace {

constexpr std::size_t kBlock = 512;
constexpr char kRegular = '0';
constexpr char kOldRegular = '\0';
constexpr char kLongName = 'L';

std::string_view TextAt(std::string_view header, std::size_t at, std::size_t size) {
  const std::string_view field = header.substr(at, size);
  return field.substr(0, field.find('\0'));
}

std::optional<std::size_t> OctalAt(std::string_view header, std::size_t at, std::size_t size) {
  std::size_t value = 0;
  bool any = false;
  for (const char c : TextAt(header, at, size)) {
    if (c == ' ') continue;
    if (c < '0' || c > '7') return std::nullopt;
    value = value * 8 + static_cast<std::size_t>(c - '0');
    any = true;
  }
  return any ? std::optional(value) : std::nullopt;
}

std::string NameOf(std::string_view header, const std::string& long_name) {
  std::string name = long_name;
  if (name.empty()) {
    const std::string_view prefix = TextAt(header, 345, 155);
    const bool has_prefix = header.substr(257, 6) == std::string_view("ustar\0", 6);
    if (has_prefix && !prefix.empty()) name = std::string(prefix) + "/";
    name += TextAt(header, 0, 100);
  }
  while (name.starts_with("./")) name.erase(0, 2);
  return name;
}

std::unexpected<Error> Broken() {
  return Fail(Code::kInvalid, "the files came back incomplete", "try again");
}

}  // namespace

Result<std::map<std::string, std::string>> ReadArchive(std::string_view bytes) {
  std::map<std::string, std::string> files;
  std::string long_name;
  while (!bytes.empty()) {
    if (bytes.size() < kBlock) return Broken();
    const std::string_view header = bytes.substr(0, kBlock);
    if (header.find_first_not_of('\0') == std::string_view::npos) return files;
    const std::optional<std::size_t> size = OctalAt(header, 124, 12);
    if (!size || *size > bytes.size() - kBlock) return Broken();
    const std::string_view content = bytes.substr(kBlock, *size);
    const char kind = header[156];
    if (kind == kLongName) {
      long_name = content.substr(0, content.find('\0'));
    } else {
      if (kind == kRegular || kind == kOldRegular)
        files[NameOf(header, long_name)] = std::string(content);
      long_name.clear();
    }
    const std::size_t padded = (*size + kBlock - 1) / kBlock * kBlock;
    bytes.remove_prefix(std::min(kBlock + padded, bytes.size()));
  }
  return files.empty() ? Result<std::map<std::string, std::string>>(files) : Broken();
}

}  // namespace yard::engine::slurm
