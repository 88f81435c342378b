// Connecting and disconnecting with a profile: by OpenVPN 2 as a daemon with a management socket,
// or by the commands of OpenVPN 3. One thread.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "cli/session.h"
#include "cli/vpn/management.h"
#include "cli/vpn/profiles.h"

namespace yard::cli {

enum class VpnClient { kOpenVpn2, kOpenVpn3 };
// "openvpn" or "openvpn3"; empty: what this machine has, the first one if both.
Result<VpnClient> VpnClientNamed(const std::string& name);

struct VpnWish {
  VpnClient client = VpnClient::kOpenVpn2;
  Micros patience = Seconds(60);  // until it is connected
};
// Returns once the tunnel stands; the step that says so (none of OpenVPN 3). kConflict: it stands
// already. When it does not come about, nothing is left running.
Result<std::optional<VpnStep>> ConnectVpn(Session& session, const VpnProfile& profile,
                                          const VpnWish& wish);
// False: it was not connected.
Result<bool> DisconnectVpn(const VpnProfile& profile);

struct VpnState {
  bool runs = false;
  bool by_openvpn3 = false;  // which says itself how it is
  std::optional<VpnStep> step;
  int drops = 0;
};
VpnState StateOf(const VpnProfile& profile);

// The machine that used the profile last and did not disconnect, if it is another one; else empty.
std::string OtherHostOf(const VpnProfile& profile);

}  // namespace yard::cli
