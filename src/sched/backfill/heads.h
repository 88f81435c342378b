// Protected heads: the first workload of each person that has to wait gets a planned start, and
// nobody who arrives later moves it. Internal to sched.
//
// Every decision begins with the heads there are. First each keeps the place and the time it was
// given, so that no head can push another back. Then each is tried again, in the order of their
// starts: it begins if it can, and the nearest ones look for an earlier start beside the others'.
// So a start only ever comes nearer, unless hardware fails, work outlives what is known of it, or
// a claim that is stronger than running work takes the place (see reclaim/reclaim.h).
#pragma once

#include "sched/decision.h"

namespace yard::sched {

// Whether what says no is a bound that work which ends will leave room in.
bool PassesWithTime(Cause cause);

// Keeps and tries the heads there are; their lines go on behind them until ReturnHeads. Where heads
// borrow, waiting work that is guaranteed its place is served before they are tried.
using GuaranteedFirst = void (*)(Decision&);
void HoldHeads(Decision& decision, GuaranteedFirst serve);
// Whether the next workload of a line may become a head: its person has none yet.
bool MayBecomeHead(const Decision& decision, LineIndex line);
// The next workload of the line has a held place: it is the head of its person's work.
void MakeHead(Decision& decision, LineIndex line);
// Puts the heads back into their lines, for the steps that make room.
void ReturnHeads(Decision& decision);
// Lists in the plan those that still wait.
void ListHeads(Decision& decision);

}  // namespace yard::sched
