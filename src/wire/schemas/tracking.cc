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
StoredRunFile
  bytes*  int
RunUploadDraft
  path*   text(1..2000)
  parts*  int(1..10000)
  mark*   text(1..200)
RunUpload
  uploadId*  string
  arrived*   [int]
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
  commit     text?
  branch     text?
  repository text?
  python     text?
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
ReportEntry
  id*           string
  title*        string
  projectId*    int
  projectName*  string
  authorName*   string
  editorName*   string
  createdAt*    time
  updatedAt*    time
  revision*     int
Report : ReportEntry
  text*  text
ReportList
  reports*  [ReportEntry]
  next      int
ReportDraft
  projectId*  int
  title*      string(1..200)
  text        text
ReportChange
  title*    string(1..200)
  text*     text
  revision  int
RunView
  id*           string
  name*         string
  projectId*    int
  projectName*  string
  page*         runs|compare
  query*        string
  authorName*   string
  createdAt*    time
RunViewList
  views*  [RunView]
RunViewDraft
  projectId*  int
  name*       string(1..100)
  page*       runs|compare
  query*      string
)";

}  // namespace yard::wire::schemas
