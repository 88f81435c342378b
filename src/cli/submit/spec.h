// The fields of a submission's spec, by their place in the API: "compute.cpuCoreRequest".
//
// Every grammar of the command line (our own, Slurm's, Run:ai's two) writes into one of these; none
// of them knows JSON. Values only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.h"

namespace yard::cli {

using Value = std::variant<std::string, std::int64_t, double, bool, std::vector<std::string>,
                           std::vector<std::int64_t>>;

// One object of a list: a mount, a port, a variable. Names may be dotted too.
struct Item {
  std::vector<std::pair<std::string, Value>> fields;

  // The text of a field; empty if absent.
  std::string Text(std::string_view name) const;
  void Set(std::string name, Value value);
};

class Spec {
 public:
  void Set(std::string path, Value value) { fields_.insert_or_assign(std::move(path), value); }
  void SetIfAbsent(std::string path, Value value) { fields_.emplace(std::move(path), value); }
  void Append(const std::string& path, Item item) { lists_[path].push_back(std::move(item)); }
  void DropList(const std::string& path) { lists_.erase(path); }
  // A variable of the task; a later one of the same name wins.
  void SetVariable(const std::string& name, const std::string& value);

  bool Has(std::string_view path) const;
  const Value* Find(std::string_view path) const;
  // The text of a field; empty if absent or of another type.
  std::string Text(std::string_view path) const;
  const std::vector<Item>& List(const std::string& path) const;
  bool empty() const { return fields_.empty() && lists_.empty(); }

  // What `over` says wins; its list entries come after ours, its variables replace ours.
  void Overlay(const Spec& over);

  json::object ToJson() const;

 private:
  std::map<std::string, Value, std::less<>> fields_;
  std::map<std::string, std::vector<Item>> lists_;
};

}  // namespace yard::cli
