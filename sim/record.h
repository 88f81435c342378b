// Reads one JSON object field by field; the first problem anywhere in the document is kept.
//
// After a problem every read gives its default, so that a reader needs no checks between fields.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace yard::sim {

class Record {
 public:
  // `value` must outlive the record; `path` names it in messages ("" is the document).
  Record(const json::value& value, std::string path, Status& status);

  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  std::string Text(std::string_view name);  // must be there and not empty
  std::string Text(std::string_view name, std::string_view otherwise);
  std::int64_t Whole(std::string_view name, std::int64_t otherwise, std::int64_t most);
  // Thousandths of a number with at most three decimals.
  std::int64_t Milli(std::string_view name, std::int64_t otherwise, std::int64_t most);
  bool Flag(std::string_view name, bool otherwise);
  // The index of the text in `names`.
  std::size_t Choice(std::string_view name, std::span<const std::string_view> names,
                     std::size_t otherwise);
  // The members of a list, or nothing if it is absent.
  const json::array& List(std::string_view name);
  // The member as it is; null if absent.
  const json::value& Raw(std::string_view name);

  std::string PathOf(std::string_view name) const;
  void Wrong(std::string_view name, std::string_view problem);
  // Refuses fields that nobody asked for.
  void Close();

 private:
  const json::value* Find(std::string_view name) const;
  const json::value* Ask(std::string_view name);

  const json::object* object_;
  std::string path_;
  Status& status_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace yard::sim
