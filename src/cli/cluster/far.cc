#include "cli/cluster/far.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/submit/words.h"

namespace yard::cli {
namespace {

constexpr int kSshFailed = 255;  // ssh's own exit code for a failed connection
constexpr std::size_t kMostWords = 300;

// As ssh reads a path among its options: a blank ends a word and a percent sign begins a token.
std::string QuotedPath(std::string_view path) {
  std::string quoted = "\"";
  for (const char c : path) {
    if (c == '\\') quoted += '\\';
    if (c == '%') quoted += '%';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::string FarCommand(const SshWay& way, Rights rights, std::string_view script,
                       std::span<const std::string> arguments) {
  // sudo takes variables away, and the address at which ssh came in is one.
  std::string command = way.user == "root" || rights == Rights::kOwn
                            ? "exec sh -c "
                            : "exec sudo -n env SSH_CONNECTION=\"$SSH_CONNECTION\" sh -c ";
  command += QuoteWord(script) + " gpuyard";
  for (const std::string& argument : arguments) command += ' ' + QuoteWord(argument);
  return command;
}

std::vector<std::string> SshTo(const SshWay& way, const std::string& host) {
  std::vector<std::string> words = {"ssh", "-T"};
  auto set = [&words](std::string setting) {
    words.emplace_back("-o");
    words.push_back(std::move(setting));
  };
  for (const char* setting :
       {"BatchMode=yes", "StrictHostKeyChecking=yes", "ForwardAgent=no", "ForwardX11=no",
        "ClearAllForwardings=yes", "PermitLocalCommand=no", "ConnectTimeout=10",
        "ServerAliveInterval=15", "ServerAliveCountMax=4", "LogLevel=ERROR"})
    set(setting);
  if (!way.known_hosts.empty()) set("UserKnownHostsFile=" + QuotedPath(way.known_hosts));
  if (!way.key.empty()) {
    set("IdentitiesOnly=yes");
    words.insert(words.end(), {"-i", way.key});
  }
  if (way.port > 0) words.insert(words.end(), {"-p", std::to_string(way.port)});
  words.insert(words.end(), {"-l", way.user, "--", host});
  return words;
}

Error ExplainSshFailure(const std::string& host, std::string_view words) {
  const std::string line(Trim(words.substr(0, kMostWords)));
  Error error{Code::kUnavailable, fmt::format("{} cannot be reached: {}", host, line)};
  if (ContainsIgnoreCase(words, "identification has changed")) {
    error.message = fmt::format("the key of {} is not the one that was recorded", host);
    error.details = "find out why before you replace its line in known_hosts";
  } else if (ContainsIgnoreCase(words, "host key verification failed") ||
             ContainsIgnoreCase(words, "host key is known")) {
    error.message = fmt::format("the key of {} is not known", host);
    error.details = fmt::format("compare it and add it to known_hosts: ssh-keyscan {}", host);
  } else if (ContainsIgnoreCase(words, "permission denied")) {
    error.message = fmt::format("{} refuses the key", host);
    error.details =
        "say --ssh-key and --ssh-user; a question for a password cannot be answered here";
  }
  return error;
}

Result<Answer> HostsBySsh::Run(const std::string& host, std::string_view script,
                               std::span<const std::string> arguments, std::string_view input) {
  std::vector<std::string> words = SshTo(way_, host);
  words.push_back(FarCommand(way_, rights_, script, arguments));
  Result<Answer> answer = Exchange(words, input);
  if (answer && answer->code == kSshFailed) return Fail(ExplainSshFailure(host, answer->err));
  return answer;
}

}  // namespace yard::cli
