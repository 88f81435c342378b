// A workload's spec: what one of its pods asks for, as plain types.
//
// `wire` reads a spec once when it is submitted and once from the store; nothing below the API
// reads its text again. The text itself is carried along, since clients get back what they sent:
// fields that nothing here decides on, and amounts in the units they were written in. A spec never
// changes: an edit makes a new one. CONTRIBUTING.md says how to add a field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "base/shared.h"
#include "base/time.h"
#include "model/common.h"
#include "model/spec/placement.h"
#include "model/spec/reach.h"
#include "model/spec/security.h"
#include "model/spec/storage.h"
#include "model/spec/words.h"

namespace yard {

enum class PullPolicy : std::uint8_t { kIfNotPresent, kAlways, kNever };

// How a part's share of the GPU's time is kept.
enum class GpuTimeMode : std::uint8_t {
  kFree,         // not at all: every task takes the time it gets
  kFair,         // by shares, what others leave idle included
  kStrict,       // never more than the share
  kInteractive,  // by shares, and ahead of others when it has work
};

// The words in which a spec asks for a part of a GPU.
enum class GpuAsk : std::uint8_t { kUnsaid, kPortion, kMemory, kMigProfile };

// Of distributed work.
enum class Framework : std::uint8_t { kNone, kMpi, kPyTorch, kTensorFlow, kXgBoost, kJax };

enum class VariableSource : std::uint8_t {
  kNone,  // a name alone: empty
  kValue,
  kSecret,
  kConfigMap,
  kCredential,
  kPodField,
};

struct VariableSpec {
  std::string name;
  std::string value;  // or the name or id of the credential, or the path of the field
  std::string key;    // within the credential
  VariableSource source = VariableSource::kNone;
};

// A command that runs before the workload's own.
struct StepSpec {
  std::string name;
  Words command;
  Words args;
};

// Everything that must be there before the command starts, beside its files.
struct SetupSpec {
  std::vector<std::string> pull_secrets;  // names or ids of credentials
  std::vector<StepSpec> steps;
};

// A signal that says that the end comes near: so long before the time limit, and at once when the
// work has to give way; SIGTERM and the end follow after the same time.
struct WarningSpec {
  std::int64_t signal = 0;
  Micros before{0};
};

// The most that a pod may grow to, and the time it is kept. Requests are in Workload::request.
struct LimitSpec {
  std::optional<MilliGpu> gpu_portion;
  std::optional<Mebibytes> gpu_memory;
  std::optional<MilliCpu> cpu;
  std::optional<Mebibytes> memory;
  std::optional<Mebibytes> log;  // kept of each task's log; absent: the engine's usual
  std::optional<Time> begin_at;  // it waits until then
  std::optional<WarningSpec> warning;
  std::optional<Micros> kept_after_end;  // then it deletes itself; absent: 30 days
  GpuTimeMode gpu_time = GpuTimeMode::kFree;
  bool large_shm = false;
};

struct WorkloadSpec {
  Document document;  // the spec as it was sent, after policy defaults

  std::string image;  // empty: a plain process
  Words command;      // empty: the image's
  Words args;
  std::string working_dir;
  std::vector<VariableSpec> variables;

  Shared<SetupSpec> setup;
  Shared<LimitSpec> limits;
  Shared<StorageSpec> storage;
  Shared<SecuritySpec> security;
  Shared<PlacementSpec> placement;
  Shared<ReachSpec> reach;

  PullPolicy pull = PullPolicy::kIfNotPresent;
  GpuAsk gpu_ask = GpuAsk::kUnsaid;
  Framework framework = Framework::kNone;
  bool tty = false;
};

using SpecRef = Shared<WorkloadSpec>;

// Fields of a spec that an order changes after it was submitted.
struct SpecChange {
  std::optional<std::string> priority_class;
  std::optional<bool> preemptible;
  std::optional<Micros> time_limit;
  std::optional<Time> stop_at;
  std::optional<double> gpu_portion_limit;
  std::optional<std::string> gpu_memory_limit;
};

}  // namespace yard
