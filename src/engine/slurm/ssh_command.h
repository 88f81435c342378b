// The command lines by which a host is reached through OpenSSH. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/slurm/site.h"

namespace yard::engine::slurm {

enum class Terminal { kNone, kWanted };

// ssh with all of its options, ending in the host and one word: the command for the far shell.
std::vector<std::string> SshCommand(const SshOptions& options, std::span<const std::string> argv,
                                    Terminal terminal);
// ssh as a pipe to a port that the far host reaches.
std::vector<std::string> SshForward(const SshOptions& options, std::string_view address,
                                    std::uint16_t port);

// What to do about a connection that failed, from ssh's own words.
std::string ExplainSsh(const SshOptions& options, std::string_view words);

}  // namespace yard::engine::slurm
