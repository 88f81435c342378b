#include "engine/local/containers/create_mapped.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>

#include "base/check.h"
#include "base/json.h"
#include "engine/local/containers/id_space.h"
#include "engine/local/native/memory_limit.h"

namespace yard::engine::containers {
namespace {

constexpr std::int64_t kMebibyte = 1 << 20;
constexpr std::int64_t kPeriod = 100'000;  // of the CPU limit, in microseconds

json::array MountsOf(const TaskSpec& spec, const Surroundings& surroundings) {
  json::array mounts;
  for (const Bind& bind : surroundings.binds) {
    mounts.push_back({{"type", "bind"},
                      {"source", bind.source},
                      {"destination", bind.target},
                      {"options", {"rbind", bind.read_only ? "ro" : "rw", "nosuid", "nodev"}}});
  }
  if (spec.container->read_only_root) {
    mounts.push_back(
        {{"type", "tmpfs"}, {"destination", "/tmp"}, {"options", {"rw", "exec", "mode=1777"}}});
  }
  return mounts;
}

json::object IdsOf(IdRange range) {
  json::array map{
      json::object{{"container_id", 0}, {"host_id", range.first}, {"size", kIdsOfContainer}}};
  return {{"UIDMap", map}, {"GIDMap", map}, {"HostUIDMapping", false}, {"HostGIDMapping", false}};
}

json::object LimitsOf(const TaskSpec& spec, const Surroundings& surroundings) {
  json::object limits;
  Mebibytes margin = surroundings.cgroup_parent.empty() ? Mebibytes(0) : kInnerMargin;
  if (spec.limits.memory.value > 0) {
    std::int64_t bytes = (spec.limits.memory + margin).value * kMebibyte;
    limits["memory"] = {{"limit", bytes}, {"swap", bytes}};
  }
  if (spec.limits.cpu.value > 0)
    limits["cpu"] = {{"quota", spec.limits.cpu.value * kPeriod / 1000}, {"period", kPeriod}};
  if (spec.limits.pids > 0) limits["pids"] = {{"limit", spec.limits.pids}};
  return limits;
}

json::array DevicesOf(const GpuAccess& gpus) {
  json::array devices;
  for (const auto* names : {&gpus.device_files, &gpus.cdi}) {
    for (const std::string& name : *names) devices.push_back(json::object{{"path", name}});
  }
  return devices;
}

void AddProcess(const TaskSpec& spec, IdRange range, json::object& body) {
  json::object variables;
  for (const Variable& variable : spec.variables) variables[variable.name] = variable.value;
  body["env"] = std::move(variables);
  if (!spec.command.empty()) body["entrypoint"] = json::value_from(spec.command);
  if (!spec.args.empty()) body["command"] = json::value_from(spec.args);
  if (!spec.working_dir.empty()) body["work_dir"] = spec.working_dir;
  std::string user = UserInside(spec, IdSpace::kMapped, range);
  if (!user.empty()) body["user"] = user;
  if (!spec.account) return;
  json::array groups;
  for (std::uint32_t group : spec.account->groups) groups.emplace_back(std::to_string(group));
  body["groups"] = std::move(groups);
}

void AddGang(const GangNetwork& network, json::object& body) {
  json::object end;
  if (!network.address.empty()) end["static_ips"] = json::array{json::string(network.address)};
  body["networks"] = {{network.name, std::move(end)}};
  body["hostadd"] = json::value_from(network.hosts);
}

void AddSharing(const Container& container, const Surroundings& surroundings, json::object& body) {
  body["netns"] = {{"nsmode", container.host_network ? "host" : "bridge"}};
  if (surroundings.network) AddGang(*surroundings.network, body);
  if (container.host_ipc)
    body["ipcns"] = {{"nsmode", "host"}};
  else if (container.shm.value > 0)
    body["shm_size"] = container.shm.value * kMebibyte;
}

}  // namespace

std::string MappedCreateBody(const TaskSpec& spec, const Surroundings& surroundings) {
  YARD_CHECK(spec.container.has_value());
  json::object body{{"name", ContainerName(spec.key)},
                    {"image", spec.container->image},
                    {"terminal", spec.tty},
                    {"stdin", spec.tty},
                    {"labels", LabelsOf(spec, surroundings)},
                    {"mounts", MountsOf(spec, surroundings)},
                    {"userns", {{"nsmode", "private"}}},
                    {"idmappings", IdsOf(surroundings.range)},
                    {"cap_add", json::value_from(spec.container->add_capabilities)},
                    {"no_new_privileges", true},
                    {"read_only_filesystem", spec.container->read_only_root},
                    {"image_volume_mode", "anonymous"},
                    {"httpproxy", true},
                    {"healthconfig", {{"Test", {"NONE"}}}},
                    // The shim keeps the output; a second copy would grow without bound.
                    {"log_configuration", {{"driver", "none"}}},
                    {"resource_limits", LimitsOf(spec, surroundings)}};
  AddProcess(spec, surroundings.range, body);
  AddSharing(*spec.container, surroundings, body);
  if (!surroundings.cgroup_parent.empty()) body["cgroup_parent"] = surroundings.cgroup_parent;
  if (json::array devices = DevicesOf(surroundings.gpus); !devices.empty())
    body["devices"] = std::move(devices);
  if (!surroundings.gpus.runtime.empty()) body["oci_runtime"] = surroundings.gpus.runtime;
  std::string host = HostName(spec);
  if (!spec.container->host_network && !host.empty()) body["hostname"] = host;
  return json::serialize(body);
}

}  // namespace yard::engine::containers
