// What carries messages out of the server.
//
// Send blocks until the target has answered, refused or taken too long; it never throws and its
// errors are sentences that may be shown to whoever owns the rule. Thread-safe.
#pragma once

#include <string>

#include "base/time.h"
#include "control/notify/events.h"
#include "model/notify.h"

namespace yard::control {

class Courier {
 public:
  virtual ~Courier() = default;
  virtual Try Send(const NotifyRule& rule, const Delivery& delivery, Time now) = 0;
  // Why nothing can be sent this way on this server; empty: it can.
  virtual std::string Missing(NotifyChannel channel) const = 0;
  // Ends what is being sent; from then on nothing is.
  virtual void Cancel() = 0;
};

}  // namespace yard::control
