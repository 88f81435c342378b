#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

// Requests accept what clients of 2.20 to 2.24 send; names that grew over time are free text.
const std::string_view kWorkloads = R"(
SpecHttpGet
  path    string?
  port    int(1..65535)?
  host    string?
  scheme  HTTP|HTTPS?
SpecProbeHandler
  httpGet  SpecHttpGet?
SpecProbe
  initialDelaySeconds  int(0..)?
  periodSeconds        int(1..)?
  timeoutSeconds       int(1..)?
  successThreshold     int(1..)?
  failureThreshold     int(1..)?
  handler              SpecProbeHandler?
SpecProbes
  readiness  SpecProbe?
SpecPodAffinity
  type  Required|Preferred?
  key   string?
SpecSecretKey
  name  string(1..)?
  key   string(1..)?
SpecConfigMapKey
  name  string(1..)?
  key   string(1..)?
SpecVariable
  name         variable?
  value        text?
  secret       SpecSecretKey?
  configMap    SpecConfigMapKey?
  credential   object?
  podFieldRef  object?
  exclude      bool?
  description  text?
SpecLabel
  name     string(1..63)?
  value    string?
  exclude  bool?
SpecAnnotation
  name     string(1..63)?
  value    text?
  exclude  bool?
SpecToleration
  name      string(1..)?
  operator  Equal|Exists?
  key       string?
  value     string?
  effect    NoSchedule|NoExecute|PreferNoSchedule|Any?
  seconds   int(1..)?
  exclude   bool?
SpecPort
  container    int(1..65535)?
  serviceType  LoadBalancer|NodePort|ClusterIP?
  external     int(1..65535)?
  toolType     string?
  toolName     string?
  name         string(1..)?
  exclude      bool?
SpecExposedUrl
  container         int(1..65535)?
  url               string?
  authorizationType  public|authenticatedUsers|authorizedUsersOrGroups?
  authorizedUsers   [string]?
  authorizedGroups  [string]?
  toolType          string?
  toolName          string?
  name              string(1..)?
  exclude           bool?
SpecRelatedUrl
  url      string?
  type     string?
  name     string?
  exclude  bool?
SpecExtendedResource
  resource  string(1..)?
  quantity  string(1..)?
  exclude   bool?
SpecCompute
  gpuDevicesRequest  int(0..1000000)?
  gpuRequestType     portion|memory|migProfile?
  gpuPortionRequest  number(0..1)?
  gpuPortionLimit    number(0..1)?
  gpuMemoryRequest   quantity?
  gpuMemoryLimit     quantity?
  migProfile         string?
  gpuCompute         none|fair|strict|interactive?
  cpuCoreRequest     number(0..1000000)?
  cpuCoreLimit       number(0..1000000)?
  cpuMemoryRequest   quantity?
  cpuMemoryLimit     quantity?
  largeShmRequest    bool?
  extendedResources  [SpecExtendedResource]?
SpecNamed
  name     string(1..)?
  exclude  bool?
SpecDataVolume
  id         uuid?
  name       string?
  mountPath  string?
SpecAccessModes
  readWriteOnce  bool?
  readOnlyMany   bool?
  readWriteMany  bool?
SpecClaim
  size          quantity?
  storageClass  string(1..)?
  accessModes   SpecAccessModes?
  volumeMode    Filesystem|Block?
SpecPvc : SpecNamed
  path         string(1..)?
  existingPvc  bool?
  claimName    string(1..63)?
  readOnly     bool?
  ephemeral    bool?
  claimInfo    SpecClaim?
  dataSharing  bool?
SpecHostPath : SpecNamed
  path              string(1..)?
  readOnly          bool?
  mountPath         string(1..)?
  mountPropagation  None|HostToContainer?
SpecNfs : SpecNamed
  path       string(1..)?
  readOnly   bool?
  server     string(1..)?
  mountPath  string(1..)?
