// Keys, first accounts and the authenticator of a data directory.
//
// Made once at the start, after the state is loaded; borrows the service. The authenticator is
// thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/yard.h"
#include "base/result.h"
#include "control/auth/secrets.h"
#include "control/service.h"
#include "serve/auth/authenticator.h"
#include "serve/auth/identity.h"

namespace yard::app {

class Identity {
 public:
  static Result<std::unique_ptr<Identity>> Open(const std::string& data_dir,
                                                control::Service& service,
                                                std::optional<std::string> admin_password);
  virtual ~Identity() = default;
  virtual serve::Authenticator& authenticator() = 0;
  // What signing in needs.
  virtual serve::Identity& signing() = 0;
  virtual const control::Vault& vault() const = 0;
  // Only at the first start on this data directory.
  virtual const std::optional<FirstCredentials>& first_credentials() const = 0;
};

}  // namespace yard::app
