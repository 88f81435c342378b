#include "cli/work/orders.h"

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/submit/resources.h"
#include "cli/work/find.h"

namespace yard::cli {
namespace {

using client::Outcome;

Outcome<client::Reply> Post(Session& session, std::string path, std::string body = {}) {
  YARD_ASSIGN(client::Client * server, session.Server());
  return server->Send({.method = client::Method::kPost,
                       .path = std::move(path),
                       .body = std::move(body),
                       .idempotency_key = session.NewKey()});
}

Outcome<void> Order(Session& session, std::string path, std::string body = {}) {
  YARD_TRY(Post(session, std::move(path), std::move(body)));
  return {};
}

}  // namespace

Outcome<void> Cancel(Session& session, const json::value& workload) {
  return CancelById(session, TextAt(workload, "id"));
}

Outcome<void> CancelById(Session& session, const std::string& id) {
  return Order(session, fmt::format("/api/v1/workloads/{}/cancel", id));
}

Outcome<void> Delete(Session& session, const json::value& workload) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_TRY(server->Send({.method = client::Method::kDelete, .path = KindPathOf(workload, "")}));
  return {};
}

Outcome<void> Hold(Session& session, const json::value& workload) {
  return Order(session, PathOf(workload, "/hold"));
}

Outcome<void> Release(Session& session, const json::value& workload) {
  return Order(session, PathOf(workload, "/release"));
}

Outcome<void> Suspend(Session& session, const json::value& workload) {
  return Order(session, KindPathOf(workload, "/suspend"));
}

Outcome<void> Park(Session& session, const json::value& workload) {
  return Order(session, PathOf(workload, "/park"));
}

Outcome<void> Resume(Session& session, const json::value& workload) {
  return Order(session, KindPathOf(workload, "/resume"));
}

Outcome<void> Extend(Session& session, const json::value& workload, Micros more) {
  return Order(session, PathOf(workload, "/extend"),
               fmt::format(R"({{"seconds":{}}})", more.value / 1'000'000));
}

Outcome<void> Prioritize(Session& session, const json::value& workload, const std::string& name) {
  return Order(session, PathOf(workload, "/priority"),
               json::serialize(json::object{{"priorityClass", name}}));
}

Outcome<void> LimitGpu(Session& session, const json::value& workload, const std::string& limit) {
  YARD_ASSIGN(GpuLimit wanted, ParseGpuLimit(limit));
  json::object body;
  if (wanted.portion) body["gpuPortionLimit"] = *wanted.portion;
  if (!wanted.memory.empty()) body["gpuMemoryLimit"] = wanted.memory;
  return Order(session, PathOf(workload, "/gpu-limit"), json::serialize(body));
}

Outcome<std::string> Rerun(Session& session, const json::value& workload) {
  YARD_ASSIGN(client::Reply reply, Post(session, PathOf(workload, "/rerun")));
  YARD_ASSIGN(json::value fresh, ParseJson(reply.body));
  return TextAt(fresh, "name");
}

Outcome<void> DeleteById(Session& session, const std::string& segment, const std::string& id) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_TRY(server->Send({.method = client::Method::kDelete,
                         .path = fmt::format("/api/v1/workloads/{}/{}", segment, id)}));
  return {};
}

}  // namespace yard::cli
