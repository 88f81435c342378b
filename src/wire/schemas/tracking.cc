#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

// A metric's value is a number, or the text "NaN", "Infinity" or "-Infinity".
const std::string_view kTracking = R"(
RunMetric
  name*   text
  value*  any
  step*   int
  time*   time
Run
  id*              string
  name*            text
  projectId*       int
  projectName*     string
  experimentId*    string
  experimentName*  text
  userName*        string
  status*          RUNNING|SCHEDULED|FINISHED|FAILED|KILLED
  lifecycle*       active|deleted
  startedAt*       time
  endedAt          time
  workloadId       uuid
  params*          map<text>
  tags*            map<text>
  metrics*         [RunMetric]
  metricCount*     int
RunList
  runs*  [Run]
  next   int
RunDraft
  projectId*  int
  name        text(0..250)
  experiment  text(0..250)
  workloadId  uuid
  params      map<text>
  tags        map<text>
RunTags
  ids*    [string]
  set     map<text>
  remove  [text]
Experiment
  id*           string
  name*         text
  projectId*    int
  projectName*  string
  runs*         int
ExperimentList
  experiments*  [Experiment]
RunChartWish
  runs*     [string]
  metrics*  [text]
  pixels    int(1..4000)
  axis      step|time
  from      int
  to        int
RunSeries
  runId*   string
  metric*  text
  points*  int
  steps*   [int]
  times*   [int]
  values*  [any]
RunCharts
  series*  [RunSeries]
MetricPoint
  step*   int
  time*   time
  value*  any
MetricHistory
  points*  [MetricPoint]
  next     string
RunFile
  name*    string
  folder*  bool
  bytes*   int
RunFileList
  files*  [RunFile]
RunRecord
  kind*      start|config|metrics|summary|text|media|artifact|alert|finish
  time*      number
  step       int
  values     object
  id         string
  project    text?
  workload   string?
  name       text?
  notes      text?
  group      text?
  job_type   text?
  tags       any
  command    any
  text       text
  exit_code  int
  title      text
  level      string
  type       text
  path       text
  file       text
  files      any
  metadata   any
  caption    text?
  size       int
RunBatch
  offset    int(0..)
  records*  [RunRecord]
RunBatchTaken
  records*  int
  points*   int
)";

}  // namespace yard::wire::schemas
