#include "control/policy/host_access.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/refuse.h"
#include "base/strings.h"
#include "control/policy/values.h"
#include "wire/asset.h"
#include "wire/enums.h"
#include "wire/setting.h"

namespace yard::control {
namespace {

constexpr std::string_view kPrefix = "host-access/";
constexpr std::string_view kClosedKey = "host-access/closed";
constexpr std::int64_t kLastId = 4'294'967'294;

constexpr std::array<std::string_view, 14> kUsual{
    "CHOWN",   "DAC_OVERRIDE", "FSETID",           "FOWNER",
    "MKNOD",   "NET_RAW",      "SETGID",           "SETUID",
    "SETFCAP", "SETPCAP",      "NET_BIND_SERVICE", "SYS_CHROOT",
    "KILL",    "AUDIT_WRITE"};
constexpr std::array<std::string_view, 27> kListable{
    "AUDIT_CONTROL",   "AUDIT_READ",   "BLOCK_SUSPEND", "BPF",           "CHECKPOINT_RESTORE",
    "DAC_READ_SEARCH", "IPC_LOCK",     "IPC_OWNER",     "LEASE",         "LINUX_IMMUTABLE",
    "MAC_ADMIN",       "MAC_OVERRIDE", "NET_ADMIN",     "NET_BROADCAST", "PERFMON",
    "SYSLOG",          "SYS_ADMIN",    "SYS_BOOT",      "SYS_MODULE",    "SYS_NICE",
    "SYS_PACCT",       "SYS_PTRACE",   "SYS_RAWIO",     "SYS_RESOURCE",  "SYS_TIME",
    "SYS_TTY_CONFIG",  "WAKE_ALARM"};

bool Suffices(MountAccess granted, MountAccess wanted) {
  return granted == MountAccess::kWrite || wanted == MountAccess::kRead;
}

std::optional<IdRange> ReadRange(std::string_view text) {
  std::size_t dash = text.find('-');
  std::optional<std::int64_t> first = ParseInt(text.substr(0, dash));
  std::optional<std::int64_t> last =
      dash == std::string_view::npos ? first : ParseInt(text.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first || *last > kLastId) return std::nullopt;
  return IdRange{*first, *last};
}

class ListReader {
 public:
  ListReader(const json::object& body, const std::vector<std::string>& closed)
      : body_(body), closed_(closed) {}

  Result<HostAccess> Read() {
    ReadPaths();
    ReadClaims();
    ReadTexts("capabilities", [&](std::string_view text) { return TakeCapability(text); });
    ReadTexts("ids", [&](std::string_view text) { return TakeIds(text); });
    access_.network = FlagOrFalse(body_, "hostNetwork");
    access_.ipc = FlagOrFalse(body_, "hostIpc");
    YARD_TRY(RefuseFields(std::move(issues_)));
    return std::move(access_);
  }

 private:
  void ReadPaths() {
    const json::array& list = ListOrEmpty(body_, "paths");
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_object()) continue;
      const json::object& item = list[i].get_object();
      std::string problem =
          TakePath(TextOrEmpty(item, "path"),
                   FlagOrFalse(item, "readOnly") ? MountAccess::kRead : MountAccess::kWrite);
      if (!problem.empty()) issues_.push_back({fmt::format("paths[{}].path", i), problem});
    }
  }

  void ReadClaims() {
    const json::array& list = ListOrEmpty(body_, "claims");
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_object()) continue;
      const json::object& item = list[i].get_object();
      ClaimGrant grant{
          .claim = std::string(TextOrEmpty(item, "name")),
          .source = std::string(TextOrEmpty(item, "source")),
          .access = FlagOrFalse(item, "readOnly") ? MountAccess::kRead : MountAccess::kWrite};
      std::string problem = TakeClaim(std::move(grant));
      if (!problem.empty()) issues_.push_back({fmt::format("claims[{}].source", i), problem});
    }
  }

  // A folder of the machines, checked as one that is listed, or a folder of an NFS server.
  std::string TakeClaim(ClaimGrant grant) {
    const std::size_t colon = grant.source.find(":/");
    const bool nfs = colon != std::string::npos && colon > 0;
    if (nfs && (grant.source.starts_with('-') || !NormalPath(grant.source.substr(colon + 1))))
      return "must be SERVER:/EXPORT without '..' and commas";
    if (!nfs) {
      std::string problem = TakePath(grant.source, grant.access);
      if (!problem.empty()) return problem;
      grant.source = access_.paths.back().path;
      access_.paths.pop_back();  // the volume is granted, not its path
    }
    access_.claims.push_back(std::move(grant));
    return {};
  }

  std::string TakePath(std::string_view text, MountAccess access) {
    std::optional<std::string> path = NormalPath(text);
    if (!path) return "must be an absolute path without '..' or commas";
    if (std::optional<std::string> folder = ClosedFolder(*path, access, closed_)) {
      return fmt::format("can never be mounted{}: it meets {}, which belongs to the system",
                         access == MountAccess::kWrite ? " for writing" : "", *folder);
    }
    access_.paths.push_back({*std::move(path), access});
    return {};
  }

  template <class Take>
  void ReadTexts(std::string_view field, Take take) {
    const json::array& list = ListOrEmpty(body_, field);
    for (std::size_t i = 0; i < list.size(); ++i) {
      std::string problem =
          list[i].is_string() ? take(std::string_view(list[i].get_string())) : "must be a text";
      if (!problem.empty()) issues_.push_back({fmt::format("{}[{}]", field, i), problem});
    }
  }

  std::string TakeCapability(std::string_view text) {
    std::string name = CapabilityName(text);
    if (std::ranges::find(kListable, name) == kListable.end() && !IsUsualCapability(name)) {
      return fmt::format("there is no capability '{}'; for example SYS_PTRACE", text);
    }
    access_.capabilities.push_back(std::move(name));
    return {};
  }

  std::string TakeIds(std::string_view text) {
    std::optional<IdRange> range = ReadRange(text);
    if (!range) return "must be an id or a range of ids, such as 2000 or 2000-2999";
    access_.ids.push_back(*range);
    return {};
  }

  const json::object& body_;
  const std::vector<std::string>& closed_;
  HostAccess access_;
  std::vector<FieldIssue> issues_;
};

