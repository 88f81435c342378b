// What of a change people are told, and the messages that follow from it.
//
// Messages are made in the transaction of the change itself: neither can be durable without the
// other. Of each rule a bounded number is kept; if that many wait to be sent, further events are
// counted on the newest message instead. Reactor thread, but for what takes a State.
#pragma once

#include <optional>
#include <string>

#include "base/time.h"
#include "control/state/txn.h"
#include "control/state/wait_board.h"
#include "model/notify.h"

namespace yard::control {

inline constexpr std::size_t kKeptDeliveries = 200;  // of one rule

// Adds the messages that follow from what the transaction did so far.
void Announce(Txn& txn);

// Work that comes close to its time limit, or has waited for long, tells nobody: somebody must
// look. These two look at (after, until], so that looks that follow each other see every such
// moment exactly once.
struct Window {
  Time after;
  Time until;
};
bool AnyDue(const State& state, const Window& window);
// `waiting` says why work waits.
void AnnounceDue(Txn& txn, const Window& window, const WaitBoard& waiting);

// The end of the last window in which something was due, as it survives a restart.
std::optional<Time> LastDue(const State& state);

// How one try went.
struct Try {
  enum class Verdict { kSent, kAgain, kNever };
  Verdict verdict = Verdict::kAgain;
  std::int64_t status = 0;
  std::string error;
  Time at;
};
// The delivery after that try.
Delivery AfterTry(Delivery delivery, const Try& result);
// Writes it down, if it is still there and pending.
void RecordTry(Txn& txn, DeliveryId id, const Try& result);
// Adds a message that was sent already: a test. Its rule may be gone by now; then nothing is kept.
Ptr<Delivery> RecordTest(Txn& txn, Delivery delivery);

}  // namespace yard::control
