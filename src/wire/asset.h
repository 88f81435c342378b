// Assets on the wire.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/json.h"
#include "base/result.h"
#include "model/asset.h"
#include "model/spec/storage.h"
#include "wire/writer.h"

namespace yard::wire {

// The `meta` of a create or update request; valid against its schema already.
struct AssetMetaBody {
  std::string name;
  std::optional<std::string> description;
  Scope scope;
  Document meta;  // autoDelete, workloadSupportedTypes
};
// kInvalid if the scope's id is missing.
Result<AssetMetaBody> ReadAssetMeta(const json::object& meta);

// A scope as {scope, clusterId, departmentId, projectId}; kInvalid if the id is missing.
Result<Scope> ReadScope(const json::object& object);
void WriteScope(Writer& w, const Scope& scope);

// Where a data source stands in a workload's `storage`; empty for other kinds.
std::string_view StorageKeyOf(AssetKind kind);

// The folder of a host-path asset.
HostPathMount ReadHostPath(const Asset& asset);
// Of a data source with a volume.
ClaimMount ReadClaim(const Asset& asset);
// The address of the registry that a credential is for; empty if the credential does not say.
std::string RegistryUrl(const Asset& asset);

// Everything a credential holds, by key: "username", "password", "AccessKeyId", "SecretKey", or
// the keys it was given. `secret` is its opened secret, as text; empty: it has none.
using SecretValues = std::map<std::string, std::string, std::less<>>;
Result<SecretValues> ReadSecretValues(const Asset& asset, std::string_view secret);

struct AssetName {
  std::string id;
  std::string name;
};
// Who uses an asset.
struct AssetUse {
  std::vector<AssetName> templates;
  std::vector<AssetName> environments;
  struct Source {
    AssetName name;
    AssetKind kind;
  };
  std::vector<Source> sources;
};
struct AssetCompliance {
  bool imposed = false;
  std::vector<FieldIssue> issues;
};

struct AssetView {
  const Asset* asset = nullptr;
  std::string spec;      // as JSON
  std::string spec_key;  // in lists of several kinds: the member the spec stands under
  std::optional<std::string> project_name;
  std::optional<AssetUse> use;
  std::optional<AssetCompliance> compliance;
  bool shows_status = false;  // whether it reached its clusters: it is here, and so it did
};
void WriteAsset(Writer& w, const AssetView& view);

}  // namespace yard::wire
