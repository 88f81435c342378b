#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/nodes/infra_views.h"
#include "control/commands/infra.h"
#include "control/live.h"
#include "serve/server.h"
#include "wire/reader.h"

namespace yard::api {
namespace {

using control::State;
using control::Txn;

control::SharedBoard BoardOf(Call& call) {
  control::Live* live = call.server().context().live;
  return live == nullptr ? std::make_shared<const control::WaitBoard>() : live->Waiting();
}

http::Reply ClusterReply(Call& call, const State& state, const Cluster& cluster, int status = 200) {
  std::string out;
  wire::Writer w(out);
  wire::WriteCluster(w, ViewOf(state, *BoardOf(call), cluster, call.now()));
  return Json(std::move(out), status);
}

// The server's own first: clients that know of one cluster take the first.
std::vector<const Cluster*> VisibleClusters(const Call& call) {
  std::vector<const Cluster*> all;
  call.state().Of<Cluster>().Each([&](const Cluster& cluster) {
    if (SeesInside(call, Resource::kCluster, cluster.id)) all.push_back(&cluster);
  });
  Ptr<Cluster> own = control::LocalCluster(call.state());
  std::ranges::sort(all, {}, [&](const Cluster* one) {
    return std::pair(own && one->id == own->id ? 0 : 1, std::string_view(one->name));
  });
  return all;
}

Result<Answer> ListClusters(Call& call) {
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  const control::SharedBoard board = BoardOf(call);
  for (const Cluster* cluster : VisibleClusters(call)) {
    w.Item();
    wire::WriteCluster(w, ViewOf(call.state(), *board, *cluster, call.now()));
  }
  w.EndList();
  call.NeedsNoScope();
  return Json(std::move(out));
}

Result<Answer> GetCluster(Call& call) {
  YARD_ASSIGN(ClusterId id, ClusterIdOf(call));
  YARD_ASSIGN(Ptr<Cluster> cluster, control::GetCluster(call.state(), id));
  YARD_TRY(RequireInside(call, id));
  return ClusterReply(call, call.state(), *cluster);
}

control::ClusterDraft ReadCluster(const json::object& body) {
  control::ClusterDraft draft;
  std::vector<FieldIssue> issues;
  wire::Reader reader(body, "", issues);
  reader("name", draft.name);
  reader("domain", draft.domain);
  reader("version", draft.version);
  return draft;
}

Result<Answer> CreateCluster(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  control::ClusterDraft draft = ReadCluster(body);
  return Commit([draft](Txn& txn) { return control::CreateCluster(txn, draft); },
                [&call](const Ptr<Cluster>& cluster) {
                  return ClusterReply(call, *call.service().Read(), *cluster, 201);
                });
}

Result<Answer> UpdateCluster(Call& call) {
  YARD_ASSIGN(ClusterId id, ClusterIdOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  std::string name = ReadCluster(body).name;
  return Commit([id, name](Txn& txn) { return control::RenameCluster(txn, id, name); },
                [](const Ptr<Cluster>&) { return Empty(204); });
}

Result<Answer> DeleteCluster(Call& call) {
  YARD_ASSIGN(ClusterId id, ClusterIdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteCluster(txn, id); },
                [] { return Empty(204); });
}

Result<Answer> InstallInfo(Call& call) {
  YARD_ASSIGN(ClusterId id, ClusterIdOf(call));
  YARD_TRY(call.Require({.cluster = id}));
  return Fail(Code::kUnsupported, "this server has no Helm chart to install on a cluster",
              "machines join with the gpuyard program itself");
}

Result<Answer> StorageClasses(Call& call) {
  // Nothing here knows a cluster's storage classes, so there are none to name.
  call.NeedsNoScope();
  return Json(R"({"items":[]})");
}

}  // namespace

void AddClusterRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/clusters";
  constexpr std::string_view kOne = "/api/v1/clusters/{clusterUuid}";
  constexpr Resource kCluster = Resource::kCluster;
  std::vector<QueryParameter> verbosity{{"verbosity", "metadata|full"}};
  routes.insert(routes.end(), {{kGet, kAll, May(Action::kRead, kCluster), ListClusters,
                                "List clusters", "", "[Cluster]", 200, verbosity},
                               {kPost, kAll, May(Action::kCreate, kCluster), CreateCluster,
                                "Create a cluster", "ClusterDraft", "Cluster", 201},
                               {kGet, kOne, May(Action::kRead, kCluster), GetCluster,
                                "Get a cluster", "", "Cluster", 200, verbosity},
                               {kPut, kOne, May(Action::kUpdate, kCluster), UpdateCluster,
                                "Rename a cluster", "ClusterUpdate", "", 204},
                               {kDelete,
                                kOne,
                                May(Action::kDelete, kCluster),
                                DeleteCluster,
                                "Delete a cluster",
                                "",
                                "",
                                204,
                                {{"force", "bool"}}},
                               {kGet, "/api/v1/clusters/{clusterUuid}/cluster-install-info",
                                May(Action::kUpdate, kCluster), InstallInfo,
                                "How to install a cluster", "", "object"},
                               {kGet,
                                "/api/v1/storage-classes",
                                May(Action::kRead, kCluster),
                                StorageClasses,
                                "List a cluster's storage classes",
                                "",
                                "StorageClasses",
                                200,
                                {{"clusterId", "uuid"}}}});
}

}  // namespace yard::api