// The list of one scope; what cannot be read allows nothing.
void AddListOf(const State& state, const Scope& scope, HostAccess& all) {
  Ptr<Setting> setting = state.Find<Setting>(HostAccessKey(scope));
  if (!setting) return;
  json::value stored = wire::SettingValue(*setting);
  if (!stored.is_object()) return;
  Result<HostAccess> one = ReadHostAccess(stored.get_object(), ClosedFolders(state));
  if (!one) return;
  std::ranges::move(one->paths, std::back_inserter(all.paths));
  std::ranges::move(one->claims, std::back_inserter(all.claims));
  std::ranges::move(one->capabilities, std::back_inserter(all.capabilities));
  std::ranges::move(one->ids, std::back_inserter(all.ids));
  all.network = all.network || one->network;
  all.ipc = all.ipc || one->ipc;
}

void AddAssets(const State& state, const ScopePath& where, HostAccess& all) {
  state.Of<Asset>().Each([&](const Asset& asset) {
    if (asset.kind != AssetKind::kHostPath && asset.kind != AssetKind::kPvc) return;
    std::optional<ScopePath> at = state.PathOf(asset.scope);
    if (!at || !at->Covers(where)) return;
    if (asset.kind == AssetKind::kPvc) {
      ClaimMount claim = wire::ReadClaim(asset);
      if (!claim.existing && !claim.claim.empty()) all.made_claims.push_back(claim.claim);
      return;
    }
    HostPathMount folder = wire::ReadHostPath(asset);
    std::optional<std::string> path = NormalPath(folder.path);
    if (path) all.exact.push_back({*std::move(path), AccessOf(folder)});
  });
}

}  // namespace

std::optional<std::string> HostAccess::FolderFor(std::string_view path, MountAccess wanted) const {
  for (const HostPathGrant& grant : exact) {
    if (grant.path == path && Suffices(grant.access, wanted)) return grant.path;
  }
  for (const HostPathGrant& grant : paths) {
    if (LiesIn(path, grant.path) && Suffices(grant.access, wanted)) return grant.path;
  }
  return std::nullopt;
}

const ClaimGrant* HostAccess::ClaimFor(std::string_view claim) const {
  for (auto grant = claims.rbegin(); grant != claims.rend(); ++grant) {
    if (grant->claim == claim) return &*grant;
  }
  return nullptr;
}

bool HostAccess::MakesClaim(std::string_view claim) const {
  return std::ranges::find(made_claims, claim) != made_claims.end();
}

bool HostAccess::AllowsCapability(std::string_view name) const {
  return IsUsualCapability(name) || std::ranges::find(capabilities, name) != capabilities.end();
}

bool HostAccess::AllowsId(std::int64_t id) const {
  return std::ranges::any_of(
      ids, [&](const IdRange& range) { return range.first <= id && id <= range.last; });
}

MountAccess AccessOf(const HostPathMount& mount) {
  return mount.read_only ? MountAccess::kRead : MountAccess::kWrite;
}

std::string CapabilityName(std::string_view text) {
  std::string name(text);
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return name.starts_with("CAP_") ? name.substr(4) : name;
}

bool IsUsualCapability(std::string_view name) {
  return std::ranges::find(kUsual, name) != kUsual.end();
}

Result<HostAccess> ReadHostAccess(const json::object& body,
                                  const std::vector<std::string>& closed) {
  return ListReader(body, closed).Read();
}

std::string HostAccessKey(const Scope& scope) {
  return fmt::format("{}{}/{}", kPrefix, wire::ToName(scope.type), scope.id);
}

std::optional<Scope> ScopeOfHostAccess(std::string_view key) {
  if (!IsHostAccessKey(key) || key == kClosedKey) return std::nullopt;
  key.remove_prefix(kPrefix.size());
  std::size_t slash = key.find('/');
  std::optional<ScopeType> type = wire::FromName<ScopeType>(key.substr(0, slash));
  if (!type || slash == std::string_view::npos) return std::nullopt;
  return Scope{*type, std::string(key.substr(slash + 1))};
}

bool IsHostAccessKey(std::string_view key) {
  return key.starts_with(kPrefix);
}

std::string ClosedFoldersKey() {
  return std::string(kClosedKey);
}

std::vector<std::string> ClosedFolders(const State& state) {
  std::vector<std::string> folders;
  Ptr<Setting> setting = state.Find<Setting>(ClosedFoldersKey());
  json::value stored = setting ? wire::SettingValue(*setting) : json::value();
  if (!stored.is_array()) return folders;
  for (const json::value& folder : stored.get_array()) {
    if (folder.is_string()) folders.emplace_back(std::string_view(folder.get_string()));
  }
  return folders;
}

HostAccess HostAccessAt(const State& state, const ScopePath& where) {
  HostAccess all;
  AddListOf(state, Scope::Tenant(), all);
  if (where.cluster) AddListOf(state, Scope::Of(*where.cluster), all);
  if (where.department) AddListOf(state, Scope::Of(*where.department), all);
  if (where.project) AddListOf(state, Scope::Of(*where.project), all);
  AddAssets(state, where, all);
  return all;
}

}  // namespace yard::control
