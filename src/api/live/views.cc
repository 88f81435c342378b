#include "api/live/views.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "api/workloads/workload_views.h"
#include "base/strings.h"
#include "control/commands/workloads.h"
#include "control/policy/own_work.h"
#include "serve/server.h"

namespace yard::api {
namespace {

constexpr std::string_view kProtocol = "gpuyard.v1";

}  // namespace

Result<control::Live*> LiveOf(Call& call) {
  if (control::Live* live = call.server().context().live) return live;
  return Fail(Code::kUnavailable, "no engine runs on this server, so no work can be reached",
              "start the server with an engine");
}

serve::LiveThreads& ThreadsOf(Call& call) {
  return call.server().live_threads();
}

Result<Ptr<Workload>> AllowedWorkload(Call& call) {
  YARD_ASSIGN(WorkloadId id, WorkloadIdOf(call));
  YARD_ASSIGN(Ptr<Workload> workload, control::FindWorkload(call.state(), id));
  YARD_TRY(call.RequireKind(*workload));
  return workload;
}

Result<Ptr<Workload>> EnteredWorkload(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, AllowedWorkload(call));
  YARD_TRY(control::RequireTouch(call.state(), call.who(), *workload, control::Touch::kEnter));
  YARD_ASSIGN(control::Live * live, LiveOf(call));
  if (!live->RunsAsOwner(*workload)) return workload;
  if (control::IsOwn(call.state(), call.who(), *workload)) return workload;
  return Fail(Code::kForbidden,
              fmt::format("it runs under the account of {}, who alone may enter it",
                          workload->stamp.created_by),
              "ask them, or submit work with an image");
}

Result<std::optional<std::int64_t>> NumberOf(const Call& call, std::string_view name,
                                             std::int64_t least) {
  std::optional<std::string_view> text = call.Query(name);
  if (!text) return std::nullopt;
  std::optional<std::int64_t> number = ParseInt(*text);
  if (number && *number >= least) return number;
  return Fail(Code::kInvalid, fmt::format("{} must be a whole number, {} or more", name, least));
}

Result<control::TaskChoice> TaskOf(Call& call, const Workload& workload) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  control::TaskChoice task{.workload = workload.id};
  YARD_ASSIGN(std::optional<std::int64_t> attempt, NumberOf(call, "attempt", 1));
  YARD_ASSIGN(std::optional<std::int64_t> rank, NumberOf(call, "rank", 0));
  if (attempt) task.attempt = static_cast<std::int32_t>(std::min(*attempt, kMost));
  if (rank) task.rank = static_cast<std::int32_t>(std::min(*rank, kMost));
  return task;
}

std::optional<http::Reply> RefuseWithoutHandshake(const Call& call) {
  if (http::AsksForWebSocket(call.request())) return std::nullopt;
  http::Reply reply = ErrorReply({Code::kInvalid, "this route speaks WebSocket",
                                  "open it with a WebSocket client, version 13"},
                                 426);
  reply.headers.emplace_back("Upgrade", "websocket");
  reply.headers.emplace_back("Sec-WebSocket-Version", "13");
  return reply;
}

std::function<Status()> CheckAgain(Call& call, Right right) {
  return call.server().Again(call, [right](Call& again) -> Status {
    YARD_TRY(right(again));
    return {};
  });
}

void EndWithRight(serve::LiveRights& rights, std::function<Status()> check,
                  const std::shared_ptr<http::Stream>& stream) {
  std::weak_ptr<http::Stream> open = stream;
  rights.Watch({.alive = open, .check = std::move(check), .end = [open](const Error&) {
                  if (auto left = open.lock()) left->Abort();
                }});
}

http::Reply AcceptSocket(Call& call, Right right, http::Opened opened) {
  Result<serve::Seats::Seat> seat = call.server().live_threads().sessions.Take(call.who().id);
  if (!seat) return ErrorReply(seat.error());
  // The check lives as long as the socket, and keeps the seat.
  auto check = [seat = *std::move(seat), again = CheckAgain(call, right)] { return again(); };
  auto watched = [&rights = call.server().live_rights(), check = std::move(check),
                  opened = std::move(opened)](std::shared_ptr<http::WebSocket> socket) mutable {
    std::weak_ptr<http::WebSocket> open = socket;
    rights.Watch({.alive = open, .check = std::move(check), .end = [open](const Error& why) {
                    auto left = open.lock();
                    if (left) left->Close(http::CloseCode::kRefused, why.message.substr(0, 120));
                  }});
    opened(std::move(socket));
  };
  http::WebSocketOptions options;
  std::vector<std::string_view> offered = http::OfferedProtocols(call.request());
  if (std::ranges::find(offered, kProtocol) != offered.end()) options.protocol = kProtocol;
  return http::AcceptWebSocket(call.request(), std::move(options), std::move(watched));
}

}  // namespace yard::api
