// Any text as filterBy, and any text as a query string.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/url.h"
#include "serve/list.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)yard::serve::ParseFilter(text);
  auto query = yard::http::ParseQuery(text);
  if (!query) return 0;
  constexpr std::array<std::string_view, 3> kFields{"name", "phase", "createdAt"};
  (void)yard::serve::ParseListQuery(*query, kFields);
  return 0;
}
