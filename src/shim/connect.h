// A connection to a port inside a container of a plain account, for its server. One thread.
#pragma once

namespace yard::shim {

// Enters the user and network namespaces of the process, which only a process with one thread can,
// connects to the port on the loopback and sends the connection through descriptor 3. Answers with
// an errno; 0: it is sent.
int ConnectBeside(const char* pid, const char* port);

}  // namespace yard::shim
