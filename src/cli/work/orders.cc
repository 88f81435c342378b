#include "cli/work/orders.h"

#include <algorithm>
#include <set>
#include <span>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"
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

// As many as the server takes in one request.
constexpr std::size_t kMostAtOnce = 5000;

Outcome<void> OrderSome(Session& session, std::string_view order,
                        std::span<const json::value> workloads, Obedience& all) {
  json::array ids;
  std::set<std::string> obeyed;
  for (const json::value& one : workloads) {
    ids.emplace_back(TextAt(one, "id"));
    obeyed.insert(TextAt(one, "id"));
  }
  json::object body{{"order", order}, {"ids", std::move(ids)}};
  YARD_ASSIGN(client::Reply reply,
              Post(session, "/api/v1/workloads/orders", json::serialize(body)));
  YARD_ASSIGN(json::value result, ParseJson(reply.body));
  const json::value& refusals = At(result, "failed");
  for (const json::value& failed : refusals.is_array() ? refusals.get_array() : json::array()) {
    obeyed.erase(TextAt(failed, "id"));
    all.refused.push_back(
        {ParseInt(TextAt(failed, "code")).value_or(0), TextAt(failed, "message")});
  }
  // In the order in which they were named.
  for (const json::value& one : workloads) {
    if (obeyed.contains(TextAt(one, "id"))) all.done.push_back(one);
  }
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

Outcome<Obedience> Order(Session& session, std::string_view order,
                         const std::vector<json::value>& workloads) {
  Obedience all;
  for (std::size_t at = 0; at < workloads.size(); at += kMostAtOnce) {
    std::size_t count = std::min(kMostAtOnce, workloads.size() - at);
    YARD_TRY(OrderSome(session, order, std::span(workloads).subspan(at, count), all));
  }
  return all;
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
