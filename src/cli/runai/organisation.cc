// project, cluster, node, nodepool, config, kubeconfig, login and their like.
#include <fstream>
#include <memory>
#include <ostream>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/runai/show.h"
#include "cli/runai/work.h"
#include "cli/work/find.h"

namespace yard::cli::runai {
namespace {

using client::Failure;
using client::Outcome;

Outcome<void> ListKind(Session& session, std::string_view plural, const NewFormat& format) {
  YARD_ASSIGN(client::Client * server, session.Server());
  const Kind& kind = **FindKind(plural);
  YARD_ASSIGN(auto objects, ListObjects(*server, kind, {}));
  return PrintNew(session, format, objects, TableOf(kind, Format::kTable, objects));
}

void AddKindList(const Verb& parent, const char* plural, const char* example) {
  auto format = std::make_shared<NewFormat>();
  Verb verb = parent.Add("list", "List them");
  AddNewFormat(verb, *format);
  verb.Examples(example);
  verb.Run(
      [format, plural, session = &verb.session()] { return ListKind(*session, plural, *format); });
}

Outcome<void> UseProject(Session& session, const std::string& name, const char* text) {
  YARD_ASSIGN(ProjectInUse project, FindProject(session, name));
  YARD_ASSIGN(Profile * profile, session.profile());
  profile->project = project.name;
  YARD_TRY(session.Save());
  session.console().out << fmt::format(fmt::runtime(text), project.name) << '\n';
  return {};
}

void AddProject(const Verb& root) {
  Verb project = root.Add("project", "Projects");
  project.NeedsVerb();
  AddKindList(project, "projects", "runai project list");
  auto name = std::make_shared<std::string>();
  Verb set = project.Add("set", "Choose the project in use");
  set.NeedsWord("NAME", *name, "the project").Examples("runai project set vision");
  set.Run([name, session = &set.session()] {
    return UseProject(*session, *name, "project {} configured successfully");
  });
}

// Work runs in the cluster of its project, so that is the only one to be in use.
Outcome<void> UseCluster(Session& session, const std::string& name, const char* text) {
  YARD_ASSIGN(client::Client * server, session.Server());
  const Kind& kind = **FindKind("clusters");
  YARD_ASSIGN(std::vector<json::value> all, ListObjects(*server, kind, {}));
  json::value found = all.size() == 1 ? all.front() : json::value();
  if (!name.empty()) {
    YARD_ASSIGN(found, FindObject(*server, kind, name));
  }
  if (found.is_null())
    return std::unexpected(Failure({Code::kInvalid, "which cluster?", "see `runai cluster list`"}));
  if (all.size() > 1) {
    YARD_ASSIGN(ProjectInUse project, FindProject(session, ""));
    if (project.cluster_id != TextAt(found, "uuid"))
      return std::unexpected(Failure(
          {Code::kPrecondition,
           fmt::format("the project in use, '{}', belongs to another cluster", project.name),
           "work runs in the cluster of its project: choose one with `runai project set`"}));
  }
  session.console().out << fmt::format(fmt::runtime(text), TextAt(found, "name")) << '\n';
  return {};
}

void AddClusters(const Verb& root) {
  Verb cluster = root.Add("cluster", "Clusters");
  cluster.NeedsVerb();
  AddKindList(cluster, "clusters", "runai cluster list");
  auto name = std::make_shared<std::string>();
  Verb set = cluster.Add("set", "Choose the cluster in use");
  set.Word("NAME", *name, "the cluster").Text("--id", *name, "its id", "ID");
  set.Examples("runai cluster set local");
  set.Run([name, session = &set.session()] {
    return UseCluster(*session, *name, "cluster {} configured successfully");
  });
  Verb node = root.Add("node", "Nodes");
  node.NeedsVerb();
  AddKindList(node, "nodes", "runai node list");
  Verb pool = root.Add("nodepool", "Node pools");
  pool.NeedsVerb();
  AddKindList(pool, "node-pools", "runai nodepool list");
}

struct ConfigArguments {
  std::string name;
  std::string url;
  std::string auth_url;
  std::string output;
  std::string patience;  // --status-timeout-duration
  bool interactive = false;
};

// What the other program remembers and this one has no place for.
Outcome<void> RefuseUnkept(const ConfigArguments& arguments) {
  auto refuse = [](const char* what, const char* instead) -> Outcome<void> {
    return std::unexpected(Failure({Code::kInvalid, what, instead}));
  };
  if (!arguments.output.empty())
    return refuse("--output is not kept", "give --json, --yaml or -o to the verb that prints");
  if (!arguments.patience.empty())
    return refuse("--status-timeout-duration is not kept", "nothing is asked for a status here");
  if (arguments.interactive)
    return refuse("--interactive is not here", "every verb has --help with examples");
  return {};
}

Outcome<void> SetUrl(Session& session, const ConfigArguments& arguments) {
  YARD_TRY(RefuseUnkept(arguments));
  if (!arguments.auth_url.empty() && arguments.auth_url != arguments.url)
    session.Note("people sign in at the server itself: --auth-url is not kept");
  if (arguments.url.empty())
    return std::unexpected(Failure({Code::kInvalid, "what is to be set?", "give --cp-url URL"}));
  YARD_ASSIGN(Profile * profile, session.profile());
  // Tokens of one server are never sent to another.
  if (profile->url != arguments.url) *profile = Profile{.project = profile->project};
  profile->url = arguments.url;
  YARD_TRY(session.Save());
  session.console().out << "configured successfully; sign in with `runai login`\n";
  return {};
}

struct GenerateArguments {
  bool json = false;
  bool yaml = false;
  std::string file;
};

// What another machine needs to find this server; no token.
Outcome<void> Generate(Session& session, const GenerateArguments& arguments) {
  YARD_ASSIGN(Session::Place place, session.FindServer());
  YARD_ASSIGN(ProjectInUse project, FindProject(session, ""));
  json::object record{
      {"control_plane", {{"url", place.socket.empty() ? place.url : "unix:" + place.socket}}},
      {"cluster", {{"uuid", project.cluster_id}}}};
  Format format = arguments.yaml ? Format::kYaml : Format::kJson;
  if (arguments.file.empty()) {
    PrintTree(session.console(), format, record);
    return {};
  }
  std::ofstream file(arguments.file);
  Console into{.out = file, .err = session.console().err, .in = session.console().in};
  PrintTree(into, format, record);
  file.close();
  if (!file) return std::unexpected(Failure({Code::kInvalid, "cannot write " + arguments.file}));
  return {};
}

void AddGenerate(const Verb& config) {
  auto arguments = std::make_shared<GenerateArguments>();
  Verb verb = config.Add("generate", "Print where this command line finds its server");
  verb.Flag("--json", arguments->json, "as JSON (default)")
      .Flag("--yaml", arguments->yaml, "as YAML")
      .Text("--file", arguments->file, "into a file", "FILE")
      .Examples("runai config generate --yaml");
  verb.Run([arguments, session = &verb.session()] { return Generate(*session, *arguments); });
}

void AddConfig(const Verb& root) {
  Verb config = root.Add("config", "What the command line remembers");
  config.NeedsVerb();
  auto arguments = std::make_shared<ConfigArguments>();
  Verb project = config.Add("project", "Choose the project in use");
  project.NeedsWord("NAME", arguments->name, "the project").Examples("runai config project vision");
  project.Run([arguments, session = &project.session()] {
    return UseProject(*session, arguments->name, "Project {} has been set as default project");
  });
  Verb cluster = config.Add("cluster", "Choose the cluster in use");
  cluster.NeedsWord("NAME", arguments->name, "the cluster").Examples("runai config cluster local");
  cluster.Run([arguments, session = &cluster.session()] {
    return UseCluster(*session, arguments->name, "Cluster {} has been set as default cluster");
  });
  Verb set = config.Add("set", "Choose the server");
  set.Text("--cp-url", arguments->url, "the server", "URL")
      .HiddenText("--auth-url", arguments->auth_url)
      .HiddenText("--output", arguments->output)
      .HiddenText("--status-timeout-duration", arguments->patience)
      .HiddenFlag("--interactive", arguments->interactive)
      .Examples("runai config set --cp-url https://gpu.example.org:8470");
  set.Run([arguments, session = &set.session()] { return SetUrl(*session, *arguments); });
  AddGenerate(config);
}

// The other program counts how it is used; this one does not.
void AddMetrics(const Verb& root) {
  Verb report = root.Add("report", "What the command line recorded about its use");
  report.NeedsVerb();
  Verb metrics = report.Add("metrics", "Counts of verbs: none are kept");
  metrics.NeedsVerb();
  for (const char* word : {"clear", "config", "output"}) {
    Verb verb = metrics.Add(word, "Says that there are none");
    verb.Examples(fmt::format("runai report metrics {}", word));
    verb.Run([session = &verb.session()]() -> Outcome<void> {
      session->Note("no metrics are kept about the use of this command line");
      return {};
    });
  }
}

void AddKubeconfig(const Verb& root) {
  Verb kube = root.Add("kubeconfig", "Access with kubectl");
  kube.NeedsVerb();
  Verb set = kube.Add("set", "Write a kubeconfig");
  set.Examples("runai kubeconfig set");
  set.Run([]() -> Outcome<void> {
    return std::unexpected(Failure({Code::kUnsupported, "this server has no Kubernetes API",
                                    "use `runai logs`, `exec`, `port-forward` instead"}));
  });
}

// The package brings new versions.
void AddUpgrade(const Verb& root) {
  for (const char* word : {"upgrade", "update"}) {
    Verb verb = root.Add(word, "Says how the program is upgraded");
    static bool force = false;
    verb.HiddenFlag("--force", force).Examples(fmt::format("runai {}", word));
    verb.Run([]() -> Outcome<void> {
      return std::unexpected(
          Failure({Code::kUnsupported, "the program does not replace itself",
                   "install the package of the new version: apt install ./gpuyard_*.deb"}));
    });
  }
}

}  // namespace

void AddOrganisation(const Verb& root) {
  AddProject(root);
  AddClusters(root);
  AddConfig(root);
  AddKubeconfig(root);
  AddMetrics(root);
  AddUpgrade(root);
}

}  // namespace yard::cli::runai
