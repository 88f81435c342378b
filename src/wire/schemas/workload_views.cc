#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

const std::string_view kWorkloadViews = R"(
RequestedCores
  request  number?
  limit    number?
RequestedBytes
  request  string?
  limit    string?
RequestedResources
  gpuRequestType     portion|memory|migProfile?
  gpu                RequestedCores?
  gpuMemory          RequestedBytes?
  cpu                RequestedCores?
  cpuMemory          RequestedBytes?
AllocatedResources
  gpu        number?
  gpuMemory  string?
  cpu        number?
  cpuMemory  string?
WorkloadConnection
  name*              string
  toolType*          string
  connectionType*    string
  url                string
  authorizationType  public|authenticatedUsers|authorizedUsersOrGroups
  authorizedUsers    [string]
  authorizedGroups   [string]
  containerPort      int
WorkloadSource
  type   string
  name*  string
  id*    uuid
WorkloadCondition
  type*               string
  status*             string
  message             string
  reason              string
  lastTransitionTime  time?
WorkloadActions
  delete   bool
  suspend  bool
SavedOutput
  attempt*  int
  name*     string
  tag*      string
  version   string
  files*    int
  bytes*    int
  problem   string
  at*       time
RequestedPods
  number       int?
  min          int?
  max          int?
  parallelism  int?
  completions  int?
Workload
  id*                 uuid
  name*               string
  type*               string
  tenantId*           int
  clusterId*          uuid
  clusterName         string
  projectId*          string
  projectName*        string
  departmentId*       string
  departmentName*     string
  namespace*          string
  submittedBy         string
  savedOutputs        [SavedOutput]
  source*             CLI|Control-plane|Other
  createdAt*          time
  updatedAt*          time
  completedAt         time?
  deletedAt           time?
  phase*              string
  phaseMessage        string
  phaseReason         NonPreemptibleOverQuota|OverLimit?
  phaseUpdatedAt*     time
  k8sPhase*           string
  k8sPhaseUpdatedAt*  time
  conditions*         [WorkloadCondition]
  priority            int?
  priorityClassName*  string
  preemptible         bool?
  runningPods*        int
  requestedPods       RequestedPods
  requestedNodePools  [string]
  currentNodePools    [string]
  workloadRequestedResources  RequestedResources?
  podsRequestedResources      RequestedResources?
  allocatedResources          AllocatedResources?
  actionsSupport        WorkloadActions
  images                [string]
  command               string
  arguments             string
  environmentVariables  map<string>
  distributedFramework  string
  urls                  [string]
  externalConnections   [WorkloadConnection]
  environments          [AssetName]
  datasources           [WorkloadSource]
  idleGpus              int?
  idleAllocatedGpus     number?
  nodes                 [string]
  array                 SpecArray?
  timeLimitSeconds      int?
  stopAt                time?
  beginAt               time?
PendingMessage
  nodePool*     string
  phaseReason*  NonPreemptibleOverQuota|OverLimit
  reason*       string
  orgType       PROJECT|DEPARTMENT?
  userMessage   string?
WorkloadDetails : Workload
  pendingSchedulingMessages  [PendingMessage]?
  mayEnter  bool
WorkloadList
  workloads*  [Workload]
  next        int
ArraySum
  id*              string
  firstItem*       uuid
  items*           int
  phases*          map<int>
  lastCompletedAt  time?
FoldedList
  workloads*  [Workload]
  arrays*     [ArraySum]
  next        int
PodList
  pods*  [object]
  next   int
InvolvedObject
  uid*        uuid
  kind*       string
  name*       string
  namespace*  string
EventLine
  createdAt*      time
  id              uuid
  type*           string
  clusterId*      uuid
  message*        string
  reason          string
  source          string
  involvedObject  InvolvedObject
EventList
  events*  [EventLine]
  next     int
PhaseUpdate
  phase*         string
  phaseMessage*  string
HistoryMeta
  creationTimestamp*  time
  type*               Event|PhaseUpdate
HistorySpec
  event        EventLine?
  phaseUpdate  PhaseUpdate?
HistoryRecord
  meta*  HistoryMeta
  spec*  HistorySpec
HistoryList
  records*  [HistoryRecord]
  next      int
MetricValue
  value*      string
  timestamp*  time
Measurement
  type*    string
  labels   map<string>?
  values*  [MetricValue]
WorkloadMetrics
  measurements*  [Measurement]
TelemetryGroup
  key*    string
  value*  string
  name    string
TelemetryValue
  value*  string
  groups  [TelemetryGroup]
WorkloadTelemetry
  type*       string
  timestamp*  time
  values*     [TelemetryValue]
WorkloadBatch
  ids*     [uuid]
  action*  =delete
BatchFailure
  id*       uuid
  code*     int
  message*  string
BatchResult
  id*        uuid
  succeeded  [uuid]
  failed     [BatchFailure]
WorkloadOrders
  ids*    [uuid]
  order*  cancel|hold|release|suspend|resume
)";

}  // namespace yard::wire::schemas
