"""The four kinds of workload: made, found, stopped, started, deleted."""

from dataclasses import dataclass, field

from .organisation import ground, share

PLACE = {}  # where the walk's workloads go; set by `home`


@dataclass(frozen=True)
class Kind:
    name: str
    api: str
    word: str  # the client's methods are create_{word}, delete_{word} …
    model: str
    type: str  # as lists call it
    create: str
    spec: dict = field(hash=False, default_factory=dict)
    extra: dict = field(hash=False, default_factory=dict)
    made: int = 200


CONTAINER = {"image": "ubuntu:24.04", "command": "sleep", "args": "3600",
             "environmentVariables": [{"name": "SEED", "value": "7"}],
             "labels": [{"name": "user", "value": "ada"}],
             "compute": {"gpuDevicesRequest": 1, "gpuRequestType": "portion",
                         "gpuPortionRequest": 0.5, "cpuCoreRequest": 0.5,
                         "cpuMemoryRequest": "100M"}}
RUN_ONCE = {"backoffLimit": 0}

KINDS = (
    Kind("workspaces", "workspaces", "workspace", "WorkspaceCreationRequest", "Workspace",
         "create_workspace1", CONTAINER | RUN_ONCE | {
             "exposedUrls": [{"container": 8888, "toolType": "jupyter-notebook",
                              "toolName": "Jupyter"}]}),
    Kind("trainings", "trainings", "training", "TrainingCreationRequest", "Training",
         "create_training1", CONTAINER | RUN_ONCE | {"completions": 1, "parallelism": 1}),
    Kind("distributed", "distributed", "distributed", "DistributedCreationRequest", "Distributed",
         "create_distributed", CONTAINER | RUN_ONCE | {
             "numWorkers": 2, "distributedFramework": "PyTorch"},
         extra={"masterSpecSameAsWorker": True}),
    Kind("inferences", "inferences", "inference", "InferenceCreationRequest", "Inference",
         "create_inference1", CONTAINER | {
             "servingPort": {"container": 8000, "protocol": "http"},
             "autoscaling": {"minReplicas": 1, "maxReplicas": 2, "metric": "throughput",
                             "metricThreshold": 100}}, made=202),
)


def home(s):
    """A project for the workloads, which stays until the end."""
    cluster, pool = ground(s)
    parent = s.client.organizations.departments.get_departments().data["departments"][0]
    request = s.model("ProjectCreationRequest", {
        "name": "walks", "clusterId": cluster["uuid"], "parentId": parent["id"],
        "resources": [share(pool, 4)]})
    project = s.call("workloads.project", s.client.organizations.projects.create_project, request,
                     status=201)
    PLACE.update(projectId=project["id"], clusterId=cluster["uuid"])


def create(s, kind, name, test):
    fields = {"name": name, "useGivenNameAsPrefix": False, "spec": kind.spec}
    request = s.model(kind.model, fields | PLACE | kind.extra)
    made = s.call(f"{kind.name}.{test}", getattr(api_of(s, kind), kind.create), request,
                  status=kind.made)
    return request, made["workloadId"]


def api_of(s, kind):
    return getattr(s.client.workloads, kind.api)


def workload(s, kind):
    api = api_of(s, kind)
    request, key = create(s, kind, f"walk-{kind.word}", "create")
    s.call(f"{kind.name}.create-again", getattr(api, kind.create), request, status=409)
    got = s.call(f"{kind.name}.get", getattr(api, f"get_{kind.word}"), key)
    s.expect(f"{kind.name}.keeps-its-spec", got["spec"]["image"], CONTAINER["image"])
    seen = s.call(f"{kind.name}.get-as-workload", s.client.workloads.workloads.get_workload, key)
    s.expect(f"{kind.name}.type", seen["type"], kind.type)
    s.expect(f"{kind.name}.waits-for-a-reason",
             (seen["phase"], bool(seen.get("phaseMessage"))), ("Pending", True))
    records(s, kind, key)
    if kind.name == "inferences":
        change_inference(s, api, key)
    else:
        stop_and_start(s, kind, key)
    s.call(f"{kind.name}.delete", getattr(api, f"delete_{kind.word}"), key, status=204)
    gone = s.call(f"{kind.name}.list-deleted", s.client.workloads.workloads.get_workloads,
                  deleted=True, filter_by=[f"name==walk-{kind.word}"])
    s.expect(f"{kind.name}.stays-on-record", [w["id"] for w in gone["workloads"]], [key])


