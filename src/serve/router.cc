#include "serve/router.h"

#include <array>
#include <unordered_map>

#include "base/check.h"
#include "base/strings.h"
#include "http/url.h"

namespace yard::serve {

struct Router::Node {
  // A route with the names of its parameters, in their order.
  struct Leaf {
    const Route* route = nullptr;
    std::vector<std::string_view> parameters;
  };
  std::unordered_map<std::string_view, std::unique_ptr<Node>> children;  // named by the routes
  std::unique_ptr<Node> parameter;
  std::unique_ptr<Node> rest;
  std::array<Leaf, static_cast<std::size_t>(http::Method::kOther) + 1> leaves;  // by method
};

namespace {

bool IsParameter(std::string_view segment) {
  return segment.starts_with('{') && segment.ends_with('}');
}

bool IsRest(std::string_view segment) {
  return IsParameter(segment) && segment.ends_with("...}");
}

// Without the braces and dots.
std::string_view NameOf(std::string_view segment) {
  return segment.substr(1, segment.size() - (IsRest(segment) ? 5 : 2));
}

// The part before the next slash; `rest` goes on behind it, or is null at the end.
std::string_view TakeSegment(std::string_view& rest) {
  std::size_t slash = rest.find('/');
  std::string_view segment = rest.substr(0, slash);
  rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  return segment;
}

}  // namespace

Router::Router(const std::vector<Route>& routes) : root_(std::make_unique<Node>()) {
  for (const Route& route : routes) {
    Node* node = root_.get();
    Node::Leaf leaf{&route, {}};
    for (std::string_view segment : Split(route.path.substr(1), '/')) {
      auto& child = IsRest(segment)        ? node->rest
                    : IsParameter(segment) ? node->parameter
                                           : node->children[segment];
      if (IsParameter(segment)) leaf.parameters.push_back(NameOf(segment));
      if (!child) child = std::make_unique<Node>();
      node = child.get();
    }
    Node::Leaf& place = node->leaves[static_cast<std::size_t>(route.method)];
    YARD_CHECK(place.route == nullptr);
    place = std::move(leaf);
  }
}

Router::~Router() = default;

Match Router::Find(http::Method method, std::string_view path) const {
  if (!path.starts_with('/')) return {};
  path.remove_prefix(1);
  if (path.ends_with('/')) path.remove_suffix(1);
  const Node* node = root_.get();
  Match match;
  for (std::string_view rest = path; rest.data() != nullptr;) {
    std::string_view whole = rest;
    std::string_view segment = TakeSegment(rest);
    auto child = node->children.find(segment);
    if (child != node->children.end()) {
      node = child->second.get();
    } else if (node->parameter || node->rest) {
      Result<std::string> value = http::DecodePercent(node->parameter ? segment : whole);
      if (!value || value->empty()) return {};
      match.parameters.emplace_back(std::string_view(), *std::move(value));
      if (!node->parameter) rest = {};
      node = node->parameter ? node->parameter.get() : node->rest.get();
    } else {
      return {};
    }
  }
  const Node::Leaf& leaf = node->leaves[static_cast<std::size_t>(method)];
  match.route = leaf.route;
  for (std::size_t i = 0; i < leaf.parameters.size(); ++i) {
    match.parameters[i].first = leaf.parameters[i];
  }
  for (const Node::Leaf& other : node->leaves) {
    if (match.route == nullptr && other.route) match.allowed.push_back(other.route->method);
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

}  // namespace yard::serve
