// A host on which Slurm's programs work: this one, or a login node behind OpenSSH.
//
// Files of the cluster are reached by programs of that host too, so that nothing but one command
// line is needed. Calls block. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/engine.h"
#include "engine/local/event_loop.h"
#include "engine/slurm/program.h"

namespace yard::engine::slurm {

struct Command {
  std::vector<std::string> argv;  // the first is looked for in PATH
  std::string input = {};
  Micros limit = Seconds(60);
};

class Site {
 public:
  virtual ~Site() = default;
  // "this host", "login.example.org": for messages.
  virtual const std::string& name() const = 0;
  // How often its files may be looked at.
  virtual Micros look_interval() const = 0;

  // kUnavailable if the host cannot be reached or does not answer in time.
  virtual Result<Output> Run(const Command& command) = 0;
  // The same, with its streams in the caller's hands. `variables` are set for it alone.
  virtual Result<std::unique_ptr<Session>> Start(EventLoop& loop, const ExecSpec& command) = 0;
  // A stream to a port of a node, as seen from that host.
  virtual Result<UniqueFd> Connect(EventLoop& loop, const std::string& address,
                                   std::uint16_t port) = 0;
};

using Variables = std::map<std::string, std::string>;

// `variables` is the whole environment of the commands, such as PATH and SLURM_CONF.
std::unique_ptr<Site> MakeLocalSite(Variables variables);

struct SshOptions {
  std::string host;
  std::string user;  // empty: as the account of this process is set up
  std::uint16_t port = 22;
  std::string key_file;          // empty: as ssh_config says
  std::string known_hosts_file;  // empty: the account's own
  std::string control_path;      // the shared connection's socket; at most 90 bytes
  Variables variables = {};      // set on the far side
};
// One connection is kept and shared. Host keys must be known; the agent is not forwarded.
std::unique_ptr<Site> MakeSshSite(SshOptions options);

}  // namespace yard::engine::slurm
