#include "http/gzip.h"

#include <algorithm>

#include <zlib.h>

#include "base/check.h"

namespace yard::http {
namespace {

constexpr int kGzipWindow = 15 + 16;  // largest window, gzip framing
constexpr int kFastest = 1;           // JSON shrinks well at once; more effort delays the others
constexpr int kMemoryLevel = 8;
constexpr std::size_t kStep = 64 * 1024;

Bytef* Bytes(const char* text) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text));
}

// Owns an inflating stream.
struct Inflater {
  z_stream z{};
  Inflater() { YARD_CHECK(inflateInit2(&z, kGzipWindow) == Z_OK); }
  ~Inflater() { inflateEnd(&z); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

}  // namespace

Result<std::string> Gunzip(std::string_view compressed, std::size_t limit) {
  Inflater inflater;
  z_stream& z = inflater.z;
  z.next_in = Bytes(compressed.data());
  z.avail_in = static_cast<uInt>(compressed.size());
  std::string out;
  for (;;) {
    std::size_t used = out.size();
    // One byte over the limit is enough to know.
    out.resize(std::min(used + kStep, limit + 1));
    z.next_out = Bytes(out.data() + used);
    z.avail_out = static_cast<uInt>(out.size() - used);
    int code = inflate(&z, Z_NO_FLUSH);
    out.resize(out.size() - z.avail_out);
    if (out.size() > limit) {
      return Fail(Code::kTooLarge, "the body is too large once decompressed");
    }
    if (code == Z_STREAM_END) break;
    if (code != Z_OK || (z.avail_in == 0 && z.avail_out > 0)) {
      return Fail(Code::kInvalid, "the body is not valid gzip");
    }
  }
  if (z.avail_in > 0) return Fail(Code::kInvalid, "there are bytes after the end of the gzip body");
  return out;
}

struct Gzipper::State {
  z_stream z{};
};

Gzipper::Gzipper() : state_(std::make_unique<State>()) {
  YARD_CHECK(deflateInit2(&state_->z, kFastest, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                          Z_DEFAULT_STRATEGY) == Z_OK);
}

Gzipper::~Gzipper() {
  deflateEnd(&state_->z);
}

std::string Gzipper::Compress(std::string_view body) {
  z_stream& z = state_->z;
  YARD_CHECK(deflateReset(&z) == Z_OK);
  std::string out(deflateBound(&z, body.size()), '\0');
  z.next_in = Bytes(body.data());
  z.avail_in = static_cast<uInt>(body.size());
  z.next_out = Bytes(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  YARD_CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
  out.resize(z.total_out);
  return out;
}

}  // namespace yard::http
