// tune: begins a study from a file. studies: looks at studies and gives them orders.
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/submit/parse.h"
#include "cli/tune/study_file.h"
#include "cli/tune/study_view.h"
#include "cli/tune/sweep.h"
#include "cli/tune/verbs.h"
#include "cli/verb.h"
#include "cli/work/find.h"
#include "cli/yaml.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Method;
using client::Outcome;

constexpr Micros kBetweenLooks{500'000};

struct TuneArguments {
  std::string file;
  std::string project;
  std::string name;
  std::int64_t trials = 0;
  std::int64_t concurrency = 0;
  std::int64_t seed = -1;
  bool detach = false;
  bool dry_run = false;
  SweepFlags sweep;
};

Result<StudyFile> ReadFile(Session& session, const TuneArguments& arguments) {
  YARD_ASSIGN(std::string text, ReadInput(session, arguments.file));
  Result<std::vector<YamlDocument>> documents = ReadYaml(text);
  Error wrong{Code::kInvalid, fmt::format("{} holds no study", arguments.file)};
  if (!documents) wrong.message = fmt::format("{}: {}", arguments.file, documents.error().message);
  if (!documents || documents->empty()) return Fail(wrong);
  Result<StudyFile> file = ReadStudyFile(documents->front().value(), session.around().working_dir);
  if (file) return file;
  std::string_view field = file.error().message;
  field = field.substr(0, field.find(':'));
  return Fail(Code::kInvalid,
              fmt::format("{}:{}: {}", arguments.file, documents->front().LineOf(field),
                          file.error().message),
              "see `gpuyard tune --help` for the fields");
}

// What the flags say wins over the file.
Result<json::object> BodyOf(const StudyFile& file, const TuneArguments& arguments,
                            const std::string& project) {
  YARD_ASSIGN(json::value spec, ParseJson(file.spec));
  if (arguments.trials > 0) spec.as_object()["maxTrials"] = arguments.trials;
  if (arguments.concurrency > 0) spec.as_object()["concurrency"] = arguments.concurrency;
  if (arguments.seed >= 0) spec.as_object()["seed"] = arguments.seed;
  return json::object{{"name", arguments.name.empty() ? file.name : arguments.name},
                      {"projectId", project},
                      {"spec", std::move(spec)}};
}

// Shows how it goes until it has ended or somebody presses Ctrl-C, which leaves it running.
Outcome<void> Follow(Session& session, const std::string& id) {
  Interrupt interrupt;
  YARD_ASSIGN(client::Client * server, session.Server());
  std::string shown;
  while (!interrupt.came()) {
    YARD_ASSIGN(json::value study, server->Get("/api/v1/studies/" + id));
    std::string line = ProgressOf(study);
    if (line != shown) session.Hint(line);
    shown = line;
    std::string state = TextAt(study, "state");
    if (state != "Running") {
      PrintStudy(session, study);
      if (state != "Completed") session.exit_code = ExitCode::kError;
      return {};
    }
    session.around().wait(kBetweenLooks);
  }
  session.Note("the study goes on; `gpuyard studies show` looks at it again");
  return {};
}

// The Python side makes the study's file of a sweep and begins it with this verb.
Outcome<void> TuneFile(Session& session, const TuneArguments& arguments) {
  std::vector<std::string> words;
  if (!arguments.project.empty()) words.push_back("--project=" + arguments.project);
  if (!arguments.name.empty()) words.push_back("--name=" + arguments.name);
  if (arguments.trials > 0) words.push_back(fmt::format("--trials={}", arguments.trials));
  if (arguments.concurrency > 0)
    words.push_back(fmt::format("--concurrency={}", arguments.concurrency));
  if (arguments.seed >= 0) words.push_back(fmt::format("--seed={}", arguments.seed));
  if (arguments.detach) words.emplace_back("--detach");
  if (arguments.dry_run) words.emplace_back("--print");
  return TuneSweep(session, arguments.file, arguments.sweep, words);
}

Outcome<void> Tune(Session& session, const TuneArguments& arguments) {
  if (IsSweep(arguments.file)) return TuneFile(session, arguments);
  YARD_ASSIGN(StudyFile file, ReadFile(session, arguments));
  if (!arguments.project.empty()) file.project = arguments.project;
  if (arguments.dry_run) {
    YARD_ASSIGN(json::object body, BodyOf(file, arguments, file.project));
    PrintTree(session.console(), session.format(), body);
    return {};
  }
  YARD_ASSIGN(ProjectInUse project, FindProject(session, file.project));
  YARD_ASSIGN(json::object body, BodyOf(file, arguments, project.id));
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value made, server->SendForJson({.method = Method::kPost,
                                                     .path = "/api/v1/studies",
                                                     .body = json::serialize(body)}));
  if (session.format() != Format::kTable) {
    PrintTree(session.console(), session.format(), made);
    if (arguments.detach) return {};
  }
  session.Note(fmt::format("study/{} began in project {}", TextAt(made, "name"), project.name));
  return arguments.detach ? Outcome<void>() : Follow(session, TextAt(made, "id"));
}

