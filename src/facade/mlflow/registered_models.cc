#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

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

// Versions are addressed as models:/NAME/3.
Status CheckModelName(std::string_view name) {
  YARD_TRY(CheckName("registered model", name));
  if (name.find_first_of("/:") == std::string_view::npos) return {};
  return Fail(Code::kInvalid, fmt::format("the name '{}' holds a slash or a colon", name),
              "choose a name without them");
}

std::string RegisteredJson(const RegisteredModel& model,
                           const std::vector<Shared<ModelVersion>>& latest) {
  return Wrapped("registered_model", [&](wire::Writer& w) { WriteRegistered(w, model, latest); });
}

Result<Answer> Create(Ask& ask) {
  Fields fields(ask.object());
  RegisteredModel model{.name = fields.NeedText("name"),
                        .description = fields.Text("description"),
                        .tags = fields.KeyValues("tags")};
  YARD_TRY(fields.Check());
  YARD_TRY(CheckModelName(model.name));
  YARD_TRY(CheckTags(model.tags));
  YARD_ASSIGN(model.project, ask.Workspace());
  return Store(ask, [model = std::move(model)](TrackTxn& txn) mutable -> Result<std::string> {
    if (txn.Find<RegisteredModel>(KeyOf(model))) {
      return Fail(Code::kConflict, fmt::format("registered model '{}' exists already", model.name),
                  "choose another name");
    }
    model.created_at = txn.now();
    model.updated_at = txn.now();
    std::string reply = RegisteredJson(model, {});
    txn.Put(std::move(model));
    return reply;
  });
}

Result<Answer> Get(Ask& ask) {
  Fields fields(ask.object());
  std::string name = fields.NeedText("name");
  YARD_TRY(fields.Check());
  YARD_ASSIGN(Shared<RegisteredModel> model, ask.FindRegistered(name));
  return serve::Json(RegisteredJson(*model, LatestOf(ask.catalog(), *model)));
}

// A change of the model named `name` by `edit(model)`, which gives a Status.
template <class Edit>
Result<Answer> Change(Ask& ask, std::string_view name, Edit edit) {
  YARD_ASSIGN(Shared<RegisteredModel> known, ask.FindRegistered(name));
  auto latest = LatestOf(ask.catalog(), *known);
  return Store(ask, [known, latest, edit = std::move(edit)](TrackTxn& txn) -> Result<std::string> {
    YARD_ASSIGN(RegisteredModel model, RegisteredIn(txn, *known));
    YARD_TRY(edit(model));
    model.updated_at = txn.now();
    std::string reply = RegisteredJson(model, latest);
    txn.Put(std::move(model));
    return reply;
  });
}

Result<Answer> Update(Ask& ask) {
  Fields fields(ask.object());
  std::string name = fields.NeedText("name");
  std::string description = fields.Text("description");
  YARD_TRY(fields.Check());
  return Change(ask, name, [description](RegisteredModel& model) -> Status {
    model.description = description;
    return {};
  });
}

Result<Answer> Rename(Ask& ask) {
  Fields fields(ask.object());
  std::string name = fields.NeedText("name");
  std::string to = fields.NeedText("new_name");
  YARD_TRY(fields.Check());
  YARD_TRY(CheckModelName(to));
  YARD_ASSIGN(Shared<RegisteredModel> known, ask.FindRegistered(name));
  auto versions = VersionsOf(ask.catalog(), *known);
  return Store(ask, [known, versions, to](TrackTxn& txn) -> Result<std::string> {
    YARD_ASSIGN(RegisteredModel model, RegisteredIn(txn, *known));
    if (txn.Find<RegisteredModel>(control::ModelKey(model.project, to))) {
      return Fail(Code::kConflict, fmt::format("registered model '{}' exists already", to),
                  "choose another name");
    }
    txn.Remove<RegisteredModel>(KeyOf(model));
    model.name = to;
    model.updated_at = txn.now();
    for (const Shared<ModelVersion>& version : versions) {
      ModelVersion moved = *version;
      txn.Remove<ModelVersion>(KeyOf(moved));
      moved.name = to;
      txn.Put(std::move(moved));
    }
    std::string reply = RegisteredJson(model, {});
    txn.Put(std::move(model));
    return reply;
  });
}

Result<Answer> Delete(Ask& ask) {
  Fields fields(ask.object());
  std::string name = fields.NeedText("name");
  YARD_TRY(fields.Check());
  YARD_ASSIGN(Shared<RegisteredModel> known, ask.FindRegistered(name));
  auto versions = VersionsOf(ask.catalog(), *known);
  return Store(ask, [known, versions](TrackTxn& txn) -> Result<std::string> {
    txn.Remove<RegisteredModel>(KeyOf(*known));
    for (const Shared<ModelVersion>& version : versions) txn.Remove<ModelVersion>(KeyOf(*version));
    return "{}";
  });
}

Result<Answer> SetTag(Ask& ask) {
  Fields fields(ask.object());
  std::string name = fields.NeedText("name");
  std::string key = fields.NeedText("key");
  std::string value = fields.Text("value");
  YARD_TRY(fields.Check());
  YARD_TRY(CheckTag(key, value));
  return Change(ask, name, [key, value](RegisteredModel& model) -> Status {
    model.tags[key] = value;
    return {};
  });
}

