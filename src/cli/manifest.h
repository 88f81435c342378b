// One object of an apply file, checked as far as that goes without a server.
//
//   kind: Project
//   metadata:
//     name: vision
//     department: research     # names, never ids: they are looked up
//   spec:
//     resources: [...]         # the API's own fields
//
// `name:` may stand at the top instead. Values only.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "cli/yaml.h"

namespace yard::cli {

class Manifest {
 public:
  // kInvalid names line, key and the nearest name.
  static Result<Manifest> Read(YamlDocument document);

  const std::string& kind() const { return kind_; }  // as the table of kinds writes it
  const std::string& name() const { return name_; }  // empty for access rules
  // A text of the metadata; empty if absent.
  std::string Meta(std::string_view key) const;
  const json::object& metadata() const;
  const json::object& spec() const;
  int LineOf(std::string_view path) const { return document_.LineOf(path); }

 private:
  explicit Manifest(YamlDocument document) : document_(std::move(document)) {}
  Status Check();
  Status CheckKeys() const;

  YamlDocument document_;
  std::string kind_;
  std::string name_;
};

// Every document of a file; the first error ends it.
Result<std::vector<Manifest>> ReadManifests(std::string_view yaml);

}  // namespace yard::cli
