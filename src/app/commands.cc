#include "app/commands.h"

#include <unistd.h>

#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/backup.h"
#include "app/demo.h"
#include "app/native_tasks.h"
#include "app/serve.h"
#include "app/settings.h"
#include "app/simulate.h"
#include "app/trust.h"
#include "base/file.h"

namespace yard::app {
namespace {

using cli::ExitCode;

constexpr const char* kSystemConfig = "/etc/gpuyard/server.yaml";

// What the flags of one subcommand say.
struct Flags {
  std::string config;
  NamedTexts values;
};

std::shared_ptr<Flags> AddSettingFlags(CLI::App& command) {
  auto flags = std::make_shared<Flags>();
  command.add_option("--config", flags->config, "configuration file (YAML)")->type_name("FILE");
  for (const SettingSpec& spec : SettingSpecs()) {
    std::string name(spec.name);
    std::string help(spec.help);
    if (!spec.initial.empty()) help += fmt::format(" [{}]", spec.initial);
    command
        .add_option_function<std::string>(
            "--" + name, [flags, name](const std::string& value) { flags->values[name] = value; },
            help)
        ->type_name(spec.kind == SettingSpec::Kind::kWhole    ? "N"
                    : spec.kind == SettingSpec::Kind::kChoice ? std::string(spec.choices)
                    : spec.kind == SettingSpec::Kind::kPath   ? "PATH"
                                                              : "TEXT");
  }
  return flags;
}

Result<std::string> ReadSettings(const std::string& path) {
  Result<std::string> text = ReadFile(path);
  if (text) return text;
  return Fail(Code::kInvalid, fmt::format("cannot read {}", text.error().message),
              "check the path given with --config or GPUYARD_CONFIG");
}

enum class ForWhom { kServer, kSingleMachine };

// A single machine serves itself only, so plain HTTP will do; whoever opens it gets TLS.
NamedTexts DefaultsFor(ForWhom whom, const Environment& environment, const SettingSources& said) {
  if (whom == ForWhom::kServer) return {{"data-dir", "/var/lib/gpuyard"}};
  auto listen = said.flags.find("listen");
  auto variable = said.environment.find("GPUYARD_LISTEN");
  Result<Address> address = ParseAddress(listen != said.flags.end()           ? listen->second
                                         : variable != said.environment.end() ? variable->second
                                                                              : "127.0.0.1:0");
  bool local = !address || IsLoopback(*address);
  return {{"data-dir", environment.data_dir},
          {"tls", local ? "off" : "auto"},
          {"native-tasks", geteuid() == 0 ? "isolated"
                           : local        ? "self"
                                          : "owner"},
          {"operator-account", OperatorOf(environment.Find("SUDO_USER").value_or(""))}};
}

Result<Settings> Resolve(const Flags& flags, const Environment& environment, ForWhom whom) {
  SettingSources sources{.environment = environment.Ours(), .flags = flags.values};
  sources.file_path =
      flags.config.empty() ? environment.Find("GPUYARD_CONFIG").value_or("") : flags.config;
  if (sources.file_path.empty() && whom == ForWhom::kServer && access(kSystemConfig, R_OK) == 0) {
    sources.file_path = kSystemConfig;
  }
  if (!sources.file_path.empty()) {
    YARD_ASSIGN(sources.file_text, ReadSettings(sources.file_path));
  }
  sources.defaults = DefaultsFor(whom, environment, sources);
  return ResolveSettings(sources);
}

ExitCode RunServer(const Flags& flags, const Environment& environment, ForWhom whom) {
  Result<Settings> settings = Resolve(flags, environment, whom);
  if (!settings) return Report(settings.error(), ExitCode::kUsage);
  if (Status safe = CheckNativeTasks(*settings); !safe)
    return Report(safe.error(), ExitCode::kUsage);
  bool single = whom == ForWhom::kSingleMachine;
  return Serve({.settings = *settings,
                .admin_password = environment.Find("GPUYARD_ADMIN_PASSWORD"),
                .greeting = single ? Greeting::kSingleMachine : Greeting::kServer});
}

void AddServe(CLI::App& app, const Environment& environment, ExitCode& exit_code) {
  CLI::App* up = app.add_subcommand("up", "Serve this machine, for its own users only");
  up->footer(
      "Examples:\n  gpuyard up\n  gpuyard up --data-dir ~/yard --listen 127.0.0.1:0\n\n"
      "Opens nothing to the network unless --listen says so.");
  CLI::App* server = app.add_subcommand("server", "Serve in the foreground, with every option");
  server->footer(
      "Examples:\n  gpuyard server --config /etc/gpuyard/server.yaml\n"
      "  gpuyard server --data-dir /srv/yard --listen 0.0.0.0:443\n\n"
      "Exit codes: 0 stopped, 2 configuration, 10 cannot listen, 11 data directory,\n"
      "12 data directory in use, 13 TLS files, 14 database.");
  for (CLI::App* command : {up, server}) {
    ForWhom whom = command == up ? ForWhom::kSingleMachine : ForWhom::kServer;
    std::shared_ptr<Flags> flags = AddSettingFlags(*command);
    command->callback([flags, &environment, &exit_code, whom] {
      exit_code = RunServer(*flags, environment, whom);
    });
  }
}

void PrintSettings(const Settings& settings) {
  for (const SettingSpec& spec : SettingSpecs()) {
    const Setting& setting = settings.Find(spec.name);
    std::string value = setting.value.empty() ? "\"\"" : setting.value;
    fmt::print("{:<42} # {}\n", fmt::format("{}: {}", spec.name, value), setting.origin);
  }
  if (!settings.clusters().empty()) fmt::print("clusters:\n");
  for (const ClusterSettings& cluster : settings.clusters()) {
    fmt::print("{:<42} # {}\n", fmt::format("  {}:", cluster.name), cluster.origin);
    for (const auto& [option, value] : cluster.values) fmt::print("    {}: {}\n", option, value);
  }
}

ExitCode ShowConfig(const Flags& flags, const Environment& environment) {
  Result<Settings> settings = Resolve(flags, environment, ForWhom::kServer);
  if (!settings) return Report(settings.error(), ExitCode::kUsage);
  PrintSettings(*settings);
  return ExitCode::kOk;
}

ExitCode CheckConfig(const Flags& flags, const Environment& environment) {
  Result<Settings> settings = Resolve(flags, environment, ForWhom::kServer);
  if (!settings) return Report(settings.error(), ExitCode::kUsage);
  fmt::print(stderr, "the configuration is valid\n");
  return ExitCode::kOk;
}

// The client's `config` command is there already; the server's parts are added to it.
void AddConfig(CLI::App& app, const Environment& environment, ExitCode& exit_code) {
  CLI::App* config = app.get_subcommand("config");
  CLI::App* check = config->add_subcommand("check", "Check the server's configuration");
  CLI::App* show = config->add_subcommand("show", "Show the server's settings and their origin");
  show->add_flag_callback("--effective", [] {}, "the values in force, each with its origin");
  std::shared_ptr<Flags> for_check = AddSettingFlags(*check);
  std::shared_ptr<Flags> for_show = AddSettingFlags(*show);
  check->add_option("FILE", for_check->config, "configuration file, instead of --config");
  check->callback(
      [for_check, &environment, &exit_code] { exit_code = CheckConfig(*for_check, environment); });
  show->callback(
      [for_show, &environment, &exit_code] { exit_code = ShowConfig(*for_show, environment); });
}

ExitCode Done(const Status& status, const std::string& words) {
  if (!status) return Report(status.error(), cli::ExitCodeOf(status.error().code));
  fmt::print(stderr, "{}\n", words);
  return ExitCode::kOk;
}

struct FileArguments {
  std::string file;
  std::string data_dir;
  std::string task_dir;
  bool run_queue = false;

