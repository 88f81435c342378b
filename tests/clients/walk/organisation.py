"""Departments and projects: quota, rules, lists."""

from runai import models


def share(pool, gpus, limit=-1):
    """What a department or project deserves of one node pool."""
    return {
        "nodePool": {"id": pool["id"], "name": pool["name"]},
        "gpu": {"deserved": gpus, "limit": limit, "overQuotaWeight": 2},
        "cpu": {"deserved": 1000, "limit": -1, "overQuotaWeight": 2},
        "memory": {"deserved": 1024, "limit": -1, "overQuotaWeight": 2, "units": "Mib"},
    }


def shares(s, *fields):
    """The newest client renames the model of a resource update."""
    name = "ResourcesNullable" if hasattr(models, "ResourcesNullable") else "Resources"
    return [s.model(name, field) for field in fields]


def ground(s):
    """The cluster and node pool that every server has from the start."""
    cluster = s.client.organizations.clusters.get_clusters().data[0]
    pools = s.client.organizations.node_pools.get_nodepools().data["nodepools"]
    return cluster, next(pool for pool in pools if pool["isDefault"])


def gpus(resources):
    return [r["gpu"]["deserved"] for r in resources]


def departments(s):
    api = s.client.organizations.departments
    cluster, pool = ground(s)
    fields = {"name": "vision", "clusterId": cluster["uuid"], "description": "Cameras",
              "resources": [share(pool, 8)]}
    request = s.model("DepartmentCreationRequest", fields)
    made = s.call("departments.create", api.create_department, request, status=201)
    s.call("departments.create-again", api.create_department, request, status=409)
    for verbosity in ("meta", "brief", "verbose"):
        listed = s.call(f"departments.list-{verbosity}", api.get_departments, verbosity=verbosity,
                        filter_by=["name==vision"], sort_by="name", sort_order="asc", limit=5)
        s.expect(f"departments.filter-{verbosity}",
                 [d["id"] for d in listed["departments"]], [made["id"]])
    s.call("departments.get", api.get_department, made["id"])
    update = s.model("DepartmentUpdateRequest", {
        "description": "Cameras and lidar", "resources": [share(pool, 250)],
        "schedulingRules": {"interactiveJobTimeLimitSeconds": 43200}})
    updated = s.call("departments.update", api.update_department, made["id"], update)
    s.expect("departments.no-ceiling", gpus(updated["resources"]), [250])
    put = s.call("departments.put-resources", api.update_department_resources, made["id"],
                 shares(s, share(pool, 12)))
    s.expect("departments.put-holds", gpus(put), [12])
    patch = s.call("departments.patch-resources", api.patch_department_resources, made["id"],
                   shares(s, share(pool, 16)))
    s.expect("departments.patch-holds", gpus(patch), [16])
    s.call("departments.count", api.count_departments, filter_by=["name==vision"])
    s.call("departments.telemetry", api.get_departments_telemetry, "GPU_QUOTA",
           cluster_id=cluster["uuid"])
    s.call("departments.delete", api.delete_department, made["id"], status=204)
    s.call("departments.get-deleted", api.get_department, made["id"], status=404)


def projects(s):
    api = s.client.organizations.projects
    cluster, pool = ground(s)
    home = s.client.organizations.departments.get_departments().data["departments"][0]
    fields = {"name": "segmentation", "clusterId": cluster["uuid"], "parentId": home["id"],
              "description": "Masks", "resources": [share(pool, 4)],
              "schedulingRules": {"trainingJobMaxIdleDurationSeconds": 3600},
              "defaultNodePools": [pool["name"]]}
    request = s.model("ProjectCreationRequest", fields)
    made = s.call("projects.create", api.create_project, request, status=201)
    s.call("projects.create-again", api.create_project, request, status=409)
    s.expect("projects.number-as-text", made["id"].isdigit(), True)
    listed = s.call("projects.list", api.get_projects, filter_by=["name=^segment"],
                    sort_by="name", sort_order="desc", offset=0, limit=10, search="mentation")
    s.expect("projects.filter", [p["id"] for p in listed["projects"]], [made["id"]])
    nothing = s.call("projects.list-none", api.get_projects, filter_by=["name==nowhere"])
    s.expect("projects.filter-none", nothing["projects"], [])
    s.call("projects.list-bad-filter", api.get_projects, filter_by=["nonsense"], status=400)
    s.call("projects.get", api.get_project, made["id"])
    update_project(s, api, made, pool)
    s.call("projects.count", api.count_projects, search="segmentation")
    s.call("projects.telemetry", api.get_projects_telemetry, "GPU_QUOTA", group_by=["ParentId"])
    s.call("projects.delete", api.delete_project, made["id"], status=(202, 204))
    s.call("projects.get-deleted", api.get_project, made["id"], status=404)


def update_project(s, api, made, pool):
    update = s.model("ProjectUpdateRequest", {
        "description": "Masks and boxes", "resources": [share(pool, 120.5)],
        "schedulingRules": {"interactiveJobTimeLimitSeconds": 43200}})
    updated = s.call("projects.update", api.update_project, made["id"], update)
    s.expect("projects.no-ceiling", gpus(updated["resources"]), [120.5])
    put = s.call("projects.put-resources", api.update_project_resources, made["id"],
                 shares(s, share(pool, 2)))
    s.expect("projects.put-holds", gpus(put), [2])
    patch = s.call("projects.patch-resources", api.patch_project_resources, made["id"],
                   shares(s, share(pool, 3, limit=6)))
    s.expect("projects.patch-holds", gpus(patch), [3])
    again = s.call("projects.get-updated", api.get_project, made["id"])
    s.expect("projects.update-holds", again["description"], "Masks and boxes")


CHAPTERS = (departments, projects)
