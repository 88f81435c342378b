// The tools of workloads, on an origin of their own: "/project/workload/…" leads to the tool that
// the workload exposes.
//
// A browser gets in by a link with a code, good once and for a moment, which becomes a cookie for
// that workload's path; a program by a token, as for the API. Nobody else is told whether there is
// anything. The dashboard's origin shows no byte of a tool.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "control/auth/access.h"
#include "control/auth/tool_pass.h"
#include "http/gate.h"
#include "http/http.h"
#include "serve/addresses.h"
#include "serve/live/live_rights.h"
#include "serve/live/live_threads.h"
#include "serve/metrics.h"

namespace yard::serve {

struct ServerContext;

class Proxy final : public http::Handler, public http::Gate {
 public:
  struct Parts {
    const ServerContext& context;
    LiveThreads& threads;
    LiveRights& rights;
    Metrics& metrics;
  };
  explicit Proxy(const Parts& parts)
      : context_(parts.context),
        threads_(parts.threads),
        rights_(parts.rights),
        metrics_(parts.metrics) {}

  // Of the tools' origin.
  http::Intake Expect(const http::Request& head) override;
  void Handle(http::Request request, http::Respond respond) override;

  // For the dashboard's origin: a link by which the caller's browser gets to the tool at `target`.
  Result<std::string> Link(const http::Request& request, const control::Principal& who,
                           std::string_view target);
  // And the way for a program that still asks for a tool there.
  std::optional<http::Reply> Redirect(const http::Request& request) const;

 private:
  struct Visit;

  bool IsForged(const http::Request& request) const;
  Result<Visit> Admit(const http::Request& request, Time now);
  Result<control::Principal> ByCode(const control::State& state, const Visit& visit,
                                    std::string_view code, Time now);
  Result<control::ToolPass> FindTicket(const Visit& visit, const http::Request& request,
                                       Time now) const;
  // False if it was used before.
  bool UseCode(const control::ToolPass& code, Time now);
  http::Reply Refusal(const http::Request& request, const Error& error) const;
  http::Reply Enter(const http::Request& request, const Visit& visit, Time now) const;
  std::string Ticket(const http::Request& request, const Visit& visit, Time now) const;
  // The same respond, for answers that end with the right of who asked.
  http::Respond WhileAllowed(const http::Request& request, const Visit& visit, Seats::Seat seat,
                             http::Respond respond);
  void PassOn(http::Request request, Visit visit, http::Respond respond);

  const ServerContext& context_;
  LiveThreads& threads_;
  LiveRights& rights_;
  Metrics& metrics_;
  std::atomic<std::uint64_t> last_code_ = 0;

  std::mutex mutex_;
  std::map<std::uint64_t, Time> used_codes_;  // until they would have expired
};

}  // namespace yard::serve
