#include "cli/runai/wait.h"

#include <optional>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/submit/parse.h"
#include "cli/work/watch.h"

namespace yard::cli::runai {

using client::Failure;
using client::Outcome;

Outcome<void> WaitForStart(Session& session, const std::string& id, const std::string& span) {
  const Clock& clock = session.around().clock;
  std::optional<Time> latest;
  if (!span.empty()) {
    YARD_ASSIGN(Micros most, ParseDuration(span));
    latest = clock.Now() + most;
  }
  bool started = false;
  std::string phase;
  auto look = [&](const json::value& workload) {
    started = workload.is_null() || HasStarted(workload) || HasEnded(workload);
    if (!started) phase = TextAt(workload, "phase");
    return started ? Going::kEnough : Going::kOn;
  };
  auto is_late = [&] { return latest && clock.Now() >= *latest; };
  YARD_TRY(WatchWorkload(session, id, look, is_late));
  if (started) return {};
  return std::unexpected(
      Failure({Code::kPrecondition, fmt::format("it does not run after {}: {}", span, phase),
               "`gpuyard why` says what it waits for"}));
}

}  // namespace yard::cli::runai
