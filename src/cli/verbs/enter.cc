// exec, shell, attach, forward: into work that runs.
#include <memory>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "cli/enter/enter.h"
#include "cli/enter/terminal.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/find.h"
#include "cli/work/running.h"

namespace yard::cli {
namespace {

using client::Outcome;

struct EnterArguments {
  std::string name;
  ExecChoice choice;
  bool no_input = false;
  std::vector<std::string> ports;
  std::string address = "127.0.0.1";
};

Outcome<std::string> IdOf(Session& session, const std::string& name) {
  YARD_ASSIGN(json::value workload, FindWorkload(session, name, Existing::kLive));
  return TextAt(workload, "id");
}

Outcome<void> RunExec(Session& session, const EnterArguments& arguments) {
  if (arguments.choice.command.empty())
    return std::unexpected(client::Failure(
        {Code::kInvalid, "which command?", "for example `gpuyard exec train nvidia-smi`"}));
  YARD_ASSIGN(std::string id, IdOf(session, arguments.name));
  YARD_ASSIGN(int code, Exec(session, id, arguments.choice));
  session.exit_code = static_cast<ExitCode>(code);
  return {};
}

Outcome<void> RunShell(Session& session, const EnterArguments& arguments) {
  YARD_ASSIGN(std::string id, IdOf(session, arguments.name));
  return OpenShell(session, id, arguments.choice.rank);
}

Outcome<void> RunAttach(Session& session, const EnterArguments& arguments) {
  YARD_ASSIGN(std::string id, IdOf(session, arguments.name));
  ExecChoice choice = arguments.choice;
  choice.tty = IsTerminal(0) && IsTerminal(1);
  choice.input = !arguments.no_input;
  YARD_ASSIGN(int code, Attach(session, id, choice));
  session.exit_code = static_cast<ExitCode>(code);
  return {};
}

Outcome<void> RunForward(Session& session, const EnterArguments& arguments) {
  std::vector<Forwarding> ports;
  for (const std::string& text : arguments.ports) {
    YARD_ASSIGN(Forwarding port, ParseForwarding(text));
    ports.push_back(port);
  }
  YARD_ASSIGN(json::value workload, FindWorkload(session, arguments.name, Existing::kLive));
  YARD_TRY(RequireRunning(workload));
  return Forward(session, TextAt(workload, "id"), arguments.address, ports);
}

}  // namespace

void AddEnter(CLI::App& app, Session& session) {
  Verb root(app, session);
  auto exec = std::make_shared<EnterArguments>();
  Verb verb = root.Add("exec", "Run a command inside work that runs");
  verb.NeedsWord("NAME", exec->name, "the workload")
      .Flag("-t,--tty", exec->choice.tty, "on a terminal")
      .Number("--rank", exec->choice.rank, "in this task of distributed work [0]")
      .Command(exec->choice.command)
      .Examples(
          "gpuyard exec train nvidia-smi\ngpuyard exec -t train -- top\n"
          "gpuyard exec train -- sh -c 'cat > /tmp/x' < x");
  verb.HiddenFlag("-i,--stdin", exec->choice.input);
  verb.Run([exec, &session] { return RunExec(session, *exec); });

  auto shell = std::make_shared<EnterArguments>();
  verb = root.Add("shell", "Open a shell inside work that runs");
  verb.NeedsWord("NAME", shell->name, "the workload")
      .Number("--rank", shell->choice.rank, "in this task of distributed work [0]")
      .Examples("gpuyard shell train\ngpuyard shell --rank 3 big");
  verb.Run([shell, &session] { return RunShell(session, *shell); });

  auto attach = std::make_shared<EnterArguments>();
  verb = root.Add("attach", "Join the terminal of work that was started with one");
  verb.NeedsWord("NAME", attach->name, "the workload")
      .Number("--rank", attach->choice.rank, "of this task of distributed work [0]")
      .Flag("--no-stdin", attach->no_input, "only watch")
      .Examples("gpuyard attach notebook");
  verb.Run([attach, &session] { return RunAttach(session, *attach); });

  auto forward = std::make_shared<EnterArguments>();
  verb = root.Add("forward", "Reach ports of work from this machine");
  verb.Alias("port-forward")
      .NeedsWord("NAME", forward->name, "the workload")
      .NeedsWords("PORT", forward->ports, "LOCAL[:REMOTE]; local port 0 is a free one")
      .Text("--address", forward->address, "listen here [127.0.0.1]", "ADDRESS")
      .Examples("gpuyard forward notebook 8888\ngpuyard forward notebook 9999:8888 6006");
  verb.Run([forward, &session] { return RunForward(session, *forward); });
}

}  // namespace yard::cli
