#include "cli/resolver.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/check.h"
#include "cli/kinds.h"
#include "cli/output.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr const char* kStandIn = "0";
constexpr const char* kStandInCluster = "00000000-0000-0000-0000-000000000000";

const Kind& KindCalled(std::string_view plural) {
  Result<const Kind*> kind = FindKind(plural);
  YARD_CHECK(kind.has_value());
  return **kind;
}

}  // namespace

Outcome<std::string> Resolver::Id(std::string_view kind, const std::string& name) {
  if (blind()) return kStandIn;
  std::pair<std::string, std::string> key(kind, name);
  if (auto found = known_.find(key); found != known_.end()) return found->second;
  const Kind& what = KindCalled(kind);
  YARD_ASSIGN(json::value object, FindObject(*client_, what, name));
  return known_.emplace(key, TextAt(object, what.id)).first->second;
}

Outcome<std::string> Resolver::IdIn(std::string_view kind, const std::string& name,
                                    const std::string& cluster_id) {
  if (blind()) return kStandIn;
  const std::pair<std::string, std::string> key(kind, name);
  if (auto found = known_.find(key); found != known_.end() && found->second == kStandIn)
    return found->second;
  const Kind& what = KindCalled(kind);
  YARD_ASSIGN(std::vector<json::value> all, ListObjects(*client_, what, {}));
  for (const json::value& one : all) {
    if (TextAt(one, "name") == name && TextAt(one, "clusterId") == cluster_id)
      return TextAt(one, what.id);
  }
  return Id(kind, name);
}

Outcome<std::string> Resolver::ClusterId(const std::string& name) {
  if (blind()) return kStandInCluster;
  if (!name.empty()) return Id("clusters", name);
  std::pair<std::string, std::string> key("clusters", "");
  if (auto found = known_.find(key); found != known_.end()) return found->second;
  const Kind& clusters = KindCalled("clusters");
  YARD_ASSIGN(std::vector<json::value> all, ListObjects(*client_, clusters, {}));
  if (all.empty()) {
    return std::unexpected(
        Failure({Code::kInvalid, "there is no cluster", "ask an administrator for one"}));
  }
  return known_.emplace(key, TextAt(all.front(), clusters.id)).first->second;
}

Outcome<json::value> Resolver::Find(std::string_view kind, const std::string& name) {
  Outcome<json::value> object = FindObject(*client_, KindCalled(kind), name);
  if (!object && object.error().error.code == Code::kNotFound) return json::value(nullptr);
  return object;
}

void Resolver::Promise(std::string_view kind, const std::string& name) {
  known_.emplace(std::pair(std::string(kind), name), kStandIn);
}

}  // namespace yard::cli
