#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

const std::string_view kOrg = R"(
SchedulingRules
  interactiveJobTimeLimitSeconds            int(1..)?
  interactiveJobMaxIdleDurationSeconds      int(1..)?
  interactiveJobPreemptIdleDurationSeconds  int(1..)?
  trainingJobMaxIdleDurationSeconds         int(1..)?
  trainingJobTimeLimitSeconds               int(1..)?
NodeTypes
  training   [string]?
  workspace  [string]?
  names      map<string>?
NodePoolRef
  id*        string
  name       string
GpuShare
  deserved*        number(-1..1000000)
  limit            number(-1..1000000)?
  overQuotaWeight  number(0..1000000)?
Share
  deserved         number(-1..1000000000)?
  limit            number(-1..1000000000)?
  overQuotaWeight  number(0..1000000)?
MemoryShare : Share
  units*     Mib|MB|GB
Resources
  nodePool   NodePoolRef?
  gpu*       GpuShare
  cpu        Share?
  memory     MemoryShare?
  priority   string?
OrgUnitUpdate
  description       text(..250)?
  resources*        [Resources]
  schedulingRules   SchedulingRules?
  defaultNodePools  [string]?
  nodeTypes         NodeTypes?
  reclaimMinRuntimeSeconds  int(0..315360000)?
  preemptMinRuntimeSeconds  int(0..315360000)?
OrgUnitChange : OrgUnitUpdate
  name                string?
  clusterId           uuid?
  parentId            string?
  requestedNamespace  string?
OrgUnitDraft : OrgUnitUpdate
  name*       label
  clusterId*  uuid
DepartmentDraft : OrgUnitDraft
  fairness  fair-share|nth-gpu|decayed|fifo?
DepartmentChange : OrgUnitChange
  fairness  fair-share|nth-gpu|decayed|fifo?
ProjectChange : OrgUnitChange
  clusters    [uuid]?
  workAccess  team|guarded|private?
ProjectDraft : OrgUnitDraft
  requestedNamespace  string?
  clusters            [uuid]?
  parentId            string?
  workAccess          team|guarded|private?
QuotaAmounts
  gpu      number
  cpu      number
  memory   number
QuotaStatus
  allocated                QuotaAmounts
  allocatedNonPreemptible  QuotaAmounts
  requested                QuotaAmounts
PoolQuotaStatus : QuotaStatus
  nodePoolName*  string
  nodePoolId*    string
TotalResources
  gpuQuota     number?
  cpuQuota     number?
  memoryQuota  number?
OrgUnitName
  id*    string
  name*  string
Effective
  schedulingRules   SchedulingRules?
  defaultNodePools  [string]?
  nodeTypes         NodeTypes?
ProjectStatus
  namespace              string?
  phase                  Creating|Updating|Deleting|Deleted|Initializing|Ready|NotReady|Unknown
  phaseMessage           string?
  lastUpdatedTime        time?
  nodePoolQuotaStatuses  [PoolQuotaStatus]
  quotaStatus            QuotaStatus
DepartmentStatus
  phaseMessage           string?
  nodePoolQuotaStatuses  [PoolQuotaStatus]
  quotaStatus            QuotaStatus
OrgUnit : OrgUnitDraft
  id*              string
  createdAt*       time
  updatedAt*       time
  createdBy        string
  updatedBy        string
  totalResources*  TotalResources
Project : OrgUnit
  parentId*           string
  requestedNamespace  string?
  clusters            [uuid]
  parent              OrgUnitName?
  workAccess          team|guarded|private?
  status*             ProjectStatus
  effective*          Effective
Department : OrgUnit
  fairness  fair-share|nth-gpu|decayed|fifo?
  children  [OrgUnitName]?
  status    DepartmentStatus
ProjectList
  projects*  [Project]
  next       int
DepartmentList
  departments*  [Department]
  next          int
ReservationChange
  gpu*                 number(0.001..1000000)
  nodePool             string(1..63)?
  start*               time
  end*                 time
  releaseAfterMinutes  int(1..525600)?
ReservationDraft : ReservationChange
  name*                label
  projectId*           string
Reservation : ReservationDraft
  id*           uuid
  clusterId*    uuid
  projectName*  string
  state*        upcoming|active|ended
  createdAt*    time
  createdBy*    string
  updatedAt*    time
  updatedBy*    string
ReservationList
  reservations*  [Reservation]
  next           int
)";

}  // namespace yard::wire::schemas
