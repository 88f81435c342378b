// The first process of the cage: keeps proftpd running, makes the folders of projects, and ends the
// sessions of those who may not go on. One thread; never returns.
#pragma once

#include "app/ftps/config.h"

namespace yard::app::ftps {

void KeepServing(const Listening& listening);

}  // namespace yard::app::ftps
