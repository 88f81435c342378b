#include "engine/local/containers/create.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>

#include "base/check.h"
#include "base/json.h"
#include "base/uuid.h"
#include "engine/local/native/memory_limit.h"

namespace yard::engine::containers {
namespace {

constexpr std::int64_t kMebibyte = 1 << 20;

std::vector<std::string> VariablesOf(const TaskSpec& spec) {
  std::vector<std::string> all;
  for (const Variable& variable : spec.variables)
    all.push_back(fmt::format("{}={}", variable.name, variable.value));
  return all;
}

json::array MountsOf(const Surroundings& surroundings) {
  json::array mounts;
  for (const Bind& bind : surroundings.binds) {
    mounts.push_back({{"Type", "bind"},
                      {"Source", bind.source},
                      {"Target", bind.target},
                      {"ReadOnly", bind.read_only}});
  }
  return mounts;
}

void AddLimits(const TaskSpec& spec, const Surroundings& surroundings, json::object& host) {
  Mebibytes margin = surroundings.cgroup_parent.empty() ? Mebibytes(0) : kInnerMargin;
  if (spec.limits.memory.value > 0) {
    std::int64_t bytes = (spec.limits.memory + margin).value * kMebibyte;
    host["Memory"] = bytes;
    host["MemorySwap"] = bytes;
  }
  if (spec.limits.cpu.value > 0) host["NanoCpus"] = spec.limits.cpu.value * 1'000'000;
  if (spec.limits.pids > 0) host["PidsLimit"] = spec.limits.pids;
  if (!surroundings.cgroup_parent.empty()) host["CgroupParent"] = surroundings.cgroup_parent;
}

// Docker takes CDI names as a request, podman where it takes device files.
void AddGpus(const Surroundings& surroundings, json::object& host) {
  const GpuAccess& gpus = surroundings.gpus;
  json::array devices;
  auto add = [&](const std::string& name) {
    devices.push_back(
        {{"PathOnHost", name}, {"PathInContainer", name}, {"CgroupPermissions", "rwm"}});
  };
  std::ranges::for_each(gpus.device_files, add);
  if (surroundings.daemon == DaemonKind::kPodman) {
    for (const std::string& name : gpus.cdi) devices.push_back(json::object{{"PathOnHost", name}});
  } else if (!gpus.cdi.empty()) {
    json::value request = {{"Driver", "cdi"}, {"DeviceIDs", json::value_from(gpus.cdi)}};
    host["DeviceRequests"] = json::array{request};
  }
  if (!devices.empty()) host["Devices"] = std::move(devices);
  if (!gpus.runtime.empty()) host["Runtime"] = gpus.runtime;
}

std::string NetworkOf(const Container& container, const Surroundings& surroundings) {
  if (container.host_network) return "host";
  return surroundings.network ? surroundings.network->name : "bridge";
}

// The place in the network of its gang. Docker knows the others by their aliases.
void AddGang(const TaskSpec& spec, const Surroundings& surroundings, json::object& body) {
  if (!surroundings.network) return;
  json::object end{{"Aliases", json::array{json::string(HostName(spec))}}};
  if (const std::string& address = surroundings.network->address; !address.empty())
    end["IPAMConfig"] = {{"IPv4Address", address}};
  body["NetworkingConfig"] = {{"EndpointsConfig", {{surroundings.network->name, std::move(end)}}}};
}

json::object HostConfigOf(const TaskSpec& spec, const Surroundings& surroundings) {
  const Container& container = *spec.container;
  json::object host{{"Mounts", MountsOf(surroundings)},
                    {"CapAdd", json::value_from(container.add_capabilities)},
                    {"SecurityOpt", {"no-new-privileges"}},
                    {"ReadonlyRootfs", container.read_only_root},
                    {"NetworkMode", NetworkOf(container, surroundings)},
                    // The shim keeps the output; a second copy would grow without bound.
                    {"LogConfig", {{"Type", "none"}}}};
  if (surroundings.ids == IdSpace::kMachine) {
    host["CapDrop"] = {"ALL"};
    host["CapAdd"] = json::array();
  }
  if (container.host_ipc)
    host["IpcMode"] = "host";
  else if (container.shm.value > 0)
    host["ShmSize"] = container.shm.value * kMebibyte;
  if (container.read_only_root) host["Tmpfs"] = {{"/tmp", "rw,exec,mode=1777"}};
  if (spec.account) {
    json::array groups;
    for (std::uint32_t group : spec.account->groups) groups.emplace_back(fmt::to_string(group));
    host["GroupAdd"] = std::move(groups);
  }
  if (surroundings.network) host["ExtraHosts"] = json::value_from(surroundings.network->hosts);
  AddLimits(spec, surroundings, host);
  AddGpus(surroundings, host);
  return host;
}

}  // namespace

std::string HostName(const TaskSpec& spec) {
  return engine::HostName(spec.title, spec.key.rank);
}

json::object LabelsOf(const TaskSpec& spec, const Surroundings& surroundings) {
  return {{kAttemptLabel, FormatUuid(spec.key.attempt.value)},
          {kRankLabel, fmt::to_string(spec.key.rank)},
          {kRootLabel, surroundings.root},
          {kTitleLabel, spec.title}};
}

std::string ContainerName(const TaskKey& key) {
  return fmt::format("gpuyard-{}-{}", FormatUuid(key.attempt.value), key.rank);
}

std::string CreateBody(const TaskSpec& spec, const Surroundings& surroundings) {
  YARD_CHECK(spec.container.has_value());
  json::object body{{"Image", spec.container->image},
                    {"Env", json::value_from(VariablesOf(spec))},
                    {"Tty", spec.tty},
                    {"OpenStdin", spec.tty},
                    {"Healthcheck", {{"Test", {"NONE"}}}},
                    {"Labels", LabelsOf(spec, surroundings)},
                    {"HostConfig", HostConfigOf(spec, surroundings)}};
  if (!spec.command.empty()) {
    body["Entrypoint"] = json::value_from(spec.command);
    body["Cmd"] = json::value_from(spec.args);
  } else if (!spec.args.empty()) {
    body["Cmd"] = json::value_from(spec.args);
  }
  if (!spec.working_dir.empty()) body["WorkingDir"] = spec.working_dir;
  std::string user = UserInside(spec, surroundings.ids, surroundings.range);
  if (!user.empty()) body["User"] = user;
  if (!spec.container->host_network && !HostName(spec).empty()) body["Hostname"] = HostName(spec);
  AddGang(spec, surroundings, body);
  return json::serialize(body);
}

}  // namespace yard::engine::containers
