#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

const std::string_view kAssets = R"(
SupportedWorkloads
  inference      bool?
  workspace      bool?
  training       bool?
  distributed    bool?
  distFramework  MPI|PyTorch|TF|XGBoost?
AssetMetaUpdate
  name         string(1..253)
  description  text(1..250)?
AssetMetaDraft
  name*                   string(1..253)
  description             text(1..250)?
  scope*                  system|tenant|cluster|department|project
  clusterId               uuid?
  departmentId            string(1..)?
  projectId               int?
  autoDelete              bool?
  workloadSupportedTypes  SupportedWorkloads?
AssetMeta : AssetMetaDraft
  id*          uuid
  kind*        string
  tenantId     int?
  createdBy*   string
  createdAt*   time
  updatedBy*   string
  updatedAt*   time
  projectName  string?
AssetName
  id*    uuid
  name*  string
AssetWorkload : AssetName
  status  string
AssetUsage
  workspaces   [AssetWorkload]
  trainings    [AssetWorkload]
  distributed  [AssetWorkload]
  inferences   [AssetWorkload]
  templates    [AssetName]
  assets       object
AssetCompliance
  imposed     bool
  compliance  bool
  reason      [ComplianceIssue]
Asset
  meta*       AssetMeta
  usedBy      AssetUsage?
  usageTimes  object?
  compliance  AssetCompliance?
  status      object?
ExtendedResource
  resource  string(1..)?
  quantity  string(1..)?
  exclude   bool?
ComputeSpec
  gpuDevicesRequest  int(0..100000)?
  gpuRequestType     portion|memory|migProfile?
  gpuPortionRequest  number(0..1)?
  gpuPortionLimit    number(0..1)?
  gpuMemoryRequest   quantity?
  gpuMemoryLimit     quantity?
  migProfile         1g.5gb|1g.10gb|2g.10gb|2g.20gb|3g.20gb|3g.40gb|4g.20gb|4g.40gb|7g.40gb|7g.80gb?
  cpuCoreRequest     number(0..100000)?
  cpuCoreLimit       number(0..100000)?
  cpuMemoryRequest   quantity?
  cpuMemoryLimit     quantity?
  largeShmRequest    bool?
  extendedResources  [ExtendedResource]?
VariableCredential
  assetId  uuid?
  key      string(1..)?
AssetVariable
  name         variable?
  value        text?
  credential   VariableCredential?
  exclude      bool?
  description  text?
ProbeHttpGet
  path    string?
  port    int(1..65535)?
  host    string?
  scheme  HTTP|HTTPS?
ProbeHandler
  httpGet  ProbeHttpGet?
Probe
  initialDelaySeconds  int(0..)?
  periodSeconds        int(1..)?
  timeoutSeconds       int(1..)?
  successThreshold     int(1..)?
  failureThreshold     int(1..)?
  handler              ProbeHandler?
Probes
  readiness  Probe?
NodePortInfo
  isCustomPort  bool?
ExternalUrlInfo
  isCustomUrl  bool?
  externalUrl  string(1..)?
ServingPortInfo
  protocol  grpc|http?
InternalTool
  toolType*        jupyter-notebook|pycharm|visual-studio-code|tensorboard|)"
                                 R"(rstudio|mlflow|custom|matlab|chatbot-ui
  connectionType*  LoadBalancer|NodePort|ExternalUrl|ServingPort
  containerPort*   int(1..65535)
  nodePortInfo     NodePortInfo?
  externalUrlInfo  ExternalUrlInfo?
  servingPortInfo  ServingPortInfo?
ExternalTool
  toolType*     wandb|comet
  externalUrl*  string(1..)
EnvironmentConnection
  name*             string(1..)
  isExternal        bool?
  internalToolInfo  InternalTool?
  externalToolInfo  ExternalTool?
AssetOverrides
  command               text(1..)?
  args                  text(1..)?
  runAsUid              int(0..4294967294)?
  runAsGid              int(0..4294967294)?
  supplementalGroups    string?
  environmentVariables  [AssetVariable]?
EnvironmentSpec : AssetOverrides
  image                      string(1..)?
  imagePullPolicy            Always|Never|IfNotPresent?
  workingDir                 string(1..)?
  createHomeDir              bool?
  probes                     Probes?
  uidGidSource               fromTheImage|fromIdpToken|custom?
  capabilities               [string]?
  seccompProfileType         RuntimeDefault|Unconfined|Localhost?
  runAsNonRoot               bool?
  readOnlyRootFilesystem     bool?
  tty                        bool?
  stdin                      bool?
  allowPrivilegeEscalation   bool?
  hostIpc                    bool?
  hostNetwork                bool?
  connections                [EnvironmentConnection]?
  overrideUidGidInWorkspace  bool?
AccessKeySpec
  existingSecretName  string(1..)?
  accessKeyId         string(1..)?
  secretAccessKey     string(1..)?
PasswordSpec
  existingSecretName  string(1..)?
  user                string(1..)?
  password            text(1..)?
DockerRegistrySpec : PasswordSpec
  url                 string(1..)?
KeyValuePair
  key    string(1..)?
  value  text?
GenericSecretSpec
  existingSecretName  string(1..)?
  keyValuePairs       [KeyValuePair]?
RegistrySpec
  url*             string(1..)
  credentialKind*  =password
  user*            string(1..)
  password*        text(1..)
