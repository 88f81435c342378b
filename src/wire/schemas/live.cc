#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

const std::string_view kLive = R"(
NodeLack
  node*     string
  missing*  string
Alternative
  change*   string
  outcome*  string
  kind*     string
  value*    string
  flags*    string
  command*  string
  price*    [string]
WaitCause
  reason*    string
  message*   string
  nodePool   string?
  orgType    PROJECT|DEPARTMENT?
WorkHolds
  workload  string?
  user      string?
  project   string?
  amount*   string
Why
  reason*        string
  message*       string
  never*         bool
  further*       [string]
  reasons*       [WaitCause]
  holders*       [WorkHolds]
  nodes*         [NodeLack]
  alternatives*  [Alternative]
  ahead*         [string]
  position       int?
  startsOn       [string]
  earliest       time?
  latest         time?
  basis*         string
  noForecast*    string
DryRun
  type*            Workspace|Training|Distributed|Inference
  workload*        object
  onlyWhetherEver  bool?
UnitTerms
  held*      number
  ahead*     number
  share*     number
  quota      number?
  priority*  int
QueueTerms
  policy*         FairShare|NthGpu|DecayedShare|Fifo
  pool*           string
  priority*       int
  priorityClass*  string
  submittedAt*    time
  wants*          number
  department      UnitTerms?
  project         UnitTerms?
  nthGpu          number?
QueueLine
  workloadId*   uuid
  name*         string
  projectName*  string
  userName*     string
  position*     int
  reason*       string
  earliest      time?
  latest        time?
  gpu*          number
  terms         QueueTerms?
Queue
  queue*  [QueueLine]
RunningLine
  workloadId*     uuid
  name*           string
  projectName*    string
  userName*       string
  gpu*            number
  held*           number
  userOrdinal*    number
  globalOrdinal*  number
  startedAt       time?
RunningOrder
  running*  [RunningLine]
AttemptStop
  cause*  string
  by*     string
  rule*   string
  at*     time
AttemptRank
  node*  string
  gpus*  [string]
Attempt
  number*    int
  id*        uuid
  placedAt*  time
  startedAt  time?
  endedAt    time?
  cause      string?
  exitCode   int?
  signal     int?
  message*   string
  nodes*     [string]
  gpus*      [string]
  ranks*     [AttemptRank]
  residence*    OnGpu|Leaving|Away|Returning
  awaySeconds*  int
  stop       AttemptStop?
AttemptList
  attempts*  [Attempt]
AskedResources
  gpu*     number
  cpu*     number
  memory*  string
UsedResources
  cpuSeconds  number?
  memory      string?
  memoryPeak  string?
  readBytes   int?
  writeBytes  int?
  processes   int?
  gpuPercent  int?
  gpuMemory   string?
  gpuHoursHeld  number
  gpuHoursUsed  number?
  gpuHoursIdle  number?
SuggestedResources
  gpu     number?
  cpu     number?
  memory  string?
WorkloadUsage
  asked*      AskedResources
  used*       UsedResources
  suggested*  SuggestedResources
UsageReportRow
  name*        string
  workloads*   int
  attempts*    int
  hours*       number
  cpuHours*    number
  gpuHours*    GpuHours
  gpuTime*     GpuTime
GpuHours
  held*         number
  used*         number
  idle*         number
  notMeasured*  number
GpuTime
  held*         int
  used*         int
  idle*         int
  notMeasured*  int
UsageReport
  by*     string
  start*  time
  end*    time
  rows*   [UsageReportRow]
  total*  UsageReportRow
UsageStep
  start*         time
  end*           time
  gpusHeld*      number
  gpusUsed       number?
  busyPercent    number?
  started*       int
  waitedSeconds  number?
  longestWaitSeconds  number?
UsageSeries
  start*  time
  end*    time
  steps*  [UsageStep]
GpuHolder
  id*           uuid
  name*         string
  projectName*  string
  userName*     string
  part*         number
  isolation*    hardware|kernel|cooperative|counted|declared
  gpuMemory     string?
GpuHealth
  temperatureCelsius  int
  powerWatts          number
  powerLimitWatts     number
  energyJoules        number
  smClockMhz          int
  smClockMaxMhz       int
  memoryClockMhz      int
  slowedBy            [string]
  eccCorrected        int
  eccUncorrected      int
  remappedRows        int
  xids                int
  lastXid             string
  processes           int
GpuLink
  gpu*       string
  closeness  nvlink|board|switch|switches|bridge|numa|system
  nvlinks    int
GpuDevice
  uuid*        string
  node*        string
  clusterId    uuid
  model*       string
  memory*      string
  declared*    bool
  isolation*   hardware|kernel|cooperative|counted|declared
  fault*       string
  outOfService  string
  foreign*     string
  busyPercent  int?
  used         string?
  pci          string
  numaNode     int
  health       GpuHealth
  links        [GpuLink]
  heldByOthers*  number
  workloads*   [GpuHolder]
GpuModelCount
  model*         string
  total*         int
  free*          int
  partlyFree*    int
  inUse*         int
  outOfService*  int
GpuUse
  workloadId*    uuid
  gpus*          int
  measuredGpus*  int
  busyPercent    int?
GpuUses
  workloads*  [GpuUse]
GpuCounts
  models*  [GpuModelCount]
EngineAbilities
  name*               string
  processes*          bool
  containers*         bool
  containerDaemon*    string
  containersMissing*  string
  memoryLimits*       bool
  cpuLimits*          bool
  gpuSlices*          bool
  gpuFilter*          bool
  gpuFilterMissing*   string
  parking*            bool
  parkingMissing*     string
GpuList
  gpus*  [GpuDevice]
GpuHold
  gpu*   string
  node*  string
  part*  number
TimelineAbsence
  from*  time
  to     time?
TimelineAttempt
  workloadId*   uuid
  name*         string
  projectName*  string
  userName*     string
  number*       int
  placedAt*     time
  startedAt     time?
  endedAt       time?
  endsBy        time?
  cause         string?
  holds*        [GpuHold]
  absences*     [TimelineAbsence]
TimelineOther
  placedAt*  time
  endedAt    time?
  holds*     [GpuHold]
  absences*  [TimelineAbsence]
Timeline
  leftOut*   int
  attempts*  [TimelineAttempt]
  others*    [TimelineOther]
Extension
  seconds*  int(1..31536000)
PriorityOrder
  priorityClass*  string(1..63)
GpuLimitOrder
  gpuPortionLimit  number(0..1)?
  gpuMemoryLimit   quantity?
DrainOrder
  reason*  text(1..500)
  stopAt   time?
  until    time?
NodeLabelChange
  set     map<string>?
  remove  [string(1..253)]?
)";

}  // namespace yard::wire::schemas
