// YAML in, JSON out: the one reader of every YAML file that people write.
//
// A pure function over text. Plain scalars become what YAML 1.2's core schema says (true, 12,
// 0.5, null); quoted ones stay texts, and so do `yes`, `on` and dates. Each value's line is kept,
// so that an error can point at it. Refused, with the line: broken YAML, a key that appears twice,
// merge keys, numbers JSON cannot hold, more than 64 levels, more than 100,000 values.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace yard::cli {

// One document of a YAML stream. Movable.
class YamlDocument {
 public:
  YamlDocument(json::value value, std::map<std::string, int> lines);
  YamlDocument(YamlDocument&&) noexcept;
  YamlDocument& operator=(YamlDocument&&) noexcept;
  ~YamlDocument();

  const json::value& value() const { return *value_; }
  // The line of a value named by its path ("spec.resources[0].gpu"), or of the nearest value
  // around it; the empty path is the document itself.
  int LineOf(std::string_view path) const;

 private:
  std::unique_ptr<json::value> value_;
  std::map<std::string, int> lines_;
};

// Empty documents are left out.
Result<std::vector<YamlDocument>> ReadYaml(std::string_view text);

// Block-style YAML that ReadYaml reads back to the same value.
std::string WriteYaml(const json::value& value);

}  // namespace yard::cli
