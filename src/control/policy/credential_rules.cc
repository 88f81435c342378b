#include "control/policy/credential_rules.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/strings.h"
#include "model/spec/spec.h"

namespace yard::control {
namespace {

constexpr std::string_view kDockerHub = "docker.io";
constexpr std::array<std::string_view, 5> kHubNames{"docker.io", "index.docker.io",
                                                    "registry-1.docker.io",
                                                    "registry.hub.docker.com", "hub.docker.com"};

std::string_view NameOf(VariableSource source) {
  switch (source) {
    case VariableSource::kSecret:
      return "secret";
    case VariableSource::kConfigMap:
      return "configMap";
    case VariableSource::kCredential:
      return "credential";
    case VariableSource::kNone:
    case VariableSource::kValue:
    case VariableSource::kPodField:
      break;
  }
  return "";
}

std::optional<std::string> NamedInVariables(const WorkloadSpec& spec) {
  for (std::size_t i = 0; i < spec.variables.size(); ++i) {
    std::string_view source = NameOf(spec.variables[i].source);
    if (!source.empty()) return fmt::format("environmentVariables[{}].{}", i, source);
  }
  return std::nullopt;
}

// The first item of a list that names a credential.
template <class Item>
std::optional<std::string> NamedIn(const std::vector<Item>& items, std::string_view list,
                                   std::string_view key) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].credential.empty()) return fmt::format("storage.{}[{}].{}", list, i, key);
  }
  return std::nullopt;
}

// The first field of a spec that names a credential.
std::optional<std::string> CredentialField(const WorkloadSpec& spec) {
  if (auto field = NamedInVariables(spec)) return field;
  const std::vector<std::string>& pulls = spec.setup->pull_secrets;
  for (std::size_t i = 0; i < pulls.size(); ++i) {
    if (!pulls[i].empty()) return fmt::format("imagePullSecrets[{}].name", i);
  }
  const StorageSpec& storage = *spec.storage;
  if (auto field = NamedIn(storage.git, "git", "passwordSecret")) return field;
  if (auto field = NamedIn(storage.s3, "s3", "accessKeySecret")) return field;
  if (auto field = NamedIn(storage.config_maps, "configMapVolume", "configMap")) return field;
  return NamedIn(storage.secrets, "secretVolume", "secret");
}

}  // namespace

Principal OwnerOf(const State& state, const Workload& workload) {
  const std::string& name = workload.stamp.created_by;
  if (Ptr<User> user = state.UserByEmail(name)) {
    return {.id = user->email, .groups = user->groups, .user = user->id};
  }
  if (state.AppByClientId(name)) return {.type = SubjectType::kApp, .id = name};
  return name == SystemPrincipal().id ? SystemPrincipal() : Principal{.id = name};
}

bool MayUseCredentials(const State& state, const Principal& who, const ScopePath& where) {
  return Access(state, who).May(Resource::kCredentials, Action::kRead, where);
}

Status RequireCredentialUse(const State& state, const Principal& who, const Workload& workload) {
  if (MayUseCredentials(state, who, state.PathOf(workload))) return {};
  for (const SpecRef* spec : {&workload.spec, &workload.master_spec}) {
    std::optional<std::string> field = CredentialField(**spec);
    if (!field) continue;
    std::string_view root = spec == &workload.spec ? "spec" : "masterSpec";
    Error error{
        Code::kForbidden,
        fmt::format("{}.{}: {} may not use credentials in this project", root, *field, who.id),
        "ask an administrator for a role that may read credentials there"};
    error.fields.push_back({fmt::format("{}.{}", root, *field), "may not be used"});
    return Fail(std::move(error));
  }
  return {};
}

std::string RegistryHost(std::string_view address) {
  std::string_view usual_port = ":443";
  if (std::size_t scheme = address.find("://"); scheme != std::string_view::npos) {
    if (EqualsIgnoreCase(address.substr(0, scheme), "http")) usual_port = ":80";
    address.remove_prefix(scheme + 3);
  }
  address = address.substr(0, address.find_first_of("/?#"));
  // What stands before an @ is no part of the host.
  if (std::size_t at = address.rfind('@'); at != std::string_view::npos) {
    address.remove_prefix(at + 1);
  }
  std::string host = Lower(Trim(address));
  if (host.ends_with(usual_port)) host.resize(host.size() - usual_port.size());
  if (host.ends_with('.')) host.pop_back();
  bool is_hub = std::ranges::find(kHubNames, host) != kHubNames.end();
  return is_hub ? std::string(kDockerHub) : host;
}

std::string RegistryOfImage(std::string_view image) {
  std::size_t slash = image.find('/');
  if (slash == std::string_view::npos) return std::string(kDockerHub);
  std::string_view host = image.substr(0, slash);
  bool is_host = host.contains('.') || host.contains(':') || host == "localhost";
  return is_host ? RegistryHost(host) : std::string(kDockerHub);
}

}  // namespace yard::control
