// Commands on applications: programs that sign in with a client id and a secret.
//
// An application of the tenant has access rules of its own. A user's own application has none:
// it acts as its user. Reactor thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/access.h"

namespace yard::control {

inline constexpr std::size_t kMaxOwnApplications = 20;

struct ApplicationDraft {
  std::string name;
  std::string secret_hash;
};

Result<Ptr<Application>> CreateApplication(Txn& txn, const ApplicationDraft& draft);
enum class AppSwitch { kEnabled, kDisabled };
// Disabling ends the application's sessions.
Result<Ptr<Application>> SwitchApplication(Txn& txn, ApplicationId id, AppSwitch to);
Status DeleteApplication(Txn& txn, ApplicationId id);
// A new secret; the old one and every session end.
Result<Ptr<Application>> RotateSecret(Txn& txn, ApplicationId id, std::string secret_hash);

// The caller's own applications.
Result<Ptr<Application>> CreateOwnApplication(Txn& txn, const ApplicationDraft& draft);
Status DeleteOwnApplication(Txn& txn, ApplicationId id);
Result<Ptr<Application>> RotateOwnSecret(Txn& txn, ApplicationId id, std::string secret_hash);
// Anybody's own application, by an administrator.
Status DeleteOthersApplication(Txn& txn, ApplicationId id);

// Of the tenant; kNotFound for a user's own.
Result<Ptr<Application>> GetApplication(const State& state, ApplicationId id);
// Of that user.
Result<Ptr<Application>> GetOwnApplication(const State& state, const Principal& who,
                                           ApplicationId id);
// By client id, id, or the name of a tenant's application, as the clients give it.
Ptr<Application> FindApplication(const State& state, std::string_view name);

}  // namespace yard::control
