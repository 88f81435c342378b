// The threads that serve running work, apart from those that serve requests.
//
// Calls into engines may block for a while: they have threads of their own, so that they hold up
// neither a sign-in nor an I/O thread. Nobody holds more connections than their seats.
// Thread-safe.
#pragma once

#include "serve/live/poller.h"
#include "serve/live/seats.h"
#include "serve/worker.h"

namespace yard::serve {

class LiveThreads {
 public:
  ~LiveThreads() { poller.Stop(); }  // first: what it drops is still finished by the calls

  Seats sessions{{.of_one = 300, .together = 1500}};  // shells, terminals, ports, uploads
  Seats tools{{.of_one = 300, .together = 1500}};     // requests to tools
  Poller poller;
  Worker calls{{.threads = 16, .queue = 1024, .queue_of_one = 768, .threads_of_one = 12}};
};

}  // namespace yard::serve
