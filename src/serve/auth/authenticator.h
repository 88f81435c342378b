// Turns the credentials of a request into a principal.
//
// Bearer JWTs and personal tokens from the Authorization header, where clients that know nothing
// else may send them as the password of Basic; on the unix socket, the user the kernel names if no
// header was sent. Verified tokens are remembered (bounded), so that a
// signature is checked once, while revocation is checked against the state every time.
// Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "control/auth/access.h"
#include "control/auth/tokens.h"
#include "http/http.h"

namespace yard::serve {

class Identity;

class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // kUnauthorized with what to do, or who it is.
  virtual Result<control::Principal> Authenticate(const http::Request& request,
                                                  const control::State& state, Time now) = 0;
  // The same for what an earlier request has opened, such as a shell: an access token that has
  // expired since is still good while the session lives that it belongs to.
  virtual Result<control::Principal> AuthenticateAgain(const http::Request& request,
                                                       const control::State& state, Time now) = 0;
};

// The names of the machine's accounts.
class AccountNames {
 public:
  virtual ~AccountNames() = default;
  virtual std::optional<std::string> NameOf(std::uint32_t uid) = 0;
};
// Asks the machine's account database.
AccountNames& SystemAccountNames();

struct AuthenticatorOptions {
  std::uint32_t server_uid = 0;  // this account and root act as the administrator on the socket
  std::string administrator;     // e-mail; if it is gone, the System administrator made first
};

// `identity` and `names` must outlive it.
std::unique_ptr<Authenticator> MakeAuthenticator(const Identity& identity, AccountNames& names,
                                                 AuthenticatorOptions options);

// The principal a refresh token stands for is the one its session was opened for.
Result<control::Principal> PrincipalOf(const control::Claims& claims, const control::State& state);

}  // namespace yard::serve
