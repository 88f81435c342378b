// The process that shims are born from: small, so that a birth is a fork that copies little, and
// started once, so that no task pays for loading a program.
//
// One thread. It lives as long as its server: when the other end of the socket is gone, so is it.
#pragma once

namespace yard::shim {

// `words` are the program's arguments, as people see them in the process list. Returns twice, as
// fork does: in the launcher when the server is gone, and in each shim when its task has ended.
int ServeLaunches(char** words);

}  // namespace yard::shim
