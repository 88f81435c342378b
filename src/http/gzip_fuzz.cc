// Any bytes as a compressed body: nothing above the bound comes out, and what comes out survives
// being compressed again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "http/gzip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace yard::http;
  constexpr std::size_t kLimit = 100'000;
  static Gzipper gzipper;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (auto plain = Gunzip(bytes, kLimit)) {
    YARD_CHECK(plain->size() <= kLimit);
    YARD_CHECK(Gunzip(gzipper.Compress(*plain), kLimit) == *plain);
    if (!plain->empty()) YARD_CHECK(!Gunzip(bytes, plain->size() - 1).has_value());
  }
  const std::string packed = gzipper.Compress(bytes);
  YARD_CHECK(Gunzip(packed, size) == std::string(bytes));
  return 0;
}
