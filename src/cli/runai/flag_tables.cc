#include "cli/runai/flags.h"

namespace yard::cli::runai {
namespace {

using enum Reads;

constexpr SpecFlag kCommon[] = {
    {"-i,--image", "image", kText, "the container's image"},
    {"--image-pull-policy", "imagePullPolicy", kText, "Always, IfNotPresent or Never"},
    {"-e,--environment", "environmentVariables", kVariable, "a variable"},
    {"--working-dir", "workingDir", kText, "folder the command starts in"},
    {"--create-home-dir", "createHomeDir", kFlag, "make a temporary home folder"},
    {"-t,--tty", "tty", kFlag, "give it a terminal"},
    {"--stdin", "stdin", kFlag, "keep its standard input open"},
    {"--large-shm", "compute.largeShmRequest", kFlag, "a large /dev/shm"},
    {"--node-type", "nodeType", kText, "only nodes of this type"},
    {"--node-pools", "nodePools", kList, "node pools, best first"},
    {"--host-ipc", "security.hostIpc", kFlag, "share the node's inter-process communication"},
    {"--host-network", "security.hostNetwork", kFlag, "share the node's network"},
    {"--allow-privilege-escalation", "security.allowPrivilegeEscalation", kFlag,
     "allow gaining privileges"},
    {"--backoff-limit", "backoffLimit", kCount, "how often it is started again after a failure"},
    {"--auto-deletion-time-after-completion", "autoDeletionTimeAfterCompletionSeconds", kSpan,
     "delete it so long after its end"},
    {"--grace-period", "terminationGracePeriodSeconds", kSpan, "time to end after the signal"},
    {"--priority", "priorityClass", kText, "priority class"},
};

constexpr SpecFlag kOld[] = {
    {"--template", "assets.template", kText, "everything else from this template"},
    {"--cpu", "compute.cpuCoreRequest", kNumber, "CPU cores"},
    {"--cpu-limit", "compute.cpuCoreLimit", kNumber, "CPU cores at most"},
    {"--memory", "compute.cpuMemoryRequest", kSize, "memory"},
    {"--memory-limit", "compute.cpuMemoryLimit", kSize, "memory at most"},
    {"-a,--annotation", "annotations", kLabel, "an annotation"},
    {"-l,--label", "labels", kLabel, "a label"},
    {"--add-capability", "security.capabilities", kList, "Linux capabilities to add"},
    {"--mig-profile,--mig", "compute.migProfile", kText, "MIG profile"},
    {"--ttl-after-finish", "autoDeletionTimeAfterCompletionSeconds", kSpan,
     "delete it so long after its end"},
    {"--completions", "completions", kCount, "how many runs must succeed"},
    {"--parallelism", "parallelism", kCount, "how many runs at once"},
};

constexpr SpecFlag kNew[] = {
    {"--cpu-core-request", "compute.cpuCoreRequest", kNumber, "CPU cores"},
    {"--cpu-core-limit", "compute.cpuCoreLimit", kNumber, "CPU cores at most"},
    {"--cpu-memory-request", "compute.cpuMemoryRequest", kSize, "memory"},
    {"--cpu-memory-limit", "compute.cpuMemoryLimit", kSize, "memory at most"},
    {"-g,--gpu-devices-request", "compute.gpuDevicesRequest", kCount, "GPUs"},
    {"--gpu-memory-request", "compute.gpuMemoryRequest", kSize, "memory of each GPU"},
    {"--gpu-memory-limit", "compute.gpuMemoryLimit", kSize, "memory of each GPU at most"},
    {"--gpu-portion-request", "compute.gpuPortionRequest", kNumber, "part of each GPU"},
    {"--gpu-portion-limit", "compute.gpuPortionLimit", kNumber, "part of each GPU at most"},
    {"--gpu-request-type", "compute.gpuRequestType", kText, "portion, memory or migProfile"},
    {"--annotation", "annotations", kLabel, "an annotation"},
    {"--label", "labels", kLabel, "a label"},
    {"--capability", "security.capabilities", kList, "Linux capabilities to add"},
    {"--run-as-uid", "security.runAsUid", kCount, "user id of its processes"},
    {"--run-as-gid", "security.runAsGid", kCount, "group id of its processes"},
    {"--supplemental-groups", "security.supplementalGroups", kText, "further group ids"},
    {"--seccomp-profile", "security.seccompProfileType", kText,
     "RuntimeDefault, Unconfined or Localhost"},
    {"--user-group-source", "security.uidGidSource", kText, "fromTheImage, fromIdpToken or custom"},
};

constexpr SpecFlag kDistributed[] = {
    {"--workers", "numWorkers", kCount, "how many workers"},
    {"--min-replicas", "minReplicas", kCount, "workers at least"},
    {"--max-replicas", "maxReplicas", kCount, "workers at most"},
    {"--slots-per-worker", "slotsPerWorker", kCount, "slots of each worker (MPI)"},
    {"--clean-pod-policy", "cleanPodPolicy", kText, "None, All or Running"},
};

constexpr SpecFlag kMaster[] = {
    {"--master-args", "args", kText, "the master's arguments"},
    {"--master-command", "command", kText, "the master's command"},
    {"--master-environment", "environmentVariables", kVariable, "a variable of the master"},
    {"--master-gpu-devices-request", "compute.gpuDevicesRequest", kCount, "GPUs of the master"},
    {"--master-gpu-portion-request", "compute.gpuPortionRequest", kNumber,
     "part of each GPU of the master"},
    {"--master-gpu-portion-limit", "compute.gpuPortionLimit", kNumber,
     "part of each GPU of the master at most"},
};

constexpr CsvKey kClaimKeys[] = {
    {"claimname", "claimName"},
    {"path", "path"},
    {"storageclass", "claimInfo.storageClass"},
    {"size", "claimInfo.size", kSize},
    {"accessmode-rwo", "claimInfo.accessModes.readWriteOnce", kFlag},
    {"accessmode-rom", "claimInfo.accessModes.readOnlyMany", kFlag},
    {"accessmode-rwm", "claimInfo.accessModes.readWriteMany", kFlag},
    {"ro", "readOnly", kFlag},
    {"ephemeral", "ephemeral", kFlag},
};
constexpr CsvKey kConfigMapKeys[] = {{"name", "configMap"}, {"path", "mountPath"}};
constexpr CsvKey kOldGitKeys[] = {{"source", "repository"}, {"branch", "branch"},
                                  {"rev", "revision"},      {"secret", "passwordSecret"},
                                  {"username", "username"}, {"password", "password"},
                                  {"target", "path"}};
constexpr CsvKey kNewGitKeys[] = {{"name", "name"},     {"repository", "repository"},
                                  {"path", "path"},     {"secret", "passwordSecret"},
                                  {"branch", "branch"}, {"rev", "revision"}};
constexpr CsvKey kOldS3Keys[] = {{"bucket", "bucket"},
                                 {"key", "", kRefused},
                                 {"secret", "accessKeySecret"},
                                 {"url", "url"},
                                 {"target", "path"}};
constexpr CsvKey kNewS3Keys[] = {{"name", "name"},
                                 {"bucket", "bucket"},
                                 {"path", "path"},
                                 {"accesskey", "accessKeySecret"},
                                 {"url", "url"}};
constexpr CsvKey kHostPathKeys[] = {{"path", "path"},
                                    {"mount", "mountPath"},
                                    {"mount-propagation", "mountPropagation"},
                                    {"readwrite", "readOnly", kFlag}};
constexpr CsvKey kNfsKeys[] = {{"path", "path"},
                               {"server", "server"},
                               {"mountpath", "mountPath"},
                               {"readwrite", "readOnly", kFlag}};
constexpr CsvKey kPortKeys[] = {{"service-type", "serviceType"},
                                {"container", "container", kCount},
                                {"external", "external", kCount}};
constexpr CsvKey kUrlKeys[] = {{"container", "container", kCount},
                               {"url", "url"},
                               {"authusers", "authorizedUsers", kList},
                               {"authgroups", "authorizedGroups", kList}};
constexpr CsvKey kTolerationKeys[] = {{"name", "name"},     {"operator", "operator"},
                                      {"key", "key"},       {"value", "value"},
                                      {"effect", "effect"}, {"seconds", "seconds", kCount}};

constexpr CsvFlag kOldCsv[] = {
    {"--pvc-exists", "storage.pvc", kClaimKeys, "a volume that exists"},
    {"--new-pvc", "storage.pvc", kClaimKeys, "a new volume"},
    {"--s3", "storage.s3", kOldS3Keys, "an S3 bucket"},
    {"--git-sync", "storage.git", kOldGitKeys, "a git repository"},
    {"--configmap-volume", "storage.configMapVolume", kConfigMapKeys, "a config map"},
    {"--toleration", "tolerations", kTolerationKeys, "a toleration"},
};
constexpr CsvFlag kNewCsv[] = {
    {"--existing-pvc", "storage.pvc", kClaimKeys, "a volume that exists"},
    {"--new-pvc", "storage.pvc", kClaimKeys, "a new volume"},
    {"--s3", "storage.s3", kNewS3Keys, "an S3 bucket"},
    {"--git-sync", "storage.git", kNewGitKeys, "a git repository"},
    {"--configmap-map-volume", "storage.configMapVolume", kConfigMapKeys, "a config map"},
    {"--host-path", "storage.hostPath", kHostPathKeys, "a folder of the node"},
    {"--nfs", "storage.nfs", kNfsKeys, "an NFS export"},
    {"--port", "ports", kPortKeys, "a port it listens on"},
    {"--external-url", "exposedUrls", kUrlKeys, "a web address for a port"},
    {"--toleration", "tolerations", kTolerationKeys, "a toleration"},
};

}  // namespace

std::span<const SpecFlag> CommonFlags() {
  return kCommon;
}
std::span<const SpecFlag> OldFlags() {
  return kOld;
}
std::span<const SpecFlag> NewFlags() {
  return kNew;
}
std::span<const SpecFlag> DistributedFlags() {
  return kDistributed;
}
std::span<const SpecFlag> MasterFlags() {
  return kMaster;
}
std::span<const CsvFlag> OldCsvFlags() {
  return kOldCsv;
}
std::span<const CsvFlag> NewCsvFlags() {
  return kNewCsv;
}

}  // namespace yard::cli::runai
