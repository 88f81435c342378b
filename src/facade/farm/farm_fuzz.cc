// Any bytes as a job definition and as the task that is submitted to it: two lines.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/json.h"
#include "facade/farm/definition.h"
#include "facade/farm/task_spec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace yard;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  auto body = ParseJson(text.substr(0, line));
  if (!body || !body->is_object()) return 0;
  auto read = facade::farm::CheckDefinition(body->get_object());
  if (!read) return 0;
  Setting setting;
  setting.value = facade::farm::StoredForm(read->definition);
  const json::object kept = facade::farm::DefinitionOf(setting);
  facade::farm::TaskOrder order{.type = "x", .user = "x"};
  if (line != std::string_view::npos) {
    auto task = ParseJson(text.substr(line + 1));
    if (!task || !task->is_object()) return 0;
    auto asked = facade::farm::ReadTaskOrder(task->get_object());
    if (!asked) return 0;
    order = *asked;
  }
  (void)facade::farm::SpecOf(kept, order);
  return 0;
}
