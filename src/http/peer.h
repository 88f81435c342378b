// Who is on the other end of a unix socket.
#pragma once

#include <optional>

#include "http/http.h"

namespace yard::http {

// What the kernel says of the process that connected. Nothing if that process is in another user
// namespace than we are: the root of a container has our root's number, and is not our root. Root,
// and our own account, are also nobody if their namespace cannot be seen.
std::optional<PeerCredentials> ReadCredentials(int socket);

}  // namespace yard::http
