#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "control/track/experiments.h"
#include "facade/mlflow/ask.h"
#include "facade/mlflow/errors.h"
#include "facade/mlflow/routes.h"
#include "facade/mlflow/rules.h"
#include "facade/mlflow/run_change.h"

namespace yard::facade::mlflow {
namespace {

using serve::Answer;

// The limits of MLflow's own server; its clients split what is larger.
constexpr std::size_t kMostMetrics = 1000;
constexpr std::size_t kMostParams = 100;
constexpr std::size_t kMostTags = 100;

// Points by metric, of the run and of the models that they measure as well.
class Points {
 public:
  Status Add(const json::object& object) {
    Fields fields(object);
    std::string key = fields.NeedText("key");
    MetricPoint point{.step = fields.Int("step"), .value = fields.NeedNumber("value")};
    if (!fields.Has("timestamp")) fields.Wrong("timestamp", "is missing");
    point.time = fields.MaybeTime("timestamp").value_or(Time{});
    std::string model = fields.Text("model_id");
    YARD_TRY(fields.Check());
    YARD_TRY(CheckKey("metric", key));
    of_run_[key].push_back(point);
    if (!model.empty()) of_models_[model][key].push_back(point);
    return {};
  }

  bool empty() const { return of_run_.empty(); }
  std::vector<store::SeriesPoints> TakeRun() { return Take(of_run_); }
  std::vector<std::string> Models() const {
    std::vector<std::string> models;
    for (const auto& [model, points] : of_models_) models.push_back(model);
    return models;
  }
  std::vector<store::SeriesPoints> TakeModel(const std::string& model) {
    return Take(of_models_[model]);
  }

 private:
  using ByMetric = std::map<std::string, std::vector<MetricPoint>>;

  static std::vector<store::SeriesPoints> Take(ByMetric& points) {
    std::vector<store::SeriesPoints> series;
    for (auto& [name, list] : points) series.push_back({name, std::move(list)});
    return series;
  }

  ByMetric of_run_;
  std::map<std::string, ByMetric> of_models_;
};

struct Batch {
  Points points;
  Tags params;
  Tags tags;
};

Result<Batch> ReadBatch(Fields& fields) {
  Batch batch{.params = fields.KeyValues("params"), .tags = fields.KeyValues("tags")};
  std::vector<const json::object*> metrics = fields.Objects("metrics");
  YARD_TRY(fields.Check());
  if (metrics.size() > kMostMetrics || batch.params.size() > kMostParams ||
      batch.tags.size() > kMostTags) {
    return Fail(Code::kInvalid,
                fmt::format("a batch may hold {} metrics, {} parameters and {} tags", kMostMetrics,
                            kMostParams, kMostTags),
                "send several smaller batches");
  }
  for (const json::object* metric : metrics) YARD_TRY(batch.points.Add(*metric));
  for (const auto& [key, value] : batch.params) YARD_TRY(CheckParam(key, value));
  YARD_TRY(CheckTags(batch.tags));
  return batch;
}

using Append = std::move_only_function<void(control::Tracking::Done)>;

// Points that are stored one after the other, then answered.
struct Appends {
  http::Respond respond;
  std::vector<Append> rest;
};

void AppendNext(std::shared_ptr<Appends> appends, Status before) {
  if (!before) return appends->respond(Refusal(before.error()));
  if (appends->rest.empty()) return appends->respond(serve::Json("{}"));
  Append next = std::move(appends->rest.back());
  appends->rest.pop_back();
  next([appends](Status status) { AppendNext(appends, std::move(status)); });
}

Result<std::vector<Append>> Plan(Ask& ask, control::RunSlot& run, Points points) {
  std::vector<Append> plan;
  control::Tracking& tracking = ask.tracking();
  for (const std::string& model : points.Models()) {
    YARD_ASSIGN(control::ModelSlot * slot, ask.FindModel(model));
    plan.emplace_back([&tracking, slot, model,
                       series = points.TakeModel(model)](control::Tracking::Done done) mutable {
      tracking.Append(*slot, model, std::move(series), std::move(done));
    });
  }
  if (!points.empty()) {
    plan.emplace_back([&tracking, &run, id = run.Get()->id,
                       series = points.TakeRun()](control::Tracking::Done done) mutable {
      tracking.Append(run, id, std::move(series), std::move(done));
    });
  }
  return plan;
}

// Parameters and tags first: if they are refused, no point is stored.
Result<Answer> Log(Ask& ask, const std::string& id, Batch batch) {
  YARD_ASSIGN(control::RunSlot * slot, ask.FindRun(id));
  YARD_TRY(CheckActive(*slot->Get()));
  YARD_TRY(control::CheckHome(ask.catalog(), *slot->Get()));
  YARD_ASSIGN(auto plan, Plan(ask, *slot, std::move(batch.points)));
  bool changes = !batch.params.empty() || !batch.tags.empty();
  auto change = [id, params = std::move(batch.params),
                 tags = std::move(batch.tags)](TrackTxn& txn) -> Status {
    TrackedRun run = *txn.Find<TrackedRun>(id);
    YARD_TRY(CheckActive(run));
    for (const auto& [key, value] : params) YARD_TRY(AddParam(run, key, value));
    for (const auto& [key, value] : tags) run.tags[key] = value;
    txn.Put(std::move(run));
    return {};
  };
  return serve::Later{[&tracking = ask.tracking(), changes, change = std::move(change),
                       plan = std::move(plan)](http::Respond respond) mutable {
    auto appends = std::make_shared<Appends>(std::move(respond), std::move(plan));
    auto next = [appends](Status status) { AppendNext(appends, std::move(status)); };
    if (!changes) return next(Status{});
    tracking.Write(std::move(change), std::move(next));
  }};
}

Result<Answer> LogBatch(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  YARD_ASSIGN(Batch batch, ReadBatch(fields));
  return Log(ask, id, std::move(batch));
}

Result<Answer> LogMetric(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  YARD_TRY(fields.Check());
  Batch batch;
  YARD_TRY(batch.points.Add(ask.object()));
  return Log(ask, id, std::move(batch));
}

}  // namespace

void AddLogRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need update = serve::May(Action::kUpdate, Resource::kTrainings);
  routes.insert(
      routes.end(),
      {
          {Method::kPost, "/api/2.0/mlflow/runs/log-batch", update, On<LogBatch>, "Log a batch"},
          {Method::kPost, "/api/2.0/mlflow/runs/log-metric", update, On<LogMetric>, "Log a metric"},
      });
}

}  // namespace yard::facade::mlflow
