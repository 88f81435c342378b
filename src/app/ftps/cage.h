// A place for a server that strangers talk to: a view of the file system with nothing in it but
// programs of the system and the folders of FTPS, and a user namespace whose root is nobody on the
// machine.
//
// In it the kernel maps ids 0 to kIds - 1 and no others, so no process of the cage ever is an
// account of the machine, whatever it is told.
#pragma once

#include <functional>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace yard::app::ftps {

struct CageSpec {
  std::string folder;  // DIR, prepared; root's
  int users = -1;      // USERS, mounted nowhere yet
  // The first process of the cage, its id 0. Its own log goes to standard error.
  std::function<void()> run;
};

// Root only, before there is a thread. Answers once the cage stands. It ends when no process has
// the descriptor any more.
Result<UniqueFd> MakeCage(const CageSpec& spec);

}  // namespace yard::app::ftps
