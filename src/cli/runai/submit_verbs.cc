#include <unistd.h>

#include <ostream>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/enter/enter.h"
#include "cli/output.h"
#include "cli/runai/flags.h"
#include "cli/runai/submit.h"
#include "cli/runai/wait.h"
#include "cli/submit/never.h"
#include "cli/submit/send.h"
#include "cli/work/why.h"

namespace yard::cli::runai {
namespace {

using client::Outcome;

LocalAccount Account() {
  return {static_cast<std::int64_t>(getuid()), static_cast<std::int64_t>(getgid())};
}

// Joins the terminal once it runs.
Outcome<void> AttachTo(Session& session, const RunaiSubmit& said, const SentWork& sent) {
  YARD_TRY(WaitForStart(session, sent.items[0].id, said.wait_for_pods));
  YARD_ASSIGN(int code, Attach(session, sent.items[0].id, {.tty = true}));
  session.exit_code = static_cast<ExitCode>(code);
  return {};
}

// Nothing: it was only a dry run.
Outcome<std::optional<SentWork>> SendIt(Session& session, const RunaiSubmit& said) {
  if (said.dry_run) {
    YARD_ASSIGN(std::string text, DryRun(session, said.work));
    YARD_ASSIGN(json::value why, ParseJson(text));
    session.console().out << RenderDryRun(why, session.around().clock.Now());
    return std::nullopt;
  }
  Outcome<SentWork> sent = Send(session, said.work);
  if (sent) return *std::move(sent);
  client::Failure failure = sent.error();
  if (failure.error.code == Code::kConflict)
    failure.error.details =
        fmt::format("choose another name, or delete the other one first: `runai delete job {}`",
                    NameFor(said.work));
  return std::unexpected(failure);
}

// No port of the node is opened; saying so is better than a port that refuses.
void NoteNodePorts(Session& session, const RunaiSubmit& said) {
  for (const Item& port : said.work.spec.List("ports")) {
    if (port.Text("serviceType") != "NodePort" && port.Text("serviceType") != "LoadBalancer")
      continue;
    session.Note(fmt::format(
        "{} opens no port on the node here: reach it with `runai port-forward {} --port "
        "LOCAL:PORT`",
        port.Text("serviceType"), NameFor(said.work)));
    return;
  }
}

Outcome<void> SubmitOld(Session& session, OldSubmit& said) {
  said.words = session.tail;
  YARD_TRY(FinishOld(said, Account()));
  NoteNodePorts(session, said);
  YARD_ASSIGN(std::optional<SentWork> sent, SendIt(session, said));
  if (!sent) return {};
  session.console().out << fmt::format(
      "The job '{0}' has been submitted successfully\n"
      "You can run `runai describe job {0} -p {1}` to check the job status\n",
      sent->name, sent->project);
  WarnOfNever(session, said.work, *sent);
  if (said.attach) return AttachTo(session, said, *sent);
  return {};
}

Outcome<void> SubmitNew(Session& session, RunaiSubmit& said, const NounKind& kind) {
  said.words = session.tail;
  YARD_TRY(FinishNew(said, Account()));
  NoteNodePorts(session, said);
  YARD_ASSIGN(std::optional<SentWork> sent, SendIt(session, said));
  if (!sent) return {};
  session.console().out << fmt::format(
      "Creating {0} {1}...\nTo track the workload's status, run 'runai {2} list'\n",
      Split(kind.words, ' ').front(), sent->name, kind.words);
  WarnOfNever(session, said.work, *sent);
  if (said.attach) return AttachTo(session, said, *sent);
  return {};
}

// Flags that the other program has and that would change what runs: better no work than other work.
void RefuseFlag(Verb& verb, const char* flags, const char* why) {
  verb.Take(
      flags, [why](const std::string&) -> Status { return Fail(Code::kInvalid, why); },
      fmt::format("not here: {}", why));
}

// Flags of both grammars that are more than one field of the spec.
void AddShared(Verb& verb, RunaiSubmit& said) {
  verb.Word("NAME", said.name, "its name")
      .Text("--name", said.name_flag, "its name", "NAME")
      .Text("-p,--project", said.work.project, "the project", "NAME")
      .Flag("--attach", said.attach, "join its terminal when it runs")
      .Flag("--run-as-user", said.run_as_user, "run as the user who submits")
      .Texts("--extended-resource", said.extended, "a further resource", "NAME=N")
      .Text("--preferred-pod-topology-key", said.preferred_topology,
            "prefer nodes with the same value of this label", "KEY")
      .Text("--required-pod-topology-key", said.required_topology,
            "only nodes with the same value of this label", "KEY")
      .Flag("--preemptible", said.preemptible, "others may take its place");
  AddSpecFlags(verb, CommonFlags(), said.work.spec);
}

void AddOldFlags(Verb& verb, OldSubmit& said) {
  AddShared(verb, said);
  AddSpecFlags(verb, OldFlags(), said.work.spec);
  AddCsvFlags(verb, OldCsvFlags(), said.work.spec);
  verb.Flag("--command", said.replaces_command,
            "the words after -- replace the image's entry point")
      .Text("--job-name-prefix", said.name_prefix, "beginning of a name made for you", "TEXT")
      .Text("-g,--gpu", said.gpu, "GPUs, or the part of one: 2, 0.5", "N")
      .Text("--gpu-memory", said.gpu_memory, "GPU memory: 5G", "SIZE")
      .Flag("--interactive", said.interactive, "an interactive job")
      .Flag("--inference", said.inference, "an inference job")
      .Flag("--jupyter", said.jupyter, "a Jupyter notebook")
      .Texts("--pvc", said.pvcs, "a volume", "NAME:PATH[:ro]")
      .Texts("-v,--volume", said.volumes, "a folder of the node or of an NFS server",
             "SRC:PATH[:ro][:HOST]")
      .Text("--nfs-server", said.nfs_server, "the server of volumes that name none", "HOST")
      .Text("-s,--service-type", said.service_type, "nodeport, loadbalancer or external-url",
            "TYPE")
      .Texts("--port", said.ports, "a port it listens on", "[OUTSIDE:]PORT")
      .Text("--custom-url", said.custom_url, "the web address of the port", "URL")
      .Flag("--prevent-privilege-escalation", said.no_escalation, "forbid gaining privileges")
      .HiddenText("--args", said.args)
      .HiddenFlag("--always-pull-image", said.always_pull)
      .HiddenFlag("--local-image", said.local_image)
      .HiddenFlag("--dry-run", said.dry_run)
      .HiddenFlag("--elastic", said.elastic)
      .HiddenFlag("--mps", said.mps)
      .HiddenFlag("--mount-propagation", said.propagate_mounts)
      .HiddenText("-u,--user", said.other_user);
  RefuseFlag(verb, "--replicas", "use --completions and --parallelism, or submit-dist --workers");
}

struct OldFramework {
  const char* word;
  const char* name;
};

// `verb_name` is "mpi" below `submit-dist`, or `submit-mpi` itself.
void AddOldFramework(const Verb& parent, const char* verb_name, const OldFramework& framework) {
  auto said = std::make_shared<OldSubmit>();
  Verb verb = parent.Add(verb_name, fmt::format("Submit {} work", framework.name));
  said->workers = 1;
  said->work.spec.Set("distributedFramework", framework.name);
  AddOldFlags(verb, *said);
  verb.Number("--workers,--processes", said->workers, "how many workers [1]");
  verb.Examples(
      fmt::format("runai submit-dist {} train -i IMAGE -g 1 --workers 2", framework.word));
  verb.Run([said, session = &verb.session()] { return SubmitOld(*session, *said); });
}

void AddOldDist(const Verb& root) {
  constexpr OldFramework kFrameworks[] = {
      {"mpi", "MPI"}, {"pytorch", "PyTorch"}, {"tf", "TF"}, {"xgboost", "XGBoost"}};
  Verb dist = root.Add("submit-dist", "Submit distributed work");
  dist.NeedsVerb();
  for (const OldFramework& framework : kFrameworks)
    AddOldFramework(dist, framework.word, framework);
  AddOldFramework(root, "submit-mpi", kFrameworks[0]);
}

}  // namespace

void AddOldSubmit(const Verb& root) {
  auto said = std::make_shared<OldSubmit>();
  Verb verb = root.Add("submit", "Submit a job");
  AddOldFlags(verb, *said);
  verb.Examples(
      "runai submit train -i pytorch:2 -g 1 -- python train.py\n"
      "runai submit train -i pytorch:2 -g 0.5 --pvc data:/data --large-shm -e EPOCHS=3 "
      "--command -- python train.py\n"
      "runai submit notebook -i jupyter:1 -g 0.5 --interactive --service-type=nodeport --port "
      "8888");
  verb.Run([said, session = &verb.session()] { return SubmitOld(*session, *said); });
  AddOldDist(root);
}

void AddNewSubmit(Verb& noun, const NounKind& kind) {
  auto said = std::make_shared<RunaiSubmit>();
  said->work.kind = kind.kind;
  Verb verb = noun.Add("submit", "Submit one");
  AddShared(verb, *said);
  AddSpecFlags(verb, NewFlags(), said->work.spec);
  AddCsvFlags(verb, NewCsvFlags(), said->work.spec);
  verb.Flag("-c,--command", said->replaces_command,
            "the words after -- replace the image's entry point")
      .Text("--name-prefix", said->name_prefix, "beginning of a name made for you", "TEXT")
      .Text("--pod-running-timeout", said->wait_for_pods,
            "with --attach: fail if it does not run after this", "SPAN")
      .HiddenText("--wait-for-submit", said->wait_for_submit)
      .HiddenFlag("--dry-run", said->dry_run);
  if (kind.kind == WorkKind::kTraining) {
    constexpr static SpecFlag kRuns[] = {
        {"--parallelism", "parallelism", Reads::kCount, "how many runs at once"},
        {"--runs", "completions", Reads::kCount, "how many runs must succeed"}};
    AddSpecFlags(verb, kRuns, said->work.spec);
  }
  if (kind.kind == WorkKind::kDistributed) {
    said->work.spec.Set("distributedFramework", kind.framework);
    said->work.spec.Set("numWorkers", std::int64_t{1});
    AddSpecFlags(verb, DistributedFlags(), said->work.spec);
    AddSpecFlags(verb, MasterFlags(), said->work.master);
    verb.Flag("--no-master", said->no_master, "workers only")
        .Flag("--master-no-pvcs", said->master_no_pvcs, "the master has none of the volumes")
        .Texts("--master-extended-resource", said->master_extended,
               "a further resource of the master", "NAME=N");
  }
  verb.Examples(fmt::format("runai {} submit NAME -i IMAGE -g 1 -- python train.py", kind.words));
  verb.Run([said, kind, session = &verb.session()] { return SubmitNew(*session, *said, kind); });
}

}  // namespace yard::cli::runai
