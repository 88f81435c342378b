// What the identity routes share: ids from paths, and access rules with the names they refer to.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/handler.h"
#include "control/state/state.h"
#include "model/access.h"
#include "wire/iam.h"

namespace yard::api {

// A uuid of the path. kNotFound, naming `what`, if it is none.
Result<Uuid> UuidOf(const Call& call, std::string_view parameter, std::string_view what);

std::string NameOfScope(const control::State& state, const Scope& scope);
wire::AccessRuleView ViewOf(const control::State& state, const AccessRule& rule);

template <class T, class Write>
http::Reply WriteReply(const T& object, Write write, int status = 200) {
  std::string out;
  wire::Writer w(out);
  write(w, object);
  return Json(std::move(out), status);
}

}  // namespace yard::api
