// Orders to one workload, given as it is listed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/time.h"
#include "cli/session.h"
#include "client/client.h"

namespace yard::cli {

// Ends it; its record stays.
client::Outcome<void> Cancel(Session& session, const json::value& workload);
client::Outcome<void> CancelById(Session& session, const std::string& id);
// Takes it away, record and name included.
client::Outcome<void> Delete(Session& session, const json::value& workload);
// One order ("cancel", "hold", "release", "suspend", "resume") to any number of workloads. A
// refusal of one keeps none of the others from obeying.
struct Obedience {
  std::vector<json::value> done;
  struct Refusal {
    std::int64_t status;  // as HTTP says it
    std::string message;
  };
  std::vector<Refusal> refused;
};
client::Outcome<Obedience> Order(Session& session, std::string_view order,
                                 const std::vector<json::value>& workloads);
client::Outcome<void> Suspend(Session& session, const json::value& workload);
// Off its GPUs, with its memory kept for the way back.
client::Outcome<void> Park(Session& session, const json::value& workload);
client::Outcome<void> Resume(Session& session, const json::value& workload);
client::Outcome<void> Extend(Session& session, const json::value& workload, Micros more);
// `name` of a priority class.
client::Outcome<void> Prioritize(Session& session, const json::value& workload,
                                 const std::string& name);
// "0.8" or "20G".
client::Outcome<void> LimitGpu(Session& session, const json::value& workload,
                               const std::string& limit);
// The new one's name.
client::Outcome<std::string> Rerun(Session& session, const json::value& workload);

// Of one whose kind's path segment is known: "workspaces".
client::Outcome<void> DeleteById(Session& session, const std::string& segment,
                                 const std::string& id);

}  // namespace yard::cli
