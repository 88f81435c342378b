#include "cli/work/mask.h"

#include <algorithm>
#include <functional>

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

namespace {

constexpr std::size_t kShortest = 4;

// Calls `visit` with every member and whether its value is to be hidden.
template <class Visit>
void EachMember(const json::object& object, Visit visit) {
  const json::value* name = object.if_contains("name");
  bool pair =
      name != nullptr && name->is_string() && LooksSecret(std::string_view(name->get_string()));
  for (const auto& [key, inner] : object)
    visit(key, inner, (inner.is_string() && LooksSecret(key)) || (pair && key == "value"));
}

void Collect(const json::value& value, std::vector<std::string>& found) {
  if (const json::array* list = value.if_array()) {
    for (const json::value& item : *list) Collect(item, found);
  } else if (const json::object* object = value.if_object()) {
    EachMember(*object, [&](std::string_view, const json::value& inner, bool secret) {
      if (!secret || !inner.is_string()) return Collect(inner, found);
      if (inner.get_string().size() >= kShortest)
        found.emplace_back(std::string_view(inner.get_string()));
    });
  }
}

}  // namespace

json::value Masked(const json::value& value) {
  if (const json::array* list = value.if_array()) {
    json::array out;
    for (const json::value& item : *list) out.push_back(Masked(item));
    return out;
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return value;
  json::object out;
  EachMember(*object, [&](std::string_view key, const json::value& inner, bool secret) {
    out[key] = secret ? json::value("***") : Masked(inner);
  });
  return out;
}

std::vector<std::string> SecretValues(const json::value& value) {
  std::vector<std::string> found;
  Collect(value, found);
  // The longest first, so that a value which is part of another does not cut it in two.
  std::ranges::sort(found, std::greater{}, &std::string::size);
  return found;
}

std::string Without(std::string text, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    for (std::size_t at = text.find(value); at != std::string::npos; at = text.find(value, at + 3))
      text.replace(at, value.size(), "***");
  }
  return text;
}

}  // namespace yard::cli
