// What a training program has to say, in batches: the way of the Python module.
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/track/run_records.h"
#include "api/track/tracked.h"
#include "base/strings.h"
#include "control/track/experiments.h"
#include "control/track/run_links.h"
#include "wire/fields.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::TrackTxn;

// Where a run that begins belongs.
struct RunHome {
  ProjectId project;
  std::string experiment;  // empty: the default one
  std::optional<WorkloadId> workload = std::nullopt;
};

bool MayCreateIn(Call& call, const Project& project) {
  return control::Authorize(call.state(), call.who(), Resource::kTrainings, Action::kCreate,
                            call.state().PathOf(project))
      .has_value();
}

// The workload that a run belongs to: its own id says so, or the program.
Ptr<Workload> WorkloadFor(const Call& call, std::string_view run_id, const RunStart& start) {
  if (Ptr<Workload> owner = call.state().Find<Workload>(control::OwnerOf(run_id))) return owner;
  std::optional<Uuid> named = ParseUuid(start.workload);
  return named ? call.state().Find<Workload>(WorkloadId{*named}) : nullptr;
}

// Programs written for other trackers call an experiment a project. One that is no project of ours
// is an experiment in the project of the workload, or in the only one of the caller.
Result<RunHome> HomeFor(Call& call, std::string_view run_id, const RunStart& start) {
  Ptr<Workload> workload = WorkloadFor(call, run_id, start);
  std::vector<Project> possible;
  call.state().Of<Project>().Each([&](const Project& project) {
    bool here = !workload || workload->project == project.id;
    if (here && MayCreateIn(call, project)) possible.push_back(project);
  });
  std::optional<WorkloadId> link = workload ? std::optional(workload->id) : std::nullopt;
  for (const Project& project : possible) {
    if (project.name == start.project) return RunHome{project.id, "", link};
  }
  if (possible.size() == 1) return RunHome{possible.front().id, start.project, link};
  if (possible.empty()) {
    return Fail(Code::kForbidden, fmt::format("{} has no project for this run", call.who().id),
                "ask an administrator for a role in a project");
  }
  return Fail(Code::kInvalid, "you have several projects, and the run names none of them",
              "set GPUYARD_PROJECT to one of them");
}

Status Begin(TrackTxn& txn, const std::string& id, const RunHome& home, const RunStart& start,
             const std::string& user) {
  YARD_ASSIGN(Experiment experiment, control::HomeFor(txn, home.project, home.experiment));
  TrackedRun run{.id = id,
                 .experiment = experiment.id,
                 .project = home.project,
                 .name = start.name.empty() ? id.substr(0, 8) : start.name,
                 .user = user,
                 .start = start.at};
  run.artifact_uri = fmt::format("{}/{}/artifacts", experiment.artifact_location, id);
  if (home.workload)
    run.tags[std::string(control::kWorkloadTag)] = FormatUuid(home.workload->value);
  txn.Put(std::move(run));
  return {};
}

// A program that starts again goes on with its run.
Status Change(TrackTxn& txn, const std::string& id, const RunRecords& records) {
  TrackedRun run = *txn.Find<TrackedRun>(id);
  if (run.lifecycle == Lifecycle::kDeleted) {
    return Fail(Code::kInvalid, fmt::format("run '{}' is deleted", id), "restore it first");
  }
  for (const auto& [key, value] : records.params) run.params[key] = value;
  for (const auto& [key, value] : records.tags) run.tags[key] = value;
  if (records.start && run.end && records.start->at > *run.end) {
    run.status = RunStatus::kRunning;
    run.end = std::nullopt;
  }
  if (records.end && records.end->at >= run.start) {
    run.status = records.end->status;
    run.end = records.end->at;
  }
  txn.Put(std::move(run));
  return {};
}

// One batch on its way to the disk.
struct Batch {
  control::Tracking& tracking;
  std::string id;
  std::size_t count = 0;
  RunRecords records;
  std::optional<RunHome> home = std::nullopt;  // of a run that begins with it
  std::string user = {};

