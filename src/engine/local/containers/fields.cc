#include "engine/local/containers/fields.h"

#include <boost/json/value.hpp>

namespace yard::engine::containers {

const json::value* Find(const json::value& value, std::string_view path) {
  const json::value* at = &value;
  while (!path.empty()) {
    const json::object* object = at->if_object();
    if (object == nullptr) return nullptr;
    std::size_t dot = path.find('.');
    at = object->if_contains(path.substr(0, dot));
    if (at == nullptr) return nullptr;
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return at;
}

std::string Text(const json::value& value, std::string_view path) {
  const json::value* field = Find(value, path);
  const json::string* text = field == nullptr ? nullptr : field->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

std::int64_t Number(const json::value& value, std::string_view path) {
  const json::value* field = Find(value, path);
  if (field == nullptr) return 0;
  if (const std::int64_t* number = field->if_int64()) return *number;
  const std::uint64_t* number = field->if_uint64();
  return number == nullptr ? 0 : static_cast<std::int64_t>(*number);
}

Flag FlagOf(const json::value& value, std::string_view path) {
  const json::value* field = Find(value, path);
  const bool* flag = field == nullptr ? nullptr : field->if_bool();
  return flag != nullptr && *flag ? Flag::kYes : Flag::kNo;
}

std::vector<std::string> Texts(const json::value& value, std::string_view path) {
  std::vector<std::string> texts;
  const json::value* field = Find(value, path);
  const json::array* array = field == nullptr ? nullptr : field->if_array();
  if (array == nullptr) return texts;
  for (const json::value& item : *array) {
    if (const json::string* text = item.if_string()) texts.emplace_back(*text);
  }
  return texts;
}

}  // namespace yard::engine::containers