  DataFolders folders() const {
    return {data_dir, task_dir.empty() ? UsualTaskFolder(data_dir) : task_dir};
  }
};

std::shared_ptr<FileArguments> AddFileArguments(CLI::App& command, const Environment& environment) {
  auto arguments = std::make_shared<FileArguments>();
  arguments->data_dir = environment.Find("GPUYARD_DATA_DIR").value_or(environment.data_dir);
  command.add_option("FILE", arguments->file, "the backup file")->required();
  command.add_option("--data-dir", arguments->data_dir, "data directory")
      ->type_name("PATH")
      ->capture_default_str();
  command
      .add_option("--task-dir", arguments->task_dir,
                  "where tasks have their folders and logs, if the server's setting says so")
      ->type_name("PATH");
  return arguments;
}

void AddCare(CLI::App& app, const Environment& environment, ExitCode& exit_code) {
  CLI::App* backup = app.add_subcommand("backup", "Copy a data directory into one file");
  backup->footer(
      "Works while the server runs. The file also holds the keys: keep it safe.\n\n"
      "Example:\n  gpuyard backup --data-dir /srv/yard /backup/yard-monday");
  auto from = AddFileArguments(*backup, environment);
  backup->callback([from, &exit_code] {
    exit_code =
        Done(BackUp(from->folders(), from->file),
             fmt::format("{} holds {} and the logs of ended work; not the folder track, nor "
                         "the work's own files",
                         from->file, from->data_dir));
  });
  CLI::App* restore = app.add_subcommand("restore", "Make a data directory from a backup file");
  restore->footer(
      "Work that waited when the backup was made is held at the next start, since the original\n"
      "may run it: `gpuyard release '*' --others` lets it go, and --run-queue holds nothing.\n\n"
      "Example:\n  gpuyard restore --data-dir /srv/new /backup/yard-monday");
  auto into = AddFileArguments(*restore, environment);
  restore->add_flag("--run-queue", into->run_queue, "the original is gone: run what waits");
  restore->callback([into, &exit_code] {
    const RestoredQueue queue = into->run_queue ? RestoredQueue::kRuns : RestoredQueue::kHeld;
    exit_code =
        Done(Restore(into->file, into->folders(), queue),
             fmt::format("{0} is ready: start it with `gpuyard server --data-dir {0}`{1}",
                         into->data_dir, into->run_queue ? "" : "; what waited is held there"));
  });
}

void AddTrust(CLI::App& app, const Environment& environment, ExitCode& exit_code) {
  CLI::App* trust = app.add_subcommand("trust", "Make this machine trust the server's certificate");
  trust->footer(
      "Copies DATA-DIR/tls/ca.crt into the system's certificates (Debian and Ubuntu) and\n"
      "runs update-ca-certificates. Needs root. --remove takes it back.\n\n"
      "Example:\n  sudo gpuyard trust --data-dir /var/lib/gpuyard");
  struct Arguments {
    std::string data_dir;
    bool remove = false;
  };
  auto arguments = std::make_shared<Arguments>();
  arguments->data_dir = environment.Find("GPUYARD_DATA_DIR").value_or(environment.data_dir);
  trust->add_option("--data-dir", arguments->data_dir, "data directory")->type_name("PATH");
  trust->add_flag("--remove", arguments->remove, "no longer trust it");
  trust->callback([arguments, &exit_code] {
    Status status = arguments->remove ? Distrust() : Trust(arguments->data_dir);
    exit_code = Done(status, arguments->remove ? "the certificate is no longer trusted"
                                               : "this machine now trusts the server");
  });
}

}  // namespace

ExitCode Report(const Error& error, ExitCode exit_code) {
  fmt::print(stderr, "gpuyard: {}{}{}\n", error.message, error.details.empty() ? "" : "; ",
             error.details);
  return exit_code;
}

void AddServerCommands(CLI::App& app, const Environment& environment, ExitCode& exit_code) {
  AddServe(app, environment, exit_code);
  AddConfig(app, environment, exit_code);
  AddCare(app, environment, exit_code);
  AddTrust(app, environment, exit_code);
  AddDemo(app, environment, exit_code);
  AddSimulate(app, exit_code);
}

}  // namespace yard::app
