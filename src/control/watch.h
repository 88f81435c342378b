// The stream of changes: tells every listener of each committed change it may see.
//
// A thread of its own stands between the reactor, which only queues, and the listeners, whose
// rights are checked against the newest state for every batch. A listener that asks for what came
// after a sequence number is first served from the journal, then live, without a gap or a
// repetition. A sink that returns false is dropped; sinks are told something at least every 15
// seconds, so that a dead peer is noticed.
// Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "control/access.h"
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

  explicit ChangeFeed(Service& service) : service_(service) {}
  ~ChangeFeed();

  // Starts the thread with the first listener. `after`: also what followed this journal row.
  void Listen(Principal who, std::optional<std::int64_t> after, Sink sink);

 private:
  struct Listener {
    Principal who;
    std::optional<std::int64_t> after;
    Sink sink;
    std::int64_t last = 0;  // the row told last
  };

  void Start();
  void Loop();
  void Tell(const std::vector<Notice>& notices);
  // False: the listener is gone.
  bool Replay(Listener& listener);
  bool TellOne(Listener& listener, const Notice& notice, const Access& access, const State& state);

  // Constant after construction.
  Service& service_;

  // Feed thread.
  std::vector<Listener> listeners_;

  // Guarded by mutex_.
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Notice> notices_;
  std::vector<Listener> joining_;
  bool stopping_ = false;

  std::once_flag started_;
  std::unique_ptr<Subscription> subscription_;
  std::thread thread_;
};

}  // namespace yard::control
