#include "engine/slurm/ssh_command.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "engine/slurm/words.h"

namespace yard::engine::slurm {
namespace {

// As ssh reads a path among its options: a blank ends a word and a percent sign begins a token.
std::string QuotedPath(std::string_view path) {
  std::string quoted = "\"";
  for (const char c : path) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '%') quoted += '%';
    quoted += c;
  }
  return quoted + '"';
}

// Set here and not left to ssh_config: a job's surroundings must not depend on a person's habits.
std::vector<std::string> Base(const SshOptions& options) {
  std::vector<std::string> words = {"/usr/bin/ssh"};
  auto set = [&](std::string setting) {
    words.emplace_back("-o");
    words.push_back(std::move(setting));
  };
  set("BatchMode=yes");
  set("StrictHostKeyChecking=yes");
  set("ForwardAgent=no");
  set("ForwardX11=no");
  set("ClearAllForwardings=yes");
  set("PermitLocalCommand=no");
  set("ConnectTimeout=10");
  set("ServerAliveInterval=15");
  set("ServerAliveCountMax=2");
  set("LogLevel=ERROR");
  if (!options.known_hosts_file.empty())
    set("UserKnownHostsFile=" + QuotedPath(options.known_hosts_file));
  if (!options.key_file.empty()) {
    set("IdentitiesOnly=yes");
    words.emplace_back("-i");
    words.push_back(options.key_file);
  }
  if (!options.control_path.empty()) {
    set("ControlMaster=auto");
    set("ControlPersist=60");
    set("ControlPath=" + QuotedPath(options.control_path));
  }
  words.emplace_back("-p");
  words.push_back(std::to_string(options.port));
  return words;
}

std::string Target(const SshOptions& options) {
  return options.user.empty() ? options.host : options.user + "@" + options.host;
}

}  // namespace

std::vector<std::string> SshCommand(const SshOptions& options, std::span<const std::string> argv,
                                    Terminal terminal) {
  std::vector<std::string> words = Base(options);
  words.emplace_back(terminal == Terminal::kWanted ? "-tt" : "-T");
  words.emplace_back("--");
  words.push_back(Target(options));
  std::vector<std::string> far = {"exec", "env"};
  for (const auto& [name, value] : options.variables)
    far.push_back(fmt::format("{}={}", name, value));
  far.insert(far.end(), argv.begin(), argv.end());
  // `exec` is the shell's own word and must stand bare.
  words.push_back("exec " + ShellLine(std::span(far).subspan(1)));
  return words;
}

std::vector<std::string> SshForward(const SshOptions& options, std::string_view address,
                                    std::uint16_t port) {
  std::vector<std::string> words = Base(options);
  words.emplace_back("-W");
  words.push_back(fmt::format("[{}]:{}", address, port));
  words.emplace_back("--");
  words.push_back(Target(options));
  return words;
}

std::string ExplainSsh(const SshOptions& options, std::string_view words) {
  const std::string line(Trim(words.substr(0, 500)));
  if (ContainsIgnoreCase(words, "REMOTE HOST IDENTIFICATION HAS CHANGED"))
    return fmt::format(
        "the key of {} has changed since it was recorded; ask its operators, then "
        "replace its line in known_hosts",
        options.host);
  if (ContainsIgnoreCase(words, "host key verification failed"))
    return fmt::format(
        "the key of {} is not known; compare it with what its operators publish and "
        "add it to known_hosts (ssh-keyscan)",
        options.host);
  if (ContainsIgnoreCase(words, "permission denied"))
    return fmt::format("{} refuses the key; add its public half to authorized_keys there",
                       options.host);
  return fmt::format("{} cannot be reached: {}", options.host, line);
}

}  // namespace yard::engine::slurm
