// Departments and projects on the wire.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/json.h"
#include "base/result.h"
#include "model/org.h"
#include "wire/writer.h"

namespace yard::wire {

// The fields of a create or update request; valid against its schema already.
struct OrgUnitBody {
  std::optional<std::string> name;
  std::optional<Uuid> cluster;
  std::optional<std::string> description;
  std::vector<PoolQuota> resources;
  std::optional<SchedulingRules> rules;
  std::optional<std::vector<std::string>> default_pools;
  std::optional<NodeTypes> node_types;
  // Said; none in it: as above.
  std::optional<std::optional<Fairness>> fairness;       // departments
  std::optional<std::optional<WorkAccess>> work_access;  // projects
  std::optional<std::optional<std::int64_t>> reclaim_min_runtime;
  std::optional<std::optional<std::int64_t>> preempt_min_runtime;
  std::optional<std::int64_t> parent;
  std::optional<std::string> requested_namespace;
  std::optional<std::vector<Uuid>> clusters;  // projects: all, the first one included
};
Result<OrgUnitBody> ReadOrgUnit(const json::object& body);
// `default_pool` stands for entries that name no pool.
Result<std::vector<PoolQuota>> ReadQuotas(const json::array& list);

// A quota with its pool's name, ready to print.
struct NamedQuota {
  const PoolQuota* quota;
  std::string_view pool_name;
};
void WriteQuotas(Writer& w, const std::vector<NamedQuota>& quotas);

// Sums of what is asked for and given, in GPUs, cores and MiB.
struct QuotaSums {
  MilliGpu gpu;
  MilliCpu cpu;
  Mebibytes memory;
};
// What is given out in one node pool.
struct PoolStatus {
  NodePoolId pool;
  std::string_view name;
  QuotaSums allocated;
  QuotaSums allocated_non_preemptible;
};
struct OrgUnitView {
  const OrgUnit* unit = nullptr;
  std::string id;
  std::vector<NamedQuota> quotas;
  QuotaSums requested;
  QuotaSums allocated;
  QuotaSums allocated_non_preemptible;
  std::vector<PoolStatus> pools;
  std::optional<std::pair<std::string, std::string>> parent;  // projects: id and name
  std::vector<std::pair<std::string, std::string>> children;  // departments
  std::optional<Fairness> fairness;                           // departments
  std::optional<WorkAccess> work_access;                      // projects
  std::optional<std::string> requested_namespace;
  std::vector<ClusterId> clusters;     // projects: in order of preference
  std::optional<std::string> warning;  // why its quota may not be kept
  SchedulingRules effective_rules;
  std::vector<std::string> effective_pools;
};
void WriteProject(Writer& w, const OrgUnitView& view);
void WriteDepartment(Writer& w, const OrgUnitView& view);

struct ReservationBody {
  std::string name;  // empty in an update
  std::int64_t project = 0;
  MilliGpu gpu;
  std::optional<std::string> pool;
  Time start;
  Time end;
  std::optional<std::int64_t> release_after_seconds;
};
Result<ReservationBody> ReadReservation(const json::object& body);

struct ReservationView {
  const Reservation* reservation = nullptr;
  std::string project_name;
  std::optional<std::string> pool_name;
  Time now;
};
// "upcoming", "active" or "ended".
std::string_view StateOf(const ReservationView& view);
void WriteReservation(Writer& w, const ReservationView& view);

}  // namespace yard::wire
