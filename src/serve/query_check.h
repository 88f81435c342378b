// Checks query parameters against what routes say they take.
//
// Made once for a table of routes. Parameters that a route does not name are left alone, since
// clients send some of their own. Immutable after construction; thread-safe.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "serve/list.h"
#include "serve/route.h"
#include "wire/schema.h"

namespace yard::serve {

class QueryCheck {
 public:
  explicit QueryCheck(const std::vector<Route>& routes);

  // The error names the parameter. Flags and names come out as the route spells them, whatever
  // their case was.
  Status Check(const Route& route, QueryPairs& query) const;

 private:
  struct Parameter {
    std::string_view name;
    wire::SchemaType type;
    bool required = false;
  };
  std::unordered_map<const Route*, std::vector<Parameter>> parameters_;
};

}  // namespace yard::serve
