// From a workload's spec to what an engine is asked to run. Only reads; any thread.
//
// An error's message is the sentence people see as the cause of a failed launch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/auth/machine_accounts.h"
#include "control/auth/secrets.h"
#include "control/state/state.h"
#include "engine/task.h"
#include "model/spec/storage.h"

namespace yard::control {

// As whom work without an image runs.
enum class NativeTasks {
  kSelf,       // the server's own account
  kSelfAlone,  // the same, as long as one person uses the server
  kOwner,      // the submitter's account: see control/auth/machine_accounts.h
  kIsolated,   // the submitter's unixName, else a user id that no account of the machine has
  kOff,        // such work is refused
};

struct LaunchContext {
  const Vault* vault = nullptr;  // without it no secret can be used
  NativeTasks native = NativeTasks::kSelf;
  MachineAccounts accounts;
  // The path with all symbolic links followed, as far as it exists. Absent: paths are taken as they
  // are written.
  std::function<Result<std::string>(const std::string& path)> resolve_path;
  // Makes a version of a data set ready to be read; the mount's source. kTooMany as long as it is
  // being made: the launch is tried again. Absent: there are no data sets.
  std::function<Result<std::string>(ProjectId project, const DataSetMount& mount)> data_view;
  // With kIsolated, for work of the first administrator.
  std::optional<engine::Account> operator_account = {};
};

// The task of one rank of an attempt that the state knows.
Result<engine::TaskSpec> BuildTask(const State& state, const Attempt& attempt, std::int32_t rank,
                                   const LaunchContext& context);

// A rank of it runs under an account of the machine: a plain process, or a container with a user id
// of its own.
bool UsesAccount(const Workload& workload);

// The GPUs of that task, with the limits the workload has now.
Result<std::vector<engine::GpuGrant>> BuildGrants(const State& state, const Attempt& attempt,
                                                  std::int32_t rank);

}  // namespace yard::control
