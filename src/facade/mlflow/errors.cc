#include "facade/mlflow/errors.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "serve/call.h"
#include "wire/writer.h"

namespace yard::facade::mlflow {
namespace {

struct Word {
  std::string_view error_code;
  int status;
};

// Clients repeat a request that ended with 429, 500 or 503 for minutes, and give up on others.
Word WordOf(Code code, int status) {
  switch (code) {
    case Code::kInvalid:
    case Code::kPrecondition:
      return {"INVALID_PARAMETER_VALUE", status == 405 ? 405 : 400};
    case Code::kUnauthorized:
      return {"UNAUTHENTICATED", 401};
    case Code::kForbidden:
      return {"PERMISSION_DENIED", 403};
    case Code::kNotFound:
      return {"RESOURCE_DOES_NOT_EXIST", 404};
    case Code::kConflict:
      return {"RESOURCE_ALREADY_EXISTS", 400};
    case Code::kTooLarge:
      return {"INVALID_PARAMETER_VALUE", 413};
    case Code::kTooMany:
      return {"REQUEST_LIMIT_EXCEEDED", 429};
    case Code::kUnavailable:
      return {"TEMPORARILY_UNAVAILABLE", 503};
    case Code::kUnsupported:
      return status == 404 ? Word{"ENDPOINT_NOT_FOUND", 404} : Word{"NOT_IMPLEMENTED", 501};
    case Code::kInternal:
      return {"INTERNAL_ERROR", 500};
  }
  return {"INTERNAL_ERROR", 500};
}

}  // namespace

http::Reply Refusal(const Error& error, int status) {
  Word word = WordOf(error.code, status);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("error_code", word.error_code);
  w("message",
    error.details.empty() ? error.message : fmt::format("{}: {}", error.message, error.details));
  w.End();
  http::Reply reply = serve::Json(std::move(out), word.status);
  if (word.status == 429 || word.status == 503) reply.headers.emplace_back("Retry-After", "1");
  return reply;
}

http::Reply Refusal(const Error& error) {
  return Refusal(error, serve::StatusOf(error.code));
}

}  // namespace yard::facade::mlflow
