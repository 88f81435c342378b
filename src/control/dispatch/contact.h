// A cluster that is out of contact: what people are told of its work, and what becomes of its
// nodes. Nothing of it is given up: only an engine that is in contact can say that a task is lost.
#pragma once

#include <string>

#include "base/time.h"
#include "control/state/txn.h"
#include "model/wait_note.h"

namespace yard::control {

inline constexpr std::string_view kOutOfContact = "OutOfContact";

// The same for all work of the cluster. Pure.
WaitNote LostNote(Time since, const std::string& why);

// Nothing new starts on its nodes until the engine reports them again. Reactor thread.
void LoseNodes(Txn& txn, ClusterId cluster, const std::string& engine, const std::string& why);

}  // namespace yard::control
