// A typed client of the Docker-compatible API, as dockerd and podman's service speak it.
//
// Paths carry no version, so each daemon answers in its own newest one. A refusal by the daemon is
// an error whose message is the daemon's own text; explain.h turns it into advice. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/local/containers/http.h"
#include "engine/task.h"

namespace yard::engine::containers {

enum class DaemonKind { kDocker, kPodman };
enum class CgroupDriver { kFiles, kSystemd, kNone };

struct DaemonFacts {
  DaemonKind kind = DaemonKind::kDocker;
  std::string version;
  std::string api;
  CgroupDriver cgroups = CgroupDriver::kFiles;
  bool rootless = false;
  bool remapped = false;  // it gives every container a user namespace
  std::string storage;    // the folder of its images and containers
};

struct ImageFacts {
  std::string id;
  std::string user;
  std::string working_dir;
  std::vector<std::string> entrypoint;
  std::vector<std::string> command;
  std::string library_path;  // LD_LIBRARY_PATH, as the image sets it
};

enum class ContainerState { kCreated, kRunning, kEnded };

struct ContainerFacts {
  std::string id;
  std::string name;
  ContainerState state = ContainerState::kCreated;
  std::int64_t pid = 0;  // of its first process, as the host sees it; 0 unless running
  std::int32_t exit_code = 0;
  bool out_of_memory = false;  // podman leaves it false with the first version of cgroups
  std::string failure;         // why it could not start
  std::string address;         // on the daemon's network; empty with host or no network
  std::optional<Time> started_at;
  std::optional<Time> ended_at;
  std::vector<std::pair<std::string, std::string>> labels;
};

struct ExecOrder {
  std::vector<std::string> command;
  std::vector<std::string> variables;  // NAME=value
  std::string user;                    // empty: the container's
  std::string working_dir;             // empty: the container's
  bool tty = false;
  std::uint16_t rows = 24;  // of the terminal at the start, if the daemon takes it
  std::uint16_t columns = 80;
};

struct ExecFacts {
  bool running = false;
  std::int32_t exit_code = 0;
  std::int64_t pid = 0;  // as the host sees it; 0 if the daemon does not tell
};

struct PullOrder {
  std::string image;
  std::string user;  // empty: anonymous
  std::string password;
};

class Daemon {
 public:
  explicit Daemon(std::string socket_path) : http_(std::move(socket_path)) {}

  const std::string& socket_path() const { return http_.socket_path(); }

  Status Ping() const;
  Result<DaemonFacts> Facts() const;

  // Empty if the daemon does not have it.
  Result<std::optional<ImageFacts>> FindImage(const std::string& image) const;
  // Tells how far it is, such as "pulling image a/b:1: 40 %", each time that changes. `progress`
  // answers false to give up.
  Status Pull(const PullOrder& order,
              const std::function<bool(const std::string&)>& progress) const;
  Status RemoveImage(const std::string& image) const;  // also if there is none

  // `body` is the create request of create.h; kConflict if the name is taken. Answers with the id.
  Result<std::string> Create(const std::string& name, const std::string& body) const;
  // The same with the body of create_mapped.h, which has the name in it. Podman only.
  Result<std::string> CreateMapped(const std::string& body) const;
  Status Start(const std::string& container) const;  // also if it runs already
  Result<ContainerFacts> Inspect(const std::string& container) const;
  Result<std::int32_t> Wait(const std::string& container) const;
  Status Kill(const std::string& container, int signal) const;
  // SIGTERM or the signal it was created with, then SIGKILL; blocks until it ended.
  Status Stop(const std::string& container, Micros grace) const;
  Status Remove(const std::string& container) const;  // running or not; also if there is none
  // All that carry the label, running or not.
  Result<std::vector<ContainerFacts>> List(const std::string& label,
                                           const std::string& value) const;

  // A bridge of that name with addresses that nobody else has; also if it is there. Answers with
  // its IPv4 subnet, "10.89.0.0/24".
  Result<std::string> MakeNetwork(const std::string& name, const std::string& root) const;
  Status RemoveNetwork(const std::string& name) const;  // also if there is none; not while in use

  // The container's own streams from now on; framed (frames.h) unless it has a terminal.
  Result<UniqueFd> Attach(const std::string& container) const;
  Status Resize(const std::string& container, std::uint16_t rows, std::uint16_t columns) const;

  Result<std::string> CreateExec(const std::string& container, const ExecOrder& order) const;
  Result<UniqueFd> StartExec(const std::string& exec, const ExecOrder& order) const;
  Status ResizeExec(const std::string& exec, std::uint16_t rows, std::uint16_t columns) const;
  Result<ExecFacts> InspectExec(const std::string& exec) const;

 private:
  Http http_;
};

}  // namespace yard::engine::containers