RegistryUpdateSpec
  url             string(1..)?
  credentialKind  =password?
  user            string(1..)?
  password        text(1..)?
NfsSpec
  server     string(1..)?
  path       string(1..)?
  mountPath  string(1..)?
  readOnly   bool?
AccessModes
  readWriteOnce  bool?
  readOnlyMany   bool?
  readWriteMany  bool?
ClaimInfo
  size          quantity?
  storageClass  string(1..)?
  accessModes   AccessModes?
  volumeMode    Filesystem|Block?
PvcSpec
  path         string(1..)?
  existingPvc  bool?
  claimName    string(1..63)?
  readOnly     bool?
  ephemeral    bool?
  claimInfo    ClaimInfo?
HostPathSpec
  path              string(1..)?
  mountPath         string(1..)?
  readOnly          bool?
  mountPropagation  None|HostToContainer?
GitSpec
  repository       string(1..)?
  branch           string(1..)?
  revision         string(1..)?
  path             string(1..)?
  passwordAssetId  uuid?
S3Spec
  bucket            string(1..)?
  path              string(1..)?
  url               string(1..)?
  accessKeyAssetId  uuid?
ConfigMapSpec
  configMap  string(1..)?
  mountPath  string(1..)?
SecretSpec
  credentialAssetId  uuid?
  mountPath          string(1..)?
DataSourceOverrides
  containerPath  string(1..)?
TemplateDataSource
  id*        uuid
  kind*      string
  overrides  DataSourceOverrides?
TemplateAssets
  environment*     uuid
  compute          uuid?
  datasources      [TemplateDataSource]?
  workloadVolumes  [string]?
TemplateEnv : AssetOverrides
  nodeType                                string(1..)?
  nodePools                               [string]?
  podAffinity                             object?
  terminateAfterPreemption                bool?
  autoDeletionTimeAfterCompletionSeconds  int(0..)?
  terminationGracePeriodSeconds           int(0..)?
  backoffLimit                            int(0..)?
  annotations                             [object]?
  labels                                  [object]?
  tolerations                             [object]?
  connections                             [object]?
  completions                             int(1..)?
  parallelism                             int(1..)?
  allowOverQuota                          bool?
  autoScaling                             object?
  servingPortAccess                       object?
TemplateSpec
  assets*      TemplateAssets
  specificEnv  TemplateEnv?
)"
                                 R"(
ComputeDraft
  meta*  AssetMetaDraft
  spec*  ComputeSpec
ComputeUpdate
  meta*  AssetMetaUpdate
  spec*  ComputeSpec
EnvironmentDraft
  meta*  AssetMetaDraft
  spec*  EnvironmentSpec
EnvironmentUpdate
  meta*  AssetMetaUpdate
  spec*  EnvironmentSpec
AccessKeyDraft
  meta*  AssetMetaDraft
  spec*  AccessKeySpec
AccessKeyUpdate
  meta*  AssetMetaUpdate
  spec   AccessKeySpec?
PasswordDraft
  meta*  AssetMetaDraft
  spec*  PasswordSpec
PasswordUpdate
  meta*  AssetMetaUpdate
  spec   PasswordSpec?
DockerRegistryDraft
  meta*  AssetMetaDraft
  spec*  DockerRegistrySpec
DockerRegistryUpdate
  meta*  AssetMetaUpdate
  spec   DockerRegistrySpec?
GenericSecretDraft
  meta*  AssetMetaDraft
  spec*  GenericSecretSpec
GenericSecretUpdate
  meta*  AssetMetaUpdate
  spec   GenericSecretSpec?
RegistryDraft
  meta*  AssetMetaDraft
  spec*  RegistrySpec
RegistryUpdate
  meta*  AssetMetaUpdate
  spec   RegistryUpdateSpec?
NfsDraft
  meta*  AssetMetaDraft
  spec*  NfsSpec
NfsUpdate
  meta*  AssetMetaUpdate
  spec*  NfsSpec
PvcDraft
  meta*  AssetMetaDraft
  spec*  PvcSpec
PvcUpdate
  meta*  AssetMetaUpdate
  spec   PvcSpec?
HostPathDraft
  meta*  AssetMetaDraft
  spec*  HostPathSpec
HostPathUpdate
  meta*  AssetMetaUpdate
  spec*  HostPathSpec
GitDraft
  meta*  AssetMetaDraft
  spec*  GitSpec
GitUpdate
  meta*  AssetMetaUpdate
  spec*  GitSpec
S3Draft
  meta*  AssetMetaDraft
  spec*  S3Spec
S3Update
  meta*  AssetMetaUpdate
  spec*  S3Spec
ConfigMapDraft
  meta*  AssetMetaDraft
  spec*  ConfigMapSpec
ConfigMapUpdate
  meta*  AssetMetaUpdate
  spec   ConfigMapSpec?
SecretDraft
  meta*  AssetMetaDraft
  spec*  SecretSpec
SecretUpdate
  meta*  AssetMetaUpdate
  spec   SecretSpec?
TemplateDraft
  meta*  AssetMetaDraft
  spec*  TemplateSpec
TemplateUpdate
  meta*  AssetMetaUpdate
  spec*  TemplateSpec
AssetAnswer : Asset
  spec*  object
AssetList
  entries*  [AssetAnswer]
)";

}  // namespace yard::wire::schemas
