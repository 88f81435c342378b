// Tracked work: experiments, their runs, and the models that come out of them.
//
// Plain values. Metric histories are not here: they lie in the series store under the run's id.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/ids.h"

namespace yard {

using Tags = std::map<std::string, std::string>;

// Deleted things are kept and can be restored.
enum class Lifecycle { kActive, kDeleted };

struct Experiment {
  std::string id;
  ProjectId project;
  std::string name;  // unique among the experiments of its project, deleted ones too
  std::string artifact_location;
  Lifecycle lifecycle = Lifecycle::kActive;
  Time created_at;
  Time updated_at;
  Tags tags;
};

enum class RunStatus { kRunning, kScheduled, kFinished, kFailed, kKilled };

// What a run or a model was made from or with.
struct DatasetInput {
  std::string name;
  std::string digest;
  std::string source_type;
  std::string source;
  std::string schema;
  std::string profile;
  Tags tags;
};

struct ModelOutput {
  std::string model;
  std::int64_t step = 0;
};

struct TrackedRun {
  std::string id;  // 32 hexadecimal digits
  std::string experiment;
  ProjectId project;
  std::string name;
  std::string user;
  RunStatus status = RunStatus::kRunning;
  Time start;
  std::optional<Time> end;
  std::string artifact_uri;
  Lifecycle lifecycle = Lifecycle::kActive;
  std::map<std::string, std::string> params;  // never changed once written
  Tags tags;
  std::vector<DatasetInput> datasets;
  std::vector<std::string> model_inputs;
  std::vector<ModelOutput> model_outputs;
};

struct RegisteredModel {
  ProjectId project;
  std::string name;  // unique in its project
  std::string description;
  Time created_at;
  Time updated_at;
  std::int64_t versions = 0;  // the newest version ever made
  Tags tags;
  std::map<std::string, std::string> aliases;  // to a version
};

struct ModelVersion {
  ProjectId project;
  std::string name;
  std::int64_t version = 0;
  std::string stage;
  std::string description;
  std::string user;
  std::string source;
  std::string run;
  std::string run_link;
  std::string model;  // the logged model it was made from
  Time created_at;
  Time updated_at;
  Tags tags;
};

enum class ModelStatus { kPending, kReady, kFailed };

// A model that a run has made, before anybody registers it.
struct LoggedModel {
  std::string id;  // "m-" and 32 hexadecimal digits
  std::string experiment;
  ProjectId project;
  std::string name;
  std::string type;
  std::string source_run;
  std::string artifact_uri;
  ModelStatus status = ModelStatus::kPending;
  std::string status_message;
  Lifecycle lifecycle = Lifecycle::kActive;
  Time created_at;
  Time updated_at;
  std::map<std::string, std::string> params;
  Tags tags;
};

// A page about runs that members of a project write: Markdown whose chart blocks are drawn live.
struct Report {
  std::string id;  // 32 hexadecimal digits
  ProjectId project;
  std::string title;
  std::string text;
  std::string author;
  std::string editor;  // who changed it last
  Time created_at;
  Time updated_at;
  std::int64_t revision = 1;  // one more with every change
};

enum class ViewPage { kRuns, kCompare };

// A way to look at runs that a project keeps under a name: what stands in the address of the page.
struct SavedView {
  std::string id;  // 32 hexadecimal digits
  ProjectId project;
  std::string name;  // unique among the views of one page in its project
  ViewPage page = ViewPage::kRuns;
  std::string query;
  std::string author;
  Time created_at;
};

}  // namespace yard