struct StudyArguments {
  std::string name;
  std::string project;
  std::int64_t limit = 20;
  std::int64_t trials = 0;
  std::string time;
  double gpu_hours = 0;
};

Outcome<std::vector<json::value>> ListStudies(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  std::vector<json::value> all;
  while (true) {
    YARD_ASSIGN(json::value page,
                server->Get("/api/v1/studies", {{"offset", std::to_string(all.size())}}));
    for (const json::value& one : page.at("studies").as_array()) all.push_back(one);
    if (page.as_object().if_contains("next") == nullptr) return all;
  }
}

// By name or id; a name that several projects have must be an id.
Outcome<json::value> FindStudy(Session& session, const std::string& name) {
  YARD_ASSIGN(std::vector<json::value> all, ListStudies(session));
  std::vector<json::value> found;
  for (const json::value& one : all) {
    if (TextAt(one, "id") == name || TextAt(one, "name") == name) found.push_back(one);
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    return std::unexpected(Failure({Code::kNotFound, fmt::format("there is no study '{}'", name),
                                    "`gpuyard studies` lists them"}));
  }
  return std::unexpected(
      Failure({Code::kConflict, fmt::format("{} projects have a study '{}'", found.size(), name),
               "name it by its id"}));
}

Outcome<void> List(Session& session) {
  YARD_ASSIGN(std::vector<json::value> all, ListStudies(session));
  if (all.empty()) session.Hint("there is no study; `gpuyard tune study.yaml` begins one");
  return PrintTable(session, all, StudyTable(all));
}

Outcome<void> Show(Session& session, const StudyArguments& arguments) {
  YARD_ASSIGN(json::value study, FindStudy(session, arguments.name));
  PrintStudy(session, study);
  return {};
}

Outcome<void> Trials(Session& session, const StudyArguments& arguments) {
  YARD_ASSIGN(json::value study, FindStudy(session, arguments.name));
  YARD_ASSIGN(client::Client * server, session.Server());
  std::vector<json::value> all;
  const auto wanted = static_cast<std::size_t>(arguments.limit);
  while (true) {
    YARD_ASSIGN(json::value page, server->Get("/api/v1/studies/" + TextAt(study, "id") + "/trials",
                                              {{"offset", std::to_string(all.size())},
                                               {"sortBy", "number"},
                                               {"sortOrder", "desc"}}));
    for (const json::value& one : page.at("trials").as_array()) all.push_back(one);
    if (page.as_object().if_contains("next") == nullptr) break;
    if (wanted > 0 && all.size() >= wanted) break;
  }
  if (wanted > 0 && all.size() > wanted) all.resize(wanted);
  return PrintTable(session, all, TrialTable(all));
}

Outcome<void> Best(Session& session, const StudyArguments& arguments) {
  YARD_ASSIGN(json::value study, FindStudy(session, arguments.name));
  YARD_ASSIGN(client::Client * server, session.Server());
  std::string path = "/api/v1/studies/" + TextAt(study, "id");
  YARD_ASSIGN(json::value best, server->Get(path + "/best"));
  YARD_ASSIGN(json::value shares, server->Get(path + "/importances"));
  if (session.format() != Format::kTable) {
    best.as_object()["importances"] = shares.at("importances");
    PrintTree(session.console(), session.format(), best);
    return {};
  }
  session.console().out << BestText(best, shares);
  return {};
}

Outcome<void> Order(Session& session, const StudyArguments& arguments, const std::string& order,
                    const json::object& body = {}) {
  YARD_ASSIGN(json::value study, FindStudy(session, arguments.name));
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(
      json::value after,
      server->SendForJson({.method = Method::kPost,
                           .path = fmt::format("/api/v1/studies/{}/{}", TextAt(study, "id"), order),
                           .body = body.empty() ? "" : json::serialize(body)}));
  session.console().out << fmt::format("study/{} is {}\n", TextAt(after, "name"),
                                       TextAt(after, "state"));
  return {};
}

Outcome<void> Extend(Session& session, const StudyArguments& arguments) {
  json::object body;
  if (arguments.trials > 0) body["maxTrials"] = arguments.trials;
  if (!arguments.time.empty()) {
    YARD_ASSIGN(Micros span, ParseDuration(arguments.time));
    body["maxDurationSeconds"] = span.value / 1'000'000;
  }
  if (body.empty()) {
    return std::unexpected(
        Failure({Code::kInvalid, "what is extended?", "say --trials N or --time SPAN"}));
  }
  return Order(session, arguments, "extend", body);
}

