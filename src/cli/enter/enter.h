// Going into work that runs: commands, shells, its own terminal.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/session.h"
#include "client/channel.h"
#include "client/client.h"

namespace yard::cli {

struct ExecChoice {
  std::vector<std::string> command;
  bool tty = false;
  bool input = true;  // our standard input goes along
  std::int64_t rank = 0;
};

// Runs a command inside the task, with our own standard streams. Its exit code.
client::Outcome<int> Exec(Session& session, const std::string& id, const ExecChoice& choice);
// Runs it and catches what it writes. Errors and other exit codes than 0 are failures.
client::Outcome<std::string> ExecForText(Session& session, const std::string& id,
                                         const std::vector<std::string>& command);
// bash if the task has one, else sh. On a terminal if we are on one.
client::Outcome<void> OpenShell(Session& session, const std::string& id, std::int64_t rank);
client::Outcome<int> Attach(Session& session, const std::string& id, const ExecChoice& choice);

// A connection to `path` ("/exec", "/ports/80") of the workload.
client::Outcome<std::unique_ptr<client::Channel>> OpenChannel(
    Session& session, const std::string& id, const std::string& path,
    std::vector<std::pair<std::string, std::string>> query);

// "8888" or "8888:80": the local port, then the task's.
struct Forwarding {
  std::uint16_t local = 0;
  std::uint16_t remote = 0;
};
Result<Forwarding> ParseForwarding(std::string_view text);
// Listens and forwards until Ctrl-C.
client::Outcome<void> Forward(Session& session, const std::string& id, const std::string& address,
                              const std::vector<Forwarding>& ports);

}  // namespace yard::cli
