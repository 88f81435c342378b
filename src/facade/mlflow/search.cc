#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "control/track/search.h"
#include "facade/mlflow/ask.h"
#include "facade/mlflow/filter.h"
#include "facade/mlflow/page.h"
#include "facade/mlflow/render.h"
#include "facade/mlflow/routes.h"

namespace yard::facade::mlflow {
namespace {

using control::LifecycleView;
using serve::Answer;
using serve::Slow;
using Type = AttributeName::Type;

constexpr std::array kRunAttributes{
    AttributeName{"run_id", "run_id"},
    AttributeName{"run_name", "run_name"},
    AttributeName{"run name", "run_name"},
    AttributeName{"user_id", "user_id"},
    AttributeName{"status", "status"},
    AttributeName{"artifact_uri", "artifact_uri"},
    AttributeName{"experiment_id", "experiment_id"},
    AttributeName{"start_time", "start_time", Type::kNumber},
    AttributeName{"created", "start_time", Type::kNumber},
    AttributeName{"end_time", "end_time", Type::kNumber},
};

constexpr std::array kExperimentAttributes{
    AttributeName{"experiment_id", "experiment_id"},
    AttributeName{"name", "name"},
    AttributeName{"creation_time", "creation_time", Type::kNumber},
    AttributeName{"last_update_time", "last_update_time", Type::kNumber},
};

LifecycleView ReadView(Fields& fields, std::string_view name) {
  std::string view = fields.Text(name);
  if (view.empty() || view == "ACTIVE_ONLY") return LifecycleView::kActive;
  if (view == "DELETED_ONLY") return LifecycleView::kDeleted;
  if (view != "ALL") fields.Wrong(name, "must be ACTIVE_ONLY, DELETED_ONLY or ALL");
  return LifecycleView::kAll;
}

Result<std::vector<control::Order>> ReadOrders(Fields& fields, const Vocabulary& vocabulary) {
  std::vector<control::Order> orders;
  std::vector<std::string> texts = fields.Texts("order_by");
  YARD_TRY(CheckOrders(texts.size()));
  for (const std::string& text : texts) {
    YARD_ASSIGN(control::Order order, ParseOrder(text, vocabulary));
    orders.push_back(std::move(order));
  }
  return orders;
}

std::string RunsJson(const control::RunPage& page, const PageRange& range) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("runs");
  w.BeginList();
  for (const control::FoundRun& found : page.runs) {
    w.Item();
    Write(w, *found.run, found.latest);
  }
  w.EndList();
  if (page.more) w("next_page_token", NextToken(range));
  w.End();
  return out;
}

Result<Answer> SearchRuns(Ask& ask) {
  Fields fields(ask.object());
  Vocabulary vocabulary{.attributes = kRunAttributes};
  control::RunSearch search{.view = ReadView(fields, "run_view_type")};
  PageRange range = ReadPage(fields, {});
  std::vector<std::string> ids = fields.Texts("experiment_ids");
  YARD_ASSIGN(search.conditions, ParseFilter(fields.Text("filter"), vocabulary));
  YARD_ASSIGN(search.orders, ReadOrders(fields, vocabulary));
  YARD_TRY(fields.Check());
  for (const std::string& id : ids) {
    Result<Shared<Experiment>> experiment = ask.FindExperiment(id);
    if (!experiment && experiment.error().code == Code::kNotFound) continue;
    YARD_TRY(experiment);
    search.experiments.push_back((*experiment)->id);
  }
  ask.call()
      .NeedsNoScope();  // each experiment was checked; those that may not be read are left out
  search.offset = range.offset;
  search.limit = range.limit;
  return Slow{
      [&catalog = ask.catalog(), search = std::move(search), range]() -> Result<Slow::Outcome> {
        return serve::Json(RunsJson(control::SearchRuns(catalog, search), range));
      }};
}

control::Cell CellOf(const Experiment& experiment, const control::Field& field) {
  if (field.kind == control::FieldKind::kTag) {
    auto found = experiment.tags.find(field.key);
    return found == experiment.tags.end() ? control::Cell()
                                          : control::Cell(std::string_view(found->second));
  }
  if (field.key == "experiment_id") return experiment.id;
  if (field.key == "name") return experiment.name;
  if (field.key == "creation_time") return static_cast<double>(Milliseconds(experiment.created_at));
  return static_cast<double>(Milliseconds(experiment.updated_at));
}

struct ExperimentSearch {
  std::set<ProjectId> projects;
  LifecycleView view = LifecycleView::kActive;
  std::vector<control::Condition> conditions;
  std::vector<control::Order> orders;