def records(s, kind, key):
    """What is kept about a workload."""
    listed = s.call(f"{kind.name}.list", s.client.workloads.workloads.get_workloads,
                    filter_by=[f"type=={kind.type}", "phase==Pending"], sort_by="name",
                    sort_order="desc", offset=0, limit=10, search=f"walk-{kind.word}")
    s.expect(f"{kind.name}.filter", [w["id"] for w in listed["workloads"]], [key])
    events = s.client.workloads.events
    s.call(f"{kind.name}.events", events.get_workload_events, key, limit=10, sort_order="desc")
    history = s.call(f"{kind.name}.history", events.get_workload_history, key, limit=10)
    s.expect(f"{kind.name}.has-history", bool(history["records"]), True)
    s.call(f"{kind.name}.pods", s.client.workloads.pods.get_workload_pods, key)


def stop_and_start(s, kind, key):
    api = api_of(s, kind)
    get = getattr(api, f"get_{kind.word}")
    s.call(f"{kind.name}.suspend", getattr(api, f"suspend_{kind.word}"), key, status=202)
    stopped = s.call(f"{kind.name}.get-suspended", get, key)
    s.expect(f"{kind.name}.is-suspended", stopped["desiredPhase"], "Stopped")
    s.call(f"{kind.name}.resume", getattr(api, f"resume_{kind.word}"), key, status=202)
    started = s.call(f"{kind.name}.get-resumed", get, key)
    s.expect(f"{kind.name}.is-resumed", started["desiredPhase"], "Running")


def change_inference(s, api, key):
    update = s.model("InferenceUpdateRequest", {"spec": {"image": "ubuntu:22.04", "autoscaling": {
        "minReplicas": 2, "maxReplicas": 3, "metric": "throughput", "metricThreshold": 50}}})
    changed = s.call("inferences.update", api.update_inference_spec, key, update)
    s.expect("inferences.update-holds", changed["spec"]["image"], "ubuntu:22.04")


def paging(s):
    """Lists in pages, over several workloads of one kind."""
    api = s.client.workloads.workloads
    kind = KINDS[0]
    keys = {create(s, kind, f"page-{i}", f"create-page-{i}")[1] for i in range(5)}
    seen = []
    for offset in (0, 2, 4):
        page = s.call(f"workloads.page-{offset}", api.get_workloads, sort_by="name",
                      filter_by=["name=^page-"], sort_order="asc", offset=offset, limit=2)
        seen += [w["name"] for w in page["workloads"]]
    s.expect("workloads.pages-in-order", seen, [f"page-{i}" for i in range(5)])
    count = s.call("workloads.count", api.count_workloads, filter_by=["name=^page-"])
    s.expect("workloads.count-is-right", count["count"], 5)
    s.call("workloads.telemetry", api.get_workloads_telemetry, "WORKLOADS_COUNT",
           group_by=["ProjectId", "Phase"])
    s.call("workloads.all-pods", s.client.workloads.pods.list_pods, limit=10, completed=True)
    s.call("workloads.count-pods", s.client.workloads.pods.count_pods)
    batch(s, sorted(keys))


def batch(s, keys):
    unknown = "00000000-0000-4000-8000-000000000000"
    request = s.model("WorkloadBatch", {"ids": [*keys, unknown], "action": "delete"})
    answer = s.call("workloads.batch", s.client.workloads.workloads_batch.batch_workloads, request)
    s.expect("workloads.batch-deletes", sorted(answer["succeeded"]), keys)
    s.expect("workloads.batch-names-failures", [f["id"] for f in answer["failed"]], [unknown])


def leave(s):
    s.call("workloads.project-deleted", s.client.organizations.projects.delete_project,
           PLACE["projectId"], status=(202, 204))


def walk_workloads(s):
    s.chapter(home)
    for kind in KINDS:
        s.chapter(workload, kind)
    s.chapter(paging)
    s.chapter(leave)
