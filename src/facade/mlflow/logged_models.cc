#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "control/track/search.h"
#include "facade/mlflow/ask.h"
#include "facade/mlflow/filter.h"
#include "facade/mlflow/page.h"
#include "facade/mlflow/render.h"
#include "facade/mlflow/routes.h"
#include "facade/mlflow/rules.h"

namespace yard::facade::mlflow {
namespace {

using serve::Answer;
using serve::Slow;

void WriteModel(wire::Writer& w, const LoggedModel& model, const control::LatestMetrics& latest) {
  w.Begin();
  w.Key("info");
  w.Begin();
  w("model_id", model.id);
  w("experiment_id", model.experiment);
  w("name", model.name);
  w("creation_timestamp_ms", Milliseconds(model.created_at));
  w("last_updated_timestamp_ms", Milliseconds(model.updated_at));
  w("artifact_uri", model.artifact_uri);
  w("status", wire::ToName(model.status));
  w("model_type", model.type);
  w("source_run_id", model.source_run);
  w("status_message", model.status_message);
  WriteKeyValues(w, "tags", model.tags);
  w.End();
  w.Key("data");
  w.Begin();
  WriteKeyValues(w, "params", model.params);
  WriteMetrics(w, "metrics", latest);
  w.End();
  w.End();
}

std::string ModelJson(const LoggedModel& model, const control::LatestMetrics& latest) {
  return Wrapped("model", [&](wire::Writer& w) { WriteModel(w, model, latest); });
}

Result<Answer> Create(Ask& ask) {
  Fields fields(ask.object());
  std::string experiment = fields.NeedText("experiment_id");
  LoggedModel model{.name = fields.Text("name"),
                    .type = fields.Text("model_type"),
                    .source_run = fields.Text("source_run_id"),
                    .params = fields.KeyValues("params"),
                    .tags = fields.KeyValues("tags")};
  YARD_TRY(fields.Check());
  YARD_TRY(CheckTags(model.tags));
  for (const auto& [key, value] : model.params) YARD_TRY(CheckParam(key, value));
  YARD_ASSIGN(Shared<Experiment> known, ask.FindExperiment(experiment));
  return Store(ask,
               [known, model = std::move(model)](TrackTxn& txn) mutable -> Result<std::string> {
                 YARD_ASSIGN(Experiment home, ExperimentIn(txn, *known));
                 model.id = "m-" + txn.NewId();
                 model.experiment = home.id;
                 model.project = home.project;
                 model.created_at = txn.now();
                 model.updated_at = txn.now();
                 model.artifact_uri =
                     fmt::format("{}/models/{}/artifacts", home.artifact_location, model.id);
                 if (model.name.empty()) model.name = model.id;
                 if (!txn.Find<Experiment>(home.id)) txn.Put(std::move(home));
                 std::string reply = ModelJson(model, {});
                 txn.Put(std::move(model));
                 return reply;
               });
}

Result<Answer> Get(Ask& ask) {
  YARD_ASSIGN(control::ModelSlot * slot, ask.FindModel(ask.call().Path("model")));
  Shared<LoggedModel> model = slot->Get();
  if (model->lifecycle == Lifecycle::kDeleted) {
    return Fail(Code::kNotFound, fmt::format("logged model '{}' is deleted", model->id));
  }
  return serve::Json(ModelJson(*model, slot->Latest()));
}

// A change of the model in the path by `edit(model)`, which gives a Status.
template <class Edit>
Result<Answer> Change(Ask& ask, Edit edit) {
  YARD_ASSIGN(control::ModelSlot * slot, ask.FindModel(ask.call().Path("model")));
  return Store(ask, [slot, edit = std::move(edit)](TrackTxn& txn) -> Result<std::string> {
    LoggedModel model = *txn.Find<LoggedModel>(slot->Get()->id);
    YARD_TRY(edit(model));
    model.updated_at = txn.now();
    std::string reply = ModelJson(model, slot->Latest());
    txn.Put(std::move(model));
    return reply;
  });
}

Result<Answer> Finalize(Ask& ask) {
  Fields fields(ask.object());
  std::optional<ModelStatus> status = wire::FromName<ModelStatus>(fields.NeedText("status"));
  if (!status) fields.Wrong("status", "is not a status of a logged model");
  YARD_TRY(fields.Check());
  return Change(ask, [status](LoggedModel& model) -> Status {
    model.status = *status;
    return {};
  });
}

Result<Answer> Delete(Ask& ask) {
  return Change(ask, [](LoggedModel& model) -> Status {
    model.lifecycle = Lifecycle::kDeleted;
    return {};
  });
}

Result<Answer> SetTags(Ask& ask) {
  Fields fields(ask.object());
  Tags tags = fields.KeyValues("tags");
  YARD_TRY(fields.Check());
  YARD_TRY(CheckTags(tags));
  return Change(ask, [tags](LoggedModel& model) -> Status {
    for (const auto& [key, value] : tags) model.tags[key] = value;
    return {};
  });
}

Result<Answer> DeleteTag(Ask& ask) {
  return Change(ask, [key = std::string(ask.call().Path("tag"))](LoggedModel& model) -> Status {
    if (model.tags.erase(key) > 0) return {};
    return Fail(Code::kNotFound, fmt::format("there is no tag '{}'", key));
  });
}

Result<Answer> LogParams(Ask& ask) {
  Fields fields(ask.object());
  Tags params = fields.KeyValues("params");
  YARD_TRY(fields.Check());
  for (const auto& [key, value] : params) YARD_TRY(CheckParam(key, value));
  return Change(ask, [params](LoggedModel& model) -> Status {
    for (const auto& [key, value] : params) model.params[key] = value;
    return {};
  });
}

using Type = AttributeName::Type;
constexpr std::array kModelAttributes{
    AttributeName{"model_id", "model_id"},
    AttributeName{"name", "name"},
    AttributeName{"model_type", "model_type"},
    AttributeName{"status", "status"},
    AttributeName{"source_run_id", "source_run_id"},
    AttributeName{"creation_timestamp", "creation_timestamp", Type::kNumber},
    AttributeName{"creation_time", "creation_timestamp", Type::kNumber},
    AttributeName{"last_updated_timestamp", "last_updated_timestamp", Type::kNumber},
};

control::Cell TextIn(const Tags& texts, const std::string& key) {
  auto found = texts.find(key);
  return found == texts.end() ? control::Cell() : control::Cell(std::string_view(found->second));
}

control::Cell CellOf(const LoggedModel& model, const control::LatestMetrics& latest,
                     const control::Field& field) {
  using control::FieldKind;
  if (field.kind == FieldKind::kTag) return TextIn(model.tags, field.key);
  if (field.kind == FieldKind::kParam) return TextIn(model.params, field.key);
  if (field.kind == FieldKind::kMetric) {
    auto found = latest.find(field.key);
    return found == latest.end() ? control::Cell() : control::Cell(found->second.value);
  }
  if (field.key == "model_id") return model.id;
  if (field.key == "name") return model.name;
  if (field.key == "model_type") return model.type;
  if (field.key == "status") return wire::ToName(model.status);
  if (field.key == "source_run_id") return model.source_run;
  if (field.key == "last_updated_timestamp") {
    return static_cast<double>(Milliseconds(model.updated_at));
  }
  return static_cast<double>(Milliseconds(model.created_at));
}

struct FoundModel {
  Shared<LoggedModel> model;
  control::LatestMetrics latest;
};

// Orders come as objects: {"field_name": "metrics.acc", "ascending": false}.
Result<std::vector<control::Order>> ReadOrders(Fields& fields, const Vocabulary& vocabulary) {
  std::vector<control::Order> orders;
  std::vector<const json::object*> objects = fields.Objects("order_by");
  YARD_TRY(CheckOrders(objects.size()));
  for (const json::object* object : objects) {
    Fields order(*object);
    YARD_ASSIGN(control::Order read, ParseOrder(order.NeedText("field_name"), vocabulary));
    bool up = !order.Has("ascending") || order.Flag("ascending");
    read.direction = up ? control::Direction::kAscending : control::Direction::kDescending;
    YARD_TRY(order.Check());
    orders.push_back(std::move(read));
  }
  return orders;
}

// Those that are named; each must be one that the caller may read.
Result<std::set<std::string>> NamedExperiments(Ask& ask, Fields& fields) {
  std::set<std::string> named;
  for (const std::string& id : fields.Texts("experiment_ids")) {
    YARD_ASSIGN(Shared<Experiment> experiment, ask.FindExperiment(id));
    named.insert(experiment->id);
  }
  return named;
}

std::vector<FoundModel> FindModels(const control::Catalog& catalog,
                                   const std::set<std::string>& experiments,
                                   const std::vector<control::Condition>& conditions) {
  std::vector<FoundModel> found;
  for (const std::string& experiment : experiments) {
    for (control::ModelSlot* slot : catalog.ModelsOf(experiment)) {
      FoundModel one{slot->Get(), slot->Latest()};
      bool wanted = one.model->lifecycle == Lifecycle::kActive &&
                    std::ranges::all_of(conditions, [&](const control::Condition& condition) {
                      return Fulfils(CellOf(*one.model, one.latest, condition.field), condition);
                    });
      if (wanted) found.push_back(std::move(one));
    }
  }
  return found;
}

void Sort(std::vector<FoundModel>& found, const std::vector<control::Order>& orders) {
  std::ranges::sort(found, [&](const FoundModel& a, const FoundModel& b) {
    for (const control::Order& order : orders) {
      int way = CompareCells(CellOf(*a.model, a.latest, order.field),
                             CellOf(*b.model, b.latest, order.field), order.direction);
      if (way != 0) return way < 0;
    }
    if (a.model->created_at != b.model->created_at) {
      return a.model->created_at > b.model->created_at;
    }
    return a.model->id < b.model->id;
  });
}

std::string ModelsJson(const std::vector<FoundModel>& found, const PageRange& range) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("models");
  w.BeginList();
  std::size_t end = std::min(found.size(), range.offset + range.limit);
  for (std::size_t i = range.offset; i < end; ++i) {
    w.Item();
    WriteModel(w, *found[i].model, found[i].latest);
  }
  w.EndList();
  if (end < found.size()) w("next_page_token", NextToken(range));
  w.End();
  return out;
}

Result<Answer> Search(Ask& ask) {
  Fields fields(ask.object());
  Vocabulary vocabulary{.attributes = kModelAttributes};
  PageRange range = ReadPage(fields, {.usual = 100});
  YARD_ASSIGN(auto conditions, ParseFilter(fields.Text("filter"), vocabulary));
  YARD_ASSIGN(auto orders, ReadOrders(fields, vocabulary));
  YARD_TRY(fields.Check());
  ask.call().NeedsNoScope();  // each experiment is checked
  YARD_ASSIGN(std::set<std::string> experiments, NamedExperiments(ask, fields));
  return Slow{[&catalog = ask.catalog(), experiments = std::move(experiments),
               conditions = std::move(conditions), orders = std::move(orders),
               range]() -> Result<Slow::Outcome> {
    std::vector<FoundModel> found = FindModels(catalog, experiments, conditions);
    Sort(found, orders);
    return serve::Json(ModelsJson(found, range));
  }};
}

}  // namespace

void AddLoggedModelRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need create = serve::May(Action::kCreate, Resource::kTrainings);
  const serve::Need read = serve::May(Action::kRead, Resource::kTrainings);
  const serve::Need update = serve::May(Action::kUpdate, Resource::kTrainings);
  const serve::Need remove = serve::May(Action::kDelete, Resource::kTrainings);
  constexpr std::string_view kOne = "/api/2.0/mlflow/logged-models/{model}";
  routes.insert(routes.end(),
                {
                    {Method::kPost, "/api/2.0/mlflow/logged-models", create, On<Create>,
                     "Create logged model"},
                    {Method::kPost, "/api/2.0/mlflow/logged-models/search", read, On<Search>,
                     "Search logged models"},
                    {Method::kGet, kOne, read, On<Get>, "Get logged model"},
                    {Method::kPatch, kOne, update, On<Finalize>, "Finish logged model"},
                    {Method::kDelete, kOne, remove, On<Delete>, "Delete logged model"},
                    {Method::kPatch, "/api/2.0/mlflow/logged-models/{model}/tags", update,
                     On<SetTags>, "Set tags of a logged model"},
                    {Method::kDelete, "/api/2.0/mlflow/logged-models/{model}/tags/{tag}", update,
                     On<DeleteTag>, "Delete a tag of a logged model"},
                    {Method::kPost, "/api/2.0/mlflow/logged-models/{model}/params", update,
                     On<LogParams>, "Log parameters of a logged model"},
                });
}

}  // namespace yard::facade::mlflow
