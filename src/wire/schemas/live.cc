#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

const std::string_view kLive = R"(
NodeLack
  node*     string
  missing*  string
Alternative
  change*   string
  outcome*  string
Why
  reason*        string
  message*       string
  further*       [string]
  nodes*         [NodeLack]
  alternatives*  [Alternative]
  ahead*         [string]
  position       int?
  earliest       time?
  latest         time?
  basis*         string
DryRun
  type*      Workspace|Training|Distributed|Inference
  workload*  object
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
Queue
  queue*  [QueueLine]
AttemptStop
  cause*  string
  by*     string
  rule*   string
  at*     time
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
GpuHolder
  id*    uuid
  name*  string
  part*  number
GpuDevice
  uuid*        string
  node*        string
  model*       string
  memory*      string
  declared*    bool
  fault*       string
  foreign*     string
  busyPercent  int?
  used         string?
  workloads*   [GpuHolder]
GpuList
  gpus*  [GpuDevice]
Extension
  seconds*  int(1..31536000)
DrainOrder
  reason*  string(1..500)
)";

}  // namespace yard::wire::schemas
