// doctor, support-bundle: what is wrong, and what to send to somebody who can tell.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "base/version.h"
#include "cli/enter/child.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/find.h"
#include "cli/work/logs.h"
#include "cli/work/mask.h"

namespace yard::cli {
namespace {

namespace fs = std::filesystem;
using client::Failure;
using client::Outcome;

struct Finding {
  std::string check;
  std::string state;  // ok, warn, fail
  std::string detail;
};

class Doctor {
 public:
  explicit Doctor(Session& session) : session_(session) {}

  std::vector<Finding> Run() {
    if (!CheckServer()) return std::move(findings_);
    CheckAccount();
    CheckProject();
    CheckNodes();
    CheckContainers();
    CheckPrograms();
    return std::move(findings_);
  }

 private:
  void Say(std::string check, std::string state, std::string detail) {
    findings_.push_back({std::move(check), std::move(state), std::move(detail)});
  }

  bool CheckServer() {
    Outcome<client::Client*> server = session_.Server();
    if (!server) {
      Say("server", "fail", server.error().error.message);
      return false;
    }
    server_ = *server;
    Outcome<json::value> version = server_->Get("/api/v1/version");
    if (!version) {
      Say("server", "fail", version.error().error.message);
      return false;
    }
    std::string theirs = TextAt(*version, "version");
    bool same = theirs == kVersion;
    Say("server", "ok", fmt::format("{} {}", server_->options().url, theirs));
    if (!same) Say("versions", "warn", fmt::format("this program is {}", kVersion));
    return true;
  }

  void CheckAccount() {
    Outcome<std::string> me = WhoAmI(session_);
    Say("account", me ? "ok" : "fail", me ? *me : me.error().error.message);
  }

  void CheckProject() {
    Outcome<ProjectInUse> project = FindProject(session_, "");
    Say("project", project ? "ok" : "warn",
        project ? project->name : project.error().error.details);
  }

  void CheckNodes() {
    auto nodes = ListObjects(*server_, **FindKind("nodes"), {});
    if (!nodes) return Say("nodes", "warn", nodes.error().error.message);
    std::size_t ready = 0;
    for (const json::value& node : *nodes) ready += TextAt(node, "status") == "Ready" ? 1 : 0;
    bool good = ready > 0 && ready == nodes->size();
    Say("nodes", good ? "ok" : "warn", fmt::format("{} of {} ready", ready, nodes->size()));
    Outcome<json::value> gpus = server_->Get("/api/v1/gpus");
    if (!gpus || !At(*gpus, "gpus").is_array()) return;
    std::size_t sick = 0;
    std::size_t declared = 0;
    for (const json::value& gpu : At(*gpus, "gpus").get_array()) {
      sick += TextAt(gpu, "fault").empty() ? 0 : 1;
      declared += TextAt(gpu, "declared") == "true" ? 1 : 0;
    }
    Say("gpus", sick == 0 ? "ok" : "warn",
        fmt::format("{}, {} only declared, {} with a fault", At(*gpus, "gpus").get_array().size(),
                    declared, sick));
  }

  void CheckContainers() {
    Outcome<json::value> engine = server_->Get("/api/v1/engine");
    if (!engine) return Say("containers", "warn", engine.error().error.message);
    bool works = TextAt(*engine, "containers") == "true";
    std::string daemon = TextAt(*engine, "containerDaemon");
    Say("containers", works ? "ok" : "warn",
        works ? daemon : "work with --image cannot run: " + TextAt(*engine, "containersMissing"));
    if (TextAt(*engine, "memoryLimits") != "true")
      Say("limits", "warn", "memory limits of plain processes are not enforced on the server");
    if (const std::string open = TextAt(*engine, "gpuFilterMissing"); !open.empty())
      Say("gpu filter", "warn", "plain processes can open GPUs that they were not given: " + open);
  }

  void CheckPrograms() {
    for (const char* program : {"tar", "ssh", "ssh-keygen"}) {
      bool found = false;
      for (const char* folder : {"/usr/bin", "/bin", "/usr/local/bin"})
        found = found || fs::exists(fs::path(folder) / program);
      Say(program, found ? "ok" : "warn", found ? "" : "not installed; cp or ssh will not work");
    }
  }

