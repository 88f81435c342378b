#include "cli/cluster/description.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/fd.h"
#include "base/file.h"
#include "base/strings.h"
#include "base/uuid.h"
#include "cli/cluster/names.h"
#include "cli/output.h"
#include "cli/yaml.h"

namespace yard::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHosts = 256;
constexpr std::int64_t kMostPort = 65535;
constexpr std::string_view kEnding = ".yaml";

std::unexpected<Error> Refuse(std::string message, std::string next = {}) {
  return Fail(Code::kInvalid, std::move(message), std::move(next));
}

Status CheckHosts(const std::vector<std::string>& hosts) {
  if (hosts.empty()) return Refuse("a cluster needs a host", "--hosts gpu1,gpu2");
  if (hosts.size() > kMostHosts)
    return Refuse(fmt::format("a cluster has at most {} hosts", kMostHosts));
  std::set<std::string_view> seen;
  for (const std::string& host : hosts) {
    YARD_TRY(CheckHostName(host));
    if (!seen.insert(host).second) return Refuse(fmt::format("'{}' is named twice", host));
  }
  return {};
}

Status CheckWay(const SshWay& way) {
  if (way.user != "root" && !IsAccountName(way.user))
    return Refuse(fmt::format("'{}' is not an account", way.user), "--ssh-user root");
  if (way.port < 0 || way.port > kMostPort)
    return Refuse(fmt::format("{} is not a port", way.port), "--ssh-port 22");
  for (const std::string& path : {way.key, way.known_hosts})
    if (!path.empty() && !IsPlainPath(path)) return Refuse(fmt::format("'{}' is not a file", path));
  return {};
}

}  // namespace

Status CheckDescription(const ClusterDescription& cluster) {
  YARD_TRY(CheckClusterName(cluster.name));
  YARD_TRY(CheckHosts(cluster.hosts));
  YARD_TRY(CheckWay(cluster.way));
  if (!IsAccountName(cluster.account))
    return Refuse(fmt::format("'{}' is not an account that jobs can run as", cluster.account),
                  "small letters, digits, '-' and '_'; not root");
  if (!IsSharedFolder(cluster.folder))
    return Refuse(fmt::format("'{}' is not a folder for a cluster", cluster.folder),
                  "an absolute path of letters, digits, '.', '-' and '_', at most 80 bytes");
  if (!cluster.server_folder.empty() && !IsPlainPath(cluster.server_folder))
    return Refuse(fmt::format("'{}' is not a folder", cluster.server_folder));
  if (!ParseUuid(cluster.id)) return Refuse(fmt::format("'{}' is not an id", cluster.id));
  return {};
}

std::string WriteDescription(const ClusterDescription& cluster) {
  json::object object{{"name", cluster.name}, {"engine", "slurm"}};
  json::array& hosts = object["hosts"].emplace_array();
  for (const std::string& host : cluster.hosts) hosts.emplace_back(host);
  object["ssh-user"] = cluster.way.user;
  object["ssh-port"] = cluster.way.port;
  object["ssh-key"] = cluster.way.key;
  object["ssh-known-hosts"] = cluster.way.known_hosts;
  object["account"] = cluster.account;
  object["folder"] = cluster.folder;
  object["server-folder"] = cluster.server_folder;
  object["id"] = cluster.id;
  return WriteYaml(object);
}

Result<ClusterDescription> ReadDescription(std::string_view text) {
  YARD_ASSIGN(std::vector<YamlDocument> documents, ReadYaml(text));
  if (documents.size() != 1) return Refuse("not the description of one cluster");
  const json::value& value = documents.front().value();
  ClusterDescription cluster{.name = TextAt(value, "name"),
                             .hosts = {},
                             .way = {.user = TextAt(value, "ssh-user"),
                                     .port = ParseInt(TextAt(value, "ssh-port")).value_or(-1),
                                     .key = TextAt(value, "ssh-key"),
                                     .known_hosts = TextAt(value, "ssh-known-hosts")},
                             .account = TextAt(value, "account"),
                             .folder = TextAt(value, "folder"),
                             .server_folder = TextAt(value, "server-folder"),
                             .id = TextAt(value, "id")};
  if (const json::array* hosts = At(value, "hosts").if_array())
    for (const json::value& host : *hosts)
      cluster.hosts.emplace_back(host.is_string() ? std::string(host.get_string()) : std::string());
  YARD_TRY(CheckDescription(cluster));
  return cluster;
}

Status ReplaceFile(const std::string& path, std::string_view text, FileMode mode) {
  auto failed = [&path] {
    return Fail(Code::kUnavailable, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  };
  const std::string fresh = path + ".new";
  ::unlink(fresh.c_str());
  const UniqueFd file(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) return failed();
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::fchmod(file.get(), static_cast<mode_t>(mode)) != 0 || ::fsync(file.get()) != 0 ||
      ::rename(fresh.c_str(), path.c_str()) != 0)
    return failed();
  return {};
}

std::string ClusterFolder::FileOf(const std::string& name, std::string_view ending) const {
  return fmt::format("{}/{}{}", path_, name, ending);
}

Status ClusterFolder::Save(const ClusterDescription& cluster) const {
  std::error_code error;
  fs::create_directories(path_, error);
  fs::permissions(path_, fs::perms::owner_all, error);
  if (error)
    return Fail(Code::kUnavailable, fmt::format("cannot make {}: {}", path_, error.message()));
  return ReplaceFile(FileOf(cluster.name, kEnding), WriteDescription(cluster), FileMode::kOwn);
}

std::vector<std::string> ClusterFolder::Names() const {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& item : fs::directory_iterator(path_, error))
    if (item.path().extension() == kEnding) names.push_back(item.path().stem().string());
  std::ranges::sort(names);
  return names;
}

Result<ClusterDescription> ClusterFolder::Find(const std::string& name) const {
  const std::vector<std::string> names = Names();
  if (names.empty())
    return Fail(Code::kNotFound, "no cluster was made from here",
                "`gpuyard cluster create --engine slurm --hosts …` with its hosts finds it again");
  if (name.empty() && names.size() > 1)
    return Fail(Code::kInvalid, "there are several clusters",
                fmt::format("name one of {}", Join(names, ", ")));
  const std::string wanted = name.empty() ? names.front() : name;
  if (std::ranges::find(names, wanted) == names.end())
    return Fail(Code::kNotFound, fmt::format("there is no cluster '{}'", wanted),
                fmt::format("name one of {}", Join(names, ", ")));
  const std::string path = FileOf(wanted, kEnding);
  YARD_ASSIGN(std::string text, ReadFile(path));
  Result<ClusterDescription> cluster = ReadDescription(text);
  if (cluster) return cluster;
  return Fail(cluster.error().code, fmt::format("{}: {}", path, cluster.error().message),
              cluster.error().details);
}

Status ClusterFolder::Remove(const std::string& name) const {
  const std::string path = FileOf(name, kEnding);
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return Fail(Code::kUnavailable, fmt::format("cannot remove {}: {}", path, std::strerror(errno)));
}

}  // namespace yard::cli
