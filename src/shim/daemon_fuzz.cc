// Any bytes from a container daemon: the frames of an output come out the same however they are
// cut, and looking for a field of an answer stays inside it.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/check.h"
#include "shim/frames.h"
#include "shim/http.h"

namespace {

using namespace yard::shim;

std::string Read(std::string_view stream, std::size_t step) {
  FrameReader reader;
  std::string output;
  std::string error;
  while (!stream.empty()) {
    // A copy of just these bytes, so that a read beyond them is noticed.
    const std::string part(stream.substr(0, step));
    stream.remove_prefix(part.size());
    const char* next = part.data();
    const char* end = next + part.size();
    for (auto piece = reader.Next(&next, end); piece.size > 0; piece = reader.Next(&next, end)) {
      YARD_CHECK(piece.bytes >= part.data() && piece.bytes + piece.size <= end);
      (piece.stream == 2 ? error : output).append(piece.bytes, piece.size);
    }
    YARD_CHECK(next == end);
  }
  return output + '\n' + error;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  YARD_CHECK(Read(bytes, bytes.size() + 1) == Read(bytes, 1U + data[0] % 64U));
  char words[16];
  FindText(bytes.c_str(), "message", words, sizeof(words));
  YARD_CHECK(std::strlen(words) < sizeof(words));
  YARD_CHECK(FindNumber(bytes.c_str(), "Pid") >= -1);
  (void)FindTrue(bytes.c_str(), "OOMKilled");
  return 0;
}