Outcome<void> Delete(Session& session, const StudyArguments& arguments) {
  YARD_ASSIGN(json::value study, FindStudy(session, arguments.name));
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_TRY(
      server->Send({.method = Method::kDelete, .path = "/api/v1/studies/" + TextAt(study, "id")}));
  session.console().out << fmt::format("study/{} deleted\n", TextAt(study, "name"));
  return {};
}

using Run = Outcome<void> (*)(Session&, const StudyArguments&);

Verb AddOne(const Verb& root, const std::string& name, const std::string& summary, Run run) {
  auto arguments = std::make_shared<StudyArguments>();
  Verb verb = root.Add(name, summary);
  verb.NeedsWord("STUDY", arguments->name, "name or id").Format();
  if (name == "trials") {
    verb.Number("--limit", arguments->limit, "the newest so many, 0: all [20]");
  }
  if (name == "extend") {
    verb.Number("--trials", arguments->trials, "configurations in all")
        .Text("--time", arguments->time, "time in all since its beginning", "SPAN");
  }
  verb.Examples(
      fmt::format("gpuyard studies {} ppo{}", name, name == "extend" ? " --trials 200" : ""));
  Session* session = &root.session();
  verb.Run([arguments, session, run] { return run(*session, *arguments); });
  return verb;
}

template <const char* kOrder>
Outcome<void> Obey(Session& session, const StudyArguments& arguments) {
  return Order(session, arguments, kOrder);
}
constexpr char kPause[] = "pause";
constexpr char kResume[] = "resume";
constexpr char kStop[] = "stop";

void AddStudies(CLI::App& app, Session& session) {
  Verb root = Verb(app, session).Add("studies", "Searches for the best parameters");
  root.Alias("study").Format().Examples(
      "gpuyard studies\n"
      "gpuyard studies show ppo\n"
      "gpuyard studies trials ppo --limit 50\n"
      "gpuyard studies best ppo -o json\n"
      "gpuyard studies pause ppo\n"
      "gpuyard studies extend ppo --trials 200");
  root.Run([&session] { return List(session); });
  Verb list = root.Add("list", "All studies that you may see");
  list.Alias("ls").Format().Examples("gpuyard studies list -o wide");
  list.Run([&session] { return List(session); });
  AddOne(root, "show", "How a study goes", Show);
  AddOne(root, "trials", "Its trials, the newest first", Trials);
  AddOne(root, "best", "Its best trial and what matters", Best);
  AddOne(root, "pause", "Begin no new trial; those that run go on", Obey<kPause>);
  AddOne(root, "resume", "Let it go on", Obey<kResume>);
  AddOne(root, "stop", "End it and the trials that run", Obey<kStop>);
  AddOne(root, "extend", "Raise its budget", Extend);
  AddOne(root, "delete", "Delete it; the workloads of its trials stay", Delete);
}

}  // namespace

void AddTune(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<TuneArguments>();
  Verb verb = Verb(app, session).Add("tune", "Search for the best parameters of a command");
  verb.NeedsWord("FILE", arguments->file,
                 "what to search, as YAML, or a sweep in Python; - is standard input")
      .Text("-p,--project", arguments->project, "in this project [as the file says]", "NAME")
      .Text("--name", arguments->name, "call it so [as the file says]", "NAME")
      .Number("--trials", arguments->trials, "configurations to try [as the file says]")
      .Number("--concurrency", arguments->concurrency, "trials at the same time [1]")
      .Number("--seed", arguments->seed, "the same seed makes the same suggestions [random]")
      .Flag("-d,--detach", arguments->detach, "do not wait for the end")
      .Flag("--dry-run", arguments->dry_run, "show what would be sent")
      .Format()
      .Footer(
          "The YAML file:\n"
          "  name: ppo\n"
          "  metric: reward            # a number that the trial prints: {\"reward\": 12.5}\n"
          "  direction: maximize\n"
          "  parameters:\n"
          "    lr: {low: 1e-5, high: 1e-1, log: true}\n"
          "    layers: {type: int, low: 1, high: 4}\n"
          "    optimizer: [adam, sgd]\n"
          "  trials: 50\n"
          "  concurrency: 4\n"
          "  command: python train.py --lr ${lr} --layers ${layers} --opt ${optimizer}\n"
          "  gpu: 0.5\n\n"
          "Examples:\n"
          "  gpuyard tune study.yaml\n"
          "  gpuyard tune study.yaml --trials 200 --concurrency 8 --detach\n"
          "  gpuyard tune vision_cartpole_cfg.py --class CartpoleRGBJobCfg --run_mode local\n"
          "  gpuyard studies best ppo");
  AddSweepFlags(verb, arguments->sweep);
  verb.Run([arguments, &session] { return Tune(session, *arguments); });
  AddStudies(app, session);
}

}  // namespace yard::cli
