// Sends what waits to be sent, and looks for what only time brings about.
//
// A few threads of its own, outside the reactor. Each takes the message that is due first, has it
// carried, and writes down how that went before it takes the next. Of one rule one message is sent
// at a time, so that a target that hangs holds up nobody else. What waits is durable: a
// server that comes back goes on with it. A message whose success is on disk is never sent again;
// one that was sent an instant before a crash may be, under the same id.
// Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "control/notify/courier.h"
#include "control/service.h"
#include "control/state/wait_board.h"

namespace yard::control {

struct NotifierOptions {
  std::size_t threads = 4;
  Micros between_looks = Seconds(5);     // for what only time brings about
  std::function<SharedBoard()> waiting;  // why work waits; none: as the state says
  // The end of a workload's log, for mails to its owner; none: they have no lines of it. May block.
  std::function<std::string(WorkloadId)> last_lines;
};

class Notifier {
 public:
  // Service and courier must outlive it.
  Notifier(Service& service, Courier& courier, NotifierOptions options);
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

 private:
  struct Waiting {
    DeliveryId id;
    NotifyRuleId rule;
    Time next_try;
  };

  void OnNotice(const Notice& notice);
  void Take(const Delivery& delivery);
  void SendLoop();
  // Waits for a message that is due and whose rule is free; nothing when stopping.
  std::optional<Waiting> Next();
  std::optional<Waiting> PickDue(Time now) YARD_REQUIRES(mutex_);
  Micros UntilNext(Time now) const YARD_REQUIRES(mutex_);
  void Deliver(const Waiting& waiting);
  Delivery Filled(const State& state, const NotifyRule& rule, const Delivery& delivery) const;
  void Record(DeliveryId id, const Try& result);
  void LookLoop();
  // False: what was due could not be told, and is due still.
  bool Look(const Window& window);

  // Constant after construction.
  Service& service_;
  Courier& courier_;
  const NotifierOptions options_;

  Mutex mutex_;
  CondVar wake_;                                                   // of those who send
  CondVar stop_;                                                   // of those who wait for a time
  std::map<DeliveryId, Waiting> waiting_ YARD_GUARDED_BY(mutex_);  // in the order of their making
  std::set<NotifyRuleId> busy_ YARD_GUARDED_BY(mutex_);
  bool stopping_ YARD_GUARDED_BY(mutex_) = false;

  std::unique_ptr<Subscription> subscription_;
  std::vector<std::thread> threads_;
};

}  // namespace yard::control
