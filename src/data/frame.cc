#include "data/frame.h"

#include <zlib.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/bytes.h"

namespace yard::data {
namespace {

constexpr int kFast = 1;
constexpr std::size_t kSample = 16 << 10;

std::string Deflate(std::string_view content) {
  uLongf size = compressBound(content.size());
  std::string packed(size, '\0');
  const int done = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                             reinterpret_cast<const Bytef*>(content.data()), content.size(), kFast);
  packed.resize(done == Z_OK ? size : 0);
  return packed;
}

// Worth it if it saves an eighth.
bool IsShorter(std::string_view packed, std::string_view content) {
  return !packed.empty() && packed.size() < content.size() - content.size() / 8;
}

// Pictures, weights and archives are dense already: the beginning tells.
std::string PackIfShorter(std::string_view content) {
  if (content.size() > kSample) {
    const std::string_view sample = content.substr(content.size() / 2, kSample);
    if (!IsShorter(Deflate(sample), sample)) return {};
  }
  std::string packed = Deflate(content);
  return IsShorter(packed, content) ? packed : std::string();
}

std::unexpected<Error> Damaged(const ChunkId& id, std::string_view why) {
  return Fail(Code::kInvalid, fmt::format("chunk {} is damaged: {}", Hex(id), why));
}

}  // namespace

void AppendFrame(std::string& out, const Frame& frame) {
  out.append(frame.id.view());
  out.push_back(static_cast<char>(frame.encoding));
  AppendVarint(out, frame.length);
  AppendSized(out, frame.payload);
}

void AppendPacked(std::string& out, const ChunkId& id, std::string_view content) {
  const std::string packed = PackIfShorter(content);
  if (packed.empty()) return AppendFrame(out, {id, Encoding::kPlain, content.size(), content});
  AppendFrame(out, {id, Encoding::kDeflate, content.size(), packed});
}

Result<std::vector<Frame>> ReadFrames(std::string_view bytes) {
  std::vector<Frame> frames;
  ByteReader reader(bytes);
  while (!reader.empty()) {
    const auto id = reader.Take(kIdBytes);
    const auto encoding = reader.Take(1);
    const auto length = encoding ? reader.Varint() : std::nullopt;
    const auto payload = length ? reader.Sized() : std::nullopt;
    if (!id || !payload) return Fail(Code::kInvalid, "the body ends inside a chunk");
    const auto kind = static_cast<unsigned char>(encoding->front());
    const bool sound =
        kind <= 1 && *length > 0 && *length <= kLongestChunk && payload->size() <= *length;
    if (!sound) return Damaged(*IdFromBytes(*id), "its length or encoding is not possible");
    if (frames.size() == kMostFrames)
      return Fail(Code::kTooLarge, fmt::format("more than {} chunks at once", kMostFrames));
    frames.push_back({*IdFromBytes(*id), static_cast<Encoding>(kind), *length, *payload});
  }
  return frames;
}

Result<std::string> Unpack(const Frame& frame) {
  std::string content;
  if (frame.length > kLongestChunk) return Damaged(frame.id, "it is too long");
  if (frame.encoding == Encoding::kPlain) {
    content = frame.payload;
  } else {
    uLongf size = frame.length;
    content.resize(frame.length);
    const int done =
        uncompress(reinterpret_cast<Bytef*>(content.data()), &size,
                   reinterpret_cast<const Bytef*>(frame.payload.data()), frame.payload.size());
    if (done != Z_OK || size != frame.length) return Damaged(frame.id, "it cannot be unpacked");
  }
  if (content.size() != frame.length) return Damaged(frame.id, "its length is another one");
  if (IdOf(content) != frame.id) return Damaged(frame.id, "its content does not match its id");
  return content;
}

}  // namespace yard::data
