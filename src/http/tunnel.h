// A connection that has left HTTP: bytes both ways, whatever protocol they speak.
//
// Nothing is read or written unless asked for, so whoever uses a tunnel decides how fast its peer
// may go. Thread-safe; the callbacks come on the thread of the connection, never from inside the
// call that asked for them. Destroying the tunnel closes the connection.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"

namespace boost::asio {
class io_context;
}

namespace yard::http {

class Tunnel {
 public:
  // No bytes: the peer has ended its side, or is gone.
  using Received = std::move_only_function<void(std::string bytes)>;
  using Sent = std::move_only_function<void(Status status)>;

  virtual ~Tunnel() = default;

  // Some bytes, as soon as there are any. One at a time.
  virtual void Receive(Received done) = 0;
  // All of them. One at a time.
  virtual void Send(std::string bytes, Sent done) = 0;
  // Ends what is under way.
  virtual void Close() = 0;
  // Called when the server begins to stop; without it the connection is closed then.
  virtual void OnStop(std::move_only_function<void()> told) = 0;
  // Runs a task on the connection's thread; dropped if that has ended.
  virtual void Post(std::move_only_function<void()> task) = 0;
  // Of the connection's thread, and to be used on it alone.
  virtual boost::asio::io_context& context() = 0;
};

struct Link;

// The tunnel through a server's connection.
std::shared_ptr<Tunnel> MakeTunnel(std::shared_ptr<Link> link);

}  // namespace yard::http
