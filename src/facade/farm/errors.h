// Farm's form of a refusal: {"detail": "…"}.
#pragma once

#include <string>

#include "base/result.h"
#include "http/http.h"

namespace yard::facade::farm {

http::Reply Refusal(const Error& error, int status);
// The text of it.
std::string DetailOf(const Error& error);

}  // namespace yard::facade::farm
