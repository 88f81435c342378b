#include "cli/vpn/profiles.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/file.h"

namespace yard::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 40;
constexpr const char* kEndings[] = {".ovpn", ".sock", ".pid", ".log", ".host", ".v3"};

bool IsPlainName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name.front() != '-' &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_';
         });
}

}  // namespace

Status WriteOwn(const std::string& path, std::string_view text) {
  ::unlink(path.c_str());
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()))
    return {};
  return Fail(Code::kUnavailable, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

Result<VpnConfig> ReadInstalled(const VpnProfile& profile) {
  YARD_ASSIGN(std::string text, ReadFile(profile.File(".ovpn")));
  return ReadVpnConfig(text, [](const std::string& path) -> Result<std::string> {
    return Fail(Code::kInvalid, fmt::format("'{}' is not part of the profile", path));
  });
}

std::vector<VpnProfile> VpnProfiles::All() const {
  std::vector<VpnProfile> all;
  std::error_code error;
  for (const fs::directory_entry& item : fs::directory_iterator(folder_, error)) {
    const fs::path& path = item.path();
    if (path.extension() != ".ovpn") continue;
    all.push_back({path.stem().string(), (path.parent_path() / path.stem()).string()});
  }
  std::ranges::sort(all, {}, &VpnProfile::name);
  return all;
}

Result<VpnProfile> VpnProfiles::Find(const std::string& name) const {
  const std::vector<VpnProfile> all = All();
  if (name.empty() && all.size() == 1) return all.front();
  const auto found = std::ranges::find(all, name, &VpnProfile::name);
  if (found != all.end()) return *found;
  if (all.empty())
    return Fail(Code::kNotFound, "no VPN profile is installed", "`gpuyard vpn install FILE.ovpn`");
  std::string names;
  for (const VpnProfile& one : all) names += (names.empty() ? "" : ", ") + one.name;
  return Fail(Code::kNotFound,
              name.empty() ? "there are several VPN profiles"
                           : fmt::format("there is no VPN profile '{}'", name),
              fmt::format("name one of {}", names));
}

Result<VpnProfile> VpnProfiles::Install(const std::string& name, const VpnConfig& config) const {
  if (!IsPlainName(name))
    return Fail(Code::kInvalid, fmt::format("'{}' is no name for a profile", name),
                "letters, digits, '-' and '_', at most 40: --name NAME");
  std::error_code error;
  fs::create_directories(folder_, error);
  fs::permissions(folder_, fs::perms::owner_all, error);
  if (error)
    return Fail(Code::kUnavailable, fmt::format("cannot make {}: {}", folder_, error.message()));
  VpnProfile profile{name, fmt::format("{}/{}", folder_, name)};
  YARD_TRY(WriteOwn(profile.File(".ovpn"), config.text));
  return profile;
}

Status VpnProfiles::Remove(const VpnProfile& profile) const {
  for (const char* ending : kEndings) {
    const std::string path = profile.File(ending);
    if (::unlink(path.c_str()) != 0 && errno != ENOENT)
      return Fail(Code::kUnavailable,
                  fmt::format("cannot remove {}: {}", path, std::strerror(errno)));
  }
  return {};
}

std::vector<std::string> VpnProfiles::Twins(const std::string& name,
                                            const VpnConfig& config) const {
  std::vector<std::string> twins;
  for (const VpnProfile& other : All()) {
    if (other.name == name || config.certificate.empty()) continue;
    const Result<VpnConfig> theirs = ReadInstalled(other);
    if (theirs && theirs->certificate == config.certificate) twins.push_back(other.name);
  }
  return twins;
}

}  // namespace yard::cli
