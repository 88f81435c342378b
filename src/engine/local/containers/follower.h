// Follows the containers of an earlier life while no daemon answers.
//
// Their shims go on by themselves: how they end, stopping them and their terminals need no daemon.
// One whose shim is gone too stays as it was found, until a life with a daemon takes it up.
// Nothing is launched here.
#pragma once

#include <memory>
#include <string>

#include "engine/local/event_loop.h"
#include "engine/local/runner.h"

namespace yard::engine::containers {

// `missing` says why there is no daemon. The loop must outlive it.
std::unique_ptr<Runner> MakeFollower(EventLoop& loop, std::string missing);

}  // namespace yard::engine::containers