  bool Wants(const Experiment& experiment) const {
    return projects.contains(experiment.project) && Shows(view, experiment.lifecycle) &&
           std::ranges::all_of(conditions, [&](const control::Condition& condition) {
             return Fulfils(CellOf(experiment, condition.field), condition);
           });
  }
  bool ComesFirst(const Experiment& a, const Experiment& b) const {
    for (const control::Order& order : orders) {
      int way = CompareCells(CellOf(a, order.field), CellOf(b, order.field), order.direction);
      if (way != 0) return way < 0;
    }
    if (a.created_at != b.created_at) return a.created_at > b.created_at;
    return a.id > b.id;
  }
};

std::vector<Shared<Experiment>> Run(const control::Catalog& catalog,
                                    const ExperimentSearch& search) {
  auto wanted = [&](const Experiment& experiment) { return search.Wants(experiment); };
  std::vector<Shared<Experiment>> found = catalog.Select<Experiment>(wanted);
  // A default experiment is there before it is stored.
  for (ProjectId project : search.projects) {
    Experiment usual = DefaultExperiment(project);
    if (catalog.Find<Experiment>(usual.id) || !search.Wants(usual)) continue;
    found.push_back(std::make_shared<Experiment>(std::move(usual)));
  }
  std::ranges::sort(found, [&](const auto& a, const auto& b) { return search.ComesFirst(*a, *b); });
  return found;
}

std::string ExperimentsJson(const std::vector<Shared<Experiment>>& found, const PageRange& range) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("experiments");
  w.BeginList();
  std::size_t end = std::min(found.size(), range.offset + range.limit);
  for (std::size_t i = range.offset; i < end; ++i) {
    w.Item();
    Write(w, *found[i]);
  }
  w.EndList();
  if (end < found.size()) w("next_page_token", NextToken(range));
  w.End();
  return out;
}

Result<Answer> SearchExperiments(Ask& ask) {
  Fields fields(ask.object());
  Vocabulary vocabulary{.attributes = kExperimentAttributes,
                        .sections = Sections::kAttributesAndTags};
  ExperimentSearch search{.view = ReadView(fields, "view_type")};
  PageRange range = ReadPage(fields, {});
  YARD_ASSIGN(search.conditions, ParseFilter(fields.Text("filter"), vocabulary));
  YARD_ASSIGN(search.orders, ReadOrders(fields, vocabulary));
  YARD_TRY(fields.Check());
  YARD_ASSIGN(search.projects, ask.Visible());
  return Slow{
      [&catalog = ask.catalog(), search = std::move(search), range]() -> Result<Slow::Outcome> {
        return serve::Json(ExperimentsJson(Run(catalog, search), range));
      }};
}

}  // namespace

void AddSearchRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need read = serve::May(Action::kRead, Resource::kTrainings);
  routes.insert(routes.end(), {
                                  {Method::kPost, "/api/2.0/mlflow/runs/search", read,
                                   On<SearchRuns>, "Search runs"},
                                  {Method::kPost, "/api/2.0/mlflow/experiments/search", read,
                                   On<SearchExperiments>, "Search experiments"},
                                  {Method::kGet, "/api/2.0/mlflow/experiments/search", read,
                                   On<SearchExperiments>, "Search experiments"},
                              });
}

}  // namespace yard::facade::mlflow
