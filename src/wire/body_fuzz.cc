// Any bytes as a request body: parsed, then judged by a schema with nesting, lists and maps.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/json.h"
#include "wire/schema.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto value = yard::ParseJson(text);
  if (!value) return 0;
  for (std::string_view type : {"ProjectDraft", "[Resources]"}) {
    (void)yard::wire::SchemaSet::Api().Validate(type, *value);
  }
  (void)yard::PrettyJson(*value);
  return 0;
}
