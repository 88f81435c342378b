// Any bytes as a kept spec: whatever is read is written and read again as the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "engine/local/tasks/spec_text.h"
#include "engine/local/tasks/task_folder.h"
#include "shim/format.h"

namespace {

std::string Written(const yard::engine::TaskSpec& spec) {
  std::string text = yard::engine::EncodeSpec(spec) + yard::shim::kSpecEnd;
  text.push_back('\0');
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace yard::engine;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (auto spec = DecodeSpec(bytes)) {
    const std::string once = Written(*spec);
    auto again = DecodeSpec(once);
    YARD_CHECK(again.has_value());
    YARD_CHECK(Written(*again) == once);
  }
  const TaskRecord record = ParseTaskState(bytes);
  if (record.end) {
    const TaskRecord again = ParseTaskState(RenderTaskEnd(*record.end));
    YARD_CHECK(again.end && again.end->cause == record.end->cause);
    YARD_CHECK(again.end->message == record.end->message);
  }
  return 0;
}
