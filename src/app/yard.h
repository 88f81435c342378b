// The running server: store, service, API and listeners, put together and taken apart in order.
//
// Start brings up everything or reports which part failed. One thread starts, ticks and stops it;
// requests are served on threads of its own.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "app/ftps/start.h"
#include "app/settings.h"
#include "base/fd.h"
#include "base/result.h"
#include "base/time.h"
#include "cli/exit_code.h"
#include "control/service.h"
#include "engine/engine.h"

namespace yard::app {

// The first administrator, as made by the first start on an empty data directory.
struct FirstCredentials {
  std::string email;
  std::string password;
  bool generated = false;  // made here and known to nobody yet: must be shown once
};

struct StartFailure {
  Error error;
  cli::ExitCode exit_code = cli::ExitCode::kError;
  std::optional<FirstCredentials> first = {};  // made before it failed, and never again
};

struct YardOptions {
  std::optional<std::string> admin_password;  // for the first one; nothing: a random one is made
  std::unique_ptr<engine::Engine> engine;     // null: the one that the settings name
  UniqueFd engine_process;  // of app/separation.h; none: the engine runs in this process
  std::optional<ftps::FtpsPlace> ftps = {};  // nothing: FTPS is not served
};

class Yard {
 public:
  static std::expected<std::unique_ptr<Yard>, StartFailure> Start(const Settings& settings,
                                                                  YardOptions options);

  virtual ~Yard() = default;
  virtual control::Service& service() = 0;
  virtual std::string url() const = 0;
  // Empty if the machine's users cannot reach it by a socket.
  virtual std::string socket() const = 0;
  virtual const std::optional<FirstCredentials>& first_credentials() const = 0;
  // A project to start in, on a machine with one user.
  virtual Status MakeFirstProject() = 0;
  // To be called every few seconds: moves ended work out of the memory and, once an hour, forgets
  // what is older than the retention.
  virtual void Tick() = 0;
  // Answers what is running, then closes. Idempotent.
  virtual void Stop() = 0;
};

}  // namespace yard::app
