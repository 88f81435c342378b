// The threads that serve running work, apart from those that serve requests.
//
// Calls into engines may block for a while, and so may waiting for an exit that an engine shows on
// no descriptor: each has threads of its own, so that neither holds up the other, a sign-in or an
// I/O thread.
// Thread-safe.
#pragma once

#include "api/poller.h"
#include "api/worker.h"

namespace yard::api {

class LiveThreads {
 public:
  ~LiveThreads() { poller.Stop(); }  // first: what it drops is still finished by the others

  Poller poller;
  Worker calls{{.threads = 16, .queue = 1024}};
  Worker waits{{.threads = 64, .queue = 256}};
};

}  // namespace yard::api
