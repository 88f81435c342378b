#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

const std::string_view kInfra = R"(
ClusterDraft
  name*     string(1..253)
  domain    string?
  version   string?
ClusterUpdate
  name*     string(1..253)
ClusterState
  state     WaitingToConnect|Connected|Disconnected|MissingPrerequisites|ServiceIssues|Unknown
Cluster
  uuid*         uuid
  tenantId*     int
  name*         string
  createdAt*    time
  domain        string?
  version       string?
  status        ClusterState?
  updatedAt     time?
  lastLiveness  time?
  engine        string
PlacementStrategy
  cpu       spread|binpack?
  gpu       spread|binpack?
NodePoolUpdate
  labelKey               string(1..253)?
  labelValue             string(1..63)?
  overProvisioningRatio  int(1..5)?
  placementStrategy      PlacementStrategy?
NodePoolDraft : NodePoolUpdate
  name*        string(1..63)
  labelKey*    string(1..253)
  labelValue*  string(1..63)
  clusterId*   uuid
NodePoolStatus : NodePoolUpdate
  nodes        [string]
NodePool : NodePoolDraft
  id*           string
  tenantId*     int
  clusterName*  string
  phase         Creating|Updating|Deleting|Empty|Unschedulable|Ready|Deleted
  phaseMessage  string
  status        NodePoolStatus
  isDefault*    bool
  createdAt*    time
  createdBy*    string
  updatedAt*    time
  updatedBy*    string
NodePoolList
  nodepools*    [NodePool]
NodeCondition
  type*     string
  reason*   string
  message   string
NodeTaint
  key*      string
  value     string?
  effect*   NoSchedule|PreferNoSchedule|NoExecute
GpuInfo
  gpuType*   string
  gpuCount*  int
NodeUpdate
  status     Ready|NotReady|Unknown?
  taints     [NodeTaint]?
  labels     map<string>?
  gpuType    string(1..128)?
  gpuCount   int(0..1024)?
  gpuMemory  quantity?
  cpuCores   number(0..100000)?
  memory     quantity?
NodeDraft : NodeUpdate
  name*      string(1..253)
  clusterId  uuid?
NodeDrain
  reason*      string
  by*          string
  since*       time
  stopAt       time
  until        time
Node
  id           uuid
  name*        string
  clusterUuid* uuid
  clusterName  string
  status*      Ready|NotReady|Unknown
  conditions   [NodeCondition]
  taints       [NodeTaint]
  nodePool*    string
  gpuInfo      GpuInfo?
  createdAt*   time
  updatedAt*   time
  declared     bool
  simulated    bool
  drain        NodeDrain?
  labels       map<string>
  gpuMemory    quantity
  cpuCores     number
  memory       quantity
NodeList
  nodes*       [Node]
  next         int
MeasuredValue
  value*       string
  timestamp*   time?
MeasuredSeries
  type*        string
  labels       map<string>?
  values*      [MeasuredValue]?
Measurements
  measurements*  [MeasuredSeries]
TelemetryKey
  key*         string
  value*       string
  name         string
TelemetryNumber
  value*       string
  groups       [TelemetryKey]
Telemetry
  type*        string
  timestamp*   time
  values*      [TelemetryNumber]
StorageClasses
  items*       [object]
HostAccessPath
  path*     string(1..4096)
  readOnly  bool?
HostAccessClaim
  name*     string(1..63)
  source*   string(1..4096)
  readOnly  bool?
HostAccessChange
  paths         [HostAccessPath]?
  claims        [HostAccessClaim]?
  capabilities  [string]?
  ids           [string]?
  hostNetwork   bool?
  hostIpc       bool?
HostAccess : HostAccessChange
  scopeType*  tenant|cluster|department|project
  scopeId*    string
HostAccessLists
  lists*  [HostAccess]
Setting
  key          string
  value        string
  category     string
  label        string
  type         string
  active       bool
SettingChange
  key*         string(1..128)
  value*       any
SettingReply
  msg          string
Logo
  logo*        text(1..1000000)
Price
  amount*      number
  currency*    string
Site
  messageOfTheDay*  string
  gpuHourPrice      Price?
SignInNote
  note*        string
)";

}  // namespace yard::wire::schemas
