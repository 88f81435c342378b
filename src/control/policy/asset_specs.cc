#include "control/policy/asset_specs.h"

#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/mask.h"
#include "control/commands/assets.h"
#include "control/policy/masked_urls.h"
#include "wire/asset_rules.h"

namespace yard::control {
namespace {

json::object ObjectOf(const Document& document) {
  Result<json::value> value = ParseJson(document.json);
  return value && value->is_object() ? std::move(value->get_object()) : json::object();
}

}  // namespace

Result<Document> EditAssetSpec(const Asset& current, const Document& draft, SpecEdit edit) {
  json::value sent(ObjectOf(draft));
  json::value before(ObjectOf(current.spec));
  YARD_TRY(Unmask(sent, &before, "spec"));
  json::object spec = std::move(sent.get_object());
  if (edit == SpecEdit::kOverlay) {
    json::object merged = ObjectOf(current.spec);
    for (const auto& [key, value] : spec) merged[key] = value;
    spec = std::move(merged);
  }
  // A credential's secret is not here to be checked; its sender checked what came with it.
  if (ResourceOf(current.kind) != Resource::kCredentials) {
    YARD_TRY(wire::RequireValid(current.kind, spec, wire::SpecUse::kUpdate));
  }
  return Document{JsonText(spec)};
}

Status RefuseMaskedSpec(const Asset& asset) {
  if (!HoldsMask(asset.spec.json)) return {};
  return RefuseMasks(json::value(ObjectOf(asset.spec)), "spec");
}

}  // namespace yard::control
