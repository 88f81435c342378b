// Commands on assets: the reusable building blocks of workloads.
//
// Invariants kept here: (kind, scope, name) is unique; an asset refers only to assets of the right
// kind that are usable at its own scope; nothing that is referred to can be deleted; secrets are
// sealed before a command sees them.
// Commands run on the reactor thread; lookups only read a State.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/auth/access.h"
#include "control/policy/asset_specs.h"
#include "control/state/txn.h"
#include "model/asset.h"

namespace yard::control {

// What a client may set on an asset.
struct AssetDraft {
  AssetKind kind = AssetKind::kCompute;
  std::string name;  // empty in an update: as it is
  std::optional<std::string> description;
  Scope scope;                               // of a new asset; updates leave it
  std::optional<Document> meta;              // autoDelete, workloadSupportedTypes
  std::optional<Document> spec;              // without secrets; none: as it is
  SpecEdit edit = SpecEdit::kReplace;        // what an update does with `spec`
  std::optional<std::string> sealed_secret;  // none: as it is
};

Result<Ptr<Asset>> CreateAsset(Txn& txn, const AssetDraft& draft);
Result<Ptr<Asset>> UpdateAsset(Txn& txn, AssetId id, const AssetDraft& draft);
// Refused while a template, another asset or a policy refers to it.
Status DeleteAsset(Txn& txn, AssetKind kind, AssetId id);

// The asset if it is of that kind; else kNotFound.
Result<Ptr<Asset>> GetAsset(const State& state, AssetKind kind, AssetId id);

// What a permission on assets of a kind is about.
Resource ResourceOf(AssetKind kind);
bool IsCredential(AssetKind kind);
bool IsDataSource(AssetKind kind);
// For messages: "compute resource", "data source", …
std::string_view Describe(AssetKind kind);

// Which assets one principal may see: those at a scope it may read, and those above such a scope,
// since work there may use them.
class AssetSight {
 public:
  AssetSight(const State& state, const Principal& who) : state_(state), access_(state, who) {}
  bool Sees(const Asset& asset) const;

 private:
  const State& state_;
  Access access_;
};

}  // namespace yard::control
