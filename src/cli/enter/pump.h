// Moves bytes between local descriptors and an exec connection until one side has ended.
#pragma once

#include <functional>

#include "client/channel.h"
#include "client/client.h"

namespace yard::cli {

struct PumpEnds {
  int in = 0;  // -1: none
  int out = 1;
  int err = 2;
  int terminal = -1;  // whose size is told to the server; -1: none
};

// The exit code the server tells. kUnavailable if the connection broke before.
client::Outcome<int> Pump(client::Channel& channel, const PumpEnds& ends);

// Bytes only, both ways, until both sides have ended: a connection to a port.
void Splice(client::Channel& channel, int socket);

}  // namespace yard::cli
