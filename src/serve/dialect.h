// Protocols of other systems, by path prefix: how they say no.
//
// Every refusal below the prefix has this form: also a wrong address, a missing token or too much
// load. Routes of a dialect are not part of our API's description.
#pragma once

#include <string_view>

#include "base/result.h"
#include "http/http.h"

namespace yard::serve {

struct Dialect {
  std::string_view prefix;  // "/api/2.0/mlflow/"
  // `status` is the one that our own API would answer.
  http::Reply (*refuse)(const Error& error, int status);
};

}  // namespace yard::serve
