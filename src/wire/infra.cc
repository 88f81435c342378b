#include "wire/infra.h"

#include <cmath>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "wire/reader.h"
#include "wire/visit.h"

namespace yard::wire {
namespace {

// What the default pool shows as its label, since the contract wants one.
constexpr std::string_view kDefaultKey = "gpuyard.io/node-pool";
constexpr std::string_view kDefaultValue = "default";

const json::object* ObjectIn(const json::object& parent, std::string_view name) {
  const json::value* value = parent.if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

std::optional<std::int64_t> Milli(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return std::llround(value->to_number<double>() * 1000);
}

Mebibytes ReadMemory(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return ParseMebibytes(std::string_view(value->get_string())).value_or(Mebibytes{});
}

void WritePlacement(Writer& w, const NodePool& pool) {
  w.Key("placementStrategy");
  w.Begin();
  w("cpu", pool.cpu_placement);
  w("gpu", pool.gpu_placement);
  w.End();
}

void WriteMatch(Writer& w, const NodePool& pool) {
  w("labelKey", pool.is_default ? kDefaultKey : std::string_view(pool.label_key));
  w("labelValue", pool.is_default ? kDefaultValue : std::string_view(pool.label_value));
  w("overProvisioningRatio", (pool.over_provisioning_ratio_milli + 500) / 1000);
  WritePlacement(w, pool);
}

std::string Number(double value) {
  return value == std::floor(value) && std::abs(value) < 9e15
             ? fmt::format("{}", static_cast<std::int64_t>(value))
             : fmt::format("{}", value);
}

}  // namespace

NodePoolBody ReadNodePool(const json::object& body) {
  NodePoolBody pool;
  std::vector<FieldIssue> issues;
  Reader reader(body, "", issues);
  reader("name", pool.name);
  reader("clusterId", pool.cluster);
  reader("labelKey", pool.label_key);
  reader("labelValue", pool.label_value);
  pool.over_provisioning_ratio_milli = Milli(body, "overProvisioningRatio");
  if (const json::object* placement = ObjectIn(body, "placementStrategy")) {
    Reader inner(*placement, "placementStrategy", issues);
    inner("cpu", pool.cpu_placement);
    inner("gpu", pool.gpu_placement);
  }
  return pool;
}

NodeBody ReadNode(const json::object& body) {
  NodeBody node;
  std::vector<FieldIssue> issues;
  Reader reader(body, "", issues);
  reader("name", node.name);
  reader("clusterId", node.cluster);
  reader("status", node.status);
  reader("taints", node.taints);
  reader("labels", node.labels);
  reader("gpuType", node.gpu_type);
  reader("gpuCount", node.gpu_count);
  node.gpu_memory = ReadMemory(body, "gpuMemory");
  node.cpu = MilliCpu{Milli(body, "cpuCores").value_or(0)};
  node.memory = ReadMemory(body, "memory");
  return node;
}

void WriteCluster(Writer& w, const ClusterView& view) {
  const Cluster& cluster = *view.cluster;
  w.Begin();
  w("uuid", cluster.id);
  w("tenantId", kTenantId);
  w("name", cluster.name);
  w("createdAt", cluster.stamp.created_at);
  w.OrNull("domain", cluster.domain);
  w.OrNull("version", cluster.version);
  w.Key("status");
  w.Begin();
  w("state", view.state);
  w.End();
  w("updatedAt", cluster.stamp.updated_at);
  w.OrNull("lastLiveness", view.last_liveness);
  w("engine", cluster.engine);
  w.End();
}

std::string_view PhaseOf(const NodePoolView& view) {
  return view.nodes.empty() ? "Empty" : "Ready";
}

void WriteNodePool(Writer& w, const NodePoolView& view) {
  const NodePool& pool = *view.pool;
  w.Begin();
  w("id", std::to_string(pool.id.value));
  w("name", pool.name);
  w("clusterId", pool.cluster);
  w("clusterName", view.cluster_name);
  w("tenantId", kTenantId);
  WriteMatch(w, pool);
  w("phase", PhaseOf(view));
  w("phaseMessage", view.nodes.empty() ? "no node belongs to this pool" : "");
  w.Key("status");
  w.Begin();
  WriteMatch(w, pool);
  w("nodes", view.nodes);
  w.End();
  w("isDefault", pool.is_default);
  w("createdAt", pool.stamp.created_at);
  w("createdBy", pool.stamp.created_by);
  w("updatedAt", pool.stamp.updated_at);
  w("updatedBy", pool.stamp.updated_by);
  w.End();
}

// The engine that runs nothing: figures of its nodes are invented.
constexpr std::string_view kSimulated = "sim";

static void WriteDrain(Writer& w, const Drain& drain) {
  w.Key("drain");
  w.Begin();
  w("reason", drain.reason);
  w("by", drain.by);
  w("since", drain.since);
  if (drain.stop_at) w("stopAt", *drain.stop_at);
  if (drain.until) w("until", *drain.until);
  w.End();
}

void WriteNode(Writer& w, const Node& node, const NodeNames& names) {
  w.Begin();
  w("id", node.id);
  w("name", node.name);
  w("clusterUuid", node.cluster);
  w("clusterName", names.cluster);
  w("status", node.status);
  w("conditions", node.conditions);
  w("taints", node.taints);
  w("nodePool", names.pool);
  if (node.gpu_count > 0) {
    w.Key("gpuInfo");
    w.Begin();
    w("gpuType", node.gpu_type.value_or("unknown"));
    w("gpuCount", node.gpu_count);
    w.End();
  }
  w("createdAt", node.stamp.created_at);
  w("updatedAt", node.stamp.updated_at);
  w("declared", node.gpus_declared);
  w("simulated", node.engine == kSimulated);
  if (node.drain) WriteDrain(w, *node.drain);
  w("labels", node.labels);
  w("gpuMemory", fmt::format("{}Mi", node.gpu_memory.value));
  w("cpuCores", static_cast<double>(node.cpu.value) / 1000);
  w("memory", fmt::format("{}Mi", node.memory.value));
  w.End();
}

void WriteMeasurements(Writer& w, const std::vector<Measurement>& measurements) {
  w.Begin();
  w.Key("measurements");
  w.BeginList();
  for (const Measurement& measurement : measurements) {
    w.Item();
    w.Begin();
    w("type", measurement.type);
    if (!measurement.labels.empty()) w("labels", measurement.labels);
    w.Key("values");
    w.BeginList();
    for (const auto& [at, value] : measurement.values) {
      w.Item();
      w.Begin();
      w("value", Number(value));
      w("timestamp", at);
      w.End();
    }
    w.EndList();
    w.End();
  }
  w.EndList();
  w.End();
}

void WriteTelemetry(Writer& w, const Telemetry& telemetry) {
  w.Begin();
  w("type", telemetry.type);
  w("timestamp", telemetry.at);
  w.Key("values");
  w.BeginList();
  for (const TelemetryValue& value : telemetry.values) {
    w.Item();
    w.Begin();
    w("value", Number(value.value));
    w.Key("groups");
    w.BeginList();
    for (const TelemetryGroup& group : value.groups) {
      w.Item();
      w.Begin();
      w("key", group.key);
      w("value", group.value);
      w("name", group.name);
      w.End();
    }
    w.EndList();
    w.End();
  }
  w.EndList();
  w.End();
}

}  // namespace yard::wire
