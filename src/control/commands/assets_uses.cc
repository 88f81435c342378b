#include "control/commands/assets_uses.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/commands/assets.h"
#include "wire/asset_links.h"

namespace yard::control {
namespace {

using wire::AssetLink;

Status CheckLink(const State& state, const AssetLink& link, const ScopePath& from) {
  std::optional<Uuid> id = ParseUuid(link.id);
  Ptr<Asset> target = id ? state.Find<Asset>(AssetId{*id}) : nullptr;
  bool fits = target && std::ranges::find(link.kinds, target->kind) != link.kinds.end();
  if (!fits) {
    return Fail(
        Code::kInvalid,
        fmt::format("{}: there is no {} {}", link.field, Describe(link.kinds.front()), link.id),
        "name an existing asset by its id");
  }
  std::optional<ScopePath> path = state.PathOf(target->scope);
  if (path && path->Covers(from)) return {};
  return Fail(Code::kInvalid,
              fmt::format("{}: '{}' belongs to another scope", link.field, target->name),
              "use an asset of the same scope or of one above it");
}

}  // namespace

Status CheckLinks(const State& state, const Asset& asset, const ScopePath& from) {
  for (const AssetLink& link : wire::LinksIn(asset)) YARD_TRY(CheckLink(state, link, from));
  return {};
}

AssetUsers UsersOf(const State& state, AssetId id) {
  AssetUsers users;
  state.Of<Asset>().Each([&](const Asset& other) {
    for (const AssetLink& link : wire::LinksIn(other)) {
      if (ParseUuid(link.id) != id.value) continue;
      users.assets.push_back(state.Find<Asset>(other.id));
      return;
    }
  });
  state.Of<Policy>().Each([&](const Policy& policy) {
    if (wire::Names(policy, id)) users.policies.push_back(state.Find<Policy>(policy.id));
  });
  return users;
}

}  // namespace yard::control