SpecGit : SpecNamed
  repository           string(1..)?
  branch               string(1..)?
  revision             string(1..)?
  path                 string(1..)?
  passwordSecret       string(1..)?
  secretKeyOfUser      string(1..)?
  secretKeyOfPassword  string(1..)?
SpecConfigMap : SpecNamed
  configMap    string(1..)?
  mountPath    string(1..)?
  defaultMode  string?
  subPath      string?
SpecSecretVolume : SpecNamed
  secret       string(1..)?
  mountPath    string(1..)?
  defaultMode  string?
SpecS3 : SpecNamed
  bucket                  string(1..)?
  path                    string(1..)?
  url                     string(1..)?
  accessKeySecret         string(1..)?
  secretKeyOfAccessKeyId  string(1..)?
  secretKeyOfSecretKey    string(1..)?
SpecEmptyDir : SpecNamed
  path       string?
  sizeLimit  quantity?
  medium     string?
SpecDataSet
  name*      string(1..63)
  tag        string(1..64)?
  version    string(64..64)?
  mountPath  string(1..4096)?
  exclude    bool?
SpecOutput
  name*    string(1..63)
  tag      string(1..63)?
  path     string(1..4096)?
  exclude  bool?
SpecStorage
  dataVolume       [SpecDataVolume]?
  pvc              [SpecPvc]?
  hostPath         [SpecHostPath]?
  nfs              [SpecNfs]?
  git              [SpecGit]?
  configMapVolume  [SpecConfigMap]?
  secretVolume     [SpecSecretVolume]?
  s3               [SpecS3]?
  emptyDirVolume   [SpecEmptyDir]?
  dataSets         [SpecDataSet]?
  outputs          [SpecOutput]?
SpecAssetSource
  id             uuid?
  name           string(1..253)?
  type           string?
  containerPath  string(1..4096)?
SpecAssets
  template       string(1..253)?
  environment    string(1..253)?
  environmentId  uuid?
  compute        string(1..253)?
  datasources    [SpecAssetSource]?
  applied        bool?
SpecSecurity
  uidGidSource              fromTheImage|fromIdpToken|custom?
  capabilities              [string]?
  seccompProfileType        RuntimeDefault|Unconfined|Localhost?
  runAsNonRoot              bool?
  readOnlyRootFilesystem    bool?
  runAsUid                  int(0..4294967294)?
  runAsGid                  int(0..4294967294)?
  supplementalGroups        string?
  allowPrivilegeEscalation  bool?
  hostIpc                   bool?
  hostNetwork               bool?
SpecContainer
  command               any?
  args                  any?
  image                 string(1..)?
  imagePullPolicy       Always|Never|IfNotPresent?
  imagePullSecrets      [object]?
  workingDir            string(1..)?
  createHomeDir         bool?
  probes                SpecProbes?
  environmentVariables  [SpecVariable]?
SpecBase : SpecContainer
  nodeType           string(1..)?
  nodePools          [string]?
  nodes              [string]?
  excludeNodes       [string]?
  podAffinity        SpecPodAffinity?
  nodeAffinityRequired  object?
  topology           object?
  annotations        [SpecAnnotation]?
  labels             [SpecLabel]?
  tolerations        [SpecToleration]?
  ports              [SpecPort]?
  exposedUrls        [SpecExposedUrl]?
  relatedUrls        [SpecRelatedUrl]?
  compute            SpecCompute?
  storage            SpecStorage?
  assets             SpecAssets?
  security           SpecSecurity?
  priorityClass      string(1..63)?
  preemptibility     preemptible|non-preemptible?
  category           string?
SpecRetry
  limit*     int(0..1000)
  on         [Exit|Signal|OutOfMemory|LaunchFailed|TimeLimit|Idle|NodeLost]?
  exitCodes  [int]?
SpecDependency
  workload*  string(1..)
  condition  ok|any|fail?
SpecStep
  name     string(1..)?
  command  [text]?
  args     [text]?
