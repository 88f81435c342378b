// Turns the credentials of a request into a principal.
//
// Bearer JWTs and personal tokens from the Authorization header; on the unix socket, the user
// the kernel names if no header was sent. Verified tokens are remembered (bounded), so that a
// signature is checked once, while revocation is checked against the state every time.
// Thread-safe.
#pragma once

#include <memory>

#include "base/result.h"
#include "base/time.h"
#include "control/access.h"
#include "http/http.h"

namespace yard::api {

class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // kUnauthorized with what to do, or who it is.
  virtual Result<control::Principal> Authenticate(const http::Request& request,
                                                  const control::State& state, Time now) = 0;
};

}  // namespace yard::api
