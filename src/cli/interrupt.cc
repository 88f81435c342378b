#include "cli/interrupt.h"

#include <csignal>

namespace yard::cli {
namespace {

volatile std::sig_atomic_t came_in = 0;

void OnInterrupt(int) {
  came_in = 1;
}

}  // namespace

Interrupt::Interrupt() {
  came_in = 0;
  struct sigaction action{};
  action.sa_handler = OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
}

bool Interrupt::came() const {
  return came_in != 0;
}

}  // namespace yard::cli
