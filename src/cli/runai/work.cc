#include "cli/runai/work.h"

#include <memory>
#include <ostream>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/enter/enter.h"
#include "cli/enter/terminal.h"
#include "cli/output.h"
#include "cli/runai/pod_name.h"
#include "cli/runai/show.h"
#include "cli/runai/wait.h"
#include "cli/submit/parse.h"
#include "cli/work/ending.h"
#include "cli/work/find.h"
#include "cli/work/logs.h"
#include "cli/work/orders.h"
#include "cli/work/running.h"

namespace yard::cli::runai {
namespace {

using client::Outcome;

// Words that every verb with a name takes.
struct Named {
  std::string name;
  std::string project;
  std::string pod;        // "train-0-2"
  std::string container;  // of the pod; there is one, called as the workload
  std::string type;       // "training"
  std::string wait;       // a span: for how long it may still come to run
};

// What a name or a pod's name means.
struct Found {
  json::value workload;
  std::int64_t rank = 0;
  std::optional<std::int64_t> attempt = {};

  std::string id() const { return TextAt(workload, "id"); }
};

// A word for its type that is not its own would mean other work.
Outcome<void> RequireMeant(const Found& found, const Named& named) {
  const std::string name = TextAt(found.workload, "name");
  if (!named.container.empty() && named.container != name)
    return std::unexpected(client::Failure(
        {Code::kNotFound, fmt::format("there is no container '{}' in it", named.container),
         fmt::format("each pod has one container, '{}'", name)}));
  return RequireType(found.workload, named.type);
}

Outcome<Found> FindPod(json::value job, const std::string& pod) {
  const std::string name = TextAt(job, "name");
  std::optional<PodName> said = ParsePodName(pod);
  if (said && said->job == name) return Found{std::move(job), said->rank, said->attempt};
  return std::unexpected(
      client::Failure({Code::kNotFound, fmt::format("'{}' has no pod '{}'", name, pod),
                       fmt::format("see `runai describe job {}`", name)}));
}

Outcome<Found> FindByName(Session& session, const Named& named) {
  Outcome<json::value> job = FindJob(session, named.name, named.project);
  if (job && named.pod.empty()) return Found{*std::move(job)};
  if (job) return FindPod(*std::move(job), named.pod);
  std::optional<PodName> pod = ParsePodName(named.name);
  if (!pod || job.error().error.code != Code::kNotFound) return std::unexpected(job.error());
  Outcome<json::value> of_pod = FindJob(session, pod->job, named.project);
  if (!of_pod) return std::unexpected(job.error());
  return Found{*std::move(of_pod), pod->rank, pod->attempt};
}

Outcome<Found> FindNamed(Session& session, const Named& named) {
  YARD_ASSIGN(Found found, FindByName(session, named));
  YARD_TRY(RequireMeant(found, named));
  if (named.wait.empty()) return found;
  YARD_TRY(WaitForStart(session, found.id(), named.wait));
  YARD_ASSIGN(found.workload, FindWorkload(session, found.id(), Existing::kLive));
  return found;
}

void AddNamed(Verb& verb, Named& named) {
  verb.NeedsWord("NAME", named.name, "the workload")
      .Text("-p,--project", named.project, "its project", "NAME")
      .Text("--pod", named.pod, "one of its pods", "POD")
      .Text("-c,--container", named.container, "its container: called as the workload", "NAME")
      .HiddenText("--type", named.type)
      .Text("--pod-running-timeout,--wait-timeout", named.wait,
            "wait for it to run, for so long at most", "SPAN");
}

struct LogsArguments : Named {
  LogChoice choice;
  std::int64_t tail = -1;
  std::int64_t limit = 0;
  std::string since;
  std::string since_time;
  bool follow = false;
  bool previous = false;
};

Outcome<void> Logs(Session& session, const LogsArguments& arguments) {
  YARD_ASSIGN(Found found, FindNamed(session, arguments));
  LogChoice choice = arguments.choice;
  choice.rank = found.rank;
  choice.attempt = found.attempt;
  choice.since = arguments.since_time;
  if (arguments.tail >= 0) choice.tail = arguments.tail;
  if (arguments.limit > 0) choice.limit = arguments.limit;
  if (!arguments.since.empty()) {
    YARD_ASSIGN(Micros span, ParseDuration(arguments.since));
    choice.since = FormatRfc3339(session.around().clock.Now() - span);
  }
  std::string id = found.id();
  if (arguments.previous) {
    YARD_ASSIGN(json::array attempts, AttemptsOf(session, id));
    choice.attempt = std::max<std::int64_t>(1, static_cast<std::int64_t>(attempts.size()) - 1);
  }
  auto print = [&session](std::string_view bytes) { session.console().out << bytes << std::flush; };
  if (!arguments.follow) return ReadLog(session, id, choice, print);
  YARD_TRY(FollowLog(session, id, choice, print));
  return {};
}

struct ExecArguments : Named {
  std::vector<std::string> command;
  bool stdin_flag = false;
  bool tty = false;
  bool no_stdin = false;
  bool no_tty = false;
};

Outcome<void> Enter(Session& session, const ExecArguments& arguments) {
  if (arguments.command.empty())
    return std::unexpected(client::Failure({Code::kInvalid, "which command?"}));
  YARD_ASSIGN(Found found, FindNamed(session, arguments));
  YARD_ASSIGN(int code, Exec(session, found.id(),
                             {.command = arguments.command,
                              .tty = arguments.tty,
                              .input = arguments.stdin_flag || arguments.tty,
                              .rank = found.rank}));
  session.exit_code = static_cast<ExitCode>(code);
  return {};
}

Outcome<void> Bash(Session& session, const ExecArguments& arguments) {
  YARD_ASSIGN(Found found, FindNamed(session, arguments));
  return OpenShell(session, found.id(), found.rank);
}

Outcome<void> Join(Session& session, const ExecArguments& arguments) {
  YARD_ASSIGN(Found found, FindNamed(session, arguments));
  bool tty = !arguments.no_tty && IsTerminal(0) && IsTerminal(1);
  YARD_ASSIGN(int code, Attach(session, found.id(),
                               {.tty = tty, .input = !arguments.no_stdin, .rank = found.rank}));
  session.exit_code = static_cast<ExitCode>(code);
  return {};
}

struct ForwardArguments : Named {
  std::vector<std::string> ports;
  std::string address = "localhost";
};

Outcome<void> PortForward(Session& session, const ForwardArguments& arguments) {
  std::vector<Forwarding> ports;
  for (const std::string& text : arguments.ports) {
    YARD_ASSIGN(Forwarding port, ParseForwarding(text));
    ports.push_back(port);
  }
  if (ports.empty())
    return std::unexpected(client::Failure({Code::kInvalid, "which port?", "give --port 8888"}));
  YARD_ASSIGN(Found found, FindNamed(session, arguments));
  YARD_TRY(RequireRunning(found.workload));
  return Forward(session, found.id(), arguments.address, ports);
}

struct OrderArguments {
  std::vector<std::string> names;
  std::string project;
  bool all = false;
  bool yes = false;  // nothing is asked, so it is always so
};

struct OrderVerb {
  const char* name;
  const char* summary;
  const char* done;
  Outcome<void> (*act)(Session& session, const json::value& workload);
};
constexpr OrderVerb kOrders[] = {{"delete", "Delete work", "deleted", Delete},
                                 {"suspend", "Stop work and keep it", "suspended", Suspend},
                                 {"resume", "Start suspended work again", "resumed", Resume}};

Outcome<std::vector<json::value>> Chosen(Session& session, const OrderArguments& arguments) {
  if (arguments.all) {
    YARD_ASSIGN(ProjectInUse project, FindProject(session, arguments.project));
    return ListWorkloads(session, "projectName==" + project.name, Existing::kLive);
  }
  std::vector<json::value> found;
  for (const std::string& name : arguments.names) {
    // `delete job NAME` is `delete NAME`.
    bool noun = (name == "job" || name == "jobs") && arguments.names.size() > 1;
    if (noun && &name == &arguments.names.front()) continue;
    YARD_ASSIGN(json::value one, FindJob(session, name, arguments.project));
    found.push_back(std::move(one));
  }
  return found;
}

Outcome<void> Apply(Session& session, const OrderVerb& order, const OrderArguments& arguments) {
  if (arguments.names.empty() && !arguments.all)
    return std::unexpected(client::Failure({Code::kInvalid, "which one?", "name it, or give -A"}));
  YARD_ASSIGN(std::vector<json::value> found, Chosen(session, arguments));
  for (const json::value& workload : found) {
    YARD_TRY(order.act(session, workload));
    session.console().out << fmt::format("Job {} {} successfully.\n", TextAt(workload, "name"),
                                         order.done);
  }
  if (std::string_view(order.name) == "suspend") session.Hint(kSuspendLoses);
  return {};
}

}  // namespace

Outcome<json::value> FindJob(Session& session, const std::string& name,
                             const std::string& project) {
  std::string reference = project.empty() ? name : fmt::format("{}/{}", project, name);
  Outcome<json::value> found = FindWorkload(session, reference, Existing::kLive);
  if (found || found.error().error.code != Code::kNotFound) return found;
  client::Failure failure = found.error();
  failure.error.details = "see `runai list jobs -A`; a job of another project needs -p PROJECT";
  return std::unexpected(failure);
}

void AddLogs(const Verb& parent) {
  auto arguments = std::make_shared<LogsArguments>();
  Verb verb = parent.Add("logs", "Show what work has written");
  AddNamed(verb, *arguments);
  verb.Flag("-f,--follow", arguments->follow, "go on until it ends")
      .Number("-t,--tail", arguments->tail, "only the last N lines [-1: all]")
      .Text("--since", arguments->since, "only what is newer than this", "SPAN")
      .Text("--since-time", arguments->since_time, "only what is newer than this", "TIME")
      .Flag("--timestamps", arguments->choice.timestamps, "with the time of each line")
      .Flag("--previous", arguments->previous, "of the attempt before")
      .Number("--limit-bytes", arguments->limit, "at most so many bytes")
      .HiddenText("-i,--instance", arguments->pod)
      .Examples("runai logs train --tail 64\nrunai logs train -f");
  verb.Run([arguments, session = &verb.session()] { return Logs(*session, *arguments); });
}

void AddBash(const Verb& parent) {
  auto arguments = std::make_shared<ExecArguments>();
  Verb verb = parent.Add("bash", "Open a shell inside work that runs");
  AddNamed(verb, *arguments);
  verb.HiddenFlag("-i,--stdin", arguments->stdin_flag)
      .HiddenFlag("-t,--tty", arguments->tty)
      .Examples("runai bash notebook");
  verb.Run([arguments, session = &verb.session()] { return Bash(*session, *arguments); });
}

void AddExec(const Verb& parent) {
  auto arguments = std::make_shared<ExecArguments>();
  Verb verb = parent.Add("exec", "Run a command inside work that runs");
  AddNamed(verb, *arguments);
  verb.Flag("-i,--stdin", arguments->stdin_flag, "our standard input goes along")
      .Flag("-t,--tty", arguments->tty, "on a terminal")
      .Command(arguments->command)
      .Examples("runai exec train -- nvidia-smi\nrunai exec -it train -- bash");
  verb.Run([arguments, session = &verb.session()] { return Enter(*session, *arguments); });
}

void AddAttach(const Verb& parent) {
  auto arguments = std::make_shared<ExecArguments>();
  Verb verb = parent.Add("attach", "Join the terminal of work that has one");
  AddNamed(verb, *arguments);
  verb.Flag("--no-stdin", arguments->no_stdin, "only watch")
      .Flag("--no-tty", arguments->no_tty, "without a terminal")
      .HiddenFlag("-i,--stdin", arguments->stdin_flag)
      .HiddenFlag("-t,--tty", arguments->tty)
      .Examples("runai attach notebook");
  verb.Run([arguments, session = &verb.session()] { return Join(*session, *arguments); });
}

void AddPortForward(const Verb& parent) {
  auto arguments = std::make_shared<ForwardArguments>();
  Verb verb = parent.Add("port-forward", "Reach ports of work from this machine");
  AddNamed(verb, *arguments);
  verb.Texts("--port", arguments->ports, "LOCAL[:REMOTE]", "PORT")
      .Text("--address", arguments->address, "listen here [localhost]", "ADDRESS")
      .Examples("runai port-forward notebook --port 8888:8888");
  verb.Run([arguments, session = &verb.session()] { return PortForward(*session, *arguments); });
}

void AddOrders(const Verb& parent) {
  for (const OrderVerb& order : kOrders) {
    auto arguments = std::make_shared<OrderArguments>();
    Verb verb = parent.Add(order.name, order.summary);
    verb.Words("NAME", arguments->names, "the work")
        .Text("-p,--project", arguments->project, "its project", "NAME")
        .Flag("-A,--all", arguments->all, "everything in the project")
        .HiddenFlag("-y,--yes,--force", arguments->yes)
        .Examples(fmt::format("runai {} train", order.name));
    verb.Run([arguments, &order, session = &verb.session()] {
      return Apply(*session, order, *arguments);
    });
  }
}

}  // namespace yard::cli::runai
