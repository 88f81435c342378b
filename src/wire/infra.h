// Clusters, node pools, nodes and measurements on the wire.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/json.h"
#include "base/result.h"
#include "model/org.h"
#include "wire/writer.h"

namespace yard::wire {

// One tenant per server; the contract wants a number for it.
inline constexpr int kTenantId = 1;

struct NodePoolBody {
  std::optional<std::string> name;
  std::optional<Uuid> cluster;
  std::optional<std::string> label_key;
  std::optional<std::string> label_value;
  std::optional<std::int64_t> over_provisioning_ratio_milli;
  std::optional<Placement> cpu_placement;
  std::optional<Placement> gpu_placement;
};
NodePoolBody ReadNodePool(const json::object& body);

struct NodeBody {
  std::optional<std::string> name;
  std::optional<Uuid> cluster;
  std::optional<NodeStatus> status;
  std::vector<Taint> taints;
  std::map<std::string, std::string> labels;
  std::optional<std::string> gpu_type;
  std::int64_t gpu_count = 0;
  Mebibytes gpu_memory;
  MilliCpu cpu;
  Mebibytes memory;
};
NodeBody ReadNode(const json::object& body);

struct ClusterView {
  const Cluster* cluster;
  std::string_view state;  // "Connected", "Disconnected", "WaitingToConnect"
  std::optional<Time> last_liveness;
};
void WriteCluster(Writer& w, const ClusterView& view);

struct NodePoolView {
  const NodePool* pool;
  std::string cluster_name;
  std::vector<std::string> nodes;
};
// "Empty" without nodes, else "Ready".
std::string_view PhaseOf(const NodePoolView& view);
void WriteNodePool(Writer& w, const NodePoolView& view);

// The names of what a node belongs to.
struct NodeNames {
  std::string pool;
  std::string cluster;
};
void WriteNode(Writer& w, const Node& node, const NodeNames& names);

// One series of measurements. No values: nobody has measured it.
struct Measurement {
  std::string type;
  std::vector<std::pair<Time, double>> values = {};
  std::map<std::string, std::string> labels = {};  // of what it is one of several
};
void WriteMeasurements(Writer& w, const std::vector<Measurement>& measurements);

// One number, and what it is the number of.
struct TelemetryGroup {
  std::string key;  // "ClusterId", "Nodepool", …
  std::string value;
  std::string name;
};
struct TelemetryValue {
  double value = 0;
  std::vector<TelemetryGroup> groups;
};
struct Telemetry {
  std::string type;
  Time at;
  std::vector<TelemetryValue> values;
};
void WriteTelemetry(Writer& w, const Telemetry& telemetry);

}  // namespace yard::wire