  Session& session_;
  client::Client* server_ = nullptr;
  std::vector<Finding> findings_;
};

Outcome<void> RunDoctor(Session& session) {
  Table table{.header = {"CHECK", "STATE", "DETAIL"}, .rows = {}};
  std::vector<json::value> objects;
  for (const Finding& finding : Doctor(session).Run()) {
    table.rows.push_back({finding.check, finding.state, finding.detail});
    objects.push_back(
        {{"check", finding.check}, {"state", finding.state}, {"detail", finding.detail}});
    if (finding.state == "fail") session.exit_code = ExitCode::kError;
  }
  return PrintTable(session, objects, table);
}

struct BundleArguments {
  std::string name;
  std::string file;
};

void WriteFile(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

// Every answer that helps, with what looks like a secret taken out.
Outcome<void> Collect(Session& session, const json::value& workload, const fs::path& folder) {
  YARD_ASSIGN(client::Client * server, session.Server());
  struct Part {
    const char* file;
    std::string path;
  };
  const Part parts[] = {{"version.json", "/api/v1/version"},
                        {"workload.json", PathOf(workload, "")},
                        {"spec.json", KindPathOf(workload, "")},
                        {"events.json", PathOf(workload, "/events")},
                        {"attempts.json", PathOf(workload, "/attempts")},
                        {"why.json", PathOf(workload, "/why")},
                        {"usage.json", PathOf(workload, "/usage")},
                        {"queue.json", "/api/v1/queue"},
                        {"gpus.json", "/api/v1/gpus"}};
  std::vector<std::string> secrets = SecretValues(workload);
  if (Outcome<json::value> sent = server->Get(KindPathOf(workload, "")))
    std::ranges::move(SecretValues(*sent), std::back_inserter(secrets));
  for (const Part& part : parts) {
    Outcome<json::value> answer = server->Get(part.path);
    json::value shown = answer ? Masked(*answer) : json::value(answer.error().error.message);
    WriteFile(folder / part.file, Without(PrettyJson(shown) + "\n", secrets));
  }
  std::string log;
  Outcome<void> read = ReadLog(session, TextAt(workload, "id"), {.tail = 20'000},
                               [&log](std::string_view bytes) { log += bytes; });
  WriteFile(folder / "log.txt",
            read ? Without(std::move(log), secrets) : read.error().error.message);
  return {};
}

Outcome<void> Bundle(Session& session, const BundleArguments& arguments) {
  YARD_ASSIGN(json::value workload, FindWorkload(session, arguments.name, Existing::kEver));
  std::string title = "gpuyard-" + TextAt(workload, "name");
  std::string file = arguments.file.empty() ? title + ".tar.gz" : arguments.file;
  fs::path scratch = fs::temp_directory_path() / ("gpuyard-" + session.NewKey());
  std::error_code error;
  fs::create_directories(scratch / title, error);
  chmod(scratch.c_str(), 0700);
  Outcome<void> collected = Collect(session, workload, scratch / title);
  Result<int> packed = RunProgram({"tar", "-czf", file, "-C", scratch.string(), title});
  fs::remove_all(scratch, error);
  YARD_TRY(collected);
  if (!packed || *packed != 0)
    return std::unexpected(Failure({Code::kInvalid, fmt::format("cannot write {}", file)}));
  session.console().out << file << '\n';
  session.Note("what looks like a secret is taken out; look into it before you send it");
  return {};
}

}  // namespace

void AddCare(CLI::App& app, Session& session) {
  Verb root(app, session);
  Verb verb = root.Add("doctor", "Check the way to the server and what is behind it");
  verb.Format().Examples("gpuyard doctor");
  verb.Run([&session] { return RunDoctor(session); });
  auto arguments = std::make_shared<BundleArguments>();
  verb = root.Add("support-bundle", "Pack everything about one workload into a file");
  verb.NeedsWord("NAME", arguments->name, "the workload")
      .Text("-f,--file", arguments->file, "the file; default: gpuyard-NAME.tar.gz", "FILE")
      .Examples("gpuyard support-bundle train");
  verb.Run([arguments, &session] { return Bundle(session, *arguments); });
}

}  // namespace yard::cli
