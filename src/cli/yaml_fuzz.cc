// Any text either is refused or survives being written and read again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/check.h"
#include "cli/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using yard::cli::ReadYaml;
  auto documents = ReadYaml({reinterpret_cast<const char*>(bytes), size});
  if (!documents) return 0;
  for (const yard::cli::YamlDocument& document : *documents) {
    auto again = ReadYaml(yard::cli::WriteYaml(document.value()));
    YARD_CHECK(again.has_value());
    YARD_CHECK(again->size() == 1);
    YARD_CHECK(again->front().value() == document.value());
  }
  return 0;
}
