// The server that the crash tests kill: launches one task and dies at the step it is told. If the
// step is one of putting the task away (pack-…), it waits for it.
//
//   engine_crash_child ROOT SHIM CGROUP STEP ATTEMPT SCRIPT
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string_view>

#include "base/uuid.h"
#include "engine/local/local_engine.h"

namespace yard::engine {
namespace {

int Main(char** words) {
  const std::string_view fatal = words[4];
  LocalOptions options;
  options.root = words[1];
  options.root_tasks = RootTasks::kAllowed;
  options.shim = words[2];
  options.cgroup = words[3];
  options.pack_after = Micros(1);
  options.at_step = [&](std::string_view step) {
    if (step == fatal) ::kill(::getpid(), SIGKILL);
  };
  Result<std::unique_ptr<Engine>> engine = OpenLocalEngine(options, {});
  if (!engine || !(*engine)->Adopt({})) return 3;
  TaskSpec spec;
  spec.key.attempt = AttemptId(ParseUuid(words[5]).value_or(Uuid{}));
  spec.command = {"/bin/sh", "-c", words[6]};
  if (!(*engine)->Launch(spec)) return 4;
  while (fatal.starts_with("pack-")) ::pause();
  ::kill(::getpid(), SIGKILL);
  return 5;
}

}  // namespace
}  // namespace yard::engine

int main(int count, char** words) {
  return count == 7 ? yard::engine::Main(words) : 2;
}
