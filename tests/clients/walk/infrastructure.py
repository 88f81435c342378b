"""Clusters, node pools, nodes."""

from .organisation import ground


def clusters(s):
    api = s.client.organizations.clusters
    listed = s.call("clusters.list", api.get_clusters, verbosity="full")
    s.call("clusters.list-metadata", api.get_clusters, verbosity="metadata")
    s.expect("clusters.one-from-the-start", len(listed), 1)
    made = s.call("clusters.create", api.create_cluster, s.model("ClusterCreationRequest", {
        "name": "annex", "domain": "https://annex.example.org"}), status=201)
    s.call("clusters.get", api.get_cluster_by_uuid, made["uuid"], verbosity="full")
    s.call("clusters.update", api.update_cluster, made["uuid"],
           s.model("ClusterUpdateRequest", {"name": "annex-2"}), status=204)
    renamed = s.call("clusters.get-updated", api.get_cluster_by_uuid, made["uuid"])
    s.expect("clusters.update-holds", renamed["name"], "annex-2")
    s.call("clusters.delete", api.delete_cluster, made["uuid"], status=(202, 204))
    s.call("clusters.get-deleted", api.get_cluster_by_uuid, made["uuid"], status=404)


def node_pools(s):
    api = s.client.organizations.node_pools
    cluster, _ = ground(s)
    request = s.model("NodepoolCreateFields", {
        "name": "dev", "labelKey": "pool", "labelValue": "dev", "clusterId": cluster["uuid"],
        "overProvisioningRatio": 2, "placementStrategy": {"cpu": "spread", "gpu": "binpack"}})
    made = s.call("node-pools.create", api.create_nodepool, request, status=201)
    s.call("node-pools.create-again", api.create_nodepool, request, status=409)
    listed = s.call("node-pools.list", api.get_nodepools, filter_by=["name==dev"],
                    sort_by="name", sort_order="asc", offset=0, limit=5)
    s.expect("node-pools.filter", [p["id"] for p in listed["nodepools"]], [made["id"]])
    s.call("node-pools.get", api.get_nodepool, made["id"])
    fields = {"labelKey": "pool", "labelValue": "unstable", "overProvisioningRatio": 1,
              "placementStrategy": {"cpu": "binpack", "gpu": "spread"}}
    put = s.call("node-pools.put", api.update_nodepool, made["id"],
                 s.model("NodepoolUpdateFields", fields))
    s.expect("node-pools.put-holds", put["placementStrategy"]["gpu"], "spread")
    patch = s.call("node-pools.patch", api.patch_nodepool, made["id"],
                   s.model("NodepoolUpdateFields", {"labelValue": "stable"}))
    s.expect("node-pools.patch-keeps-the-rest",
             (patch["labelValue"], patch["placementStrategy"]["gpu"]), ("stable", "spread"))
    s.call("node-pools.count", api.count_nodepools)
    s.call("node-pools.delete", api.delete_nodepool, made["id"], status=(202, 204))
    s.call("node-pools.get-deleted", api.get_nodepool, made["id"], status=404)


def nodes(s):
    api = s.client.organizations.nodes
    cluster, _ = ground(s)
    listed = s.call("nodes.list", api.get_nodes, cluster["uuid"])
    s.expect("nodes.is-a-list", type(listed["nodes"]), list)
    s.call("nodes.telemetry", api.get_node_telemetry, "TOTAL_GPUS", cluster_id=cluster["uuid"])


CHAPTERS = (clusters, node_pools, nodes)
