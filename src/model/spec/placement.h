// The nodes that a pod asks for beside its resources.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace yard {

struct TolerationSpec {
  std::string key;     // empty: every key
  std::string value;   // compared unless `any_value`
  std::string effect;  // empty: every effect
  bool any_value = false;
};

// Resources that only an administrator's nodes know, such as a network card.
struct ExtendedResource {
  std::string resource;
  std::int64_t quantity = 1;
};

// The label whose value the nodes of all its pods must, or should, have in common.
struct NearnessSpec {
  std::string label;
  bool required = false;
};

struct LabelSpec {
  std::string name;
  std::string value;
};

struct PlacementSpec {
  std::vector<std::string> node_pools;  // in order; empty: the project's
  std::string node_type;
  std::vector<std::string> nodes;          // by name, any of these; empty: all
  std::vector<std::string> exclude_nodes;  // none of these
  std::optional<NearnessSpec> near;
  std::vector<TolerationSpec> tolerations;
  std::vector<ExtendedResource> extended;
  std::vector<LabelSpec> labels;
};

}  // namespace yard
