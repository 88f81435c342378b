#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "facade/mlflow/ask.h"
#include "facade/mlflow/filter.h"
#include "facade/mlflow/page.h"
#include "facade/mlflow/registry.h"
#include "facade/mlflow/render.h"
#include "facade/mlflow/routes.h"
#include "facade/mlflow/rules.h"

namespace yard::facade::mlflow {
namespace {

using serve::Answer;
using serve::Slow;

std::string VersionJson(const RegisteredModel& model, const ModelVersion& version) {
  return Wrapped("model_version", [&](wire::Writer& w) { WriteVersion(w, model, version); });
}

struct Named {
  Shared<RegisteredModel> model;
  Shared<ModelVersion> version;
};

Result<Named> Find(Ask& ask, std::string_view name, std::int64_t number) {
  YARD_ASSIGN(Shared<RegisteredModel> model, ask.FindRegistered(name));
  auto version =
      ask.catalog().Find<ModelVersion>(control::VersionKey(model->project, model->name, number));
  if (version) return Named{model, version};
  return Fail(Code::kNotFound, fmt::format("model '{}' has no version {}", name, number));
}

// The version that the request names; fields that were read before are checked with it.
Result<Named> NamedBy(Ask& ask, Fields& fields) {
  std::string name = fields.NeedText("name");
  std::int64_t number = fields.NeedInt("version");
  YARD_TRY(fields.Check());
  return Find(ask, name, number);
}

Result<Answer> Create(Ask& ask) {
  Fields fields(ask.object());
  std::string name = fields.NeedText("name");
  ModelVersion made{.stage = std::string(kNoStage),
                    .description = fields.Text("description"),
                    .source = fields.NeedText("source"),
                    .run = fields.Text("run_id"),
                    .run_link = fields.Text("run_link"),
                    .model = fields.Text("model_id"),
                    .tags = fields.KeyValues("tags")};
  YARD_TRY(fields.Check());
  YARD_TRY(CheckTags(made.tags));
  YARD_ASSIGN(Shared<RegisteredModel> known, ask.FindRegistered(name));
  made.user = ask.call().who().id;
  return Store(ask, [known, made = std::move(made)](TrackTxn& txn) mutable -> Result<std::string> {
    YARD_ASSIGN(RegisteredModel model, RegisteredIn(txn, *known));
    made.project = model.project;
    made.name = model.name;
    made.version = ++model.versions;
    made.created_at = txn.now();
    made.updated_at = txn.now();
    model.updated_at = txn.now();
    std::string reply = VersionJson(model, made);
    txn.Put(std::move(model));
    txn.Put(std::move(made));
    return reply;
  });
}

Result<Answer> Get(Ask& ask) {
  Fields fields(ask.object());
  YARD_ASSIGN(Named found, NamedBy(ask, fields));
  return serve::Json(VersionJson(*found.model, *found.version));
}

Result<Answer> GetByAlias(Ask& ask) {
  Fields fields(ask.object());
  std::string name = fields.NeedText("name");
  std::string alias = fields.NeedText("alias");
  YARD_TRY(fields.Check());
  YARD_ASSIGN(Shared<RegisteredModel> model, ask.FindRegistered(name));
  auto number = model->aliases.find(alias);
  if (number == model->aliases.end()) {
    return Fail(Code::kInvalid, fmt::format("registered model alias '{}' not found", alias));
  }
  YARD_ASSIGN(Named found, Find(ask, name, ParseInt(number->second).value_or(0)));
  return serve::Json(VersionJson(*found.model, *found.version));
}

Result<Answer> DownloadUri(Ask& ask) {
  Fields fields(ask.object());
  YARD_ASSIGN(Named found, NamedBy(ask, fields));
  std::string source = found.version->source;
  // A version made from a logged model names it; its files lie where that model has them.
  control::ModelSlot* slot = ask.catalog().FindModel(found.version->model);
  bool ours = slot != nullptr && slot->Get()->project == found.version->project;
  if (ours && source.starts_with("models:/")) source = slot->Get()->artifact_uri;
  return serve::Json(Wrapped("artifact_uri", [&](wire::Writer& w) { w.Value(source); }));
}

// A change of one version by `edit(version)`, which gives a Status.
template <class Edit>
Result<Answer> Change(Ask& ask, Fields& fields, Edit edit) {
  YARD_ASSIGN(Named found, NamedBy(ask, fields));
  return Store(ask, [found, edit = std::move(edit)](TrackTxn& txn) -> Result<std::string> {
    YARD_ASSIGN(RegisteredModel model, RegisteredIn(txn, *found.model));
    Shared<ModelVersion> now = txn.Find<ModelVersion>(KeyOf(*found.version));
    if (!now) return Fail(Code::kNotFound, "the model version has just been deleted");
    ModelVersion version = *now;
    YARD_TRY(edit(version));
    version.updated_at = txn.now();
    std::string reply = VersionJson(model, version);
    txn.Put(std::move(version));
    return reply;
  });
}

Result<Answer> Update(Ask& ask) {
  Fields fields(ask.object());
  return Change(ask, fields, [text = fields.Text("description")](ModelVersion& version) -> Status {
    version.description = text;
    return {};
  });
}

Result<Answer> Transition(Ask& ask) {
  Fields fields(ask.object());
  std::optional<std::string> stage = StageNamed(fields.NeedText("stage"));
  if (!stage) fields.Wrong("stage", "must be None, Staging, Production or Archived");
  bool archive = fields.Flag("archive_existing_versions");
  YARD_ASSIGN(Named found, NamedBy(ask, fields));
  std::vector<Shared<ModelVersion>> others;
  if (archive) others = VersionsOf(ask.catalog(), *found.model);
  return Store(ask, [found, others, stage](TrackTxn& txn) -> Result<std::string> {
    for (const Shared<ModelVersion>& other : others) {
      if (other->stage != *stage || other->version == found.version->version) continue;
      ModelVersion archived = *other;
      archived.stage = "Archived";
      archived.updated_at = txn.now();
      txn.Put(std::move(archived));
    }
    Shared<ModelVersion> now = txn.Find<ModelVersion>(KeyOf(*found.version));
    if (!now) return Fail(Code::kNotFound, "the model version has just been deleted");
    ModelVersion version = *now;
    version.stage = *stage;
    version.updated_at = txn.now();
    std::string reply = VersionJson(*found.model, version);
    txn.Put(std::move(version));
    return reply;
  });
}

Result<Answer> Delete(Ask& ask) {
  Fields fields(ask.object());
  YARD_ASSIGN(Named found, NamedBy(ask, fields));
  return Store(ask, [found](TrackTxn& txn) -> Result<std::string> {
    YARD_ASSIGN(RegisteredModel model, RegisteredIn(txn, *found.model));
    std::erase_if(model.aliases, [&](const auto& alias) {
      return alias.second == std::to_string(found.version->version);
    });
    txn.Put(std::move(model));
    txn.Remove<ModelVersion>(KeyOf(*found.version));
    return "{}";
  });
}

Result<Answer> SetTag(Ask& ask) {
  Fields fields(ask.object());
  std::string key = fields.NeedText("key");
  std::string value = fields.Text("value");
  YARD_TRY(CheckTag(key, value));
  return Change(ask, fields, [key, value](ModelVersion& version) -> Status {
    version.tags[key] = value;
    return {};
  });
}

Result<Answer> DeleteTag(Ask& ask) {
  Fields fields(ask.object());
  return Change(ask, fields, [key = fields.NeedText("key")](ModelVersion& version) -> Status {
    version.tags.erase(key);
    return {};
  });
}

std::string VersionsJson(const control::Catalog& catalog,
                         const std::vector<Shared<ModelVersion>>& versions,
                         const PageRange& range) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("model_versions");
  w.BeginList();
  std::size_t end = std::min(versions.size(), range.offset + range.limit);
  for (std::size_t i = range.offset; i < end; ++i) {
    const ModelVersion& version = *versions[i];
    auto model = catalog.Find<RegisteredModel>(control::ModelKey(version.project, version.name));
    w.Item();
    WriteVersion(w, model ? *model : RegisteredModel{}, version);
  }
  w.EndList();
  if (end < versions.size()) w("next_page_token", NextToken(range));
  w.End();
  return out;
}

Result<Answer> Latest(Ask& ask) {
  Fields fields(ask.object());
  std::string name = fields.NeedText("name");
  std::vector<std::string> stages = fields.Texts("stages");
  YARD_TRY(fields.Check());
  YARD_ASSIGN(Shared<RegisteredModel> model, ask.FindRegistered(name));
  auto latest = LatestOf(ask.catalog(), *model);
  std::erase_if(latest, [&](const Shared<ModelVersion>& version) {
    return !stages.empty() && std::ranges::none_of(stages, [&](const std::string& stage) {
      return EqualsIgnoreCase(stage, version->stage);
    });
  });
  return serve::Json(VersionsJson(ask.catalog(), latest, {.limit = latest.size()}));
}

using Type = AttributeName::Type;
constexpr std::array kAttributes{
    AttributeName{"name", "name"},
    AttributeName{"run_id", "run_id"},
    AttributeName{"source_path", "source_path"},
    AttributeName{"version_number", "version_number", Type::kNumber},
    AttributeName{"creation_timestamp", "creation_timestamp", Type::kNumber},
    AttributeName{"last_updated_timestamp", "last_updated_timestamp", Type::kNumber},
};

control::Cell CellOf(const ModelVersion& version, const control::Field& field) {
  if (field.kind == control::FieldKind::kTag) {
    auto found = version.tags.find(field.key);
    return found == version.tags.end() ? control::Cell()
                                       : control::Cell(std::string_view(found->second));
  }
  if (field.key == "name") return version.name;
  if (field.key == "run_id") return version.run;
  if (field.key == "source_path") return version.source;
  if (field.key == "version_number") return static_cast<double>(version.version);
  if (field.key == "creation_timestamp") {
    return static_cast<double>(Milliseconds(version.created_at));
  }
  return static_cast<double>(Milliseconds(version.updated_at));
}

struct VersionSearch {
  std::set<ProjectId> visible;
  std::vector<control::Condition> conditions;
  std::vector<control::Order> orders;

