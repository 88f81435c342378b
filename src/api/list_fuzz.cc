// Any text as filterBy, and any text as a query string.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/list.h"
#include "http/url.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)yard::api::ParseFilter(text);
  auto query = yard::http::ParseQuery(text);
  if (!query) return 0;
  constexpr std::array<std::string_view, 3> kFields{"name", "phase", "createdAt"};
  (void)yard::api::ParseListQuery(*query, kFields);
  return 0;
}