Result<Answer> DeleteTag(Ask& ask) {
  Fields fields(ask.object());
  std::string name = fields.NeedText("name");
  std::string key = fields.NeedText("key");
  YARD_TRY(fields.Check());
  return Change(ask, name, [key](RegisteredModel& model) -> Status {
    model.tags.erase(key);
    return {};
  });
}

Result<Answer> SetAlias(Ask& ask) {
  Fields fields(ask.object());
  std::string name = fields.NeedText("name");
  std::string alias = fields.NeedText("alias");
  std::string version = std::to_string(fields.NeedInt("version"));
  YARD_TRY(fields.Check());
  YARD_TRY(CheckKey("alias", alias));
  YARD_ASSIGN(Shared<RegisteredModel> known, ask.FindRegistered(name));
  if (!ask.catalog().Find<ModelVersion>(KeyOf(*known) + "/" + version)) {
    return Fail(Code::kNotFound, fmt::format("model '{}' has no version {}", name, version));
  }
  return Change(ask, name, [alias, version](RegisteredModel& model) -> Status {
    model.aliases[alias] = version;
    return {};
  });
}

Result<Answer> DeleteAlias(Ask& ask) {
  Fields fields(ask.object());
  std::string name = fields.NeedText("name");
  std::string alias = fields.NeedText("alias");
  YARD_TRY(fields.Check());
  return Change(ask, name, [alias](RegisteredModel& model) -> Status {
    model.aliases.erase(alias);
    return {};
  });
}

constexpr std::array kAttributes{AttributeName{"name", "name"}};

bool Wants(const RegisteredModel& model, const std::vector<control::Condition>& conditions) {
  return std::ranges::all_of(conditions, [&](const control::Condition& condition) {
    if (condition.field.kind == control::FieldKind::kTag) return TagFulfils(model.tags, condition);
    return Fulfils(std::string_view(model.name), condition);
  });
}

std::string ModelsJson(const control::Catalog& catalog,
                       const std::vector<Shared<RegisteredModel>>& found, const PageRange& range) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("registered_models");
  w.BeginList();
  std::size_t end = std::min(found.size(), range.offset + range.limit);
  for (std::size_t i = range.offset; i < end; ++i) {
    w.Item();
    WriteRegistered(w, *found[i], LatestOf(catalog, *found[i]));
  }
  w.EndList();
  if (end < found.size()) w("next_page_token", NextToken(range));
  w.End();
  return out;
}

Result<Answer> Search(Ask& ask) {
  Fields fields(ask.object());
  Vocabulary vocabulary{.attributes = kAttributes, .sections = Sections::kAttributesAndTags};
  PageRange range = ReadPage(fields, {.usual = 100, .most = 1000});
  YARD_ASSIGN(auto conditions, ParseFilter(fields.Text("filter"), vocabulary));
  YARD_TRY(fields.Check());
  YARD_ASSIGN(std::set<ProjectId> visible, ask.Visible());
  return Slow{[&catalog = ask.catalog(), visible = std::move(visible),
               conditions = std::move(conditions), range]() -> Result<Slow::Outcome> {
    auto found = catalog.Select<RegisteredModel>([&](const RegisteredModel& model) {
      return visible.contains(model.project) && Wants(model, conditions);
    });
    return serve::Json(ModelsJson(catalog, found, range));
  }};
}

}  // namespace

void AddRegisteredModelRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need create = serve::May(Action::kCreate, Resource::kTrainings);
  const serve::Need read = serve::May(Action::kRead, Resource::kTrainings);
  const serve::Need update = serve::May(Action::kUpdate, Resource::kTrainings);
  const serve::Need remove = serve::May(Action::kDelete, Resource::kTrainings);
  constexpr std::string_view kAlias = "/api/2.0/mlflow/registered-models/alias";
  routes.insert(
      routes.end(),
      {
          {Method::kPost, "/api/2.0/mlflow/registered-models/create", create, On<Create>,
           "Register a model"},
          {Method::kGet, "/api/2.0/mlflow/registered-models/get", read, On<Get>,
           "Get registered model"},
          {Method::kPatch, "/api/2.0/mlflow/registered-models/update", update, On<Update>,
           "Describe registered model"},
          {Method::kPost, "/api/2.0/mlflow/registered-models/rename", update, On<Rename>,
           "Rename registered model"},
          {Method::kDelete, "/api/2.0/mlflow/registered-models/delete", remove, On<Delete>,
           "Delete registered model"},
          {Method::kGet, "/api/2.0/mlflow/registered-models/search", read, On<Search>,
           "Search registered models"},
          {Method::kPost, "/api/2.0/mlflow/registered-models/set-tag", update, On<SetTag>,
           "Set a tag of a registered model"},
          {Method::kDelete, "/api/2.0/mlflow/registered-models/delete-tag", update, On<DeleteTag>,
           "Delete a tag of a registered model"},
          {Method::kPost, kAlias, update, On<SetAlias>, "Set an alias of a model version"},
          {Method::kDelete, kAlias, update, On<DeleteAlias>, "Delete an alias of a model version"},
      });
}

}  // namespace yard::facade::mlflow
