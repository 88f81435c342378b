#include "cli/vpn/verbs.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/file.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "cli/vpn/config.h"
#include "cli/vpn/profiles.h"
#include "cli/vpn/tunnel.h"
#include "cli/work/view.h"

namespace yard::cli {
namespace {

namespace fs = std::filesystem;
using client::Outcome;

// A connection may be lost once by itself; twice soon after it stood is a sign.
constexpr int kSuspicious = 2;

struct VpnArguments {
  std::string name;
  std::string file;
  std::string client;
  std::int64_t timeout = 60;
};

VpnProfiles ProfilesOf(const Session& session) {
  return VpnProfiles(fs::path(session.around().profile_path).parent_path() / "vpn");
}

Outcome<void> Install(Session& session, const VpnArguments& arguments) {
  YARD_ASSIGN(std::string text, ReadInput(session, arguments.file));
  const fs::path folder = fs::path(arguments.file).parent_path();
  YARD_ASSIGN(VpnConfig config, ReadVpnConfig(text, [&folder](const std::string& path) {
                return ReadFile((folder / path).string());
              }));
  std::string name = arguments.name;
  if (name.empty()) name = fs::path(arguments.file).stem().string();
  const VpnProfiles profiles = ProfilesOf(session);
  YARD_ASSIGN(VpnProfile profile, profiles.Install(name, config));
  for (const std::string& twin : profiles.Twins(name, config))
    session.Note(
        fmt::format("warning: '{}' has the same certificate as '{}'; the server takes both "
                    "for one machine, and each new connection throws the other out",
                    name, twin));
  session.Note(fmt::format("VPN profile '{}' is installed; `gpuyard vpn connect {}`", profile.name,
                           profile.name));
  return {};
}

Outcome<void> Connect(Session& session, const VpnArguments& arguments) {
  const VpnProfiles profiles = ProfilesOf(session);
  YARD_ASSIGN(VpnProfile profile, profiles.Find(arguments.name));
  // An older version may have taken more along than this one does.
  YARD_ASSIGN(VpnConfig config, ReadInstalled(profile));
  YARD_TRY(profiles.Install(profile.name, config));
  YARD_ASSIGN(VpnClient client, VpnClientNamed(arguments.client));
  if (const std::string other = OtherHostOf(profile); !other.empty())
    session.Note(
        fmt::format("warning: '{}' was connected on {} and not disconnected there; two "
                    "machines with one profile throw each other out, so ask for a profile "
                    "for each",
                    profile.name, other));
  YARD_ASSIGN(
      std::optional<VpnStep> step,
      ConnectVpn(session, profile, {.client = client, .patience = Seconds(arguments.timeout)}));
  if (step)
    session.Note(fmt::format("connected to {}; this machine is {}", step->remote, step->address));
  else
    session.Note(fmt::format("VPN profile '{}' is connected", profile.name));
  return {};
}

Outcome<void> Disconnect(Session& session, const VpnArguments& arguments) {
  YARD_ASSIGN(VpnProfile profile, ProfilesOf(session).Find(arguments.name));
  YARD_ASSIGN(const bool was, DisconnectVpn(profile));
  session.Note(fmt::format("VPN profile '{}' {}", profile.name,
                           was ? "is disconnected" : "was not connected"));
  return {};
}

Outcome<void> Uninstall(Session& session, const VpnArguments& arguments) {
  const VpnProfiles profiles = ProfilesOf(session);
  YARD_ASSIGN(VpnProfile profile, profiles.Find(arguments.name));
  YARD_TRY(DisconnectVpn(profile));
  YARD_TRY(profiles.Remove(profile));
  session.Note(fmt::format("VPN profile '{}' is removed", profile.name));
  return {};
}

std::string NoteOf(const VpnProfile& profile, const VpnState& state) {
  if (state.drops >= kSuspicious)
    return fmt::format("lost {} times: another machine probably uses this profile", state.drops);
  const std::string other = OtherHostOf(profile);
  return other.empty() ? std::string() : fmt::format("in use on {}", other);
}

json::object Described(const VpnProfile& profile) {
  const Result<VpnConfig> config = ReadInstalled(profile);
  const VpnState state = StateOf(profile);
  json::object one{{"name", profile.name}, {"connected", false}, {"drops", state.drops}};
  one["remote"] = config ? config->remotes.front() : "";
  one["state"] = state.runs ? (state.by_openvpn3 ? "OPENVPN3" : "STARTING") : "DISCONNECTED";
  if (state.step) {
    one["state"] = state.step->state;
    one["connected"] = state.step->state == "CONNECTED";
    one["address"] = state.step->address;
    one["since"] = FormatRfc3339(state.step->at);
  }
  one["note"] = config ? NoteOf(profile, state) : config.error().message;
  return one;
}

Outcome<void> ShowStatus(Session& session) {
  Table table{.header = {"NAME", "STATE", "ADDRESS", "SINCE", "REMOTE", "NOTE"}, .rows = {}};
  std::vector<json::value> objects;
  for (const VpnProfile& profile : ProfilesOf(session).All()) {
    objects.emplace_back(Described(profile));
    const json::value& one = objects.back();
    table.rows.push_back({TextAt(one, "name"), TextAt(one, "state"), OrDash(TextAt(one, "address")),
                          OrDash(TextAt(one, "since")), OrDash(TextAt(one, "remote")),
                          OrDash(TextAt(one, "note"))});
  }
  if (objects.empty()) session.Hint("no VPN profile is installed: `gpuyard vpn install FILE.ovpn`");
  return PrintTable(session, objects, table);
}

void AddConnecting(const Verb& vpn, Session& session,
                   const std::shared_ptr<VpnArguments>& arguments) {
  Verb verb = vpn.Add("connect", "Connect, and return once the tunnel stands");
  verb.Word("NAME", arguments->name, "the profile; default: the only one")
      .Text("--client", arguments->client, "openvpn or openvpn3; default: what is there", "PROGRAM")
      .Number("--timeout", arguments->timeout, "seconds to wait for the tunnel [60]")
      .Examples("gpuyard vpn connect\ngpuyard vpn connect lab --client openvpn3");
  verb.Run([arguments, &session] { return Connect(session, *arguments); });
  verb = vpn.Add("disconnect", "Disconnect");
  verb.Word("NAME", arguments->name, "the profile; default: the only one")
      .Examples("gpuyard vpn disconnect lab");
  verb.Run([arguments, &session] { return Disconnect(session, *arguments); });
}

}  // namespace

void AddVpn(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<VpnArguments>();
  Verb vpn = Verb(app, session).Add("vpn", "Reach a lab behind OpenVPN");
  vpn.NeedsVerb();
  Verb verb = vpn.Add("install", "Keep a profile: one file, with its keys in it");
  verb.NeedsWord("FILE", arguments->file, "the .ovpn file")
      .Text("--name", arguments->name, "what it is called; default: the file's name", "NAME")
      .Examples("gpuyard vpn install client.ovpn\ngpuyard vpn install client.ovpn --name lab");
  verb.Run([arguments, &session] { return Install(session, *arguments); });
  AddConnecting(vpn, session, arguments);
  verb = vpn.Add("uninstall", "Disconnect, and remove the profile");
  verb.Word("NAME", arguments->name, "the profile; default: the only one")
      .Examples("gpuyard vpn uninstall lab");
  verb.Run([arguments, &session] { return Uninstall(session, *arguments); });
  verb = vpn.Add("status", "The profiles, and which are connected");
  verb.Format().Examples("gpuyard vpn status\ngpuyard vpn status -o json");
  verb.Run([&session] { return ShowStatus(session); });
}

}  // namespace yard::cli
