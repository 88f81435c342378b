#include "serve/call.h"

#include <string>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/check.h"
#include "base/refuse.h"
#include "control/commands/workloads.h"
#include "wire/field_issues.h"
#include "wire/schema.h"
#include "wire/writer.h"

namespace yard::serve {
Call::Call(http::Request request, const Route& route, control::Service& service, Server& server)
    : request_(std::move(request)),
      route_(&route),
      service_(service),
      server_(server),
      state_(service.Read()),
      now_(service.Now()) {}

std::string_view Call::Path(std::string_view name) const {
  for (const auto& [key, value] : path_) {
    if (key == name) return value;
  }
  CheckFailed("path parameter not in the route", route_->path, 0);
}

std::optional<std::string_view> Call::Query(std::string_view name) const {
  for (const auto& [key, value] : query_) {
    if (key == name && !value.empty()) return value;
  }
  return std::nullopt;
}

Result<json::value> Call::AnyBody() {
  if (request_.body.empty())
    return Fail(Code::kInvalid, "the request has no body", "send a JSON body");
  YARD_ASSIGN(json::value value, ParseJson(request_.body));
  if (route_->request.empty()) return value;
  wire::Findings findings = wire::SchemaSet::Api().Validate(route_->request, value);
  if (Query("strict") == "true") {
    for (const std::string& unknown : findings.unknown)
      findings.issues.push_back({unknown, "is not a known field"});
  }
  YARD_TRY(RefuseFields(std::move(findings.issues)));
  for (const std::string& unknown : findings.unknown) {
    Warn(fmt::format("field {} is unknown and was ignored", unknown));
  }
  return value;
}

Result<json::object> Call::Body() {
  YARD_ASSIGN(json::value value, AnyBody());
  if (!value.is_object())
    return Fail(Code::kInvalid, "the body must be a JSON object",
                "send an object in braces, as /openapi.json describes it");
  return std::move(value.get_object());
}

Status Call::Require(const ScopePath& where) {
  // What the caller may do was looked up on the way in; only a refusal has to be put into words.
  if (Sees(route_->need.resource, where)) return {};
  return control::Authorize(*state_, who_, route_->need.resource, route_->need.action, where);
}

Status Call::RequireKind(WorkloadType type, const ScopePath& where) {
  YARD_CHECK(route_->need.kind == Need::Kind::kByKind);
  checked_ = true;
  Resource resource = control::ResourceOf(type);
  return control::Authorize(*state_, who_, resource, route_->need.action, where);
}

Status Call::RequireKind(const Workload& workload) {
  return RequireKind(workload.type, state_->PathOf(workload));
}

Status Call::Require(control::Txn& txn, const ScopePath& where) {
  checked_ = true;
  return txn.Require(route_->need.resource, route_->need.action, where);
}

bool Call::Sees(Resource resource, const ScopePath& where) {
  checked_ = true;
  if (!access_) access_.emplace(*state_, who_);
  return access_->May(resource, route_->need.action, where);
}

int StatusOf(Code code) {
  switch (code) {
    case Code::kInvalid:
      return 400;
    case Code::kUnauthorized:
      return 401;
    case Code::kForbidden:
      return 403;
    case Code::kNotFound:
      return 404;
    case Code::kConflict:
      return 409;
    case Code::kPrecondition:
      return 412;
    case Code::kTooLarge:
      return 413;
    case Code::kTooMany:
      return 429;
    case Code::kUnavailable:
      return 503;
    case Code::kUnsupported:
      return 501;
    case Code::kInternal:
      return 500;
  }
  return 500;
}

http::Reply Json(std::string json, int status) {
  http::Reply reply;
  reply.status = status;
  reply.body = std::move(json);
  return reply;
}

http::Reply JsonPage(std::string json, std::size_t total) {
  http::Reply reply = Json(std::move(json));
  reply.headers.emplace_back("Gpuyard-Total", std::to_string(total));
  return reply;
}

http::Reply Empty(int status) {
  http::Reply reply;
  reply.status = status;
  reply.content_type.clear();
  return reply;
}

http::Reply AcceptedReply(std::string_view message) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("code", 202);
  w("message", message);
  w.End();
  return Json(std::move(out), 202);
}

http::Reply ErrorReply(const Error& error) {
  return ErrorReply(error, StatusOf(error.code));
}

namespace {

// What to do, where whoever refused has nothing better to say.
std::string_view UsualRemedy(int status) {
  switch (status) {
    case 400:
      return "correct what the message names and send the request again";
    case 401:
      return "sign in, or send a valid token in the Authorization header";
    case 403:
      return "ask an administrator for a role that allows it";
    case 404:
      return "check the id or name; the list of its kind shows what is there";
    case 409:
      return "look at what is there, then send a request that does not clash with it";
    case 412:
      return "look at the state of the object and try again when it allows this";
    case 413:
      return "send less at once";
    case 429:
      return "wait a moment, then try again";
    case 501:
      return "see /openapi.json for what this server does";
    default:
      return status >= 500 ? "try again; if it stays so, tell an administrator the request id"
                           : "see /openapi.json for what this route takes";
  }
}

}  // namespace

http::Reply ErrorReply(const Error& error, int status) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("code", status);
  w("message", error.message);
  w("details", error.details.empty() ? UsualRemedy(status) : std::string_view(error.details));
  if (!error.fields.empty()) wire::WriteFieldIssues(w, "complianceIssues", error.fields);
  w.End();
  http::Reply reply = Json(std::move(out), status);
  if (error.code == Code::kTooMany || error.code == Code::kUnavailable)
    reply.headers.emplace_back("Retry-After", "1");
  return reply;
}

}  // namespace yard::serve
