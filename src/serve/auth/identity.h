// What signing in needs besides the state: the signing key and the memory of failed attempts.
//
// Thread-safe.
#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "control/auth/identity.h"
#include "control/auth/identity_limiter.h"
#include "control/auth/tokens.h"
#include "model/access.h"

namespace yard::serve {

// What a sign-in gives.
struct Session {
  std::string access;
  std::string refresh;
};

class Identity {
 public:
  // `steady` times the waits of those who guess, and must outlive it.
  Identity(control::TokenKey key, const Clock& steady,
           control::HashEffort effort = control::HashEffort::kInteractive)
      : key_(key), steady_(steady), effort_(effort) {}

  const control::TokenKey& key() const { return key_; }
  // kTooMany if one of the keys must wait; otherwise an attempt has begun.
  Status BeginAttempt(const std::vector<control::SignInLimiter::Key>& keys) {
    return limiter_.Begin(keys, steady_.Now());
  }
  void AttemptSucceeded(const std::vector<control::SignInLimiter::Key>& keys) {
    limiter_.Succeed(keys);
  }

  // The tokens of a session as it stands.
  Session Open(const User& user, const LoginSession& session, Time now) const;
  Session Open(const Application& app, const LoginSession& session, Time now) const;
  // For a sign-in that could not be recorded: an access token alone, which ends with its hour or
  // with all sessions of the subject.
  Session OpenUnrecorded(const User& user, Time now) const;
  Session OpenUnrecorded(const Application& app, Time now) const;
  // Slow.
  Result<std::string> Hash(std::string_view password) const {
    return control::HashPassword(password, effort_);
  }

 private:
  Session Issue(control::Claims claims, const LoginSession& session, Time now) const;
  Session IssueAlone(control::Claims claims, Time now) const;

  const control::TokenKey key_;
  const Clock& steady_;
  const control::HashEffort effort_;
  control::SignInLimiter limiter_;
};

}  // namespace yard::serve
