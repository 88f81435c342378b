#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

const std::string_view kStudies = R"(
StudyObjective
  metric*    string(1..200)
  direction  minimize|maximize?
  result     last|best?
StudyCondition
  parameter*  string(1..100)
  values*     [any]
StudyParameter
  name*    string(1..100)
  type     float|int|categorical|ordinal|constant?
  low      number?
  high     number?
  step     number?
  log      bool?
  choices  [any]?
  value    any?
  when     StudyCondition?
StudyDerived
  name*        string(1..100)
  expression*  string(1..1000)
StudyPruner
  type*          none|median|percentile|asha|hyperband|patient|threshold|wilcoxon|pbt
  percentile     number(0..100)?
  startupTrials  int(0..)?
  warmupSteps    int(0..)?
  intervalSteps  int(1..)?
  minSteps       int(1..)?
  maxSteps       int(1..)?
  reduction      int(2..100)?
  patience       int(1..)?
  minDelta       number(0..)?
  lower          number?
  upper          number?
  pThreshold     number(0..1)?
  promote        bool?
  quantile       number(0..1)?
  resample       number(0..1)?
  factor         number(1..1000)?
  parameters     [string(1..100)]?
StudyBudget
  maxTrials           int(1..1000000)?
  maxDurationSeconds  int(1..)?
  maxGpuHours         number(0..)?
StudySpec : StudyBudget
  objectives*  [StudyObjective]
  parameters*  [StudyParameter]
  constraints  [string(1..1000)]?
  derived      [StudyDerived]?
  sampler      auto|random|grid|sobol|tpe|tpe-univariate|gp|cma-es|nsga2|nsga3?
  pruner       StudyPruner?
  seed         int(0..)?
  repeats      int(1..1000)?
  concurrency  int(1..10000)?
  maxFailures  int(1..1000000)?
  pattern      string(..1000)?
  checkpoints  string(1..1000)?
  startFrom    string(1..200)?
  workload     TrainingSpec?
StudyDraft
  name*       label
  projectId*  string(1..)
  spec*       StudySpec
StudyReport
  step*   int
  value*  number?
StudyTrial
  number*      int
  state*       Running|Complete|Pruned|Failed
  parameters*  object
  origin*      string
  repeatOf     int
  continues    int
  resumesFrom  int
  values       [number]
  reports      [StudyReport]
  workloadId   uuid
  message      text
  gpuHours*    number
  createdAt*   time
  endedAt      time
StudyTrialPage
  trials*  [StudyTrial]
  next     int
StudyColumn
  name*    string
  values*  [number?]
StudyColumns
  from*        int
  states*      string
  values*      [[number?]]
  parameters*  [StudyColumn]
  repeatOf*    [int?]
  continues*   [int?]
  resumesFrom*  [int?]
  steps*       [int?]
  lasts*       [number?]
  started*     [int]
  ended*       [int?]
  gpuHours*    [number?]
  next         int
StudyTrialDraft
  parameters  object?
  values      [number]?
StudyTell
  state   Complete|Pruned|Failed?
  values  [any]?
  reason  text(..10000)?
StudyReportDraft
  step   int(0..)?
  value  any?
  values object?
StudyVerdict
  stop*    bool
  reason*  string
StudyCounts
  running*         int
  complete*        int
  pruned*          int
  failed*          int
  configurations*  int
  extra*           int
Study
  id*          uuid
  name*        string
  projectId*   string
  state*       Running|Paused|Completed|Stopped
  message*     text
  seed*        int
  spec*        StudySpec
  budget*      StudyBudget
  trials*      StudyCounts
  gpuHours*    number
  best         StudyTrial
  createdAt*   time
  createdBy*   string
  updatedAt*   time
  endedAt      time
StudyList
  studies*  [Study]
  next      int
StudyBestTrial : StudyTrial
  mean  number
  low   number
  high  number
  runs  int
StudyBest
  trials*  [StudyBestTrial]
  message*  text
StudyImportance
  parameter*   string
  importance*  number
StudyImportances
  importances*  [StudyImportance]
StudyJournalPage
  entries*  [string]
  next*     int
  total*    int
StudyJournalAppend
  id*       string(1..100)
  entries*  [string]
StudySuggestion
  parameters*  object
  origin*      string
)";

}  // namespace yard::wire::schemas
