// What signing in needs besides the state: the signing key and the memory of failed attempts.
//
// Thread-safe.
#pragma once

#include <string>

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
  explicit Identity(control::TokenKey key,
                    control::HashEffort effort = control::HashEffort::kInteractive)
      : key_(key), effort_(effort) {}

  const control::TokenKey& key() const { return key_; }
  control::SignInLimiter& limiter() { return limiter_; }

  Session Open(const User& user, Time now) const;
  Session Open(const Application& app, Time now) const;
  // Slow.
  Result<std::string> Hash(std::string_view password) const {
    return control::HashPassword(password, effort_);
  }

 private:
  Session Issue(control::Claims claims, Time now) const;

  const control::TokenKey key_;
  const control::HashEffort effort_;
  control::SignInLimiter limiter_;
};

}  // namespace yard::serve
