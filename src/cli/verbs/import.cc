// import: brings the runs of another tracking server over. The user's own Python does it, with code
// that the program carries (python/gpuyard/mlflow_import.py).
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/object.hpp>

#include "cli/enter/carried_python.h"
#include "cli/track/import_code.h"
#include "cli/track/verbs.h"
#include "cli/verb.h"

namespace yard::cli {
namespace {

using client::Outcome;

struct ImportArguments {
  std::string source;
  std::string project;
  std::string artifacts;
  std::string python = "python3";
  std::vector<std::string> experiments;
};

json::object Code() {
  json::object code{{"gpuyard_import", ""}};
  for (const ImportCode& file : kImportCode) {
    code[fmt::format("gpuyard_import.{}", file.name)] = file.text;
  }
  return code;
}

// The server and a token that is good now.
Outcome<json::object> WhereTo(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_TRY(server->Get("/api/v1/me"));
  YARD_ASSIGN(Session::Place place, session.FindServer());
  YARD_ASSIGN(Profile * profile, session.profile());
  const Surroundings& around = session.around();
  const bool from_profile = place.said_by == around.profile_path || around.url == profile->url;
  json::object where{{"GPUYARD_URL", place.socket.empty() ? place.url : "unix:" + place.socket}};
  if (around.token) {
    where["GPUYARD_TOKEN"] = *around.token;
  } else if (from_profile) {
    where["GPUYARD_TOKEN"] = profile->token;
  }
  const std::string ca_file = around.ca_file.value_or(profile->ca_file);
  if (!ca_file.empty()) where["GPUYARD_CA_FILE"] = ca_file;
  return where;
}

Outcome<void> Import(Session& session, const ImportArguments& arguments) {
  YARD_ASSIGN(json::object where, WhereTo(session));
  std::vector<std::string> words{arguments.source};
  if (!arguments.project.empty()) words.push_back("--project=" + arguments.project);
  if (!arguments.artifacts.empty()) words.push_back("--artifacts=" + arguments.artifacts);
  words.reserve(words.size() + arguments.experiments.size());
  for (const std::string& name : arguments.experiments) words.push_back("--experiment=" + name);
  const json::object code = Code();
  YARD_ASSIGN(const int ended,
              RunCarried({{arguments.python}, code, "gpuyard_import.mlflow_import"}, words, where));
  session.exit_code = static_cast<ExitCode>(ended);
  return {};
}

}  // namespace

void AddImport(CLI::App& app, Session& session) {
  Verb root = Verb(app, session).Add("import", "Bring runs of another server over");
  root.NeedsVerb().Examples("gpuyard import mlflow http://mlflow.lab:5000 -p vision");
  auto arguments = std::make_shared<ImportArguments>();
  Verb verb = root.Add("mlflow", "Runs, files and models of an MLflow server");
  verb.NeedsWord("SOURCE", arguments->source, "http://HOST:PORT or sqlite:///FILE")
      .Text("-p,--project", arguments->project, "into this project [your only one]", "NAME")
      .Texts("--experiment", arguments->experiments, "only this one", "NAME")
      .Text("--artifacts", arguments->artifacts,
            "with sqlite:///: the folder of files that the server handed out", "FOLDER")
      .Text("--python", arguments->python, "Python 3.8 or newer [python3]", "PROGRAM")
      .Examples(
          "gpuyard import mlflow http://mlflow.lab:5000 -p vision\n"
          "gpuyard import mlflow sqlite:////srv/mlflow.db --artifacts /srv/mlartifacts");
  verb.Run([arguments, &session] { return Import(session, *arguments); });
}

}  // namespace yard::cli
