// The one program: reads what is around it, picks the subcommand, returns its exit code.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <boost/json/value.hpp>

#include "app/commands.h"
#include "app/environment.h"
#include "app/terminal.h"
#include "base/random.h"
#include "base/version.h"
#include "cli/exit_code.h"
#include "cli/help/verbs.h"
#include "cli/runai/verbs.h"
#include "cli/session.h"
#include "cli/verbs.h"

namespace {

using yard::app::Environment;
using yard::cli::ExitCode;

constexpr const char* kSystemDataDir = "/var/lib/gpuyard";

yard::cli::Surroundings SurroundingsOf(const Environment& environment, std::string program) {
  yard::cli::Surroundings around{
      .program = std::move(program),
      .url = environment.Find("GPUYARD_URL"),
      .token = environment.Find("GPUYARD_TOKEN"),
      .ca_file = environment.Find("GPUYARD_CA_FILE"),
      .profile_path = environment.config_dir + "/config.yaml",
      .socket = environment.Find("GPUYARD_SOCKET"),
      .sockets = {},
      .local_cas = {},
      .random = yard::SystemRandom(),
      .wait =
          [](yard::Micros span) {
            std::this_thread::sleep_for(std::chrono::microseconds(span.value));
          },
      .working_dir = yard::app::WorkingDirectory(),
      .variables = yard::app::AllVariables};
  for (const std::string& folder :
       {environment.Find("GPUYARD_DATA_DIR").value_or(environment.data_dir),
        std::string(kSystemDataDir)}) {
    around.sockets.push_back(folder + "/gpuyard.sock");
    around.local_cas.push_back(folder + "/tls/ca.crt");
  }
  return around;
}

// Scripts for the other command line name the server, an application and its secret; ours come
// first.
yard::Status TakeRunai(const Environment& environment, yard::cli::Surroundings& around) {
  std::optional<std::string> url = environment.Find("RUNAI_URL");
  if (around.url || around.socket || !url) return {};
  around.url = url;
  std::optional<std::string> id = environment.Find("RUNAI_CLIENT_ID");
  std::optional<std::string> secret = environment.Find("RUNAI_CLIENT_SECRET");
  if (around.token || !id || !secret) return {};
  yard::cli::Session nobody(yard::app::OpenConsole(environment), around);
  auto client = nobody.Anonymous(yard::cli::Session::PlaceOf(*url, "RUNAI_URL"), {});
  auto tokens = yard::cli::RequestTokens(
      *client, {{"grantType", "app_token"}, {"appId", *id}, {"appSecret", *secret}});
  if (!tokens) return yard::Fail(tokens.error().error);
  around.token = tokens->access;
  return {};
}

// The file that the other command line would remember things in: its flags, then its variables.
void TakeProfile(const Environment& environment, std::vector<std::string>& words,
                 yard::cli::Surroundings& around) {
  if (auto folder = environment.Find("RUNAI_CLI_CONFIG_PATH"))
    around.profile_path = *folder + "/config.yaml";
  if (auto file = environment.Find("RUNAI_CLI_CONFIG_FILE")) around.profile_path = *file;
  if (auto said = yard::cli::runai::TakeProfilePath(words)) around.profile_path = *said;
}

// Whether the words only ask how to say something.
bool AsksForHelp(const std::vector<std::string>& words) {
  return words.empty() || std::ranges::any_of(words, [](const std::string& word) {
           return word == "--help" || word == "-h" || word == "help" || word == "--version";
         });
}

// The library prints a footer without its last line break.
void EndFooters(CLI::App& app) {
  for (CLI::App* verb : app.get_subcommands({})) {
    if (!verb->get_footer().empty()) verb->footer(verb->get_footer() + "\n");
    EndFooters(*verb);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "gpuyard";
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  bool is_runai = yard::cli::TakesRunai(name, words);
  if (words.empty()) words = {"help"};
  CLI::App app("Gpuyard: a shared, fair and observable GPU cloud", is_runai ? "runai" : name);
  app.set_version_flag("-V,--version", std::string(yard::kVersion));
  app.require_subcommand(1);
  Environment environment = yard::app::ReadEnvironment();
  yard::cli::Surroundings around = SurroundingsOf(environment, is_runai ? "runai" : name);
  if (is_runai) TakeProfile(environment, words, around);
  yard::Status signed_in;
  if (is_runai && !AsksForHelp(words)) signed_in = TakeRunai(environment, around);
  yard::cli::Session session(yard::app::OpenConsole(environment), std::move(around));
  if (!signed_in) return static_cast<int>(session.Report(signed_in.error()));
  if (is_runai) {
    yard::cli::runai::AddRunai(app, session);
  } else {
    yard::cli::AddVerbs(app, session);
    yard::app::AddServerCommands(app, environment, session.exit_code);
  }
  EndFooters(app);
  if (!is_runai) yard::cli::GroupVerbs(app);
  if (yard::Status known = yard::cli::CheckVerb(app, words); !known)
    return static_cast<int>(session.Usage(known.error()));
  yard::cli::SplitTail(words, session);
  try {
    std::ranges::reverse(words);
    app.parse(std::move(words));
  } catch (const CLI::ExtrasError&) {
    return static_cast<int>(session.Usage(yard::cli::UnexpectedWords(app)));
  } catch (const CLI::ParseError& error) {
    int status = app.exit(error, std::cout, std::cerr);
    return status == 0 ? 0 : static_cast<int>(ExitCode::kUsage);
  }
  std::cout.flush();
  return static_cast<int>(session.exit_code);
}