  Status Apply(TrackTxn& txn) const {
    control::Shared<TrackedRun> there = txn.Find<TrackedRun>(id);
    if (home && !there) YARD_TRY(Begin(txn, id, *home, *records.start, user));
    // Somebody else was faster, in a project that this caller was not checked for.
    if (home && there && there->project != home->project) {
      return Fail(Code::kForbidden, fmt::format("run '{}' belongs to another project", id));
    }
    return Change(txn, id, records);
  }

  std::size_t points() const {
    std::size_t sum = 0;
    for (const auto& [name, points] : records.points) sum += points.size();
    return sum;
  }
};

http::Reply Taken(std::size_t records, std::size_t points) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("records", records);
  w("points", points);
  w.End();
  return Json(std::move(out));
}

void AppendPoints(std::shared_ptr<Batch> batch, http::Respond respond) {
  http::Reply taken = Taken(batch->count, batch->points());
  std::vector<store::SeriesPoints> series;
  for (auto& [name, points] : batch->records.points) series.push_back({name, std::move(points)});
  if (series.empty()) return respond(std::move(taken));
  control::RunSlot* slot = batch->tracking.catalog().FindRun(batch->id);
  batch->tracking.Append(
      *slot, batch->id, std::move(series),
      [taken = std::move(taken), respond = std::move(respond)](const Status& status) mutable {
        respond(status ? std::move(taken) : ErrorReply(status.error()));
      });
}

// Parameters and tags first: if they are refused, no point is stored.
Later StoreBatch(std::shared_ptr<Batch> batch) {
  return Later{[batch](http::Respond respond) {
    if (!batch->records.changes_run()) return AppendPoints(batch, std::move(respond));
    batch->tracking.Write([batch](TrackTxn& txn) { return batch->Apply(txn); },
                          [batch, respond = std::move(respond)](const Status& status) mutable {
                            if (!status) return respond(ErrorReply(status.error()));
                            AppendPoints(batch, std::move(respond));
                          });
  }};
}

Status CheckKnown(Call& call, std::string_view id) {
  YARD_ASSIGN(control::RunSlot * slot, FindRun(call, id));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_TRY(control::CheckHome(tracking->catalog(), *slot->Get()));
  if (slot->Get()->lifecycle == Lifecycle::kActive) return {};
  return Fail(Code::kInvalid, fmt::format("run '{}' is deleted", id), "restore it first");
}

Result<Answer> TakeBatch(Call& call) {
  std::string id(call.Path("runId"));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  bool known = tracking->catalog().FindRun(id) != nullptr;
  if (known) YARD_TRY(CheckKnown(call, id));
  YARD_ASSIGN(json::object body, call.Body());
  const json::array& list = wire::ListOrEmpty(body, "records");
  YARD_ASSIGN(RunRecords records, ReadRunRecords(list));
  auto batch = std::make_shared<Batch>(Batch{.tracking = *tracking,
                                             .id = id,
                                             .count = list.size(),
                                             .records = std::move(records),
                                             .user = call.who().id});
  if (known) return StoreBatch(std::move(batch));
  call.NeedsNoScope();  // the home of a new run is looked for where the caller may create one
  if (!control::IsRunId(id)) {
    return Fail(Code::kInvalid, fmt::format("'{}' is not the id of a run", id),
                "an id has 32 hexadecimal digits, such as uuid4().hex");
  }
  if (!batch->records.start) {
    return Fail(Code::kNotFound, fmt::format("there is no run '{}'", id),
                "its first batch must hold a record of kind 'start'");
  }
  YARD_ASSIGN(batch->home, HomeFor(call, id, *batch->records.start));
  return StoreBatch(std::move(batch));
}

}  // namespace

void AddRunBatchRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kPost, "/api/v1/runs/{runId}/batch", kUpdateRuns, TakeBatch,
                    "Add records to a run; begins it if there is none", "RunBatch",
                    "RunBatchTaken"});
}

}  // namespace yard::api
