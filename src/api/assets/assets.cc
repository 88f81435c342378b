#include <deque>
#include <memory>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/assets/assets_kinds.h"
#include "api/assets/assets_views.h"
#include "api/groups.h"
#include "base/json_text.h"
#include "control/auth/secrets.h"
#include "serve/server.h"
#include "wire/asset_rules.h"

namespace yard::api {
namespace {

using control::Describe;
using control::ResourceOf;
using control::State;
using control::Txn;

http::Reply AssetReply(const State& state, const Asset& asset, const AssetExtras& extras,
                       int status) {
  std::string out;
  wire::Writer w(out);
  wire::WriteAsset(w, ViewOf(state, asset, extras));
  return Json(std::move(out), status);
}

Result<AssetId> IdOf(const Call& call) {
  if (std::optional<Uuid> id = ParseUuid(call.Path("AssetId"))) return AssetId{*id};
  return Fail(Code::kNotFound,
              fmt::format("there is no {} '{}'", Describe(RowOf(call).kind), call.Path("AssetId")));
}

template <class Takes>
Result<Answer> ListWhere(Call& call, SpecForm form, Takes takes) {
  YARD_ASSIGN(AssetFilter filter, ReadFilter(call));
  YARD_ASSIGN(AssetExtras extras, ReadExtras(call));
  control::AssetSight sight(call.state(), call.who());
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("entries");
  w.BeginList();
  call.state().Of<Asset>().Each([&](const Asset& asset) {
    if (!takes(asset.kind) || !filter(asset) || !sight.Sees(asset)) return;
    w.Item();
    wire::WriteAsset(w, ViewOf(call.state(), asset, extras, form));
  });
  w.EndList();
  w.End();
  call.NeedsNoScope();  // each entry was checked on its own
  return Json(std::move(out));
}

Result<Answer> ListAssets(Call& call) {
  AssetKind wanted = RowOf(call).kind;
  return ListWhere(call, SpecForm::kAlone, [wanted](AssetKind kind) { return kind == wanted; });
}

Result<Answer> ListCredentials(Call& call) {
  return ListWhere(call, SpecForm::kUnderKind, control::IsCredential);
}

Result<Answer> ListDataSources(Call& call) {
  return ListWhere(call, SpecForm::kUnderKind, control::IsDataSource);
}

Result<Answer> GetAsset(Call& call) {
  YARD_ASSIGN(AssetId id, IdOf(call));
  YARD_ASSIGN(Ptr<Asset> asset, control::GetAsset(call.state(), RowOf(call).kind, id));
  YARD_ASSIGN(AssetExtras extras, ReadExtras(call));
  if (!control::AssetSight(call.state(), call.who()).Sees(*asset)) {
    YARD_TRY(call.Require(call.state().PathOf(asset->scope).value_or(ScopePath{})));
  }
  call.NeedsNoScope();
  return AssetReply(call.state(), *asset, extras, 200);
}

// Takes the secrets out of a spec and seals them.
Result<std::optional<std::string>> SealSecrets(Call& call, AssetKind kind, json::object& spec) {
  json::object secrets = wire::TakeSecrets(kind, spec);
  if (secrets.empty()) return std::optional<std::string>();
  const control::Vault* vault = call.server().vault();
  if (vault == nullptr) {
    return Fail(Code::kUnavailable, "this server has no key to keep secrets with",
                "start it with a data directory that holds its key");
  }
  return std::optional(vault->Seal(JsonText(secrets), call.service().random()));
}

Result<control::AssetDraft> ReadDraft(Call& call, wire::SpecUse use) {
  const AssetRow& row = RowOf(call);
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(wire::AssetMetaBody meta, wire::ReadAssetMeta(body.at("meta").as_object()));
  control::AssetDraft draft{.kind = row.kind,
                            .name = std::move(meta.name),
                            .description = std::move(meta.description),
                            .scope = std::move(meta.scope),
                            .meta = std::move(meta.meta),
                            .edit = row.edit};
  json::value* sent = body.if_contains("spec");
  if (sent == nullptr || sent->is_null()) return draft;
  json::object& spec = sent->as_object();
  // Other updates are checked when they have been laid over what is there.
  if (use == wire::SpecUse::kCreate || ResourceOf(row.kind) == Resource::kCredentials) {
    YARD_TRY(wire::RequireValid(row.kind, spec, use));
  }
  YARD_ASSIGN(draft.sealed_secret, SealSecrets(call, row.kind, spec));
  draft.spec = Document{JsonText(spec)};
  return draft;
}

auto RenderAsset(Call& call, int status) {
  return [&call, status](const Ptr<Asset>& asset) {
    return AssetReply(*call.service().Read(), *asset, {}, status);
  };
}

Result<Answer> CreateAsset(Call& call) {
  YARD_ASSIGN(control::AssetDraft draft, ReadDraft(call, wire::SpecUse::kCreate));
  return Commit([draft](Txn& txn) { return control::CreateAsset(txn, draft); },
                RenderAsset(call, RowOf(call).create_status));
}

Result<Answer> UpdateAsset(Call& call) {
  YARD_ASSIGN(AssetId id, IdOf(call));
  YARD_ASSIGN(control::AssetDraft draft, ReadDraft(call, wire::SpecUse::kUpdate));
  return Commit([id, draft](Txn& txn) { return control::UpdateAsset(txn, id, draft); },
                RenderAsset(call, RowOf(call).update_status));
}

Result<Answer> DeleteAsset(Call& call) {
  YARD_ASSIGN(AssetId id, IdOf(call));
  const AssetRow& row = RowOf(call);
  return Commit([id, kind = row.kind](Txn& txn) { return control::DeleteAsset(txn, kind, id); },
                [&row] {
                  if (row.delete_status == 204) return Empty(204);
                  return AcceptedReply(fmt::format("the {} was deleted", Describe(row.kind)));
                });
}

Result<Answer> AskRegistry(Call& call) {
  YARD_ASSIGN(AssetId id, IdOf(call));
  YARD_ASSIGN(Ptr<Asset> asset, control::GetAsset(call.state(), AssetKind::kRegistry, id));
  YARD_TRY(call.Require(call.state().PathOf(asset->scope).value_or(ScopePath{})));
  return Fail(Code::kUnsupported, "this server does not look into registries",
              "ask the registry itself for its repositories and tags");
}

std::vector<QueryParameter> AssetParameters() {
  return {{"name", "string"},
          {"scope", "string"},
          {"projectId", "int"},
          {"departmentId", "string"},
          {"clusterId", "uuid"},
          {"assetIds", "string"},
          {"usageInfo", "bool"},
          {"statusInfo", "bool"},
          {"complyToProject", "int"},
          {"complyToWorkloadType", "Workspace|Training|Distributed|Inference"},
          {"complyToReplicaType", "Worker|Master"},
          {"isWorkspace", "bool"},
          {"isTraining", "bool"},
          {"isInference", "bool"},
          {"isDistributed", "bool"},
          {"distributedFramework", "string"}};
}

// Routes refer to texts, which live as long as the program.
std::string_view Keep(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

void AddKind(const AssetRow& row, std::vector<Route>& routes) {
  using enum http::Method;
  Resource resource = control::ResourceOf(row.kind);
  std::string_view one = Keep(fmt::format("{}/{{AssetId}}", row.path));
  std::string_view what = Describe(row.kind);
  auto summary = [&](std::string_view verb) { return Keep(fmt::format("{} a {}", verb, what)); };
  routes.push_back({kGet, row.path, May(Action::kRead, resource), ListAssets,
                    Keep(fmt::format("List assets of kind {}", wire::ToName(row.kind))), "",
                    "AssetList", 200, AssetParameters()});
  routes.push_back({kPost, row.path, May(Action::kCreate, resource), CreateAsset, summary("Create"),
                    row.draft, "AssetAnswer", row.create_status});
  routes.push_back({kGet, one, May(Action::kRead, resource), GetAsset, summary("Get"), "",
                    "AssetAnswer", 200, AssetParameters()});
  routes.push_back({kPut, one, May(Action::kUpdate, resource), UpdateAsset, summary("Update"),
                    row.update, "AssetAnswer", row.update_status});
  routes.push_back({kDelete, one, May(Action::kDelete, resource), DeleteAsset, summary("Delete"),
                    "", row.delete_status == 204 ? "" : "Accepted", row.delete_status});
}

}  // namespace

void AddAssetRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  for (const AssetRow& row : AssetRows()) AddKind(row, routes);
  constexpr Need kCredentials = May(Action::kRead, Resource::kCredentials);
  routes.push_back({kGet, "/api/v1/asset/credentials", kCredentials, ListCredentials,
                    "List credentials of all kinds", "", "AssetList", 200, AssetParameters()});
  routes.push_back({kGet, "/api/v1/asset/datasource", May(Action::kRead, Resource::kPvcAssets),
                    ListDataSources, "List data sources of all kinds", "", "AssetList", 200,
                    AssetParameters()});
  routes.push_back({kGet, "/api/v1/asset/registries/{AssetId}/repositories", kCredentials,
                    AskRegistry, "List a registry's repositories", "", "object"});
  routes.push_back({kGet, "/api/v1/asset/registries/{AssetId}/repositories/tags", kCredentials,
                    AskRegistry, "List the tags of a repository", "", "object"});
}

}  // namespace yard::api
