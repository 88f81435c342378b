#include "facade/farm/volumes.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "wire/fields.h"

namespace yard::facade::farm {
namespace {

using wire::ObjectIn;
using wire::TextOrEmpty;

constexpr std::string_view kWhere = "capacity_requirements.volume_mounts";
constexpr std::string_view kSharedMemory = "/dev/shm";

// One mount with the volume that it names.
struct Mount {
  std::string_view name;
  std::string_view path;
  bool read_only = false;
};

// An entry of the spec's storage: the list it belongs to, and itself.
struct Entry {
  std::string_view list;
  json::object fields;
};

std::unexpected<Error> Wrong(std::string problem, std::string details = {}) {
  return Fail(Code::kInvalid, fmt::format("{}: {}", kWhere, problem), std::move(details));
}

const json::object* VolumeNamed(const json::value* volumes, std::string_view name) {
  const json::array* list = volumes == nullptr ? nullptr : volumes->if_array();
  if (list == nullptr) return nullptr;
  for (const json::value& item : *list) {
    const json::object* volume = item.if_object();
    if (volume != nullptr && TextOrEmpty(*volume, "name") == name) return volume;
  }
  return nullptr;
}

Result<Entry> EntryOf(const Mount& mount, const json::object& volume) {
  if (const json::object* claim = ObjectIn(volume, "persistentVolumeClaim")) {
    return Entry{"pvc",
                 {{"name", mount.name},
                  {"claimName", TextOrEmpty(*claim, "claimName")},
                  {"existingPvc", true},
                  {"path", mount.path},
                  {"readOnly", mount.read_only || wire::FlagOrFalse(*claim, "readOnly")}}};
  }
  if (const json::object* host = ObjectIn(volume, "hostPath")) {
    return Entry{"hostPath",
                 {{"name", mount.name},
                  {"path", TextOrEmpty(*host, "path")},
                  {"mountPath", mount.path},
                  {"readOnly", mount.read_only}}};
  }
  if (const json::object* nfs = ObjectIn(volume, "nfs")) {
    return Entry{"nfs",
                 {{"name", mount.name},
                  {"server", TextOrEmpty(*nfs, "server")},
                  {"path", TextOrEmpty(*nfs, "path")},
                  {"mountPath", mount.path},
                  {"readOnly", mount.read_only || wire::FlagOrFalse(*nfs, "readOnly")}}};
  }
  if (ObjectIn(volume, "emptyDir") != nullptr) {
    return Entry{"emptyDirVolume", {{"name", mount.name}, {"path", mount.path}}};
  }
  if (const json::object* secret = ObjectIn(volume, "secret")) {
    return Entry{"secretVolume",
                 {{"name", mount.name},
                  {"secret", TextOrEmpty(*secret, "secretName")},
                  {"mountPath", mount.path}}};
  }
  return Wrong(fmt::format("volume '{}' is of a kind that is not offered here", mount.name),
               "use persistentVolumeClaim, hostPath, nfs, emptyDir or secret");
}

Status TakeMount(const json::object& item, const json::value* volumes, json::object& spec) {
  const Mount mount{TextOrEmpty(item, "name"), TextOrEmpty(item, "mountPath"),
                    wire::FlagOrFalse(item, "readOnly")};
  if (mount.name.empty() || mount.path.empty()) return Wrong("a mount needs name and mountPath");
  if (item.contains("subPath") || item.contains("subPathExpr")) {
    return Wrong(fmt::format("a part of volume '{}' cannot be mounted", mount.name),
                 "leave out subPath");
  }
  const json::object* volume = VolumeNamed(volumes, mount.name);
  if (volume == nullptr) return Wrong(fmt::format("there is no volume '{}'", mount.name));
  if (mount.path == kSharedMemory && ObjectIn(*volume, "emptyDir") != nullptr) {
    auto& compute = spec.emplace("compute", json::object()).first->value();
    compute.as_object()["largeShmRequest"] = true;
    return {};
  }
  YARD_ASSIGN(Entry entry, EntryOf(mount, *volume));
  auto& storage = spec.emplace("storage", json::object()).first->value().as_object();
  auto& list = storage.emplace(entry.list, json::array()).first->value().as_array();
  list.push_back(std::move(entry.fields));
  return {};
}

}  // namespace

Status TakeVolumes(const Volumes& given, json::object& spec) {
  if (given.mounts == nullptr) return {};
  const json::array* mounts = given.mounts->if_array();
  if (mounts == nullptr) return Wrong("must be a list");
  for (const json::value& item : *mounts) {
    const json::object* mount = item.if_object();
    if (mount == nullptr) return Wrong("must be a list of objects");
    YARD_TRY(TakeMount(*mount, given.volumes, spec));
  }
  return {};
}

}  // namespace yard::facade::farm
