// What OpenVPN says of itself over its management socket.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "base/time.h"

namespace yard::cli {

// One line of its history: "1700000000,CONNECTED,SUCCESS,10.8.0.2,192.0.2.1,1194,,".
struct VpnStep {
  Time at;
  std::string state;    // CONNECTING, WAIT, AUTH, GET_CONFIG, …, CONNECTED, RECONNECTING, EXITING
  std::string detail;   // why: "ping-restart", "connection-reset"
  std::string address;  // of this machine in the VPN
  std::string remote;
};
std::optional<VpnStep> ParseVpnStep(std::string_view line);

// How often a connection that stood was lost. Two machines with one profile throw each other out
// again and again, and this is all that either of them sees of it.
int DropsOf(const std::vector<VpnStep>& steps);

// One conversation. One thread.
class VpnManagement {
 public:
  // kNotFound if nobody listens there.
  static Result<VpnManagement> Connect(const std::string& path);

  // All steps so far, oldest first; from here on Next tells more.
  Result<std::vector<VpnStep>> Steps();
  // Waits at most so long. Nothing: no step came. kUnavailable: OpenVPN has ended.
  Result<std::optional<VpnStep>> Next(Micros patience);
  // It ends; returns when it has.
  Status Stop();

 private:
  explicit VpnManagement(UniqueFd socket) : socket_(std::move(socket)) {}
  Status Say(std::string_view command);
  // Nothing: none came in time. kUnavailable at the end.
  Result<std::optional<std::string>> Line(Micros patience);

  UniqueFd socket_;
  std::string buffer_;
};

}  // namespace yard::cli
