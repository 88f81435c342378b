// Whatever bytes come, a manifest that is read has only paths that stay inside, and is written as
// it was read.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "data/frame.h"
#include "data/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace yard::data;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (auto entries = ReadManifest(text)) {
    for (const Entry& entry : *entries) YARD_CHECK(CheckPath(entry.path).has_value());
    auto again = ReadManifest(WriteManifest(*entries));
    YARD_CHECK(again.has_value());
    YARD_CHECK(*again == *entries);
  }
  if (auto frames = ReadFrames(text)) {
    for (const Frame& frame : *frames) (void)Unpack(frame);
  }
  return 0;
}
