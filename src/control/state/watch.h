// The stream of changes: tells every listener of each committed change it may see.
//
// A thread of its own stands between the reactor, which only queues, and the listeners. Who a
// listener is and what it may see is asked anew for every batch, so its stream ends with its
// session. One that asks for what came after a sequence number is served from the journal, a slice
// at a time so that nobody waits for it, then live, without a gap or a repetition. What waits is
// bounded: if the queue runs over, its listeners go on from the journal; one that is too far behind
// for that, or behind rows that are gone, gets the event "resync", which names the row to go on
// from after reading everything anew, and is dropped. A sink that returns false is dropped as well.
// Sinks are told something every 20 seconds at least, so that a dead peer is noticed.
// Thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "control/auth/access.h"
#include "control/service.h"
#include "model/scope.h"

namespace yard::control {

// What it takes to see a kind of object, and where it lies; nothing: nobody is told of it.
struct Visibility {
  Resource resource;
  ScopePath where;
  Scope scope;  // as shown
};
std::optional<Visibility> VisibilityOf(const State& state, const Object& object);

class ChangeFeed {
 public:
  // Takes one piece of an event stream; false ends the listening.
  using Sink = std::function<bool(std::string)>;
  // Who listens, by the newest state; an error once the session has ended.
  using Identify = std::function<Result<Principal>(const State&)>;

  struct Limits {
    std::size_t queue = 10'000;    // changes that wait to be told
    std::int64_t replay = 10'000;  // rows that are read from the journal for one listener
  };

  explicit ChangeFeed(Service& service) : ChangeFeed(service, Limits{}) {}
  ChangeFeed(Service& service, Limits limits) : service_(service), limits_(limits) {}
  ~ChangeFeed();

  // Starts the thread with the first listener. `after`: also what followed this journal row.
  void Listen(Identify identify, std::optional<std::int64_t> after, Sink sink);

 private:
  struct Listener {
    Identify identify;
    Sink sink;
    std::int64_t last = 0;   // the row told last
    bool replaying = false;  // from the journal; not told of what is new
    Time told_at = {};
  };
  // What a turn of the loop has to do.
  struct Work {
    std::vector<Notice> notices;
    std::vector<Listener> joining;
    bool overrun = false;
    bool stopping = false;
  };

  void Start();
  void Loop();
  Work NextWork();
  // These return false if the listener is gone.
  bool Join(Listener& listener);
  bool TellAll(Listener& listener, const std::vector<Notice>& notices, const State& state);
  bool TellOne(Listener& listener, const Notice& notice, const Access& access, const State& state);
  bool ReplaySome(Listener& listener, const State& state);
  bool Resync(Listener& listener);
  bool Send(Listener& listener, std::string piece);
  Result<std::int64_t> NewestRow();

  // Constant after construction.
  Service& service_;
  const Limits limits_;

  // Feed thread.
  std::vector<Listener> listeners_;

  Mutex mutex_;
  CondVar wake_;
  std::deque<Notice> notices_ YARD_GUARDED_BY(mutex_);
  std::int64_t newest_ YARD_GUARDED_BY(mutex_) = 0;  // the row of the newest change
  std::vector<Listener> joining_ YARD_GUARDED_BY(mutex_);
  bool overrun_ YARD_GUARDED_BY(mutex_) = false;
  bool stopping_ YARD_GUARDED_BY(mutex_) = false;

  std::once_flag started_;
  std::unique_ptr<Subscription> subscription_;
  std::thread thread_;
};

}  // namespace yard::control
