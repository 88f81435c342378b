// Who may do what where: users, applications, tokens, roles, access rules.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/common.h"
#include "model/ids.h"
#include "model/scope.h"

namespace yard {

using SessionId = StrongId<struct SessionTag, Uuid>;

enum class Action : std::uint8_t { kCreate, kRead, kUpdate, kDelete };

// A set of actions, as bits.
struct ActionSet {
  std::uint8_t bits = 0;
  constexpr bool Has(Action a) const { return (bits >> static_cast<int>(a) & 1) != 0; }
  constexpr ActionSet With(Action a) const {
    return {static_cast<std::uint8_t>(bits | 1 << static_cast<int>(a))};
  }
  constexpr bool operator==(const ActionSet&) const = default;
};
inline constexpr ActionSet kNoActions{};
inline constexpr ActionSet kReadOnly{2};
inline constexpr ActionSet kAllActions{15};

// What a permission is about. The names on the wire are Run:ai's resource types.
enum class Resource : std::uint8_t {
  kDepartment,
  kTenant,
  kProject,
  kCluster,
  kClusterConfig,
  kNodePools,
  kNodes,
  kSettings,
  kUsers,
  kGroups,
  kApps,
  kDashboardsOverview,
  kDashboardsAnalytics,
  kDashboardsConsumption,
  kRoles,
  kAccessRules,
  kJobs,
  kWorkloads,
  kWorkspaces,
  kTrainings,
  kInferences,
  kEnvironments,
  kPvcAssets,
  kGitAssets,
  kHostPathAssets,
  kNfsAssets,
  kS3Assets,
  kComputeResources,
  kTemplates,
  kCredentials,
  kEventsHistory,
  kPolicies,
  kConfigMapAssets,
  kDataVolumes,
  kDataVolumesSharing,
  kSecretAssets,
  kStorageClasses,
  kPersonalApps,
  kMachineAccounts,  // which account of the machine a user runs plain processes as
};

struct Role {
  using Id = RoleId;
  Id id;
  std::string name;
  std::string description;
  std::map<Resource, ActionSet> permissions;
  bool predefined = false;  // may not be changed or deleted
  Stamp stamp;
};

enum class SubjectType { kUser, kApp, kGroup };

struct AccessRule {
  using Id = AccessRuleId;
  Id id;
  SubjectType subject_type = SubjectType::kUser;
  std::string subject_id;  // user e-mail, application client id, or group name
  RoleId role;
  Scope scope;
  Stamp stamp;
  std::optional<Time> deleted_at;  // kept for the record; grants nothing
};

struct User {
  using Id = UserId;
  Id id;
  std::string email;          // lower case; unique
  std::string password_hash;  // argon2id; empty: cannot sign in by password
  bool must_change_password = false;
  bool has_first_password = false;  // the one that the server printed at its first start
  bool local = true;
  std::vector<std::string> groups;
  std::int64_t session_epoch = 0;  // raising it ends every session
  std::optional<Time> last_login;
  std::optional<std::string> unix_name;  // the machine's user this account belongs to
  // Without a unix_name: the local part of the e-mail names the machine's user. Somebody who may
  // assign machine accounts has made this account.
  bool unix_by_email = false;
  // Who this is at the identity provider, as issuer and subject; absent: signs in here.
  std::optional<std::string> external_id;
  Stamp stamp;
};

struct Application {
  using Id = ApplicationId;
  Id id;
  std::string name;
  std::string client_id;  // unique
  std::string secret_hash;
  bool enabled = true;
  std::optional<UserId> owner;  // set for a user's own application: it acts as that user
  std::int64_t session_epoch = 0;
  std::optional<Time> last_login;
  Stamp stamp;
};

// One sign-in of a user or an application. The tokens that it gave and those renewed from them
// belong to it, and end with it. Only the refresh token of the present generation is good: an older
// one was stolen, or the present one was.
struct LoginSession {
  using Id = SessionId;
  Id id;
  Uuid subject;  // the user's or application's id
  std::int64_t generation = 0;
  std::string address;  // of the client that signed in
  Time created_at;
  Time used_at;     // signed in or renewed last
  Time expires_at;  // whatever is renewed
};

// A personal token: acts as its owner until it expires or is deleted.
struct PersonalToken {
  using Id = TokenId;
  Id id;
  UserId owner;
  std::string name;
  std::string secret_hash;
  Time expires_at;
  Stamp stamp;
};

}  // namespace yard
