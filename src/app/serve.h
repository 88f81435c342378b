// Runs the server in the foreground until it is told to stop.
//
// SIGTERM and SIGINT stop it gracefully; SIGHUP is taken and does nothing, so that a closing
// terminal or a log rotation does not end it.
#pragma once

#include <csignal>
#include <optional>
#include <string>

#include "app/settings.h"
#include "app/yard.h"
#include "cli/exit_code.h"

namespace yard::app {

// Who the words at the start are for.
enum class Greeting { kServer, kSingleMachine };

struct ServeOptions {
  Settings settings;
  std::optional<std::string> admin_password;
  Greeting greeting = Greeting::kServer;
};

// Must be called before any other thread is started: it blocks the signals for all of them.
cli::ExitCode Serve(ServeOptions options);

// The signals that end a server, blocked from its making on; the same rule holds.
class StopSignals {
 public:
  StopSignals();
  // Ticks until a signal says stop; then stops the yard.
  void ServeUntilTold(Yard& yard) const;

 private:
  sigset_t signals_;
};

void SetLogLevel(const Settings& settings);

}  // namespace yard::app
