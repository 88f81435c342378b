// Why work waits, put into words: once for every line of interchangeable work. Every surface says
// what stands here.
#pragma once

#include "control/sched/view.h"
#include "control/state/wait_board.h"
#include "sched/explain/binding.h"

namespace yard::control {

// For people who may know nothing of other projects.
WaitNote NoteOf(const std::vector<sched::Reason>& reasons, sched::Outlook outlook,
                const sched::Snapshot& snapshot);
WaitNote NoteOf(const GateAnswer& gate);

// All that wait in the view, which must not be stale.
WaitBoard::Notes NotesOf(SchedView& view);

}  // namespace yard::control
