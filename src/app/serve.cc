#include "app/serve.h"

#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <ctime>

#include <fmt/format.h>

#include "app/commands.h"
#include "app/ftps/start.h"
#include "app/native_tasks.h"
#include "app/separation.h"
#include "app/server_account.h"
#include "base/log.h"
#include "base/time.h"
#include "base/version.h"

namespace yard::app {
namespace {

constexpr std::time_t kTickSeconds = 5;

log::Level LevelOf(const std::string& name) {
  if (name == "debug") return log::Level::kDebug;
  if (name == "warning") return log::Level::kWarning;
  if (name == "error") return log::Level::kError;
  return log::Level::kInfo;
}

// Bodies of requests come and go in many sizes. By itself the C library soon keeps such memory for
// later, in pieces that nothing else fits into; this way it goes back with the body.
void ReturnLargeMemory() {
  constexpr int kLarge = 256 * 1024;
  mallopt(M_MMAP_THRESHOLD, kLarge);
}

// The words that carry the password go to standard output only, never to the log.
void PrintCredentials(const std::optional<FirstCredentials>& first) {
  if (!first) return;
  fmt::print("  user      {}\n", first->email);
  if (first->generated) {
    fmt::print("  password  {}   (shown this once: keep it)\n", first->password);
  } else {
    fmt::print("  password  as given in GPUYARD_ADMIN_PASSWORD\n");
  }
}

// With whose rights strangers' requests are served.
std::string DescribeRights(const std::optional<ServerAccount>& account) {
  if (account)
    return fmt::format("the server has none (user {}); its engine has those of root", account->uid);
  return geteuid() == 0 ? "those of root" : "those of the account that started it";
}

void Greet(const Yard& yard, const ServeOptions& options, const std::string& rights) {
  const Settings& settings = options.settings;
  fmt::print("Gpuyard {} is serving.\n\n  url       {}\n", kVersion, yard.url());
  if (!yard.socket().empty()) fmt::print("  socket    {}\n", yard.socket());
  fmt::print("  data      {}\n", settings.Text("data-dir"));
  fmt::print("  work      {}\n", DescribeNativeTasks(settings));
  fmt::print("  rights    {}\n", rights);
  PrintCredentials(yard.first_credentials());
  if (options.greeting == Greeting::kSingleMachine) {
    bool closed = IsLoopback(*ParseAddress(settings.Text("listen")));
    fmt::print("\n{}\n", closed ? "Only this machine can reach it: nothing is open to the network."
                                : "It is open to the network, as --listen says.");
    if (!settings.IsDefault("data-dir") && !yard.socket().empty())
      fmt::print("In another terminal, first: `export GPUYARD_SOCKET={}`\n", yard.socket());
    fmt::print(
        "In another terminal: `gpuyard run -- COMMAND`, `gpuyard ps`, `gpuyard --help`.\n"
        "Ctrl-C stops the server; the data stays, and so does the work that runs.\n");
  }
  std::fflush(stdout);
}

cli::ExitCode ExitCodeOf(const Error& error) {
  return error.code == Code::kInvalid ? cli::ExitCode::kUsage : cli::ExitCode::kDataDirectory;
}

// Ends when a signal says so.
int WaitForStop(Yard& yard, const sigset_t& signals) {
  while (true) {
    timespec wait{.tv_sec = kTickSeconds, .tv_nsec = 0};
    int signal = sigtimedwait(&signals, nullptr, &wait);
    if (signal == SIGTERM || signal == SIGINT) return signal;
    if (signal < 0) yard.Tick();
  }
}

}  // namespace

StopSignals::StopSignals() : signals_() {
  sigemptyset(&signals_);
  for (int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

void StopSignals::ServeUntilTold(Yard& yard) const {
  int signal = WaitForStop(yard, signals_);
  log::Info("stopping", {{"signal", signal == SIGINT ? "SIGINT" : "SIGTERM"}});
  yard.Stop();
}

void SetLogLevel(const Settings& settings) {
  log::SetLevel(LevelOf(settings.Text("log-level")));
}

cli::ExitCode Serve(ServeOptions options) {
  StopSignals signals;
  SetLogLevel(options.settings);
  Result<std::optional<ServerAccount>> account = ServerAccountOf(options.settings);
  if (!account) return Report(account.error(), ExitCodeOf(account.error()));
  Result<std::optional<ftps::FtpsPlace>> ftps = ftps::StartFtps(options.settings, *account);
  if (!ftps) return Report(ftps.error(), ExitCodeOf(ftps.error()));
  std::optional<std::uint32_t> reads;
  if (*ftps) reads = (*ftps)->reader;
  Result<UniqueFd> engine_process;
  if (*account) engine_process = Separate(options.settings, **account, reads);
  if (!engine_process) return Report(engine_process.error(), cli::ExitCode::kDataDirectory);
  ReturnLargeMemory();
  auto yard = Yard::Start(options.settings, {.admin_password = std::move(options.admin_password),
                                             .engine = nullptr,
                                             .engine_process = *std::move(engine_process),
                                             .ftps = *std::move(ftps)});
  if (!yard) {
    const Error& error = yard.error().error;
    fmt::print(stderr, "gpuyard: {}{}{}\n", error.message, error.details.empty() ? "" : "; ",
               error.details);
    if (yard.error().first) fmt::print("The first administrator was made before that:\n");
    PrintCredentials(yard.error().first);
    std::fflush(stdout);
    return yard.error().exit_code;
  }
  // Also at a second start, if the first one failed half-way.
  if (options.greeting == Greeting::kSingleMachine) {
    if (Status made = (*yard)->MakeFirstProject(); !made) {
      log::Warning("no first project was made", {{"error", made.error().message}});
    }
  }
  log::Info("serving", {{"url", (*yard)->url()}, {"data-dir", options.settings.Text("data-dir")}});
  Greet(**yard, options, DescribeRights(*account));
  signals.ServeUntilTold(**yard);
  yard->reset();
  if (*account) AwaitEngine();
  log::Info("stopped");
  return cli::ExitCode::kOk;
}

}  // namespace yard::app
