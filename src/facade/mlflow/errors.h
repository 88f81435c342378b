// MLflow's form of a refusal: {"error_code": "…", "message": "…"}.
#pragma once

#include "base/result.h"
#include "http/http.h"

namespace yard::facade::mlflow {

http::Reply Refusal(const Error& error, int status);
http::Reply Refusal(const Error& error);

}  // namespace yard::facade::mlflow
