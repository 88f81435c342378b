#include "app/demo.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/demo_objects.h"
#include "app/identity.h"
#include "app/serve.h"
#include "app/settings.h"
#include "app/yard.h"
#include "base/log.h"
#include "base/random.h"
#include "control/auth/identity.h"
#include "control/commands/bootstrap.h"
#include "demo/fill.h"
#include "demo/lab.h"
#include "demo/people.h"
#include "engine/sim/sim_engine.h"
#include "store/sqlite/sqlite_store.h"

namespace yard::app {
namespace {

namespace fs = std::filesystem;
using cli::ExitCode;

// Known to everybody, so good only where nobody else can come.
constexpr std::string_view kLocalPassword = "gpuyard-demo";
constexpr std::int64_t kMostWorkloads = 1'000'000;

struct Arguments {
  std::string data_dir;
  std::string listen = "127.0.0.1:8471";
  std::int64_t nodes = static_cast<std::int64_t>(demo::kUsualNodes);
  std::int64_t workloads = 0;
  std::string log_level = "error";
};

Result<Settings> SettingsOf(const Arguments& arguments) {
  YARD_ASSIGN(Address address, ParseAddress(arguments.listen));
  return ResolveSettings({.flags = {{"data-dir", arguments.data_dir},
                                    {"listen", arguments.listen},
                                    {"tls", IsLoopback(address) ? "off" : "auto"},
                                    {"engine", "sim"},
                                    {"native-tasks", "self"},
                                    {"log-level", arguments.log_level}}});
}

std::string PasswordFor(const Settings& settings, const Environment& environment) {
  if (auto given = environment.Find("GPUYARD_ADMIN_PASSWORD")) return *given;
  if (IsLoopback(*ParseAddress(settings.Text("listen")))) return std::string(kLocalPassword);
  return control::MakePassword(SystemRandom());
}

// On a terminal the lines of progress replace each other.
void ShowProgress(const std::string& words) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (terminal) fmt::print(stderr, "\r\033[Kmaking the lab: {}", words);
  std::fflush(stderr);
}

void EndProgress() {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

void Greet(const Yard& yard, const Settings& settings, const std::string& password) {
  const std::string& folder = settings.Text("data-dir");
  fmt::print(
      "Gpuyard's demo is serving: simulated nodes and GPUs, invented people and figures.\n\n");
  fmt::print("  url       {}\n", yard.url());
  fmt::print("  data      {}   (made again at every start)\n", folder);
  fmt::print("  user      {}   may do everything\n", control::kFirstAdministrator);
  for (const demo::Person& person : demo::People()) {
    const std::string_view where = !person.project.empty()      ? person.project
                                   : !person.department.empty() ? person.department
                                                                : "everything";
    fmt::print("            {:<20}  {} of {}\n", person.email, person.role, where);
  }
  fmt::print("  password  {}   of every account\n", password);
  fmt::print(
      "\nSign in at the url, or in another terminal:\n"
      "  export GPUYARD_SOCKET={}\n"
      "  gpuyard ps -A                 # what runs and what waits, of everybody\n"
      "  gpuyard queue                 # in which order it starts, and about when\n"
      "  gpuyard why finetune-70b      # why it waits, and what would help\n"
      "  gpuyard logs -f pretrain-13b\n"
      "  gpuyard submit -p vision -G 1 -J mine -- python train.py   # seems to run\n"
      "\nNothing here is real and no program is run. Ctrl-C ends the demo.\n",
      yard.socket());
  std::fflush(stdout);
}

ExitCode ServeStage(const demo::Stage& stage, const Settings& settings,
                    const std::string& password) {
  StopSignals signals;
  stage.world->StartThread();
  auto yard = Yard::Start(settings, {.engine = engine::MakeSimEngine(stage.world)});
  if (!yard) return Report(yard.error().error, yard.error().exit_code);
  if (auto made = MakeDemoObjects((*yard)->socket(), password, SystemClock().Now()); !made) {
    log::Warning("the demo lacks some objects", {{"error", made.error().error.message}});
  }
  {
    demo::BusyPeople people((*yard)->service());
    Greet(**yard, settings, password);
    signals.ServeUntilTold(**yard);
  }
  return ExitCode::kOk;
}

// How the demo's accounts come into being: as those of a real server, all with one password.
auto OpenAccounts(const std::string& data_dir, const std::string& password) {
  return [data_dir, password](control::Service& service) -> Result<std::string> {
    YARD_ASSIGN(std::unique_ptr<Identity> identity, Identity::Open(data_dir, service, password));
    return identity->signing().Hash(password);
  };
}

ExitCode RunDemo(const Arguments& arguments, const Environment& environment) {
  Result<Settings> settings = SettingsOf(arguments);
  if (!settings) return Report(settings.error(), ExitCode::kUsage);
  SetLogLevel(*settings);
  if (Status clear = ClearDemoDirectory(arguments.data_dir); !clear) {
    return Report(clear.error(), ExitCode::kDataDirectory);
  }
  const std::string password = PasswordFor(*settings, environment);
  Result<demo::Stage> stage =
      demo::Fill({.data_dir = arguments.data_dir,
                  .open_accounts = OpenAccounts(arguments.data_dir, password),
                  .nodes = static_cast<std::size_t>(arguments.nodes),
                  .workloads = arguments.workloads,
                  .now = SystemClock().Now(),
                  .told = ShowProgress});
  EndProgress();
  if (!stage) return Report(stage.error(), ExitCode::kDatabase);
  return ServeStage(*stage, *settings, password);
}

Status Refused(const std::string& path, std::string_view what) {
  return Fail(Code::kConflict, fmt::format("{} {}", path, what),
              "choose another place with --data-dir");
}

// Fails while another process has the database open.
Status CheckNotInUse(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path + "/gpuyard.db", error)) return {};
  auto store = store::OpenSqlite(path);
  if (store || store.error().code != Code::kConflict) return {};
  return Refused(path, "is in use by a demo that is running");
}

}  // namespace

