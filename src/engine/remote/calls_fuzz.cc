// Requests from a process that is not trusted: whatever is read whole is written the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "engine/remote/calls.h"

namespace {

template <class T>
void Read(std::string_view bytes) {
  using namespace yard::engine::remote;
  ValueReader in(bytes);
  T value{};
  in(value);
  if (!in.whole()) return;
  ValueWriter once;
  once(value);
  const std::string written = once.Take();
  ValueReader again(written);
  T copy{};
  again(copy);
  ValueWriter twice;
  twice(copy);
  YARD_CHECK(again.whole() && twice.Take() == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Read<yard::engine::TaskSpec>(bytes);
  Read<yard::engine::ExecSpec>(bytes);
  Read<yard::engine::remote::CallKind>(bytes);
  return 0;
}
