#include "cli/work/running.h"

#include <string>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/work/watch.h"

namespace yard::cli {

Status RequireRunning(const json::value& workload) {
  std::string phase = TextAt(workload, "phase");
  if (phase == "Running" || phase == "Degraded") return {};
  std::string name = TextAt(workload, "name");
  std::string why;
  if (!HasEnded(workload)) why = fmt::format("`gpuyard why {}` says what it waits for", name);
  return Fail(Code::kPrecondition,
              fmt::format("'{}' is {}, and only work that runs can be reached", name, phase), why);
}

}  // namespace yard::cli
