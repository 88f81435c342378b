#include <vector>

#include <boost/json/value.hpp>

#include "cli/applier.h"

namespace yard::cli {
namespace {

bool SameNumber(const json::value& a, const json::value& b) {
  return a.is_number() && b.is_number() && a.to_number<double>() == b.to_number<double>();
}

// Whether `shown` is the {id, name, …} of what was sent as an id.
bool IsShownFor(const json::value& sent, const json::value& shown) {
  const json::object* object = sent.is_string() ? shown.if_object() : nullptr;
  const json::value* id = object == nullptr ? nullptr : object->if_contains("id");
  return id != nullptr && *id == sent;
}

// Lists of objects are sets (quotas, permissions, labels); lists of plain values have an order.
bool CoversList(const json::array& current, const json::array& wanted) {
  if (current.size() != wanted.size()) return false;
  std::vector<bool> taken(current.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::size_t at = i;
    if (wanted[i].is_object()) {
      at = 0;
      while (at < current.size() && (taken[at] || !Covers(current[at], wanted[i]))) ++at;
    }
    if (at == current.size() || !Covers(current[at], wanted[i])) return false;
    taken[at] = true;
  }
  return true;
}

}  // namespace

bool Covers(const json::value& current, const json::value& wanted) {
  if (const json::object* fields = wanted.if_object()) {
    const json::object* object = current.if_object();
    if (object == nullptr) return fields->empty() && current.is_null();
    for (const auto& [key, value] : *fields) {
      const json::value* member = object->if_contains(key);
      if (!Covers(member == nullptr ? json::value() : *member, value)) return false;
    }
    return true;
  }
  if (const json::array* list = wanted.if_array()) {
    const json::array* array = current.if_array();
    return array != nullptr ? CoversList(*array, *list) : list->empty() && current.is_null();
  }
  return current == wanted || SameNumber(current, wanted) || IsShownFor(wanted, current);
}

}  // namespace yard::cli
