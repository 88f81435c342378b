// Ends what is open when the right to it is gone: shells, followed logs, ports, streams.
//
// A request is judged when it comes; what stays open afterwards is judged again twice a second,
// by the same check on the newest state. The thread starts with the first one watched.
// Thread-safe; checks run on the thread of the rights, and must not block.
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "http/http.h"

namespace yard::serve {

// All of a request but its body: who sent it, and what for.
http::Request HeadOf(const http::Request& request);

class LiveRights {
 public:
  struct Watched {
    std::weak_ptr<void> alive;  // what is open; forgotten once it is closed
    std::function<Status()> check;
    std::move_only_function<void(const Error& why)> end;  // called once
  };

  LiveRights() = default;
  ~LiveRights();
  LiveRights(const LiveRights&) = delete;
  LiveRights& operator=(const LiveRights&) = delete;

  void Watch(Watched watched);

 private:
  void Loop();
  static bool StillRight(Watched& watched);

  Mutex mutex_;
  CondVar wake_;
  std::vector<Watched> joining_ YARD_GUARDED_BY(mutex_);
  bool stopping_ YARD_GUARDED_BY(mutex_) = false;
  std::once_flag started_;
  std::thread thread_;
};

}  // namespace yard::serve
