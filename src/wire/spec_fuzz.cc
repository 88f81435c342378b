// Any bytes as the text of a workload's spec, as a body brings it and as the store keeps it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/json.h"
#include "model/spec/spec.h"
#include "model/workload.h"
#include "wire/schema.h"
#include "wire/spec.h"
#include "wire/workload.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  yard::Workload workload;
  (void)yard::wire::TakeSpecText(workload, text);
  (void)yard::wire::ReadSpecText(std::string(text));
  return 0;
}
