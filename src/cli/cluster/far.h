// Hosts reached through OpenSSH: the command line, and the exchange with the program it starts.
//
// The words that a host's shell gets are a script of ours and arguments; nothing that came from
// outside is ever part of a script.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/cluster/description.h"

namespace yard::cli {

struct Answer {
  int code = 0;
  std::string out;
  std::string err;
};

// Runs a program of this machine, gives it the input and reads what it says until it ends.
// kNotFound if there is no such program, kTooLarge if it says too much.
Result<Answer> Exchange(const std::vector<std::string>& words, std::string_view input);

enum class Rights { kOwn, kRoot };

// What the far shell is given: the script with its arguments.
std::string FarCommand(const SshWay& way, Rights rights, std::string_view script,
                       std::span<const std::string> arguments);
// ssh with its options, before the command: host keys are checked and nothing is forwarded.
std::vector<std::string> SshTo(const SshWay& way, const std::string& host);
// What to do about a connection that failed, from ssh's own words.
Error ExplainSshFailure(const std::string& host, std::string_view words);

// The hosts as the rest sees them. Calls for different hosts may come from several threads.
class Hosts {
 public:
  virtual ~Hosts() = default;
  // kUnavailable: the host was not reached. The script's own failure is a code.
  virtual Result<Answer> Run(const std::string& host, std::string_view script,
                             std::span<const std::string> arguments, std::string_view input) = 0;
};

class HostsBySsh final : public Hosts {
 public:
  HostsBySsh(SshWay way, Rights rights) : way_(std::move(way)), rights_(rights) {}
  Result<Answer> Run(const std::string& host, std::string_view script,
                     std::span<const std::string> arguments, std::string_view input) override;

 private:
  const SshWay way_;
  const Rights rights_;
};

}  // namespace yard::cli
