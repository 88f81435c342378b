// The one program: reads what is around it, picks the subcommand, returns its exit code.
#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/environment.h"
#include "base/version.h"
#include "cli/exit_code.h"

int main(int argc, char** argv) {
  using yard::cli::ExitCode;
  std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "gpuyard";
  CLI::App app("Gpuyard: a shared, fair and observable GPU cloud", name);
  app.set_version_flag("-V,--version", std::string(yard::kVersion));
  app.require_subcommand(1);
  yard::app::Environment environment = yard::app::ReadEnvironment();
  ExitCode exit_code = ExitCode::kOk;
  yard::app::AddServerCommands(app, environment, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    int status = app.exit(error);
    return status == 0 ? 0 : static_cast<int>(ExitCode::kUsage);
  }
  return static_cast<int>(exit_code);
}
