#include "cli/work/mask.h"

#include <boost/json/value.hpp>

#include "base/strings.h"

namespace yard::cli {

bool LooksSecret(std::string_view name) {
  for (std::string_view word : {"password", "passwd", "token", "secret", "credential", "api_key",
                                "apikey", "access_key", "accesskey", "private"}) {
    if (ContainsIgnoreCase(name, word)) return true;
  }
  return name.ends_with("_KEY") || name.ends_with("_PASS");
}

json::value Masked(const json::value& value) {
  if (const json::array* list = value.if_array()) {
    json::array out;
    for (const json::value& item : *list) out.push_back(Masked(item));
    return out;
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return value;
  json::object out;
  const json::value* name = object->if_contains("name");
  bool pair =
      name != nullptr && name->is_string() && LooksSecret(std::string_view(name->get_string()));
  for (const auto& [key, inner] : *object) {
    bool secret = (inner.is_string() && LooksSecret(key)) || (pair && key == "value");
    out[key] = secret ? json::value("***") : Masked(inner);
  }
  return out;
}

}  // namespace yard::cli
