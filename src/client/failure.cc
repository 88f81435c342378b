#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "client/client.h"

namespace yard::client {
namespace {

Code CodeOf(int status) {
  switch (status) {
    case 401:
      return Code::kUnauthorized;
    case 403:
      return Code::kForbidden;
    case 404:
      return Code::kNotFound;
    case 409:
      return Code::kConflict;
    case 412:
      return Code::kPrecondition;
    case 413:
      return Code::kTooLarge;
    case 429:
      return Code::kTooMany;
    case 501:
      return Code::kUnsupported;
    case 502:
    case 503:
    case 504:
      return Code::kUnavailable;
    default:
      return status >= 500 ? Code::kInternal : Code::kInvalid;
  }
}

std::string TextOf(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

void ReadIssues(const json::object& body, Error& error) {
  const json::value* value = body.if_contains("complianceIssues");
  const json::array* issues = value == nullptr ? nullptr : value->if_array();
  if (issues == nullptr) return;
  for (const json::value& issue : *issues) {
    if (const json::object* object = issue.if_object())
      error.fields.push_back({TextOf(*object, "field"), TextOf(*object, "details")});
  }
}

}  // namespace

Failure FailureOf(int status, std::string_view body, std::string request_id) {
  Failure failure({.code = CodeOf(status)});
  failure.status = status;
  failure.request_id = std::move(request_id);
  Result<json::value> parsed = ParseJson(body);
  const json::object* object = parsed ? parsed->if_object() : nullptr;
  if (object != nullptr) {
    failure.error.message = TextOf(*object, "message");
    failure.error.details = TextOf(*object, "details");
    ReadIssues(*object, failure.error);
  }
  if (failure.error.message.empty())
    failure.error.message = fmt::format("the server answered with status {}", status);
  return failure;
}

bool MayRepeat(const Request& request, const Failure& failure) {
  bool harmless = request.method == Method::kGet || request.method == Method::kPut ||
                  request.method == Method::kDelete || request.is_repeatable ||
                  !request.idempotency_key.empty();
  bool passing = failure.status == 0 || failure.status == 429 || failure.status == 503;
  return harmless && passing && failure.error.code != Code::kInvalid;
}

}  // namespace yard::client
