#include "cli/enter/enter.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/fd.h"
#include "cli/enter/pump.h"
#include "cli/enter/terminal.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

using Query = std::vector<std::pair<std::string, std::string>>;

Query QueryOf(const ExecChoice& choice) {
  Query query;
  for (const std::string& word : choice.command) query.emplace_back("command", word);
  if (choice.rank != 0) query.emplace_back("rank", std::to_string(choice.rank));
  if (choice.tty) {
    WindowSize size = SizeOf(STDOUT_FILENO);
    query.emplace_back("tty", "true");
    query.emplace_back("rows", std::to_string(size.rows));
    query.emplace_back("columns", std::to_string(size.columns));
  }
  return query;
}

Outcome<int> PumpOurs(client::Channel& channel, const ExecChoice& choice) {
  std::optional<RawMode> raw;
  if (choice.tty) raw.emplace(STDIN_FILENO);
  return Pump(channel, {.in = choice.input ? STDIN_FILENO : -1,
                        .out = STDOUT_FILENO,
                        .err = STDERR_FILENO,
                        .terminal = choice.tty ? STDOUT_FILENO : -1});
}

std::string ReadBack(int file) {
  std::string text;
  off_t size = lseek(file, 0, SEEK_END);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  ssize_t got = pread(file, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

}  // namespace

Outcome<std::unique_ptr<client::Channel>> OpenChannel(Session& session, const std::string& id,
                                                      const std::string& path, Query query) {
  YARD_ASSIGN(client::Client * server, session.Server());
  return client::Channel::Open(
      server->options(),
      {.path = fmt::format("/api/v1/workloads/{}{}", id, path), .query = std::move(query)});
}

Outcome<int> Exec(Session& session, const std::string& id, const ExecChoice& choice) {
  YARD_ASSIGN(auto channel, OpenChannel(session, id, "/exec", QueryOf(choice)));
  return PumpOurs(*channel, choice);
}

Outcome<std::string> ExecForText(Session& session, const std::string& id,
                                 const std::vector<std::string>& command) {
  YARD_ASSIGN(auto channel, OpenChannel(session, id, "/exec", QueryOf({.command = command})));
  UniqueFd file(memfd_create("output", MFD_CLOEXEC));
  YARD_ASSIGN(int code,
              Pump(*channel, {.in = -1, .out = file.get(), .err = file.get(), .terminal = -1}));
  std::string text = ReadBack(file.get());
  if (code == 0) return text;
  return std::unexpected(
      Failure({Code::kPrecondition, fmt::format("{} ended with {}: {}", command[0], code, text)}));
}

Outcome<void> OpenShell(Session& session, const std::string& id, std::int64_t rank) {
  constexpr const char* kBest = "if command -v bash >/dev/null 2>&1; then exec bash; fi; exec sh";
  bool tty = IsTerminal(STDIN_FILENO) && IsTerminal(STDOUT_FILENO);
  YARD_ASSIGN(int code,
              Exec(session, id, {.command = {"/bin/sh", "-c", kBest}, .tty = tty, .rank = rank}));
  session.exit_code = static_cast<ExitCode>(code);
  return {};
}

Outcome<int> Attach(Session& session, const std::string& id, const ExecChoice& choice) {
  YARD_ASSIGN(auto channel, OpenChannel(session, id, "/attach", QueryOf(choice)));
  return PumpOurs(*channel, choice);
}

}  // namespace yard::cli
