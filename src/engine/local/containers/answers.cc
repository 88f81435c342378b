#include "engine/local/containers/answers.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "base/trusted_json.h"
#include "engine/local/containers/fields.h"

namespace yard::engine::containers {
namespace {

Code CodeOf(int status) {
  switch (status) {
    case 401:
    case 403:
      return Code::kForbidden;
    case 404:
      return Code::kNotFound;
    case 409:
      return Code::kConflict;
    case 400:
      return Code::kInvalid;
    default:
      return Code::kInternal;
  }
}

// The daemons write the zero time for "never".
std::optional<Time> Moment(const json::value& value, std::string_view path) {
  std::string text = Text(value, path);
  if (text.empty() || text.starts_with("0001")) return std::nullopt;
  return ParseRfc3339(text);
}

ContainerState StateOf(std::string_view word) {
  if (word == "created" || word == "configured" || word == "initialized")
    return ContainerState::kCreated;
  return word == "exited" || word == "stopped" || word == "dead" || word == "removing"
             ? ContainerState::kEnded
             : ContainerState::kRunning;
}

std::string AddressOf(const json::value& inspect) {
  std::string address = Text(inspect, "NetworkSettings.IPAddress");
  if (!address.empty()) return address;
  const json::value* networks = Find(inspect, "NetworkSettings.Networks");
  if (networks == nullptr || !networks->is_object()) return {};
  for (const auto& [name, network] : networks->get_object()) {
    address = Text(network, "IPAddress");
    if (!address.empty()) return address;
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> LabelsOf(const json::value* labels) {
  std::vector<std::pair<std::string, std::string>> all;
  if (labels == nullptr || !labels->is_object()) return all;
  for (const auto& [key, value] : labels->get_object()) {
    if (const json::string* text = value.if_string())
      all.emplace_back(std::string(key), std::string(*text));
  }
  return all;
}

}  // namespace

Error Refusal(const Reply& reply) {
  Result<json::value> parsed = ParseTrustedJson(reply.body);
  std::string text = parsed ? Text(*parsed, "message") : std::string(Trim(reply.body));
  if (text.empty()) text = fmt::format("the container daemon answered with {}", reply.status);
  // Podman has no status of its own for this.
  if (text.contains("name is already in use")) return {Code::kConflict, text};
  return {CodeOf(reply.status), text};
}

Result<json::value> Accept(const Result<Reply>& reply) {
  if (!reply) return Fail(reply.error());
  if (reply->status >= 300) return Fail(Refusal(*reply));
  return ParseTrustedJson(reply->body);
}

Status AcceptEmpty(const Result<Reply>& reply) {
  if (!reply) return Fail(reply.error());
  // 304: it is in that state already.
  if (reply->status >= 300 && reply->status != 304) return Fail(Refusal(*reply));
  return {};
}

DaemonFacts ReadDaemon(const json::value& version, const json::value& info) {
  DaemonFacts facts;
  facts.version = Text(version, "Version");
  facts.api = Text(version, "ApiVersion");
  if (const json::value* parts = Find(version, "Components"); parts && parts->is_array()) {
    for (const json::value& part : parts->get_array()) {
      if (ContainsIgnoreCase(Text(part, "Name"), "podman")) facts.kind = DaemonKind::kPodman;
    }
  }
  std::string driver = Text(info, "CgroupDriver");
  facts.cgroups = driver == "systemd" ? CgroupDriver::kSystemd
                  : driver == "none"  ? CgroupDriver::kNone
                                      : CgroupDriver::kFiles;
  for (const std::string& option : Texts(info, "SecurityOptions")) {
    if (option.contains("rootless")) facts.rootless = true;
    if (option.contains("userns")) facts.remapped = true;
  }
  if (FlagOf(info, "Rootless") == Flag::kYes) facts.rootless = true;
  facts.storage = Text(info, "DockerRootDir");
  return facts;
}

namespace {

std::string VariableOf(const json::value& inspect, std::string_view name) {
  for (const std::string& variable : Texts(inspect, "Config.Env"))
    if (variable.starts_with(name) && variable.substr(name.size()).starts_with('='))
      return variable.substr(name.size() + 1);
  return {};
}

}  // namespace

ImageFacts ReadImage(const json::value& inspect) {
  return {.id = Text(inspect, "Id"),
          .user = Text(inspect, "Config.User"),
          .working_dir = Text(inspect, "Config.WorkingDir"),
          .entrypoint = Texts(inspect, "Config.Entrypoint"),
          .command = Texts(inspect, "Config.Cmd"),
          .library_path = VariableOf(inspect, "LD_LIBRARY_PATH")};
}

ContainerFacts ReadContainer(const json::value& inspect) {
  ContainerFacts facts;
  facts.id = Text(inspect, "Id");
  facts.name = Text(inspect, "Name");
  if (facts.name.starts_with('/')) facts.name.erase(0, 1);
  facts.state = StateOf(Text(inspect, "State.Status"));
  facts.pid = Number(inspect, "State.Pid");
  facts.exit_code = static_cast<std::int32_t>(Number(inspect, "State.ExitCode"));
  facts.out_of_memory = FlagOf(inspect, "State.OOMKilled") == Flag::kYes;
  facts.failure = Text(inspect, "State.Error");
  facts.address = AddressOf(inspect);
  facts.started_at = Moment(inspect, "State.StartedAt");
  facts.ended_at = Moment(inspect, "State.FinishedAt");
  facts.labels = LabelsOf(Find(inspect, "Config.Labels"));
  return facts;
}

ContainerFacts ReadListed(const json::value& item) {
  ContainerFacts facts;
  facts.id = Text(item, "Id");
  std::vector<std::string> names = Texts(item, "Names");
  if (!names.empty()) facts.name = names.front();
  if (facts.name.starts_with('/')) facts.name.erase(0, 1);
  facts.state = StateOf(Text(item, "State"));
  facts.labels = LabelsOf(Find(item, "Labels"));
  return facts;
}

}  // namespace yard::engine::containers
