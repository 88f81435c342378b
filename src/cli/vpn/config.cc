#include "cli/vpn/config.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::cli {
namespace {

constexpr std::size_t kLongestLine = 1000;
constexpr std::size_t kMostBytes = 1 << 20;

// Directives of clients that start no program, read no further file and write none.
constexpr std::array<std::string_view, 85> kKnown = {"allow-compression",
                                                     "auth",
                                                     "auth-nocache",
                                                     "auth-retry",
                                                     "bind",
                                                     "block-ipv6",
                                                     "cipher",
                                                     "client",
                                                     "comp-lzo",
                                                     "compress",
                                                     "connect-retry",
                                                     "connect-retry-max",
                                                     "connect-timeout",
                                                     "data-ciphers",
                                                     "data-ciphers-fallback",
                                                     "dev",
                                                     "dev-type",
                                                     "dhcp-option",
                                                     "disable-dco",
                                                     "explicit-exit-notify",
                                                     "fast-io",
                                                     "float",
                                                     "fragment",
                                                     "hand-window",
                                                     "ifconfig",
                                                     "ifconfig-ipv6",
                                                     "ifconfig-nowarn",
                                                     "inactive",
                                                     "keepalive",
                                                     "key-direction",
                                                     "link-mtu",
                                                     "local",
                                                     "lport",
                                                     "mssfix",
                                                     "mtu-disc",
                                                     "mute",
                                                     "mute-replay-warnings",
                                                     "ncp-ciphers",
                                                     "ncp-disable",
                                                     "nobind",
                                                     "passtos",
                                                     "peer-fingerprint",
                                                     "persist-key",
                                                     "persist-tun",
                                                     "ping",
                                                     "ping-exit",
                                                     "ping-restart",
                                                     "ping-timer-rem",
                                                     "port",
                                                     "proto",
                                                     "pull",
                                                     "pull-filter",
                                                     "rcvbuf",
                                                     "redirect-gateway",
                                                     "redirect-private",
                                                     "remote",
                                                     "remote-cert-eku",
                                                     "remote-cert-ku",
                                                     "remote-cert-tls",
                                                     "remote-random",
                                                     "remote-random-hostname",
                                                     "reneg-bytes",
                                                     "reneg-pkts",
                                                     "reneg-sec",
                                                     "replay-window",
                                                     "resolv-retry",
                                                     "route",
                                                     "route-delay",
                                                     "route-gateway",
                                                     "route-ipv6",
                                                     "route-metric",
                                                     "route-nopull",
                                                     "rport",
                                                     "server-poll-timeout",
                                                     "sndbuf",
                                                     "tls-cipher",
                                                     "tls-ciphersuites",
                                                     "tls-client",
                                                     "tls-timeout",
                                                     "tls-version-max",
                                                     "tls-version-min",
                                                     "topology",
                                                     "tran-window",
                                                     "tun-mtu",
                                                     "verb"};
// With a file, or its content between <NAME> and </NAME>.
constexpr std::array<std::string_view, 10> kFiles = {
    "ca",           "cert",        "key",        "tls-auth",       "tls-crypt",
    "tls-crypt-v2", "extra-certs", "crl-verify", "auth-user-pass", "secret"};
// Passed on to other programs as environment, so only these.
constexpr std::array<std::string_view, 3> kVariables = {"CLIENT_CERT", "FRIENDLY_NAME",
                                                        "PUSH_PEER_INFO"};

bool IsOneOf(const auto& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// Of plain words alone: a quoted or escaped name would be read differently by OpenVPN.
bool IsPlain(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

// A word that begins with a quote goes to the next one, and keeps both.
std::vector<std::string> WordsOf(std::string_view line) {
  std::vector<std::string> words;
  for (line = Trim(line); !line.empty(); line = Trim(line)) {
    const bool quoted = line.front() == '"' || line.front() == '\'';
    std::size_t end = quoted ? line.find(line.front(), 1) : line.find_first_of(" \t");
    if (quoted && end != std::string_view::npos) ++end;
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end, line.size()));
  }
  return words;
}

std::string Unquoted(std::string_view word) {
  const bool quoted = word.size() > 1 && (word.front() == '"' || word.front() == '\'') &&
                      word.back() == word.front();
  return std::string(quoted ? word.substr(1, word.size() - 2) : word);
}

class Reader {
 public:
  explicit Reader(const ReadVpnFile& read) : read_(read) {}

  Status Take(std::string_view line) {
    ++number_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > kLongestLine || line.contains('\0')) return Refuse("is no line of a profile");
    const std::string_view said = Trim(line);
    if (!block_.empty()) return TakeInside(line, said);
    if (said.empty() || said.front() == '#' || said.front() == ';') return {};
    if (said.front() == '<' && said != "</connection>") return Open(said);
    return TakeDirective(said);
  }

