// Finds the route for a method and path.
//
// A tree over path segments, built once; literal segments win over parameters. A last segment
// {name...} takes the whole rest of the path, slashes included.
// Immutable after construction; thread-safe.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/route.h"

namespace yard::serve {

struct Match {
  const Route* route = nullptr;  // null: nothing there
  std::vector<std::pair<std::string_view, std::string>> parameters;
  std::vector<http::Method> allowed;  // methods the path has, if this one is not among them
};

class Router {
 public:
  // The routes must outlive the router. Two routes of one method and path are a bug.
  explicit Router(const std::vector<Route>& routes);
  ~Router();

  Match Find(http::Method method, std::string_view path) const;

 private:
  struct Node;
  std::unique_ptr<Node> root_;
};

}  // namespace yard::serve