Status ClearDemoDirectory(const std::string& path) {
  const std::string mark = fmt::format("{}/{}", path, kDemoMark);
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    return Fail(Code::kUnavailable, fmt::format("cannot make {}: {}", path, error.message()));
  }
  const bool ours = fs::exists(mark, error);
  if (!ours && !fs::is_empty(path, error)) {
    return Refused(path, "holds data that no demo has made, so it is left alone");
  }
  if (ours) YARD_TRY(CheckNotInUse(path));
  fs::permissions(path, fs::perms::owner_all, error);
  std::ofstream(mark) << "Made by `gpuyard demo`, and made again by it at every start.\n";
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    if (entry.path() != mark) fs::remove_all(entry.path(), error);
  }
  if (error || !fs::exists(mark)) {
    return Fail(Code::kUnavailable, fmt::format("cannot clear {}: {}", path, error.message()));
  }
  return {};
}

void AddDemo(CLI::App& app, const Environment& environment, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("demo", "Try everything on a lab of simulated nodes");
  command->footer(
      "Fills a data directory of its own with a lab (departments, projects, people, nodes with\n"
      "simulated GPUs, work that runs, waits, has ended and has failed) and serves it. The nodes\n"
      "are simulated, figures of use are invented and no program is run. Every start makes the lab "
      "again.\n\n"
      "Examples:\n  gpuyard demo\n  gpuyard demo --data-dir /tmp/lab --listen 127.0.0.1:0\n"
      "  gpuyard demo --workloads 100000 --nodes 2000   # how it copes with a lot\n\n"
      "Exit codes: as those of `gpuyard server`.");
  auto arguments = std::make_shared<Arguments>();
  arguments->data_dir = environment.data_dir + "-demo";
  command->add_option("--data-dir", arguments->data_dir, "data directory, for demos only")
      ->type_name("PATH")
      ->capture_default_str();
  command->add_option("--listen", arguments->listen, "HOST:PORT to serve on; port 0 takes any")
      ->type_name("TEXT")
      ->capture_default_str();
  command->add_option("--nodes", arguments->nodes, "simulated nodes")
      ->check(CLI::Range(std::int64_t{1}, static_cast<std::int64_t>(demo::kMostNodes)))
      ->capture_default_str();
  command
      ->add_option("--workloads", arguments->workloads,
                   "records of ended work are added until there are so many")
      ->check(CLI::Range(std::int64_t{0}, kMostWorkloads));
  command->add_option("--log-level", arguments->log_level, "debug, info, warning or error")
      ->capture_default_str();
  command->callback(
      [arguments, &environment, &exit_code] { exit_code = RunDemo(*arguments, environment); });
}

}  // namespace yard::app
