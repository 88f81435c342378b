// Reusable building blocks of workloads, each owned by a scope.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/common.h"
#include "model/ids.h"
#include "model/scope.h"

namespace yard {

enum class AssetKind {
  kCompute,
  kEnvironment,
  kAccessKey,
  kDockerRegistry,
  kPassword,
  kGenericSecret,
  kRegistry,
  kS3,
  kGit,
  kNfs,
  kPvc,
  kHostPath,
  kTemplate,
  kConfigMap,
  kSecretVolume,
  kDataVolume,
};

// Invariants: (kind, scope, name) is unique; secret fields are never in `spec`, only in
// `sealed_secret`.
struct Asset {
  using Id = AssetId;
  Id id;
  AssetKind kind = AssetKind::kCompute;
  std::string name;
  std::string description;
  Scope scope;
  Document meta;  // autoDelete, workloadSupportedTypes
  Document spec;
  std::string sealed_secret;  // encrypted JSON object; empty: the asset has no secret
  std::int64_t key_id = 0;    // credentials only
  Stamp stamp;
};

// Defaults and rules that submissions of one workload type must meet within a scope.
enum class PolicyType { kWorkspace, kTraining, kDistributed, kInference };

// Invariant: (type, scope) is unique.
struct Policy {
  using Id = PolicyId;
  Id id;
  PolicyType type = PolicyType::kWorkspace;
  Scope scope;
  std::string name;
  Document policy;  // {defaults, rules, imposedAssets}
  Stamp stamp;
};

// A tenant-wide setting: a key and any JSON value.
struct Setting {
  using Id = std::string;
  Id id;
  Document value;
  Stamp stamp;
};

// Remembers that a request with an idempotency key was carried out, and what it answered.
struct IdempotentReply {
  using Id = std::string;  // subject + "/" + key
  Id id;
  std::string request_digest;
  int status = 0;
  std::string body;
  Time expires_at;
};

// The next number of a sequence, so that ids are never given twice.
struct Counter {
  using Id = std::string;
  Id id;
  std::int64_t next = 1;
};

}  // namespace yard
