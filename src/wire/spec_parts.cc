#include "wire/spec_parts.h"

#include <algorithm>

#include "base/strings.h"
#include "wire/fields.h"

namespace yard::wire {
namespace {

std::string Text(const json::object& object, std::string_view field) {
  return std::string(TextOrEmpty(object, field));
}

// A list of items that are wanted.
template <class Item, class Read>
void TakeEach(const json::object& object, std::string_view field, std::vector<Item>& out,
              Read read) {
  EachObject(object, field, [&](const json::object& item) {
    if (!FlagOrFalse(item, "exclude")) out.push_back(read(item));
  });
}

ClaimMount ReadClaim(const json::object& item) {
  std::string_view claim = TextOrEmpty(item, "claimName");
  return {.claim = std::string(claim.empty() ? TextOrEmpty(item, "name") : claim),
          .path = Text(item, "path"),
          .read_only = FlagOrFalse(item, "readOnly"),
          .ephemeral = FlagOrFalse(item, "ephemeral"),
          .existing = FlagOrFalse(item, "existingPvc")};
}

void ReadMounts(const json::object& storage, StorageSpec& out) {
  TakeEach(storage, "hostPath", out.host_paths, [](const json::object& item) {
    return HostPathMount{Text(item, "path"), Text(item, "mountPath"),
                         FlagOrFalse(item, "readOnly")};
  });
  TakeEach(storage, "nfs", out.nfs, [](const json::object& item) {
    return NfsMount{Text(item, "server"), Text(item, "path"), Text(item, "mountPath"),
                    FlagOrFalse(item, "readOnly")};
  });
  TakeEach(storage, "pvc", out.claims, ReadClaim);
  TakeEach(storage, "emptyDirVolume", out.scratch,
           [](const json::object& item) { return Text(item, "path"); });
}

void ReadDownloads(const json::object& storage, StorageSpec& out) {
  TakeEach(storage, "git", out.git, [](const json::object& item) {
    return GitSource{Text(item, "repository"), Text(item, "branch"), Text(item, "revision"),
                     Text(item, "path"), Text(item, "passwordSecret")};
  });
  TakeEach(storage, "s3", out.s3, [](const json::object& item) {
    return S3Source{Text(item, "url"), Text(item, "bucket"), Text(item, "path"),
                    Text(item, "accessKeySecret")};
  });
}

std::vector<std::int64_t> ReadGroups(std::string text) {
  std::ranges::replace(text, ';', ',');
  std::vector<std::int64_t> groups;
  for (std::string_view group : Split(text, ',')) {
    if (auto id = ParseInt(Trim(group))) groups.push_back(*id);
  }
  return groups;
}

TolerationSpec ReadToleration(const json::object& item) {
  TolerationSpec toleration{.key = Text(item, "key"),
                            .value = Text(item, "value"),
                            .effect = Text(item, "effect"),
                            .any_value = TextOrEmpty(item, "operator") == "Exists"};
  if (toleration.effect == "Any") toleration.effect.clear();
  return toleration;
}

std::optional<ToolUrl> ReadTool(const json::object& object) {
  const json::value* port = object.if_contains("container");
  if (port == nullptr || !port->is_int64() || FlagOrFalse(object, "exclude")) return std::nullopt;
  std::string_view kind = TextOrEmpty(object, "authorizationType");
  return ToolUrl{.port = static_cast<std::uint16_t>(port->get_int64()),
                 .open_to_all = kind == "public" || kind == "authenticatedUsers",
                 .users = TextsOf(object, "authorizedUsers"),
                 .groups = TextsOf(object, "authorizedGroups"),
                 .kind = Text(object, "toolType"),
                 .name = Text(object, "toolName")};
}

std::vector<std::uint16_t> ReadPorts(const json::object& spec) {
  std::vector<std::uint16_t> ports;
  auto add = [&](const json::object& from) {
    if (auto port = WholeOf(from, "container")) ports.push_back(static_cast<std::uint16_t>(*port));
  };
  for (std::string_view list : {"ports", "exposedUrls"}) EachObject(spec, list, add);
  add(ObjectOrEmpty(spec, "servingPort"));
  std::ranges::sort(ports);
  ports.erase(std::ranges::unique(ports).begin(), ports.end());
  return ports;
}

}  // namespace

Shared<StorageSpec> ReadStorage(const json::object& storage, std::string_view home) {
  if (storage.empty() && home.empty()) return {};
  StorageSpec out;
  if (!home.empty()) out.scratch.emplace_back(home);
  ReadMounts(storage, out);
  ReadDownloads(storage, out);
  TakeEach(storage, "configMapVolume", out.config_maps, [](const json::object& item) {
    return CredentialFiles{Text(item, "configMap"), Text(item, "mountPath")};
  });
  TakeEach(storage, "secretVolume", out.secrets, [](const json::object& item) {
    return CredentialFiles{Text(item, "secret"), Text(item, "mountPath")};
  });
  TakeEach(storage, "dataSets", out.data_sets, [](const json::object& item) {
    return DataSetMount{Text(item, "name"), Text(item, "tag"), Text(item, "version"),
                        Text(item, "mountPath")};
  });
  TakeEach(storage, "outputs", out.outputs, [](const json::object& item) {
    return OutputSave{Text(item, "name"), Text(item, "tag"), Text(item, "path")};
  });
  out.has_data_volumes = !ListOrEmpty(storage, "dataVolume").empty();
  return Shared(std::move(out));
}

Shared<SecuritySpec> ReadSecurity(const json::object& security) {
  if (security.empty()) return {};
  return Shared(
      SecuritySpec{.uid = WholeOf(security, "runAsUid"),
                   .gid = WholeOf(security, "runAsGid"),
                   .groups = ReadGroups(Text(security, "supplementalGroups")),
                   .capabilities = TextsOf(security, "capabilities"),
                   .seccomp_profile = Text(security, "seccompProfileType"),
                   .read_only_root = FlagOrFalse(security, "readOnlyRootFilesystem"),
                   .host_network = FlagOrFalse(security, "hostNetwork"),
                   .host_ipc = FlagOrFalse(security, "hostIpc"),
                   .may_gain_privileges = FlagOrFalse(security, "allowPrivilegeEscalation")});
}

Shared<PlacementSpec> ReadPlacement(const json::object& spec) {
  PlacementSpec out{.node_pools = TextsOf(spec, "nodePools"),
                    .node_type = Text(spec, "nodeType"),
                    .nodes = TextsOf(spec, "nodes"),
                    .exclude_nodes = TextsOf(spec, "excludeNodes")};
  const json::object& affinity = ObjectOrEmpty(spec, "podAffinity");
  if (std::string key = Text(affinity, "key"); !key.empty()) {
    out.near = NearnessSpec{std::move(key), TextOrEmpty(affinity, "type") == "Required"};
  }
  TakeEach(spec, "tolerations", out.tolerations, ReadToleration);
  TakeEach(ObjectOrEmpty(spec, "compute"), "extendedResources", out.extended,
           [](const json::object& item) {
             return ExtendedResource{Text(item, "resource"),
                                     ParseInt(TextOrEmpty(item, "quantity")).value_or(1)};
           });
  TakeEach(spec, "labels", out.labels, [](const json::object& item) {
    return LabelSpec{Text(item, "name"), Text(item, "value")};
  });
  bool any = !out.node_pools.empty() || !out.node_type.empty() || !out.nodes.empty() ||
             !out.exclude_nodes.empty() || out.near || !out.tolerations.empty() ||
             !out.extended.empty() || !out.labels.empty();
  return any ? Shared(std::move(out)) : Shared<PlacementSpec>();
}

Shared<ReachSpec> ReadReach(const json::object& spec) {
  ReachSpec out{.ports = ReadPorts(spec)};
  EachObject(spec, "exposedUrls", [&](const json::object& item) {
    if (auto tool = ReadTool(item)) out.urls.push_back(*std::move(tool));
  });
  out.serving = ReadTool(ObjectOrEmpty(spec, "servingPort"));
  return out.ports.empty() ? Shared<ReachSpec>() : Shared(std::move(out));
}

}  // namespace yard::wire
