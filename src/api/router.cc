#include "api/router.h"

#include "base/check.h"
#include "base/strings.h"
#include "http/url.h"

namespace yard::api {

struct Router::Node {
  std::map<std::string, std::unique_ptr<Node>, std::less<>> children;
  std::unique_ptr<Node> parameter;
  std::map<http::Method, const Route*> routes;
};

namespace {

bool IsParameter(std::string_view segment) {
  return segment.starts_with('{') && segment.ends_with('}');
}

}  // namespace

Router::Router(const std::vector<Route>& routes) : root_(std::make_unique<Node>()) {
  for (const Route& route : routes) {
    Node* node = root_.get();
    for (std::string_view segment : Split(route.path.substr(1), '/')) {
      auto& child = IsParameter(segment) ? node->parameter : node->children[std::string(segment)];
      if (!child) child = std::make_unique<Node>();
      node = child.get();
    }
    bool fresh = node->routes.emplace(route.method, &route).second;
    YARD_CHECK(fresh);
  }
}

Router::~Router() = default;

Match Router::Find(http::Method method, std::string_view path) const {
  if (!path.starts_with('/')) return {};
  path.remove_prefix(1);
  if (path.ends_with('/')) path.remove_suffix(1);
  const Node* node = root_.get();
  std::vector<std::string> values;
  for (std::string_view segment : Split(path, '/')) {
    auto child = node->children.find(segment);
    if (child != node->children.end()) {
      node = child->second.get();
    } else if (node->parameter) {
      Result<std::string> value = http::DecodePercent(segment);
      if (!value || value->empty()) return {};
      values.push_back(*std::move(value));
      node = node->parameter.get();
    } else {
      return {};
    }
  }
  Match match;
  auto found = node->routes.find(method);
  if (found == node->routes.end()) {
    for (const auto& [allowed, route] : node->routes) match.allowed.push_back(allowed);
    return match;
  }
  match.route = found->second;
  std::size_t next = 0;
  for (std::string_view segment : Split(match.route->path, '/')) {
    if (IsParameter(segment)) {
      match.parameters.emplace_back(segment.substr(1, segment.size() - 2),
                                    std::move(values[next++]));
    }
  }
  return match;
}

std::string_view MethodName(http::Method method) {
  switch (method) {
    case http::Method::kGet:
      return "GET";
    case http::Method::kHead:
      return "HEAD";
    case http::Method::kPost:
      return "POST";
    case http::Method::kPut:
      return "PUT";
    case http::Method::kPatch:
      return "PATCH";
    case http::Method::kDelete:
      return "DELETE";
    case http::Method::kOptions:
      return "OPTIONS";
    case http::Method::kOther:
      return "OTHER";
  }
  return "OTHER";
}

}  // namespace yard::api
