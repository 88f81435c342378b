// For tests: a real gpuyard server in a process of its own, on loopback.
//
// The process is killed when its object goes, whatever happened. One thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace yard::testing {

struct ServerSetup {
  std::string program;
  std::string data_dir;
  std::string password = "crash-test-password";
  std::string log_path;  // standard error of the server goes here
};

class ServerProcess {
 public:
  // Starts the server on a free port and waits until it is ready; fails the test otherwise.
  explicit ServerProcess(const ServerSetup& setup);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  std::uint16_t port() const { return port_; }
  bool ready() const { return ready_; }
  // kill -9, and wait until it is gone.
  void Kill();
  // SIGTERM; returns the exit code.
  int Stop();

 private:
  bool WaitUntilReady();

  pid_t pid_ = -1;
  int status_ = 0;  // of a server that ended before it was ready
  std::uint16_t port_ = 0;
  bool ready_ = false;
};

// A port nobody listens on right now.
std::uint16_t FreePort();

}  // namespace yard::testing
