#include "app/cluster_records.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "control/commands/infra.h"
#include "control/dispatch/contact.h"
#include "control/dispatch/node_sync.h"

namespace yard::app {
namespace {

using control::State;
using control::Txn;

// The system itself makes nothing but the server's own cluster, which is known by that.
constexpr const char* kCreator = "configuration";

Ptr<Cluster> ClusterNamed(const State& state, const std::string& name) {
  Ptr<Cluster> found;
  state.Of<Cluster>().Each([&](const Cluster& cluster) {
    if (cluster.name == name) found = state.Find<Cluster>(cluster.id);
  });
  return found;
}

Result<ClusterId> RecordOf(Txn& txn, const ClusterSettings& settings) {
  Ptr<Cluster> found = ClusterNamed(txn.state(), settings.name);
  if (!found) {
    YARD_ASSIGN(found, control::CreateCluster(txn, {.name = settings.name}));
    Cluster made = *found;
    made.stamp.created_by = kCreator;
    found = txn.Put(std::move(made));
  }
  Ptr<Cluster> own = control::LocalCluster(txn.state());
  if (!own || own->id != found->id) return found->id;
  return Fail(
      Code::kInvalid,
      fmt::format("{}: clusters: '{}' is the server's own cluster", settings.origin, settings.name),
      "choose another name");
}

void Detach(Txn& txn, const Cluster& cluster) {
  control::LoseNodes(txn, cluster.id, cluster.engine, "no engine is attached to its cluster");
  control::AttachEngine(txn, cluster.id, "");
}

}  // namespace

Result<std::vector<ClusterId>> MakeClusterRecords(control::Service& service,
                                                  const std::vector<ClusterSettings>& clusters,
                                                  bool has_own) {
  std::vector<ClusterId> ids;
  auto make = [&](Txn& txn) -> Status {
    ids.clear();
    for (const ClusterSettings& settings : clusters) {
      YARD_ASSIGN(ClusterId id, RecordOf(txn, settings));
      ids.push_back(id);
    }
    std::vector<ClusterId> driven = ids;
    Ptr<Cluster> own = control::LocalCluster(txn.state());
    if (own && has_own) driven.push_back(own->id);
    std::vector<Cluster> left;
    txn.state().Of<Cluster>().Each([&](const Cluster& cluster) {
      const bool is_driven = std::ranges::find(driven, cluster.id) != driven.end();
      if (!is_driven && !cluster.engine.empty()) left.push_back(cluster);
    });
    for (const Cluster& cluster : left) Detach(txn, cluster);
    return {};
  };
  YARD_TRY(service.WriteAndWait(control::SystemPrincipal(), make));
  return ids;
}

}  // namespace yard::app
