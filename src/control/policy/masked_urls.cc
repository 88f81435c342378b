#include "control/policy/masked_urls.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/mask.h"
#include "control/policy/values.h"

namespace yard::control {
namespace {

std::unexpected<Error> Refuse(std::string_view field) {
  Error error{Code::kInvalid,
              fmt::format("{} holds '{}' where the credentials of a URL were", field, kMask),
              "send the URL with its credentials, or without and name a credential instead"};
  error.fields.push_back({std::string(field), "holds a mask instead of credentials"});
  return Fail(std::move(error));
}

// Where a member of a list stood before: items keep their names, lists may grow and shrink.
const json::value* ItemBefore(const json::array& current, const json::value& item,
                              std::size_t index) {
  std::string_view name = ItemName(item);
  for (const json::value& other : current) {
    if (!name.empty() && ItemName(other) == name) return &other;
  }
  return index < current.size() ? &current[index] : nullptr;
}

Status UnmaskText(json::string& sent, const json::value* current, std::string_view field) {
  if (!HoldsMask({sent.data(), sent.size()})) return {};
  const json::string* before = current == nullptr ? nullptr : current->if_string();
  if (before == nullptr || MaskUrls(std::string(std::string_view(*before))) != sent) {
    return Refuse(field);
  }
  sent = *before;
  return {};
}

}  // namespace

Status Unmask(json::value& sent, const json::value* current, std::string_view root) {
  if (json::string* text = sent.if_string()) return UnmaskText(*text, current, root);
  if (json::array* array = sent.if_array()) {
    const json::array* before = current == nullptr ? nullptr : current->if_array();
    for (std::size_t i = 0; i < array->size(); ++i) {
      json::value& item = (*array)[i];
      const json::value* old = before == nullptr ? nullptr : ItemBefore(*before, item, i);
      YARD_TRY(Unmask(item, old, fmt::format("{}[{}]", root, i)));
    }
  } else if (json::object* object = sent.if_object()) {
    const json::object* before = current == nullptr ? nullptr : current->if_object();
    for (auto& pair : *object) {
      const json::value* old = before == nullptr ? nullptr : before->if_contains(pair.key());
      YARD_TRY(Unmask(pair.value(), old, fmt::format("{}.{}", root, std::string_view(pair.key()))));
    }
  }
  return {};
}

Status RefuseMasks(const json::value& sent, std::string_view root) {
  json::value copy = sent;
  return Unmask(copy, nullptr, root);
}

}  // namespace yard::control
