// The scheduler's rules as administrators set them: settings whose names begin with "scheduler.".
//
// They hold from the moment they are saved. What is not set, or cannot be read, is as the server
// was started with. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "control/state/state.h"
#include "sched/policy.h"

namespace yard::control {

// What anybody may have at once, whatever is free.
struct Caps {
  std::int64_t user_milli_gpu = sched::kUnlimited;
  std::int64_t user_interactive = sched::kUnlimited;     // running interactive workloads
  std::int64_t project_interactive = sched::kUnlimited;  // the same of a project
};

// The rules of a server where nothing is set.
sched::Policy UsualPolicy();

struct SchedulerRules {
  sched::Policy policy = UsualPolicy();
  Micros half_life = Days(7);  // of past usage, of projects and people
  bool elastic = false;        // distributed work runs with any number of workers it allows
  Caps caps;
};

bool IsSchedulerSetting(std::string_view key);

// Refuses a scheduler setting that is not known, or a value it cannot have. Other settings pass.
Status CheckSetting(std::string_view key, const std::string& value);

// The rules in force; `usual` is what holds where nothing is set.
SchedulerRules RulesOf(const State& state, const sched::Policy& usual);

// Every scheduler setting with the value in force, as text.
struct ShownSetting {
  std::string_view key;
  std::string value;
};
std::vector<ShownSetting> SchedulerSettings(const State& state);

}  // namespace yard::control
