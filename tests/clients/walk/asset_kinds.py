"""Every kind of asset as data: what the client calls its methods, and what the asset holds."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Kind:
    name: str  # also the first word of the tests' names
    api: str  # the attribute of the client's workload_assets
    model: str  # the models are {model}CreationRequest and {model}UpdateRequest
    create: str
    list: str
    get: str
    update: str
    delete: str
    spec: dict = field(hash=False, default_factory=dict)
    # Fields of spec that name an asset made before: field -> name of its kind.
    references: tuple = ()
    # The spec after an update; nothing: only the name and description can change.
    changed: dict = field(hash=False, default_factory=dict)
    # Values that must never come back.
    hidden: tuple = ()
    made: int = 202
    updated: int = 202
    deleted: int = 202


def regular(name, api, model, **rest):
    """Most kinds: create_nfs_asset, list_nfs_assets, get_nfs_asset_by_id, …"""
    return Kind(name, api, model, f"create_{api}_asset", f"list_{api}_assets",
                f"get_{api}_asset_by_id", f"update_{api}_asset_by_id",
                f"delete_{api}_asset_by_id", **rest)


def credential(name, model, listed, **rest):
    word = name.replace("-", "_")
    return Kind(name, "credentials", model, f"create_{word}", listed, f"get_{word}_by_id",
                f"update_{word}", f"delete_{word}", **rest)


CREDENTIALS = (
    credential("access-key", "AccessKey", "list_access_keys", hidden=("key-secret-1",),
               spec={"accessKeyId": "AKIA1", "secretAccessKey": "key-secret-1"}),
    credential("password", "Password", "list_passwords", hidden=("password-secret-1",),
               spec={"user": "ada", "password": "password-secret-1"}),
    credential("docker-registry", "DockerRegistry", "list_docker_registries",
               hidden=("registry-secret-1",),
               spec={"user": "ada", "password": "registry-secret-1",
                     "url": "registry.example.org"}),
    credential("generic-secret", "GenericSecret", "list_generic_secret", deleted=204,
               hidden=("generic-secret-1",),
               spec={"keyValuePairs": [{"key": "token", "value": "generic-secret-1"}]}),
)

REGISTRY = Kind(
    "registry", "registry", "Registry", "create_registry", "list_registries",
    "get_registry_by_id", "update_registry", "delete_registry", made=201, updated=200,
    deleted=204, hidden=("registry-secret-2",),
    spec={"url": "https://registry.example.org", "credentialKind": "password", "user": "ada",
          "password": "registry-secret-2"})

CONNECTION = {
    "name": "jupyter", "isExternal": False,
    "internalToolInfo": {"toolType": "jupyter-notebook", "connectionType": "ExternalUrl",
                         "containerPort": 8888, "externalUrlInfo": {"isCustomUrl": False}},
}

RUNTIME = (
    regular("compute", "compute", "Compute",
            spec={"gpuDevicesRequest": 1, "gpuRequestType": "portion", "gpuPortionRequest": 0.5,
                  "gpuPortionLimit": 1.0, "cpuCoreRequest": 0.5, "cpuMemoryRequest": "100M",
                  "largeShmRequest": True,
                  "extendedResources": [{"resource": "example.org/nic", "quantity": "1"}]},
            changed={"gpuDevicesRequest": 8, "cpuCoreRequest": 4, "cpuMemoryRequest": "64G"}),
    regular("environment", "environment", "Environment",
            spec={"image": "jupyter/scipy-notebook", "imagePullPolicy": "IfNotPresent",
                  "command": "start-notebook.sh", "args": "--NotebookApp.token=''",
                  "environmentVariables": [{"name": "HOME", "value": "/home/ada"}],
                  "workingDir": "/home/ada", "uidGidSource": "fromTheImage",
                  "capabilities": ["CHOWN"], "connections": [CONNECTION]},
            changed={"image": "jupyter/base-notebook", "runAsUid": 1000, "runAsGid": 1000,
                     "uidGidSource": "custom", "overrideUidGidInWorkspace": True}),
)

DATA_SOURCES = (
    regular("nfs", "nfs", "NFS",
            spec={"server": "10.0.0.5", "path": "/export/data", "mountPath": "/data",
                  "readOnly": False},
            changed={"server": "10.0.0.6", "path": "/export/data", "mountPath": "/data"}),
    regular("pvc", "pvc", "PVC",
            spec={"path": "/work", "existingPvc": False, "readOnly": False,
                  "claimInfo": {"size": "1Gi", "storageClass": "fast",
                                "accessModes": {"readWriteMany": True},
                                "volumeMode": "Filesystem"}},
            changed={"path": "/work-2"}),
    Kind("host-path", "host_path", "HostPath", "create_host_path", "list_host_path_assets",
         "get_host_path_by_id", "update_host_path_by_id", "delete_host_path_by_id",
         spec={"path": "/srv/models", "mountPath": "/models", "readOnly": True,
               "mountPropagation": "None"},
         changed={"path": "/srv/models-2", "mountPath": "/models"}),
    regular("git", "git", "Git", references=(("passwordAssetId", "password"),),
            spec={"repository": "https://git.example.org/lab/net.git", "branch": "main",
                  "path": "/code"},
            changed={"repository": "https://git.example.org/lab/net.git", "branch": "next",
                     "revision": "v2", "path": "/code"}),
    regular("s3", "s3", "S3", references=(("accessKeyAssetId", "access-key"),),
            spec={"bucket": "images", "path": "/images", "url": "https://s3.example.org"},
            changed={"bucket": "images-2", "path": "/images", "url": "https://s3.example.org"}),
    regular("config-map", "config_map", "ConfigMap",
            spec={"configMap": "settings", "mountPath": "/etc/settings"}),
    regular("secret", "secret", "SecretAsset",
            references=(("credentialAssetId", "generic-secret"),),
            spec={"mountPath": "/etc/token"}),
)

TEMPLATE = Kind(
    "template", "template", "WorkloadTemplate", "create_template", "list_templates",
    "get_template_by_id", "update_template", "delete_template_by_id",
    references=(("assets.environment", "environment"), ("assets.compute", "compute")),
    spec={"assets": {}, "specificEnv": {"backoffLimit": 0, "command": "sleep 60"}},
    changed={"assets": {}, "specificEnv": {"backoffLimit": 2, "allowOverQuota": True}})
