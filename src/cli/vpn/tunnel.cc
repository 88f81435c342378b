#include "cli/vpn/tunnel.h"

#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/file.h"
#include "base/strings.h"
#include "cli/enter/child.h"

namespace yard::cli {
namespace {

// Often not on the PATH of a person.
constexpr std::array<const char*, 4> kPrograms = {"/usr/sbin/openvpn", "/usr/local/sbin/openvpn",
                                                  "/opt/homebrew/sbin/openvpn", "/usr/bin/openvpn"};
constexpr Micros kBetweenLooks{20'000};
constexpr std::size_t kShownLines = 3;

const char* FindOpenVpn() {
  const auto* found = std::ranges::find_if(
      kPrograms, [](const char* program) { return ::access(program, X_OK) == 0; });
  return found == kPrograms.end() ? nullptr : *found;
}

std::string HostName() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

std::string UserName() {
  const passwd* entry = ::getpwuid(::geteuid());
  return entry == nullptr ? std::string() : entry->pw_name;
}

std::string NameIn3(const VpnProfile& profile) {
  return "gpuyard-" + profile.name;
}

// The end of what OpenVPN wrote, for people.
std::string LastWords(const VpnProfile& profile) {
  const std::string text = ReadFileOrEmpty(profile.File(".log"));
  std::vector<std::string_view> lines = Split(Trim(text), '\n');
  const std::size_t first = lines.size() > kShownLines ? lines.size() - kShownLines : 0;
  std::string words;
  for (std::size_t i = first; i < lines.size(); ++i) words += fmt::format("{}\n", lines[i]);
  return std::string(Trim(words));
}

Status RunWell(const std::vector<std::string>& words) {
  YARD_ASSIGN(const int code, RunProgram(words));
  if (code == 0) return {};
  return Fail(Code::kPrecondition, fmt::format("'{}' ended with {}", words.front(), code),
              "see its message above");
}

// Whether the process whose number the daemon wrote down lives.
bool Lives(const VpnProfile& profile) {
  const std::string pid(Trim(ReadFileOrEmpty(profile.File(".pid"))));
  if (!ParseInt(pid)) return false;
  const std::string stat = ReadFileOrEmpty(fmt::format("/proc/{}/stat", pid));
  return !stat.empty() && !stat.contains(") Z ");
}

// With programs of the profile's own refused once more, whatever it says.
Status StartDaemon(const VpnProfile& profile) {
  const char* program = FindOpenVpn();
  if (program == nullptr)
    return Fail(Code::kNotFound, "OpenVPN is not on this machine",
                "install it, for example `sudo apt install openvpn`");
  for (const char* ending : {".sock", ".pid"}) ::unlink(profile.File(ending).c_str());
  // Made here, so that the person can read what root writes into it.
  YARD_TRY(WriteOwn(profile.File(".log"), ""));
  std::vector<std::string> words = {program,
                                    "--config",
                                    profile.File(".ovpn"),
                                    "--script-security",
                                    "1",
                                    "--daemon",
                                    "gpuyard-vpn",
                                    "--writepid",
                                    profile.File(".pid"),
                                    "--log",
                                    profile.File(".log"),
                                    "--management",
                                    profile.File(".sock"),
                                    "unix"};
  if (::geteuid() != 0) {
    words.insert(words.begin(), {"sudo", "--"});
    words.insert(words.end(), {"--management-client-user", UserName()});
  }
  Status started = RunWell(words);
  if (started) return started;
  const std::string said = LastWords(profile);
  return said.empty() ? started : Fail(Code::kPrecondition, said, "mend the profile");
}

Result<VpnManagement> AwaitManagement(Session& session, const VpnProfile& profile, Time until) {
  for (;;) {
    Result<VpnManagement> management = VpnManagement::Connect(profile.File(".sock"));
    if (management || management.error().code != Code::kNotFound) return management;
    const bool began = ::access(profile.File(".pid").c_str(), F_OK) == 0;
    if ((began && !Lives(profile)) || session.around().clock.Now() >= until)
      return Fail(Code::kPrecondition, "OpenVPN ended: " + LastWords(profile));
    session.around().wait(kBetweenLooks);
  }
}

Result<VpnStep> AwaitTunnel(Session& session, VpnManagement& management, Time until) {
  YARD_ASSIGN(std::vector<VpnStep> steps, management.Steps());
  VpnStep last = steps.empty() ? VpnStep() : std::move(steps.back());
  while (last.state != "CONNECTED") {
    const Micros left = until - session.around().clock.Now();
    if (left.value <= 0)
      return Fail(Code::kUnavailable, fmt::format("no tunnel came about; the last step was {} {}",
                                                  last.state, last.detail));
    YARD_ASSIGN(std::optional<VpnStep> next, management.Next(left));
    if (next) last = *std::move(next);
  }
  return last;
}

Result<std::optional<VpnStep>> ConnectBy2(Session& session, const VpnProfile& profile,
                                          Micros patience) {
  const Time until = session.around().clock.Now() + patience;
  YARD_TRY(StartDaemon(profile));
  YARD_ASSIGN(VpnManagement management, AwaitManagement(session, profile, until));
  Result<VpnStep> step = AwaitTunnel(session, management, until);
  if (step) return *std::move(step);
  // Nothing may go on trying behind the person's back.
  const bool stopped = management.Stop().has_value();
  ::unlink(profile.File(".sock").c_str());
  return Fail(Code::kUnavailable,
              fmt::format("{}{}: {}", step.error().message,
                          stopped ? "" : ", and OpenVPN has ended", LastWords(profile)),
              "is the VPN server up, and is the profile still valid?");
}

Status ConnectBy3(const VpnProfile& profile) {
  YARD_TRY(RunWell({"openvpn3", "config-import", "--config", profile.File(".ovpn"), "--name",
                    NameIn3(profile), "--persistent"}));
  YARD_TRY(WriteOwn(profile.File(".v3"), ""));
  return RunWell({"openvpn3", "session-start", "--config", NameIn3(profile)});
}

}  // namespace

Result<VpnClient> VpnClientNamed(const std::string& name) {
  if (name == "openvpn") return VpnClient::kOpenVpn2;
  if (name == "openvpn3") return VpnClient::kOpenVpn3;
  if (!name.empty())
    return Fail(Code::kInvalid, fmt::format("'{}' is no client", name), "openvpn or openvpn3");
  const bool only_3 = FindOpenVpn() == nullptr && ::access("/usr/bin/openvpn3", X_OK) == 0;
  return only_3 ? VpnClient::kOpenVpn3 : VpnClient::kOpenVpn2;
}

Result<std::optional<VpnStep>> ConnectVpn(Session& session, const VpnProfile& profile,
                                          const VpnWish& wish) {
  const VpnState state = StateOf(profile);
  if (state.runs)
    return Fail(Code::kConflict, fmt::format("VPN profile '{}' is connected already", profile.name),
                fmt::format("`gpuyard vpn disconnect {}` first", profile.name));
  std::optional<VpnStep> step;
  if (wish.client == VpnClient::kOpenVpn3) {
    YARD_TRY(ConnectBy3(profile));
  } else {
    YARD_ASSIGN(step, ConnectBy2(session, profile, wish.patience));
  }
  YARD_TRY(WriteOwn(profile.File(".host"), HostName() + "\n"));
  return step;
}

Result<bool> DisconnectVpn(const VpnProfile& profile) {
  if (::access(profile.File(".v3").c_str(), F_OK) == 0) {
    YARD_TRY(RunWell({"openvpn3", "session-manage", "--config", NameIn3(profile), "--disconnect"}));
    YARD_TRY(RunWell({"openvpn3", "config-remove", "--config", NameIn3(profile), "--force"}));
    ::unlink(profile.File(".v3").c_str());
  } else {
    Result<VpnManagement> management = VpnManagement::Connect(profile.File(".sock"));
    if (!management && management.error().code == Code::kNotFound) return false;
    if (!management) return Fail(management.error());
    YARD_TRY(management->Stop());
  }
  for (const char* ending : {".host", ".sock", ".pid"}) ::unlink(profile.File(ending).c_str());
  return true;
}

VpnState StateOf(const VpnProfile& profile) {
  VpnState state;
  state.by_openvpn3 = ::access(profile.File(".v3").c_str(), F_OK) == 0;
  state.runs = state.by_openvpn3;
  if (state.runs) return state;
  Result<VpnManagement> management = VpnManagement::Connect(profile.File(".sock"));
  if (!management) return state;
  Result<std::vector<VpnStep>> steps = management->Steps();
  if (!steps) return state;
  state.runs = true;
  state.drops = DropsOf(*steps);
  if (!steps->empty()) state.step = steps->back();
  return state;
}

std::string OtherHostOf(const VpnProfile& profile) {
  std::string host(Trim(ReadFileOrEmpty(profile.File(".host"))));
  return host == HostName() ? std::string() : host;
}

}  // namespace yard::cli
