"""Use over time, of everything that the client asks it of; storage classes and settings besides."""

import datetime

from .workloads import KINDS, create, home


def period():
    end = datetime.datetime.now(datetime.timezone.utc)
    return {"start": end - datetime.timedelta(hours=1), "end": end}


NOBODY = "00000000-0000-4000-8000-000000000000"  # this server has no nodes and no pods


def of_the_organisation(s):
    home(s)
    places, when = s.client.organizations, period()
    cluster = places.clusters.get_clusters().data[0]
    pool = places.node_pools.get_nodepools().data["nodepools"][0]
    project = places.projects.get_projects().data["projects"][0]
    department = places.departments.get_departments().data["departments"][0]
    for name, function, words, kind in (
            ("cluster", places.clusters.get_cluster_metrics, {"cluster_uuid": cluster["uuid"]},
             "ALLOCATED_GPU"),
            ("node-pool", places.node_pools.get_nodepool_metrics,
             {"cluster_uuid": cluster["uuid"], "nodepool_name": pool["name"]}, "ALLOCATED_GPU"),
            ("project", places.projects.get_project_metrics, {"project_id": project["id"]},
             "GPU_ALLOCATION"),
            ("department", places.departments.get_department_metrics,
             {"department_id": department["id"]}, "GPU_ALLOCATION")):
        answer = s.call(f"metrics.{name}", function, **words, metric_type=[kind], **when)
        s.expect(f"metrics.{name}.is-a-list", isinstance(answer["measurements"], list), True)
    s.call("metrics.node-that-is-not-there", places.nodes.get_node_metrics, NOBODY,
           metric_type=["CPU_USAGE_CORES"], **when, status=404)


def of_work(s):
    when, work = period(), s.client.workloads
    training = next(kind for kind in KINDS if kind.name == "trainings")
    inference = next(kind for kind in KINDS if kind.name == "inferences")
    _, key = create(s, training, "walk-measured", "create-measured")
    s.call("metrics.workload", work.workloads.get_workload_metrics, key, metric_type=["POD_COUNT"],
           **when)
    pod = NOBODY
    s.call("metrics.pod", work.pods.get_workload_pod_metrics, key, pod,
           metric_type=["CPU_USAGE_CORES"], **when, status=(200, 404))
    _, served = create(s, inference, "walk-served", "create-served")
    s.call("metrics.inference", work.inferences.get_inference_workload_metrics, served,
           metric_type=["THROUGHPUT"], **when)
    s.call("metrics.inference-pod", work.inferences.get_inference_workload_pod_metrics, served, pod,
           metric_type=["THROUGHPUT"], **when, status=(200, 404))


def of_the_site(s):
    cluster = s.client.organizations.clusters.get_clusters().data[0]["uuid"]
    s.call("storage-classes.list", s.client.workload_assets.storage_classes.get_storage_classes,
           cluster_id=cluster)


CHAPTERS = (of_the_organisation, of_work, of_the_site)