  Result<VpnConfig> Finish() {
    if (!block_.empty()) return Fail(Code::kInvalid, fmt::format("<{}> is not closed", block_));
    if (config_.remotes.empty() || !is_client_)
      return Fail(Code::kInvalid, "it is no profile of a client: 'client' and 'remote' are missing",
                  "ask the operator of the VPN for the .ovpn file of your machine");
    return std::move(config_);
  }

 private:
  std::unexpected<Error> Refuse(std::string_view why, std::string next = {}) const {
    return Fail(Code::kInvalid, fmt::format("line {} {}", number_, why), std::move(next));
  }

  Status Open(std::string_view said) {
    const std::string name(said.substr(1, said.size() - (said.ends_with('>') ? 2 : 1)));
    const bool is_connection = name == "connection";
    if (!said.ends_with('>') || (!is_connection && !IsOneOf(kFiles, name)))
      return Refuse(fmt::format("opens <{}>, which is not known here", name));
    config_.text += fmt::format("<{}>\n", name);
    if (is_connection) return {};
    block_ = name;
    content_.clear();
    return {};
  }

  // OpenVPN ends a block at a line, or at a piece of a long line, that only begins like its end,
  // and the block around this one too. All that follows would be directives.
  Status TakeInside(std::string_view line, std::string_view said) {
    if (said != fmt::format("</{}>", block_)) {
      if (line.contains("</")) return Refuse(fmt::format("is no part of a {}", block_));
      content_ += fmt::format("{}\n", line);
      return {};
    }
    config_.text += fmt::format("{}</{}>\n", content_, block_);
    if (block_ == "cert") config_.certificate = std::string(Trim(content_));
    block_.clear();
    return {};
  }

  Status TakeDirective(std::string_view said) {
    if (said == "</connection>") {
      config_.text += "</connection>\n";
      return {};
    }
    std::vector<std::string> words = WordsOf(said);
    if (words[0].starts_with("--")) words[0].erase(0, 2);
    const std::string& name = words[0];
    if (IsPlain(name) && IsOneOf(kFiles, name)) return TakeFile(words);
    if (name == "setenv" && words.size() > 1 && words[1] == "opt") return TakeOptional(words);
    const bool is_variable = name == "setenv" && words.size() > 1 && IsOneOf(kVariables, words[1]);
    if (!is_variable && !(IsPlain(name) && IsOneOf(kKnown, name)))
      return Refuse(fmt::format("has '{}', which may run programs or is not known here", name),
                    "take the line out if you do not need it");
    if (name == "client" || name == "tls-client") is_client_ = true;
    if (name == "remote" && words.size() > 1)
      config_.remotes.push_back(words.size() > 2 ? words[1] + " " + words[2] : words[1]);
    config_.text += fmt::format("{}\n", said);
    return {};
  }

  // "setenv opt DIRECTIVE" is the directive itself, for clients that know it. Left out otherwise.
  Status TakeOptional(const std::vector<std::string>& words) {
    const bool known = words.size() > 2 && IsPlain(words[2]) &&
                       (IsOneOf(kKnown, words[2]) || IsOneOf(kFiles, words[2]));
    return known ? TakeDirective(Join({words.begin() + 2, words.end()}, " ")) : Status();
  }

  Status TakeFile(const std::vector<std::string>& words) {
    const std::string& name = words[0];
    if (words.size() > 2) {
      if (name == "tls-auth") config_.text += fmt::format("key-direction {}\n", words[2]);
    }
    if (words.size() < 2) {
      // The user and the password are asked for.
      if (name != "auth-user-pass") return Refuse(fmt::format("names no file for '{}'", name));
      config_.text += "auth-user-pass\n";
      return {};
    }
    if (words[1] == "[inline]") return {};
    Result<std::string> content = read_(Unquoted(words[1]));
    if (!content) return Refuse(fmt::format("names a file: {}", content.error().message));
    if (content->contains("</")) return Refuse(fmt::format("names a file that is no {}", name));
    config_.text += fmt::format("<{0}>\n{1}\n</{0}>\n", name, Trim(*content));
    if (name == "cert") config_.certificate = std::string(Trim(*content));
    return {};
  }

  const ReadVpnFile& read_;
  VpnConfig config_;
  int number_ = 0;
  bool is_client_ = false;
  std::string block_;    // whose content comes
  std::string content_;  // of it
};

}  // namespace

Result<VpnConfig> ReadVpnConfig(std::string_view text, const ReadVpnFile& read) {
  if (text.size() > kMostBytes) return Fail(Code::kInvalid, "it is larger than any profile");
  Reader reader(read);
  for (std::string_view line : Split(text, '\n')) YARD_TRY(reader.Take(line));
  return reader.Finish();
}

}  // namespace yard::cli
