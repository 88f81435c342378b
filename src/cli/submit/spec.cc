#include "cli/submit/spec.h"

#include <algorithm>

#include <boost/json/value.hpp>

#include "base/strings.h"

namespace yard::cli {
namespace {

constexpr const char* kVariables = "environmentVariables";

struct ToJsonValue {
  json::value operator()(const std::string& text) const {
    return json::value(json::string_view(text));
  }
  json::value operator()(std::int64_t number) const { return number; }
  json::value operator()(double number) const { return number; }
  json::value operator()(bool flag) const { return flag; }
  template <class T>
  json::value operator()(const std::vector<T>& list) const {
    json::array array;
    for (const T& one : list) array.push_back((*this)(one));
    return array;
  }
};

json::value ToValue(const Value& value) {
  return std::visit(ToJsonValue{}, value);
}

// The object that holds the last part of `path`, made as needed, and that part.
std::pair<json::object*, std::string_view> Place(json::object& root, std::string_view path) {
  json::object* at = &root;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    json::value& inner = (*at)[path.substr(0, dot)];
    if (!inner.is_object()) inner.emplace_object();
    at = &inner.get_object();
    path.remove_prefix(dot + 1);
  }
  return {at, path};
}

}  // namespace

std::string Item::Text(std::string_view name) const {
  for (const auto& [key, value] : fields) {
    if (key != name) continue;
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
  }
  return {};
}

void Item::Set(std::string name, Value value) {
  for (auto& [key, old] : fields) {
    if (key != name) continue;
    old = std::move(value);
    return;
  }
  fields.emplace_back(std::move(name), std::move(value));
}

void Spec::SetVariable(const std::string& name, const std::string& value) {
  for (Item& item : lists_[kVariables]) {
    if (item.Text("name") == name) return item.Set("value", value);
  }
  Append(kVariables, {{{"name", name}, {"value", value}}});
}

bool Spec::Has(std::string_view path) const {
  return fields_.contains(path) || lists_.contains(std::string(path));
}

const Value* Spec::Find(std::string_view path) const {
  auto found = fields_.find(path);
  return found == fields_.end() ? nullptr : &found->second;
}

std::string Spec::Text(std::string_view path) const {
  const Value* value = Find(path);
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? std::string() : *text;
}

const std::vector<Item>& Spec::List(const std::string& path) const {
  static const std::vector<Item> none;
  auto found = lists_.find(path);
  return found == lists_.end() ? none : found->second;
}

void Spec::Overlay(const Spec& over) {
  for (const auto& [path, value] : over.fields_) Set(path, value);
  for (const auto& [path, items] : over.lists_) {
    for (const Item& item : items) {
      if (path == kVariables && !item.Text("name").empty()) {
        std::erase_if(lists_[path],
                      [&](const Item& old) { return old.Text("name") == item.Text("name"); });
      }
      Append(path, item);
    }
  }
}

json::object Spec::ToJson() const {
  json::object root;
  for (const auto& [path, value] : fields_) {
    auto [object, key] = Place(root, path);
    (*object)[key] = ToValue(value);
  }
  for (const auto& [path, items] : lists_) {
    json::array list;
    for (const Item& item : items) {
      json::object entry;
      for (const auto& [name, value] : item.fields) {
        auto [object, key] = Place(entry, name);
        (*object)[key] = ToValue(value);
      }
      list.push_back(std::move(entry));
    }
    if (list.empty()) continue;
    auto [object, key] = Place(root, path);
    (*object)[key] = std::move(list);
  }
  return root;
}

}  // namespace yard::cli
