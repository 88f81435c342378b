// Starts the shims of plain tasks, through a small process that forks them (`gpuyard-shim serve`):
// a fraction of what loading the program for each would cost. The shims are children of this
// process all the same.
//
// A launcher that died is started again. Thread-safe: one order at a time.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "engine/local/native/spawn.h"
#include "engine/local/tasks/task_folder.h"

namespace yard::engine {

class Launcher {
 public:
  // `program` is the path of gpuyard-shim.
  explicit Launcher(std::string program) : program_(std::move(program)) {}
  ~Launcher();
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  // `kept` comes as the shim's descriptor 3; -1: none.
  Result<Child> Start(const TaskFolder& folder, int kept);

 private:
  Status Open();
  void Close();
  // The shim's pid or a negated errno; nothing if there is no launcher any more.
  std::optional<std::int32_t> Ask(const std::string& folder, int kept);

  const std::string program_;
  std::mutex mutex_;
  UniqueFd socket_;  // guarded by mutex_
  Child process_;    // guarded by mutex_
};

}  // namespace yard::engine
