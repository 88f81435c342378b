// The VPN profiles of a person: files in a folder of their own, and what is known of who uses them.
//
// NAME.ovpn is the profile; NAME.sock, NAME.pid and NAME.log belong to the OpenVPN that runs with
// it; NAME.host names the machine that connected with it last, for homes that machines share;
// NAME.v3 says that OpenVPN 3 has it. Every call does input and output. One thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/vpn/config.h"

namespace yard::cli {

struct VpnProfile {
  std::string name;
  std::string base;  // path without the ending

  std::string File(const char* ending) const { return base + ending; }
};

class VpnProfiles {
 public:
  explicit VpnProfiles(std::string folder) : folder_(std::move(folder)) {}

  // In alphabetical order.
  std::vector<VpnProfile> All() const;
  // An empty name is the only one there is.
  Result<VpnProfile> Find(const std::string& name) const;
  // Replaces one of that name. kInvalid if the name is no plain one.
  Result<VpnProfile> Install(const std::string& name, const VpnConfig& config) const;
  Status Remove(const VpnProfile& profile) const;
  // Other profiles with the same certificate: the server takes them for the same client.
  std::vector<std::string> Twins(const std::string& name, const VpnConfig& config) const;

 private:
  const std::string folder_;
};

// As it was installed.
Result<VpnConfig> ReadInstalled(const VpnProfile& profile);
// Only for its owner; over what is there.
Status WriteOwn(const std::string& path, std::string_view text);

}  // namespace yard::cli
