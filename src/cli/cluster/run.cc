#include "cli/cluster/run.h"

#include <algorithm>
#include <future>
#include <ostream>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/cluster/scripts.h"
#include "cli/submit/words.h"

namespace yard::cli {
namespace {

constexpr std::size_t kMostLastLines = 3;
constexpr std::size_t kMostLastBytes = 600;

Result<HostFacts> Ask(Hosts& hosts, const ClusterDescription& cluster, const std::string& host) {
  YARD_ASSIGN(Answer answer,
              hosts.Run(host, FactsScript(), std::vector{cluster.account, cluster.folder}, {}));
  if (answer.code != 0)
    return Fail(Code::kPrecondition,
                fmt::format("{} does not say what it is: {}", host, LastWords(answer)),
                "root is needed there, or sudo without a question");
  return ParseFacts(host, answer.out);
}

std::string ScriptOf(const char* script) {
  return scripts::WithFunctions(script);
}

Status Failed(const std::string& host, const std::string& title, const Answer& answer) {
  return Fail(Code::kPrecondition, fmt::format("{}: {}: {}", host, title, LastWords(answer)),
              "what was done stays done: repeat the command when this is put right");
}

Status Do(Hosts& hosts, const std::string& title, const Step& step) {
  std::string input = step.input;
  if (!step.source_host.empty()) {
    YARD_ASSIGN(Answer source, hosts.Run(step.source_host, ScriptOf(step.source), {}, {}));
    if (source.code != 0) return Failed(step.source_host, title, source);
    input = std::move(source.out);
  }
  YARD_ASSIGN(Answer answer, hosts.Run(step.host, ScriptOf(step.script), step.arguments, input));
  return answer.code == 0 ? Status() : Failed(step.host, title, answer);
}

Status DoPhase(Hosts& hosts, const Phase& phase) {
  std::vector<std::future<Status>> running;
  for (const Step& step : phase.steps)
    running.push_back(std::async(std::launch::async, [&] { return Do(hosts, phase.title, step); }));
  Status all;
  for (std::future<Status>& one : running)
    if (Status done = one.get(); !done && all) all = std::move(done);
  return all;
}

void ShowInput(std::ostream& out, const Step& step) {
  if (!step.source_host.empty())
    out << fmt::format("  its input: what {} prints for `{}`; it is not shown\n", step.source_host,
                       Trim(step.source));
  if (step.input.empty()) return;
  out << "  its input:\n";
  for (std::string_view line : Split(Trim(step.input), '\n')) out << "  | " << line << '\n';
}

}  // namespace

std::string LastWords(const Answer& answer) {
  const std::string_view said = Trim(answer.err).empty() ? Trim(answer.out) : Trim(answer.err);
  std::vector<std::string_view> lines = Split(said, '\n');
  if (lines.size() > kMostLastLines) lines.erase(lines.begin(), lines.end() - kMostLastLines);
  std::string text;
  for (std::string_view line : lines)
    text += fmt::format("{}{}", text.empty() ? "" : "; ", Trim(line));
  text.resize(std::min(text.size(), kMostLastBytes));
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return text.empty() ? fmt::format("it ended with code {}", answer.code) : text;
}

std::vector<Result<HostFacts>> AskEach(Hosts& hosts, const ClusterDescription& cluster) {
  std::vector<std::future<Result<HostFacts>>> asked;
  for (const std::string& host : cluster.hosts)
    asked.push_back(std::async(std::launch::async, [&] { return Ask(hosts, cluster, host); }));
  std::vector<Result<HostFacts>> answers;
  for (auto& one : asked) answers.push_back(one.get());
  return answers;
}

Result<std::vector<HostFacts>> AskAll(Hosts& hosts, const ClusterDescription& cluster) {
  std::vector<HostFacts> all;
  for (Result<HostFacts>& one : AskEach(hosts, cluster)) {
    if (!one) return Fail(std::move(one.error()));
    all.push_back(std::move(*one));
  }
  return all;
}

Status CarryOut(Hosts& hosts, const Plan& plan, const std::function<void(std::string_view)>& tell) {
  for (const Phase& phase : plan) {
    std::string where;
    for (const Step& step : phase.steps) where += (where.empty() ? "" : ", ") + step.host;
    tell(fmt::format("{}: {}", phase.title, where));
    YARD_TRY(DoPhase(hosts, phase));
  }
  return {};
}

void ShowPlan(std::ostream& out, const SshWay& way, const Plan& plan) {
  for (const Phase& phase : plan) {
    for (const Step& step : phase.steps) {
      std::vector<std::string> words = SshTo(way, step.host);
      words.push_back(FarCommand(way, Rights::kRoot, ScriptOf(step.script), step.arguments));
      out << fmt::format("# {}: {}\n{}\n", step.host, phase.title, JoinWords(words));
      ShowInput(out, step);
    }
  }
}

}  // namespace yard::cli
