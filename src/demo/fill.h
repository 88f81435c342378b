// Fills an empty data directory with the demo's lab.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "control/service.h"
#include "demo/clock.h"
#include "demo/nodes.h"
#include "demo/past.h"
#include "engine/sim/sim_world.h"

namespace yard::demo {

struct FillOptions {
  std::string data_dir;
  // Makes the keys and the first accounts; returns the hash of every account's password.
  std::function<Result<std::string>(control::Service&)> open_accounts;
  std::size_t nodes = kUsualNodes;
  std::int64_t workloads = 0;  // how many there are in all; fewer than the lab's own: only those
  std::optional<PastOptions> past;  // nothing: as fits the size
  Time now;                         // when the past ends
  std::function<void(const std::string&)> told = [](const std::string&) {};  // how far it is
};

// The machines with what runs on them; time is the machine's own again. Call the world's
// StartThread to let it go on.
struct Stage {
  std::unique_ptr<SteeredClock> clock;
  std::shared_ptr<engine::SimWorld> world;
};

Result<Stage> Fill(const FillOptions& options);

}  // namespace yard::demo
