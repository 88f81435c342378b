"""Policies of the four kinds of workload: set, read, changed, enforced, removed."""

from dataclasses import dataclass, field

from .organisation import ground, share

DEFAULTS = {"image": "ubuntu:24.04", "compute": {"cpuCoreRequest": 1}}
RULES = {"compute": {"gpuDevicesRequest": {"min": 0, "max": 2}},
         "imagePullPolicy": {"required": False}}


@dataclass(frozen=True)
class Kind:
    name: str
    word: str
    model: str
    policy: dict = field(hash=False, default_factory=dict)
    changed: dict = field(hash=False, default_factory=dict)


def plain(name, word):
    return Kind(name, word, word.capitalize(), {"defaults": DEFAULTS, "rules": RULES},
                {"rules": {"compute": {"gpuDevicesRequest": {"min": 0, "max": 4}}}})


KINDS = (
    plain("workspaces", "workspace"),
    plain("trainings", "training"),
    plain("inferences", "inference"),
    Kind("distributed", "distributed", "Distributed",
         {"defaults": {"worker": DEFAULTS, "master": DEFAULTS},
          "rules": {"worker": RULES, "master": RULES}},
         {"rules": {"worker": {"compute": {"gpuDevicesRequest": {"min": 0, "max": 4}}}}}),
)


def policy(s, kind):
    api = s.client.policies.policy
    meta = {"scope": "tenant", "name": f"house-{kind.name}"}
    put = getattr(api, f"overwrite_{kind.word}_policy_v2")
    patch = getattr(api, f"update_{kind.word}_policy_v2")
    get = getattr(api, f"get_{kind.word}_policy_v2")
    keyword = f"{kind.word}_policy_{{}}_request_v2"
    request = s.model(f"{kind.model}PolicyOverwriteRequestV2",
                      {"meta": meta, "policy": kind.policy})
    s.call(f"policy-{kind.name}.validate", put, validate_only=True,
           **{keyword.format("overwrite"): request})
    s.call(f"policy-{kind.name}.get-validated", get, "tenant", status=404)
    s.call(f"policy-{kind.name}.put", put, **{keyword.format("overwrite"): request})
    got = s.call(f"policy-{kind.name}.get", get, "tenant")
    s.expect(f"policy-{kind.name}.name", got["meta"]["name"], meta["name"])
    change = s.model(f"{kind.model}PolicyChangeRequestV2", {"meta": meta, "policy": kind.changed})
    s.call(f"policy-{kind.name}.patch", patch, **{keyword.format("change"): change})
    changed = s.call(f"policy-{kind.name}.get-patched", get, "tenant")
    s.expect(f"policy-{kind.name}.patch-holds", largest(kind, changed["policy"]["rules"]), 4)
    s.call(f"policy-{kind.name}.list", api.list_policies, workload_type=kind.word.capitalize())
    s.call(f"policy-{kind.name}.delete", getattr(api, f"delete_{kind.word}_policy"), "tenant",
           status=204)
    s.call(f"policy-{kind.name}.get-deleted", get, "tenant", status=404)


def largest(kind, rules):
    rules = rules["worker"] if kind.name == "distributed" else rules
    return rules["compute"]["gpuDevicesRequest"]["max"]


def enforcement(s):
    """A project's policy holds for what is made in the project."""
    cluster, pool = ground(s)
    parent = s.client.organizations.departments.get_departments().data["departments"][0]
    project = s.call("policy.project", s.client.organizations.projects.create_project, s.model(
        "ProjectCreationRequest", {"name": "strict", "clusterId": cluster["uuid"],
                                   "parentId": parent["id"], "resources": [share(pool, 1)]}),
                     status=201)
    meta = {"scope": "project", "projectId": int(project["id"]), "name": "one-gpu"}
    rules = {"compute": {"gpuDevicesRequest": {"max": 1}}}
    s.call("policy.put-for-project", s.client.policies.policy.overwrite_workspace_policy_v2,
           workspace_policy_overwrite_request_v2=s.model(
               "WorkspacePolicyOverwriteRequestV2", {"meta": meta, "policy": {"rules": rules}}))
    fields = {"name": "greedy", "projectId": project["id"], "clusterId": cluster["uuid"],
              "spec": {"image": "ubuntu:24.04", "compute": {"gpuDevicesRequest": 2}}}
    refused = s.call("policy.refuses", s.client.workloads.workspaces.create_workspace1,
                     s.model("WorkspaceCreationRequest", fields), status=400)
    s.expect("policy.names-the-field",
             any("gpuDevicesRequest" in issue["field"] for issue in
                 refused.get("complianceIssues", [])), True)
    s.call("policy.delete-for-project", s.client.policies.policy.delete_workspace_policy,
           "project", project_id=project["id"], status=204)
    s.call("policy.project-deleted", s.client.organizations.projects.delete_project,
           project["id"], status=(202, 204))


def walk_policies(s):
    for kind in KINDS:
        s.chapter(policy, kind)
    s.chapter(enforcement)
