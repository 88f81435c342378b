#include "cli/submit/options.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/submit/resources.h"
#include "cli/submit/slurm.h"
#include "cli/submit/venv.h"
#include "cli/submit/when.h"
#include "cli/submit/words.h"

namespace yard::cli {
namespace {

// A flag whose text one function reads into the spec.
using SpecReader = Status (*)(Spec&, std::string_view);
Verb::Reader Into(Spec& spec, SpecReader read) {
  return [&spec, read](const std::string& text) { return read(spec, text); };
}
// A flag whose text is a field of the spec as it is.
Verb::Reader Field(Spec& spec, const char* path) {
  return [&spec, path](const std::string& text) -> Status {
    spec.Set(path, text);
    return {};
  };
}

Verb::Reader CountField(Spec& spec, const char* path, std::int64_t least) {
  return [&spec, path, least](const std::string& text) -> Status {
    YARD_ASSIGN(std::int64_t count, ParseCount(text, least));
    spec.Set(path, count);
    return {};
  };
}

Verb::Reader List(Spec& spec, const char* path, Result<Item> (*parse)(std::string_view)) {
  return [&spec, path, parse](const std::string& text) -> Status {
    YARD_ASSIGN(Item item, parse(text));
    spec.Append(path, std::move(item));
    return {};
  };
}

Verb::Reader Slurm(Submission& submission, const char* option) {
  return [&submission, option](const std::string& text) -> Status {
    YARD_TRY(TakeSlurmOption(submission, option, text));
    return {};
  };
}

Result<Item> ParseLabel(std::string_view text) {
  YARD_ASSIGN(auto pair, ParseAssignment(text));
  return Item{{{"name", pair.first}, {"value", pair.second}}};
}

// "SERVER:/PATH:/TARGET[:ro]"
Result<Item> ParseNfs(std::string_view text) {
  std::vector<std::string_view> parts = Split(text, ':');
  bool read_only = parts.size() == 4 && parts[3] == "ro";
  if (parts.size() < 3 || (parts.size() > 3 && !read_only) || !parts[2].starts_with('/'))
    return Fail(Code::kInvalid, fmt::format("'{}' is not SERVER:/PATH:/TARGET[:ro]", text));
  return Item{{{"server", std::string(parts[0])},
               {"path", std::string(parts[1])},
               {"mountPath", std::string(parts[2])},
               {"readOnly", read_only}}};
}

Result<Item> ParsePort(std::string_view text) {
  std::optional<std::int64_t> port = ParseInt(text);
  if (!port || *port < 1 || *port > 65535)
    return Fail(Code::kInvalid, fmt::format("'{}' is not a port", text), "from 1 to 65535");
  return Item{{{"container", *port}, {"serviceType", "ClusterIP"}}};
}

// "NAME" or "NAME:/TARGET"
Result<Item> ParseSource(std::string_view text) {
  std::size_t colon = text.find(":/");
  Item item{{{"name", std::string(text.substr(0, colon))}}};
  if (colon != text.npos) item.Set("containerPath", std::string(text.substr(colon + 1)));
  return item;
}

Result<Item> ParseStep(std::string_view text) {
  if (Trim(text).empty()) return Fail(Code::kInvalid, "a step without a command");
  return Item{{{"name", std::string(text)}, {"command", ShellCommand(std::string(text))}}};
}

Status ReadVariable(SubmitArguments& arguments, const std::string& text) {
  if (text.contains('=')) return SetVariable(arguments.submission.spec, text);
  arguments.inherited.push_back(text);
  return {};
}

void AddWhat(Verb& verb, SubmitArguments& arguments) {
  Submission& work = arguments.submission;
  verb.Heading("What runs")
      .Text("-n,-J,--name,--job-name", work.name,
            "its name; if it is taken NAME-2, NAME-3 …; made from the command if left out", "NAME")
      .Text("-p,--project,-A,--account", work.project, "the project; default: the one in use",
            "NAME")
      .Take("-i,--image", Field(work.spec, "image"),
            "run in a container; without it the command runs on the node", "IMAGE")
      .Take("--template", Field(work.spec, "assets.template"),
            "everything else from this template; what you say here wins", "NAME")
      .Take("--environment-asset", Field(work.spec, "assets.environment"),
            "image, command, variables and tools of this environment", "NAME")
      .Take("--pull", Field(work.spec, "imagePullPolicy"), "Always, IfNotPresent or Never",
            "POLICY")
      .Take(
          "--step", List(work.spec, "steps", ParseStep),
          "a line for a shell before the command, several in turn; if one fails, so does the work",
          "LINE")
      .Flag("--args", arguments.keep_entry_point,
            "keep the image's entry point; the command is its arguments")
      .Take("-w,--workdir,--working-dir,--chdir", Field(work.spec, "workingDir"),
            "folder to start in; default without an image: this one", "PATH")
      .Take(
          "-e,--env,--environment",
          [&arguments](const std::string& text) { return ReadVariable(arguments, text); },
          "a variable; NAME alone takes your value along", "NAME[=VALUE]")
      .Flag("--env-all", arguments.env_all, "take all your variables along")
      .Flag("--no-venv", arguments.no_venv,
            "leave your activated Python environment here; else it goes along without an image")
      .TakeFlag(
          "--tty",
          [&work](bool on) {
            work.spec.Set("tty", on);
            work.spec.Set("stdin", on);
          },
          "give it a terminal, for `gpuyard attach`")
      .Take("--export", Slurm(work, "export"), "variables, as Slurm spells them", "LIST")
      .Take("--label", List(work.spec, "labels", ParseLabel), "a label", "NAME=VALUE")
      .Take("--annotation", List(work.spec, "annotations", ParseLabel), "an annotation",
            "NAME=VALUE");
}

void AddResources(Verb& verb, Submission& work) {
  verb.Heading("Resources")
      .Take("--compute", Field(work.spec, "assets.compute"), "what this compute resource says",
            "NAME")
      .Take("-g,-G,--gpu,--gpus", Into(work.spec, SetGpus),
            "how many GPUs, or which part of one: 2, 0.5", "N")
      .Take("--gpu-part", Into(work.spec, SetGpuPart), "the part taken of each GPU: 0.5", "PART")
      .Take("--gpu-memory", Into(work.spec, SetGpuMemory), "GPU memory instead of a part: 20G",
            "SIZE")
      .Take("--gpu-limit", Into(work.spec, SetGpuLimit),
            "what the part may grow to while there is room: 0.8 or 20G", "LIMIT")
      .Take("--gpu-compute", Into(work.spec, SetGpuCompute),
            "share the GPU's time by parts: fair, strict (never more), or interactive (at once)",
            "MODE")
      .Take("--gres", Slurm(work, "gres"), "the same, as Slurm spells it: gpu:2", "LIST")
      .Take("-c,--cpu,--cpus,--cpus-per-task", Into(work.spec, SetCpus),
            "CPU cores: kept for it, and no more", "N")
      .Take("--cpu-limit", Into(work.spec, SetCpuLimit), "it may use so many [as --cpu]", "N")
      .Take("--mem,--memory", Into(work.spec, SetSlurmMemory),
            "memory: 16G is 16 GiB, a bare number MiB; with more it is ended (out of memory)",
            "SIZE")
      .Take("--mem-limit", Into(work.spec, SetMemoryLimit), "it may use so much [as --mem]", "SIZE")
      .TakeFlag(
          "--large-shm", [&work](bool on) { work.spec.Set("compute.largeShmRequest", on); },
          "a large /dev/shm")
      .Take("--pool,--partition,--node-pools", Into(work.spec, SetPools),
            "node pools, best first, separated by commas", "NAMES")
      .Take("--node-type", Field(work.spec, "nodeType"), "only nodes of this type", "TYPE")
      .Take("-x,--exclude", Slurm(work, "exclude"), "none of these nodes", "NODES")
      .Take("--nodelist", Slurm(work, "nodelist"), "only these nodes", "NODES")
      .Take("-N,--nodes", Slurm(work, "nodes"), "1; more nodes by --workers", "N")
      .Take("--ntasks", Slurm(work, "ntasks"), "1; more tasks by --workers", "N");
}

void AddData(Verb& verb, Submission& work) {
  verb.Heading("Data and network")
      .Take("--data-source", List(work.spec, "assets.datasources", ParseSource),
            "a data source of the project", "NAME[:DST]")
      .Take("--mount,--host-path", List(work.spec, "storage.hostPath", ParseHostMount),
            "a folder of the node", "SRC:DST[:ro]")
      .Take("--pvc", List(work.spec, "storage.pvc", ParsePvc), "a named volume", "NAME:DST[:ro]")
      .Take("--nfs", List(work.spec, "storage.nfs", ParseNfs), "an NFS export", "HOST:SRC:DST[:ro]")
      .Take("--data", List(work.spec, "storage.dataSets", ParseDataSet),
            "a data set, read-only, at /data/NAME; its path is in $GPUYARD_DATA_NAME",
            "NAME[:TAG][:DST]")
      .Take("--save", List(work.spec, "storage.outputs", ParseSave),
            "a folder that becomes a version of a data set at its end, also when it fails; "
            "without PATH all of $GPUYARD_OUTPUT",
            "NAME[:TAG][=PATH]")
      .Take("--port", List(work.spec, "ports", ParsePort), "it listens on this port", "PORT");
}

Status ReadStopAt(Session& session, Spec& spec, const std::string& text) {
  YARD_ASSIGN(Time at, ParseWhen(text, session.around().clock.Now()));
  spec.Set("stopAt", FormatRfc3339(at));
  return {};
}

Status ReadGrace(Spec& spec, const std::string& text) {
  YARD_ASSIGN(Micros span, ParseDuration(text));
  spec.Set("terminationGracePeriodSeconds", span.value / 1'000'000);
  return {};
}

void AddLife(Verb& verb, Submission& work) {
  Spec& spec = work.spec;
  verb.Heading("Life")
      .Take("-t,--time", Into(spec, SetTimeLimit), "time limit: 90 (minutes), 2h, 1-12:00:00",
            "SPAN")
      .Take(
          "--stop-at",
          [&spec, session = &verb.session()](const std::string& text) {
            return ReadStopAt(*session, spec, text);
          },
          "stop at this time: 18:00, 2026-11-15T18:00", "TIME")
      .Take("-b,--begin", Slurm(work, "begin"), "start at this time or later: 18:00, now+2h",
            "TIME")
      .Take(
          "--grace", [&spec](const std::string& text) { return ReadGrace(spec, text); },
          "time between the signal and the end", "SPAN")
      .Take("--signal", Slurm(work, "signal"),
            "signal so long before its time limit, or before SIGTERM when it is preempted: "
            "USR1@120 [@60]",
            "SIGNAL[@SECONDS]")
      .Take("--log-limit", Field(spec, "logLimit"),
            "log to keep: its beginning and its newest part [64Mi]", "SIZE")
      .Take("--retry,--backoff-limit", CountField(spec, "retry.limit", 0),
            "start it again up to N times after a failure [0]", "N")
      .Take("--retry-on", Into(spec, SetRetryOn), "which failures: node-lost, oom, exit, 29",
            "CAUSES")
      .Take("--after", List(spec, "dependsOn", ParseAfter),
            "start when that one ended: ok:NAME, any:NAME, fail:NAME", "WHEN:NAME")
      .Take("-d,--dependency", Slurm(work, "dependency"), "the same, as Slurm spells it", "LIST")
      .TakeFlag(
          "-H,--hold", [&spec](bool on) { spec.Set("hold", on); }, "wait until it is released")
      .Take("--priority", Field(spec, "priorityClass"),
            "very-low, low, medium-low, medium, medium-high, high, very-high", "CLASS")
      .TakeFlag(
          "--preemptible,!--no-preemption",
          [&spec](bool on) { spec.Set("preemptibility", on ? "preemptible" : "non-preemptible"); },
          "others may take its place")
      .TakeFlag(
          "--requeue", [&work](bool) { static_cast<void>(TakeSlurmOption(work, "requeue", "")); },
          "start it again when its node is lost")
      .TakeFlag(
          "--no-requeue",
          [&work](bool) { static_cast<void>(TakeSlurmOption(work, "no-requeue", "")); },
          "never start it again, also not when it was preempted");
}

void AddMany(Verb& verb, SubmitArguments& arguments) {
  Submission& work = arguments.submission;
  verb.Heading("Many at once")
      .Take("-a,--array", Slurm(work, "array"),
            "one item per index: 0-9, 1,3,7, with %2 two at once", "LIST")
      .Take(
          "--param",
          [&work](const std::string& text) -> Status {
            YARD_ASSIGN(Parameter parameter, ParseParameter(text));
            work.grid.push_back(std::move(parameter));
            return {};
          },
          "one item per combination; {NAME} in the command is the value", "NAME=V1,V2")
      .Number("--throttle", work.throttle, "how many items run at once")
      .Number("--workers", arguments.workers, "distributed work: how many workers beside a master")
      .Number("--min-workers", arguments.min_workers,
              "elastic work: so few will do; it starts again with more or fewer")
      .Text("--framework", arguments.framework, "of distributed work: PyTorch, MPI, TF, XGBoost",
            "NAME");
}

bool LooksLikeScript(std::string_view word) {
  constexpr std::string_view kEndings[] = {".sh", ".bash", ".sbatch", ".slurm", ".py"};
  return std::ranges::any_of(kEndings, [&](auto ending) { return word.ends_with(ending); });
}

// A script that is not there is told now, and not when its turn has come. Absolute paths may be
// the node's, and with an image they are the image's.
Status CheckScript(Session& session, const Submission& work,
                   const std::vector<std::string>& words) {
  constexpr std::string_view kInterpreters[] = {"python", "python3", "bash", "sh"};
  if (NamesImage(work.spec) || session.around().working_dir.empty()) return {};
  bool by_interpreter =
      words.size() > 1 && std::ranges::find(kInterpreters, words[0]) != std::end(kInterpreters);
  const std::string& word = by_interpreter ? words[1] : words[0];
  bool relative = word.starts_with("./") || (!word.starts_with('/') && LooksLikeScript(word));
  if (!relative || word.contains('{') || word.contains(' ')) return {};
  std::filesystem::path folder = session.around().working_dir;
  std::string own = work.spec.Text("workingDir");
  std::error_code error;
  for (const std::filesystem::path& place : {folder, folder / own}) {
    if (std::filesystem::exists(place / word, error)) return {};
  }
  return Fail(Code::kNotFound,
              fmt::format("there is no file '{}' in {}", word, own.empty() ? folder.string() : own),
              "nothing was submitted");
}

// Where the command comes from: a script is read here and now, so that later changes of the file
// do not change what was submitted.
Status TakeCommandLine(Session& session, const SubmitArguments& arguments, Submission& work) {
  std::vector<std::string> words = arguments.command;
  if (words.empty()) return {};
  YARD_TRY(CheckScript(session, work, words));
  std::optional<std::string> text;
  if (!session.has_tail) text = ReadScript(words[0]);
  std::error_code error;
  bool line = IsShellLine(words) && !std::filesystem::exists(words[0], error);
  if (!text && line && !arguments.keep_entry_point) words = ShellCommand(words[0]);
  if (!text) {
    (arguments.keep_entry_point ? work.args : work.command) = std::move(words);
    return {};
  }
  YARD_ASSIGN(Script script, ReadDirectives(*text));
  for (const std::string& note : script.notes) session.Note(fmt::format("{}: {}", words[0], note));
  script.submission.Overlay(work);
  work = std::move(script.submission);
  std::vector<std::string> rest(words.begin() + 1, words.end());
  work.command = CommandForScript(words[0], *text, rest);
  if (work.name.empty()) work.name = NameFor({.command = {words[0]}});
  return {};
}

// Names of Slurm's jobs may be anything; ours are also names of hosts.
void TakeName(Session& session, Submission& work) {
  if (work.name.empty()) work.name = NameFor(work);
  work.naming = Naming::kNumber;
  if (IsLabel(work.name) || LabelOf(work.name).empty()) return;
  std::string label = LabelOf(work.name);
  session.Note(fmt::format("the name '{}' becomes '{}'", work.name, label));
  work.name = label;
}

void TakeVariables(Session& session, const SubmitArguments& arguments, Spec& spec) {
  if (!session.around().variables) return;
  const std::vector<std::pair<std::string, std::string>> own = session.around().variables();
  Spec carried;
  for (const auto& [name, value] : own) {
    bool named = std::ranges::find(arguments.inherited, name) != arguments.inherited.end();
    if (named || arguments.env_all) carried.SetVariable(name, value);
  }
  std::optional<Venv> venv;
  if (!NamesImage(spec) && !arguments.no_venv) venv = FindVenv(own);
  if (venv && !arguments.env_all) {
    for (const auto& [name, value] : venv->variables) carried.SetVariable(name, value);
    session.Hint(fmt::format("the Python environment {} goes along", venv->folder));
  }
  carried.Overlay(spec);
  spec = std::move(carried);
}

}  // namespace

void AddSubmitOptions(Verb& verb, SubmitArguments& arguments) {
  AddWhat(verb, arguments);
  AddResources(verb, arguments.submission);
  AddData(verb, arguments.submission);
  AddLife(verb, arguments.submission);
  AddMany(verb, arguments);
  verb.Heading("").Flag("--dry-run", arguments.dry_run, "say what would happen, and do nothing");
  verb.Command(arguments.command);
}

Result<Submission> Assemble(Session& session, const SubmitArguments& arguments) {
  Submission work = arguments.submission;
  YARD_TRY(TakeCommandLine(session, arguments, work));
  if (arguments.workers > 0) {
    work.kind = WorkKind::kDistributed;
    work.spec.Set("numWorkers", arguments.workers);
    work.spec.Set("distributedFramework", arguments.framework);
    if (arguments.min_workers > 0) work.spec.Set("minReplicas", arguments.min_workers);
  }
  if (work.spec.Has("beginAt")) {
    YARD_ASSIGN(Time begin, ParseWhen(work.spec.Text("beginAt"), session.around().clock.Now()));
    work.spec.Set("beginAt", FormatRfc3339(begin));
  }
  YARD_TRY(LimitToRequest(work.spec));
  const std::string& here = session.around().working_dir;
  bool contained = NamesImage(work.spec);
  // Scripts written for Slurm look here for their files.
  if (work.spec.Has("workingDir") && !here.empty()) work.spec.SetVariable("SLURM_SUBMIT_DIR", here);
  if (!contained && !here.empty()) work.spec.SetIfAbsent("workingDir", here);
  TakeVariables(session, arguments, work.spec);
  TakeName(session, work);
  return work;
}

}  // namespace yard::cli
