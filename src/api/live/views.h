// What the routes on running work share: the workload and task a request is about, the door to
// engines, and WebSockets.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "api/handler.h"
#include "control/live.h"
#include "http/websocket.h"
#include "serve/live/live_threads.h"

namespace yard::api {

// kUnavailable if no engine runs.
Result<control::Live*> LiveOf(Call& call);
serve::LiveThreads& ThreadsOf(Call& call);

// The workload of the path, once the caller's permission on it is checked.
Result<Ptr<Workload>> AllowedWorkload(Call& call);
// The same for entering it: work under a person's account is entered by that person only.
Result<Ptr<Workload>> EnteredWorkload(Call& call);
// The task of it that ?attempt= and ?rank= choose.
Result<control::TaskChoice> TaskOf(Call& call, const Workload& workload);

// A whole number of the query, at least `least`; nothing if it is not given.
Result<std::optional<std::int64_t>> NumberOf(const Call& call, std::string_view name,
                                             std::int64_t least);

// A call to an engine and the answer made of it.
template <class Work>
Answer OnLive(Work work) {
  return Slow{.work = std::move(work), .lane = Slow::Lane::kLive};
}

// 426 unless the request opens a WebSocket.
std::optional<http::Reply> RefuseWithoutHandshake(const Call& call);
// Accepts it, with the product's sub-protocol if that was offered.
http::Reply AcceptSocket(const Call& call, http::Opened opened);

}  // namespace yard::api