SpecArray
  id*       string(1..63)
  index*    int(0..)
  size      int(1..)?
  throttle  int(0..)?
SpecWarning
  signal*  string(1..)
  seconds  int(0..)?
SpecRules
  timeLimitSeconds  int(1..)?
  stopAt            time?
  beginAt           time?
  signalBeforeEnd   SpecWarning?
  retry             SpecRetry?
  dependsOn         [SpecDependency]?
  hold              bool?
  preemptSignal     string(1..)?
  steps             [SpecStep]?
  logLimit          quantity?
  array             SpecArray?
SpecMaster : SpecBase SpecRules
  tty                                     bool?
  stdin                                   bool?
  terminateAfterPreemption                bool?
  autoDeletionTimeAfterCompletionSeconds  int(0..)?
  terminationGracePeriodSeconds           int(0..)?
  backoffLimit                            int(0..)?
  restartPolicy                           Always|OnFailure|Never?
WorkspaceSpec : SpecMaster
TrainingSpec : SpecMaster
  completions  int(1..)?
  parallelism  int(1..100000)?
DistributedSpec : SpecMaster
  numWorkers            int(1..100000)?
  distributedFramework  MPI|PyTorch|TF|XGBoost|JAX?
  slotsPerWorker        int(1..)?
  minReplicas           int(0..)?
  maxReplicas           int(1..)?
  cleanPodPolicy        None|All|Running?
  sshAuthMountPath      string?
  mpiLauncherCreationPolicy  string?
SpecServingPort
  container               int(1..65535)?
  protocol                http|grpc?
  authorizationType       public|authenticatedUsers|authorizedUsersOrGroups?
  authorizedUsers         [string]?
  authorizedGroups        [string]?
  clusterLocalAccessOnly  bool?
  exposedUrl              string?
  exposedProtocol         string?
SpecAutoscaling
  metric                        string?
  metricThreshold               int(0..)?
  metricThresholdPercentage     number(1..100)?
  minReplicas                   int(0..100000)?
  maxReplicas                   int(1..100000)?
  initialReplicas               int(0..100000)?
  activationReplicas            int(1..100000)?
  concurrencyHardLimit          int(0..)?
  scaleToZeroRetentionSeconds   int(0..3600)?
  scaleDownDelaySeconds         int(0..3600)?
  initializationTimeoutSeconds  int(1..)?
InferenceSpec : SpecBase
  servingPort    SpecServingPort?
  autoscaling    SpecAutoscaling?
  servingConfiguration  object?
InferencePatchSpec : SpecContainer
  autoscaling  SpecAutoscaling?
  compute      SpecCompute?
  servingPort  SpecServingPort?
InferencePatch
  spec*  InferencePatchSpec
WorkloadDraft
  name*                 label
  useGivenNameAsPrefix  bool?
  numberNameIfTaken     bool?
  projectId*            string(1..)
  clusterId*            uuid
WorkspaceDraft : WorkloadDraft
  spec  WorkspaceSpec?
TrainingDraft : WorkloadDraft
  spec  TrainingSpec?
DistributedDraft : WorkloadDraft
  spec                    DistributedSpec?
  masterSpecSameAsWorker  bool?
  masterSpec              SpecMaster?
InferenceDraft : WorkloadDraft
  spec  InferenceSpec?
WorkloadRecord
  name*           string
  requestedName*  string
  workloadId*     uuid
  projectId*      string
  departmentId    string
  clusterId*      uuid
  createdBy*      string
  createdAt*      time
  desiredPhase*   Running|Stopped|Deleted
  actualPhase     string
Workspace : WorkloadRecord
  spec*  WorkspaceSpec
Training : WorkloadRecord
  spec*  TrainingSpec
Distributed : WorkloadRecord
  spec*                   DistributedSpec
  masterSpecSameAsWorker  bool
  masterSpec              SpecMaster?
Inference : WorkloadRecord
  spec*  InferenceSpec
)";

}  // namespace yard::wire::schemas
