// What a verb works with: the console, the profile, the way to the server, and the exit code.
//
// The server is found by GPUYARD_URL and GPUYARD_TOKEN, else by the profile, else by the socket of
// a server on this machine. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "client/client.h"

namespace yard::cli {

// What the program found around itself.
struct Surroundings {
  std::string program = "gpuyard";
  std::optional<std::string> url;
  std::optional<std::string> token;
  std::optional<std::string> ca_file;
  std::string profile_path;
  std::optional<std::string> socket;   // named by the user
  std::vector<std::string> sockets;    // of servers on this machine, best first
  std::vector<std::string> local_cas;  // certificates of servers on this machine
  Random& random;
  std::function<void(Micros)> wait;
  const Clock& clock = SystemClock();
  std::string working_dir = {};  // where the program was started
  // Every variable around the program; read when somebody asks for them to go along.
  std::function<std::vector<std::pair<std::string, std::string>>()> variables = {};
};

class Session {
 public:
  Session(Console console, Surroundings surroundings)
      : console_(std::move(console)), around_(std::move(surroundings)) {}

  Console& console() { return console_; }
  const Surroundings& around() const { return around_; }
  Format format() const { return format_; }
  void SetFormat(Format format) { format_ = format; }

  // Read when first asked for.
  Result<Profile*> profile();
  Status Save();

  // Where requests go, told apart by who said so: "GPUYARD_URL", the profile's path, the socket.
  struct Place {
    std::string url;
    std::string socket;
    std::string said_by;
  };
  client::Outcome<Place> FindServer();
  // `url` may be "unix:/path".
  static Place PlaceOf(const std::string& url, std::string said_by);

  // Connects when first asked for; kUnavailable if no server is known.
  client::Outcome<client::Client*> Server();
  // A client without token, for signing in.
  std::unique_ptr<client::Client> Anonymous(const Place& place, const Profile& profile) const;

  std::string NewKey();  // for an idempotent POST

  // Prints what failed and what to do; the exit code that says it.
  ExitCode Report(const client::Failure& failure);
  ExitCode Report(const Error& error) { return Report(client::Failure(error)); }
  ExitCode Usage(const Error& error);
  // A line for the person, on standard error.
  void Note(std::string_view text);
  // The same, only where somebody watches: hints and progress.
  void Hint(std::string_view text);

  ExitCode exit_code = ExitCode::kOk;
  // The words after "--", for verbs that take a command.
  std::vector<std::string> tail;
  bool has_tail = false;

 private:
  client::Options OptionsFor(const Place& place, const Profile& profile) const;
  client::Outcome<std::string> RenewToken(const Place& place);

  Console console_;
  Surroundings around_;
  Format format_ = Format::kTable;
  std::optional<Profile> profile_;
  std::unique_ptr<client::Client> client_;
};

struct Tokens {
  std::string access;
  std::string refresh;
};
// Asks /api/v1/token. `grant` is the JSON body.
client::Outcome<Tokens> RequestTokens(client::Client& client, const json::object& grant);

}  // namespace yard::cli