  bool Wants(const ModelVersion& version) const {
    return visible.contains(version.project) &&
           std::ranges::all_of(conditions, [&](const control::Condition& condition) {
             if (condition.field.kind == control::FieldKind::kTag) {
               return TagFulfils(version.tags, condition);
             }
             return Fulfils(CellOf(version, condition.field), condition);
           });
  }
  bool ComesFirst(const ModelVersion& a, const ModelVersion& b) const {
    for (const control::Order& order : orders) {
      int way = CompareCells(CellOf(a, order.field), CellOf(b, order.field), order.direction);
      if (way != 0) return way < 0;
    }
    if (a.updated_at != b.updated_at) return a.updated_at > b.updated_at;
    return a.name != b.name ? a.name < b.name : a.version > b.version;
  }
  std::vector<Shared<ModelVersion>> Run(const control::Catalog& catalog) const {
    auto found =
        catalog.Select<ModelVersion>([&](const ModelVersion& version) { return Wants(version); });
    std::ranges::sort(found, [&](const auto& a, const auto& b) { return ComesFirst(*a, *b); });
    return found;
  }
};

Result<Answer> Search(Ask& ask) {
  Fields fields(ask.object());
  Vocabulary vocabulary{.attributes = kAttributes, .sections = Sections::kAttributesAndTags};
  PageRange range = ReadPage(fields, {.usual = 10'000, .most = 200'000});
  YARD_ASSIGN(auto conditions, ParseFilter(fields.Text("filter"), vocabulary));
  std::vector<control::Order> orders;
  std::vector<std::string> texts = fields.Texts("order_by");
  YARD_TRY(CheckOrders(texts.size()));
  for (const std::string& text : texts) {
    YARD_ASSIGN(control::Order order, ParseOrder(text, vocabulary));
    orders.push_back(std::move(order));
  }
  YARD_TRY(fields.Check());
  YARD_ASSIGN(std::set<ProjectId> visible, ask.Visible());
  VersionSearch search{std::move(visible), std::move(conditions), std::move(orders)};
  return Slow{
      [&catalog = ask.catalog(), search = std::move(search), range]() -> Result<Slow::Outcome> {
        return serve::Json(VersionsJson(catalog, search.Run(catalog), range));
      }};
}

}  // namespace

void AddModelVersionRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need create = serve::May(Action::kCreate, Resource::kTrainings);
  const serve::Need read = serve::May(Action::kRead, Resource::kTrainings);
  const serve::Need update = serve::May(Action::kUpdate, Resource::kTrainings);
  const serve::Need remove = serve::May(Action::kDelete, Resource::kTrainings);
  constexpr std::string_view kLatest = "/api/2.0/mlflow/registered-models/get-latest-versions";
  routes.insert(
      routes.end(),
      {
          {Method::kPost, "/api/2.0/mlflow/model-versions/create", create, On<Create>,
           "Create model version"},
          {Method::kGet, "/api/2.0/mlflow/model-versions/get", read, On<Get>, "Get model version"},
          {Method::kGet, "/api/2.0/mlflow/registered-models/alias", read, On<GetByAlias>,
           "Get model version by alias"},
          {Method::kGet, "/api/2.0/mlflow/model-versions/get-download-uri", read, On<DownloadUri>,
           "Where the files of a model version lie"},
          {Method::kPatch, "/api/2.0/mlflow/model-versions/update", update, On<Update>,
           "Describe model version"},
          {Method::kPost, "/api/2.0/mlflow/model-versions/transition-stage", update, On<Transition>,
           "Move model version to a stage"},
          {Method::kDelete, "/api/2.0/mlflow/model-versions/delete", remove, On<Delete>,
           "Delete model version"},
          {Method::kPost, "/api/2.0/mlflow/model-versions/set-tag", update, On<SetTag>,
           "Set a tag of a model version"},
          {Method::kDelete, "/api/2.0/mlflow/model-versions/delete-tag", update, On<DeleteTag>,
           "Delete a tag of a model version"},
          {Method::kGet, "/api/2.0/mlflow/model-versions/search", read, On<Search>,
           "Search model versions"},
          {Method::kPost, kLatest, read, On<Latest>, "The newest version of each stage"},
          {Method::kGet, kLatest, read, On<Latest>, "The newest version of each stage"},
      });
}

}  // namespace yard::facade::mlflow
